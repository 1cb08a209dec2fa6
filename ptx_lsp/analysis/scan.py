"""The quick scan: lines that are plain instructions are judged by their key alone, without a tree.

It is a cache in front of the full way and never a second set of rules: whatever is not plain, not known or not fine
is `Unclear` and goes the full way.
"""

import re
from functools import cache

from ptx_lsp.analysis.demands import NOTHING, demand_of, first_version
from ptx_lsp.analysis.judgement import judge
from ptx_lsp.analysis.obligations import met
from ptx_lsp.analysis.operands import integer_kind, symbol_kind
from ptx_lsp.analysis.surroundings import Profile
from ptx_lsp.analysis.symbols import Scope
from ptx_lsp.analysis.verdict import Duty, Obligation
from ptx_lsp.isa.forms import ANYWHERE
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.syntax.lexer import PASSED_OVER

# One match a line. Groups: a brace that opens a scope, guard, target of a branch, opcode, operands, a brace that closes
# a scope, label, `.loc`, the comma before `function_name` in it, and what is none of these. Comments and blank lines
# leave every group empty.
LINE = re.compile(
    r"""^[ \t]*+
    (?: (\{?)[ \t]*+
        (?: (?:@!?([%$\w]+)[ \t]+)?
            (?: bra(?:\.uni)?[ \t]+([%$\w]+)
              | (?!call\b|brx\b)([a-z]\w*+(?:\.[\w:]+)*+)(?:[ \t]+([^;"/\n\r\f()@]*+))?
            )[ \t]*;[ \t]*+
        )?(\}?)[ \t]*+
      | ([%$_a-zA-Z][$\w]*+):[ \t]*+
      | (\.loc)[ \t]++[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]*+
        (?:(,)[ \t]*+function_name[ \t]++[%$_a-zA-Z][$\w]*+[ \t]*+,[ \t]*+inlined_at
           [ \t]++[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]*+)?
    )(?://[^\r\n]*+)?\r?$
    | ^(.*)$
    """,
    re.M | re.X | re.A,
)
# registers as compilers declare them: of a type that every version and target has, one name a line
REGISTERS = re.compile(
    r"""[ \t]*+\.reg[ \t]++(\.(?:pred|[bsu](?:16|32|64)|f(?:32|64)))[ \t]++
    ([%$_a-zA-Z][$\w]*+)(?:<([1-9][0-9]{0,6})>)?[ \t]*+;[ \t]*+(?://[^\r\n]*+)?\r?""",
    re.X | re.A,
)
LINE_CARRIED_ON = re.compile(PASSED_OVER + r"(?:\Z|[,0-9]|function_name|inlined_at)")

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
_NAME, _ADDRESS, _OFFSET, _DECIMAL, _HEX, _SINGLE, _DOUBLE, _ELEMENT, _NOT = range(1, 10)
_SEPARATORS = re.compile(r"[ \t]*,[ \t]*")
_BRACED = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]|[^,{}\[\] \t][^,{}\[\]]*(?:\[[^\[\]]*\])?")
_BLANKS = re.compile(r"[ \t]*([,{}\[\]])[ \t]*")
_DIGITS = "0123456789"
LARGEST = (1 << 63) - 1  # beyond, a decimal constant is unsigned or too large
_ADDRESSES = frozenset(("func", "entry"))  # they came with later versions

WRITES_NOTHING = 0
WRITES_FIRST = 1
Outcome = int | tuple[tuple[int, Obligation], ...]
Outcomes = dict[tuple[str, ...], Outcome]


@cache
def outcomes(profile: Profile) -> Outcomes:
    """The outcomes known so far for one version and target, by key: shared by all documents of the process."""
    return {}


class Unclear(Exception):
    """This line must go the full way."""


