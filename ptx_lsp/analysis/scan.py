"""The quick scan: lines that are plain instructions are judged by their key alone, without a tree.

It is a cache in front of the full way and never a second set of rules: whatever is not plain, not known or not fine
is `Unclear` and goes the full way.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import accumulate

from ptx_lsp.analysis.demands import NOTHING, demand_of, first_version
from ptx_lsp.analysis.judgement import judge
from ptx_lsp.analysis.kinds import SINK
from ptx_lsp.analysis.obligations import met
from ptx_lsp.analysis.operands import integer_kind, symbol_kind
from ptx_lsp.analysis.surroundings import Profile
from ptx_lsp.analysis.symbols import Scope
from ptx_lsp.analysis.verdict import Duty, Obligation
from ptx_lsp.isa.forms import ANYWHERE
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.syntax.lexer import PASSED_OVER

_NUMBERS = r"[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]*+"
# One match a line. Groups: guard, target of a branch, opcode, operands, label, `.loc`, the comma before `function_name`
# in it, and what is none of these. Comments and blank lines leave every group empty.
LINE = re.compile(
    rf"""^[ \t]*+
    (?: (?:@!?([%$\w]++)[ \t]++)?
        (?: bra(?:\.uni)?[ \t]++([%$\w]++)
          | ([a-z][\w.:]*+)(?:[ \t]++([^;"/\n\r\f()@]*+))?
        )[ \t]*+;
      | ([%$_a-zA-Z][$\w]*+):
      | (\.loc)[ \t]++{_NUMBERS}
        (?:(,)[ \t]*+function_name[ \t]++[%$_a-zA-Z][$\w]*+[ \t]*+,[ \t]*+inlined_at[ \t]++{_NUMBERS})?
    )?+(?:$|[ \t]*+(?://[^\r\n]*+)?\r?$)
    | ^(.*)$
    """,
    re.M | re.X | re.A,
)
# What a line is that has the brace of a nested scope at its begin, its end or both, and a plain instruction or none
# between them; groups: the brace that opens, guard, opcode, operands, the brace that closes.
BRACED = re.compile(
    r"""[ \t]*+(\{?)[ \t]*+
    (?:(?:@!?([%$\w]++)[ \t]++)?([a-z][\w.:]*+)(?:[ \t]++([^;"/\n\r\f()@]*+))?[ \t]*+;[ \t]*+)?
    (\}?)[ \t]*+(?://[^\r\n]*+)?\r?""",
    re.X | re.A,
)
# registers as compilers declare them: of a type that every version and target has, one name a line
REGISTERS = re.compile(
    r"""[ \t]*+\.reg[ \t]++(\.(?:pred|[bsu](?:16|32|64)|f(?:32|64)))[ \t]++
    ([%$_a-zA-Z][$\w]*+)(?:<([1-9][0-9]{0,6})>)?[ \t]*+;[ \t]*+(?://[^\r\n]*+)?\r?""",
    re.X | re.A,
)
LINE_CARRIED_ON = re.compile(PASSED_OVER + r"(?:\Z|[,0-9]|function_name|inlined_at)")


def is_plain_instruction(text: str, before: int, start: int) -> bool:
    """Whether the line that begins at the offset `start` is an instruction, by itself and the line at `before`."""
    first, second = LINE.match(text, before), LINE.match(text, start)
    return first is not None and second is not None and bool(first[2] or first[3] or first[5]) and bool(second[3])


_OPERAND = re.compile(
    r"""[ \t]*+(?:
      ([%$_a-zA-Z][$\w]*+)
    | \[[ \t]*+([%$_a-zA-Z][$\w]*+)[ \t]*+(\+[ \t]*+-?[0-9]{1,9})?[ \t]*+\]
    | (-?(?:0|[1-9][0-9]{0,18}))
    | 0[xX]([0-9A-Fa-f]{1,15})U?
    | 0[fF][0-9a-fA-F]{8}()
    | 0[dD][0-9a-fA-F]{16}()
    | (%[a-z_]+)\.[xyz]
    | !([%$_a-zA-Z][$\w]*+)
    )[ \t]*+""",
    re.X | re.A,
)
_NUMBERS_KNOWN: dict[str, str] = {}  # numbers mean the same everywhere
_NAME, _ADDRESS, _OFFSET, _DECIMAL, _HEX, _SINGLE, _DOUBLE, _ELEMENT, _NOT = range(1, 10)
_LITERAL = frozenset((_DECIMAL, _HEX, _SINGLE, _DOUBLE))
# operands parted by commas; those in braces or brackets, and names with brackets behind them, are one each
_PART = r"(?:\{[^{}\[\]]*+\}|\[[^\[\]]*+\]|[^,{}\[\] \t][^,{}\[\]]*+(?:\[[^\[\]]*+\])?+)"
_PARTS = re.compile(_PART)
_PARTED = re.compile(rf"[ \t]*+{_PART}[ \t]*+(?:,[ \t]*+{_PART}[ \t]*+)*+")
_NAMES = re.compile(r"[%$_a-zA-Z][$\w]*+", re.A)
_PIECE = re.compile(r"[ \t]*+((?:[\[{][ \t]*+){0,3}+)([^\[\]{}]*?)[ \t]*+((?:[\]}][ \t]*+){0,3}+)")
_WINDOW = 32  # so many members of a family are entered together: where one is used, so are its neighbours
_DIGITS = "0123456789"
LARGEST = (1 << 63) - 1  # beyond, a decimal constant is unsigned or too large
_ADDRESSES = frozenset(("func", "entry"))  # they came with later versions
_APART = frozenset(("bra", "brx", "call"))  # judged by those who know labels and functions
_MOST_KNOWN = 10_000

# How many of a line's pieces (`pieces`) the instruction writes, and what its literals must show: which piece, the
# obligation, and the literals that are known to satisfy it.
Literals = tuple[tuple[int, Obligation, set[str]], ...]
Outcome = tuple[int, Literals]
UNKNOWN: Literals = ((0, Obligation(Duty.RANGE, (), ""), set()),)
Outcomes = dict[tuple[str, ...], Outcome]


@cache
def outcomes(profile: Profile) -> Outcomes:
    """The outcomes known so far for one version and target, by key: shared by all documents of the process."""
    return {}


class Unclear(KeyError):
    """This line must go the full way."""


class Kinds(dict[str, str]):
    """The kinds of pieces of operands as one scope sees them; grows as it is asked, and ahead of it.

    A piece is what stands between two commas: an operand, or the begin, middle or end of one in braces or brackets,
    whose kind has them too: `{%r1` is `{.b32`. Joined by commas, the kinds of the pieces are those of the operands.
    Raises `Unclear` for a text that is no plain operand or holds a name that is not declared.
    """

    __slots__ = ("_alone", "_around", "_own", "_scope")

    def __init__(self, scope: Scope, around: Kinds | None = None) -> None:
        self._scope = scope
        self._around = around  # those of the scope around, if that is a function's as well
        self._own: set[str] = set()  # of a scope inside a function, the names that it declares, without their digits
        # of families that nothing shadows: how many members, and their kind
        self._alone: dict[str, tuple[int, str]] = {}
        self.forget()

    def forget(self) -> None:
        """Something was declared: what a text means may have changed."""
        self.clear()
        self._alone.clear()
        if self._around is not None:
            self._own = {name.rstrip(_DIGITS) for name in (*self._scope.members, *self._scope.families)}

    def __missing__(self, text: str) -> str:
        kind = _NUMBERS_KNOWN.get(text)
        if kind is None:
            stem = text.rstrip(_DIGITS)
            known = self._alone.get(stem)
            if known is not None and stem != text and int(text[len(stem) :]) < known[0]:
                kind = self._member(stem, int(text[len(stem) :]), *known)
            else:
                kind = self._read(text)
        self[text] = kind
        return kind

    def _member(self, stem: str, number: int, count: int, kind: str) -> str:
        first = number - number % _WINDOW
        self.update(dict.fromkeys(_members(stem, first)[: count - first], kind))
        return kind

    def _read(self, text: str) -> str:
        # by far the most are an address with its offset, or one end of a vector: both without a pattern
        first, last = text[:1], text[-1:]
        if first == "[" and last == "]":
            name, plus, offset = text[1:-1].partition("+")
            if name.rstrip(_DIGITS) in self._alone and (not plus or (offset.isdecimal() and len(offset) < 10)):
                return f"[{self[name]}+]" if plus else f"[{self[name]}]"
        elif first == "{" and text[1:2] not in ("{", "["):
            return "{" + self._core(text[1:])
        elif last == "}" and text[-2:-1] not in ("}", "]"):
            return self._core(text[:-1]) + "}"
        table = self if self._around is None else self._declaring(text)
        if table is not self:
            return table[text]
        match = _OPERAND.fullmatch(text)
        if match is None:
            return self._piece(text)
        if match.lastindex in _LITERAL:
            if len(_NUMBERS_KNOWN) > _MOST_KNOWN:
                _NUMBERS_KNOWN.clear()
            kind = _NUMBERS_KNOWN[text] = self._plain(match)
            return kind
        return self._plain(match)

    def _core(self, text: str) -> str:
        text = text.strip(" \t")
        if not text:
            raise Unclear
        return self[text]

    def _declaring(self, text: str) -> Kinds:
        # the innermost table whose scope may declare a name in the text, else the outermost
        stems = [name.rstrip(_DIGITS) for name in _NAMES.findall(text)]
        table = self
        while table._around is not None and table._own.isdisjoint(stems):
            table = table._around
        return table

    def kind(self, operand: str) -> str:
        """The kind of a whole operand."""
        return ",".join(map(self.__getitem__, pieces(operand)))

    def _plain(self, match: re.Match[str]) -> str:
        which = match.lastindex
        if which == _NAME:
            return SINK if match[1] == SINK else self._name(match[1])
        if which == _OFFSET:
            return f"[{self._name(match[2])}+]"
        if which == _ADDRESS:
            return f"[{self._name(match[2])}]"
        if which == _DECIMAL:
            value = int(match[4])
            if not -LARGEST <= value <= LARGEST:
                raise Unclear
            return integer_kind(value)
        if which == _HEX:
            return integer_kind(int(match[5], 16))
        if which == _SINGLE:
            return "single"
        if which == _DOUBLE:
            return "double"
        if which == _NOT:
            return "!" + self._name(match[9])
        return self._special_element(match[8])

    def _name(self, name: str) -> str:
        stem = name.rstrip(_DIGITS)
        known = self._alone.get(stem)
        if known is not None and stem != name and int(name[len(stem) :]) < known[0]:
            return known[1]
        symbol = self._scope.lookup(name)
        if symbol is not None:
            kind = symbol_kind(symbol)
            if kind in _ADDRESSES:
                raise Unclear
            if symbol.count is not None and symbol.name == stem and self._is_alone(stem):
                self._alone[stem] = (symbol.count, kind)
            return kind
        special = special_register(name)
        if special is None or special.needs != ANYWHERE or name == "WARP_SZ":
            raise Unclear
        return f"%.v4{special.type}" if special.vector else f"%{special.type}"

    def _is_alone(self, stem: str) -> bool:
        # whether no other declaration could claim a member of the family
        scope: Scope | None = self._scope
        families = 0
        while scope is not None:
            families += sum(len(v) for k, v in scope.families.items() if k.rstrip(_DIGITS) == stem)
            if scope.numbered.get(stem):
                return False
            scope = scope.parent
        return families == 1

    def _special_element(self, name: str) -> str:
        special = special_register(name)
        if special is None or special.needs != ANYWHERE or not special.vector or self._scope.lookup(name) is not None:
            raise Unclear
        return f"%{special.type}"

    def _piece(self, text: str) -> str:
        if not text:
            return text  # of an instruction without operands
        if text.count("|") == 1 and text[0] not in "[{" and text[-1] not in "]}":
            return "|".join(map(self.__getitem__, text.split("|")))
        match = _PIECE.fullmatch(text)
        if match is None or not match[2] or len(match[2]) == len(text):
            raise Unclear
        before, core, behind = match.groups()
        return before.replace(" ", "").replace("\t", "") + self[core] + behind.replace(" ", "").replace("\t", "")


@lru_cache(maxsize=8192)
def _members(stem: str, first: int) -> tuple[str, ...]:
    # members of a register family, those from number `first` on
    return tuple(f"{stem}{number}" for number in range(first, first + _WINDOW))


def pieces(operands: str) -> list[str]:
    """What stands between the commas of an operand list; one empty text where there are no operands."""
    return operands.replace(", ", ",").split(",")


def outcome_of(opcode: str, operands: str, kinds: Kinds, profile: Profile) -> Outcome:
    """What the verdict of a plain line says: raises `Unclear` unless it is fine or asks for plain values only.

    It holds for every line whose pieces are of the same kinds.
    """
    if opcode.partition(".")[0] in _APART:
        raise Unclear
    texts = _split(operands)
    key = (opcode, *map(kinds.kind, texts))
    verdict = judge(key[0], key[1:], profile.version, profile.target, profile.known)
    if verdict.complaints or verdict.written not in ((), (0,)) or _is_above(key, profile):
        raise Unclear
    begins = list(accumulate((text.count(",") + 1 for text in texts), initial=0))
    if any(len(o.path) != 1 or o.duty is Duty.FRACTION for o in verdict.obligations):
        raise Unclear
    written = begins[1] if verdict.written else 0
    return written, tuple((begins[o.path[0]], o, set[str]()) for o in verdict.obligations)


def _split(operands: str) -> list[str]:
    if not operands:
        return []
    if _PARTED.fullmatch(operands) is None:
        raise Unclear
    return [part.strip(" \t") for part in _PARTS.findall(operands)]


def _is_above(key: tuple[str, ...], profile: Profile) -> bool:
    # whether an instruction may need more than the highest version that the user's tools take
    if profile.maximum is None:
        return False
    demand = demand_of(key[0], key[1:])
    first = first_version(demand, profile.target)
    return demand != NOTHING and (first is None or first > profile.maximum)


def values_fit(literals: Literals, parts: list[str]) -> bool:
    """Whether plain literals satisfy what is asked of them; False where one of them is not so plain."""
    for index, obligation, known in literals:
        text = parts[index]
        if text in known:
            continue
        match = _OPERAND.fullmatch(text)
        if match is None:
            return False
        if match.lastindex == _DECIMAL:
            value = int(match[4])
        elif match.lastindex == _HEX:
            value = int(match[5], 16)
        else:
            return False
        if not met(obligation, value):
            return False
        if len(known) < _MOST_KNOWN:
            known.add(text)
    return True