class Kinds(dict[str, str]):
    """The kinds of operand texts as one scope sees them; grows as it is asked.

    Raises `Unclear` for a text that is no plain operand or holds a name that is not declared.
    """

    __slots__ = ("_alone", "_scope", "families")

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.families: set[str] = set()  # the stems of the register families used so far
        # of those that nothing shadows: how many members, and their kind
        self._alone: dict[str, tuple[int, str]] = {}

    def forget(self) -> None:
        """Something was declared: what a text means may have changed."""
        self.clear()
        self.families.clear()
        self._alone.clear()

    def __missing__(self, text: str) -> str:
        # most operands that are new are the next member of a known family
        stem = text.rstrip(_DIGITS)
        known = self._alone.get(stem)
        if known is not None and stem != text and int(text[len(stem) :]) < known[0]:
            kind = self[text] = known[1]
            return kind
        match = _OPERAND.fullmatch(text)
        kind = self._compound(text) if match is None else self._plain(match)
        self[text] = kind
        return kind

    def _plain(self, match: re.Match[str]) -> str:
        which = match.lastindex
        if which == _NAME:
            return self.name(match[1])
        if which == _OFFSET:
            return f"[{self.name(match[2])}+]"
        if which == _ADDRESS:
            return f"[{self.name(match[2])}]"
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
            return "!" + self.name(match[9])
        return self._special_element(match[8])

    def name(self, name: str) -> str:
        """The kind of a bare name."""
        stem = name.rstrip(_DIGITS)
        known = self._alone.get(stem)
        if known is not None and stem != name and int(name[len(stem) :]) < known[0]:
            return known[1]
        symbol = self._scope.lookup(name)
        if symbol is not None:
            kind = symbol_kind(symbol)
            if kind in _ADDRESSES:
                raise Unclear
            if symbol.count is not None:
                self.families.add(symbol.name)
                if symbol.name == stem and self._is_alone(stem):
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

    def _compound(self, text: str) -> str:
        text = text.strip(" \t")
        if text[:1] == "{" and text[-1:] == "}" and "{" not in text[1:]:
            return "{" + ",".join(map(self.__getitem__, _SEPARATORS.split(text[1:-1].strip(" \t")))) + "}"
        if text == "_":
            return "_"
        if "|" in text and text.count("|") == 1 and text[0] not in "[{":
            return "|".join(map(self.__getitem__, text.split("|")))
        raise Unclear


def split_operands(operands: str) -> list[str]:
    """The operands of a plain line, where they are not simply parted by `, `."""
    parts = [part.strip(" \t") for part in _BRACED.findall(operands)]
    # whatever was passed over, such as a second comma, makes the two differ
    if not all(parts) or _squeezed(",".join(parts)) != _squeezed(operands):
        raise Unclear
    return parts


def _squeezed(operands: str) -> str:
    return _BLANKS.sub(r"\1", operands.strip(" \t"))


def outcome_of(key: tuple[str, ...], profile: Profile) -> Outcome:
    """What the verdict of a key says: raises `Unclear` unless it is fine or asks for plain values only."""
    verdict = judge(key[0], key[1:], profile.version, profile.target, profile.known)
    if verdict.complaints or verdict.written not in ((), (0,)) or _is_above(key, profile):
        raise Unclear
    if verdict.obligations:
        if any(len(o.path) != 1 or o.duty is Duty.FRACTION for o in verdict.obligations):
            raise Unclear
        return tuple((o.path[0], o) for o in verdict.obligations)
    return WRITES_FIRST if 0 in verdict.written else WRITES_NOTHING


def _is_above(key: tuple[str, ...], profile: Profile) -> bool:
    # whether an instruction may need more than the highest version that the user's tools take
    if profile.maximum is None:
        return False
    demand = demand_of(key[0], key[1:])
    first = first_version(demand, profile.target)
    return demand != NOTHING and (first is None or first > profile.maximum)


def values_fit(obligations: tuple[tuple[int, Obligation], ...], parts: list[str]) -> bool:
    """Whether plain literals satisfy what is asked of them; False where one of them is not so plain."""
    for index, obligation in obligations:
        match = _OPERAND.fullmatch(parts[index])
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
    return True
