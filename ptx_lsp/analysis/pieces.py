"""The pieces of operands that stand between commas, and their kinds as one scope sees them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from sys import intern

from ptx_lsp.constants.literals import WARP_SIZE
from ptx_lsp.isa.forms import ANYWHERE
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.judgement.kinds import SINK
from ptx_lsp.semantics.operands import integer_kind, symbol_kind
from ptx_lsp.semantics.symbols import DIGITS, LONGEST_NUMBER, Scope

NAME = r"(?:%[$\w]++|[a-zA-Z][$\w]*+|[_$][$\w]++)"  # a pattern; `_` alone is none

_NAMES = re.compile(r"(?<![\w$%.])[%$_a-zA-Z][\w$]*+", re.A)
_OPERAND = re.compile(
    rf"""[ \t]*+(?:
      ({NAME})
    | \[[ \t]*+({NAME})[ \t]*+(\+[ \t]*+-?[0-9]{{1,9}})?[ \t]*+\]
    | (-?(?:0|[1-9][0-9]{{0,18}}))
    | 0[xX]([0-9A-Fa-f]{{1,15}})U?
    | 0[fF][0-9a-fA-F]{{8}}()
    | 0[dD][0-9a-fA-F]{{16}}()
    | %[a-z_]+\.[xyz]()
    | !({NAME})
    | {NAME}\|{NAME}()
    | _()
    )[ \t]*+""",
    re.X | re.A,
)
_PLAIN, _ADDRESS, _OFFSET, _DECIMAL, _HEX, _SINGLE, _DOUBLE, _ELEMENT, _NOT, _PAIR, _SINK = range(1, 12)
_PIECE = re.compile(r"[ \t]*+((?:[\[{][ \t]*+){0,3}+)([^\[\]{}]+?)[ \t]*+((?:[\]}][ \t]*+){0,3}+)")
_BLANKS = str.maketrans("", "", " \t")
_FIXED = {_SINGLE: "single", _DOUBLE: "double", _SINK: SINK}
_SURE_WINDOW = 128  # so many members are confirmed together: most functions have no more of a family
_WINDOW = 32  # so many members of a family are entered together: where one is used, so are its neighbours
_LARGEST = (1 << 63) - 1  # beyond, a decimal constant is unsigned or too large
_ADDRESSES = frozenset(("func", "entry"))  # they came with later versions

# What a piece is made of: what its kind begins with, the name whose kind comes next, and what it ends with. It means
# the same in every scope, and most pieces of a text come again.
Shape = tuple[str, str, str]
_shapes: dict[str, Shape] = {"": ("", "", "")}  # of an instruction without operands
_MOST_SHAPES = 50_000
OWN = "\n"  # in place of the name of the function, as no line has it
SPECIAL = "special"  # in place of the kind of a special register that version and target must have
_JOINED = "|"  # in place of the name: a pair of names
_SELECTED = "."  # an element of a special register


def typed(name: str, kind: str) -> str:
    """A name with its kind."""
    return intern(f"{name} {kind}")


class Unclear(KeyError):
    """This line must go the full way."""


class Kinds(dict[str, str]):
    """The kinds of pieces as one scope sees them; grows as it is asked, and ahead of it.

    A piece is what stands between two commas: an operand, or the begin, middle or end of one in braces or brackets,
    whose kind has them too: `{%r1` is `{.b32`. Joined by commas, the kinds of the pieces are those of the operands.
    Raises `Unclear` for a text that is no plain operand or holds a name that is not declared.
    """

    __slots__ = ("_alone", "_around", "_own", "_scope", "_seen", "_sure", "function", "undeclared")

    def __init__(self, scope: Scope, around: Kinds | None = None, function: str = "") -> None:
        self.function = function  # its name
        self._scope = scope
        self._around = around  # those of the scope around, if that is a function's as well
        # of a scope inside a function, the names that it declares, without their digits
        self._own = {n.rstrip(DIGITS) for n in (*scope.members, *scope.families)} if around is not None else set[str]()
        self._seen: set[str] = set()  # the names asked for so far, without their digits
        # of families that nothing shadows: how many members, and their kind
        self._alone: dict[str, tuple[int, str]] = {}
        self._sure: set[str] = set()  # names with the kinds that they have here
        self.undeclared: set[str] = set()  # names that were looked for and found nowhere

    def sees(self, scope: Scope, around: Iterable[Kinds]) -> bool:
        """Whether these are the kinds that a scope sees, with such tables around it."""
        return self._scope is scope and (self._around is None or any(table is self._around for table in around))

    def declared(self, name: str) -> None:
        """The scope has declared a name: what a text means may have changed."""
        stem = name.rstrip(DIGITS)
        self._own.add(stem)
        if stem in self._seen:
            self.clear()
            self._seen.clear()
            self._alone.clear()
            self._sure.clear()
        self.undeclared.clear()

    def __missing__(self, text: str) -> str:
        if text in self.undeclared:
            raise Unclear
        before, name, behind = _shapes.get(text) or _shape(text)
        if not name:
            kind = before
        elif name == text:
            kind = self._name(name)
        elif name == _JOINED:
            kind = "|".join(map(self.__getitem__, text.strip(" \t").split("|")))
        elif name == _SELECTED:
            kind = self._element(text.strip(" \t").partition(".")[0])
        else:
            kind = before + self[name] + behind
        self[text] = kind
        return kind

    def confirm(self, words: set[str]) -> bool:
        """Whether these names have these kinds here, as `typed` puts them."""
        if not self._sure:
            self._enter_families()
        for word in words - self._sure:
            if word not in self._sure:
                if not self._confirm(word):
                    return False
                self._sure.add(word)
        return True

    def _enter_families(self) -> None:
        # whatever is asked about will hold the first members of most families of the scope
        scope = self._scope
        self._seen.update(scope.families)
        for stem, (symbol, *others) in scope.families.items():
            if symbol.count and not others and scope.sees(symbol) and self._is_alone(stem):
                kind = symbol_kind(symbol)
                self._alone[stem] = (symbol.count, kind)
                self._sure.update(_typed_members(stem, 0, kind)[: symbol.count])

    def _confirm(self, word: str) -> bool:
        name, _, kind = word.partition(" ")
        if name[0] == OWN:
            name = self.function + name[1:]
        stem = name.rstrip(DIGITS)
        self._seen.add(stem)
        if self._around is not None and stem not in self._own:
            return self._around.confirm({word})
        if kind == SPECIAL:
            return self._scope.lookup(name) is None
        count, of = self._alone.get(stem, (0, ""))
        digits = name[len(stem) :]
        if of == kind and 0 < len(digits) < LONGEST_NUMBER and int(digits) < count:
            first = int(digits) // _SURE_WINDOW * _SURE_WINDOW
            self._sure.update(_typed_members(stem, first, kind)[: count - first])
            return True
        return self._is(name, stem, kind)

    def _is(self, name: str, stem: str, kind: str) -> bool:
        try:
            return self._look_up(name, stem) == kind
        except Unclear:
            return False

    def kind(self, operand: str) -> str:
        """The kind of a whole operand."""
        return ",".join(map(self.__getitem__, pieces(operand)))

    def _name(self, name: str) -> str:
        stem = name.rstrip(DIGITS)
        self._seen.add(stem)
        table = self
        while table._around is not None and stem not in table._own:
            table = table._around
        if table is not self:
            return table[name]
        known = self._alone.get(stem)
        if known is not None and stem != name:
            count, kind = known
            digits = name[len(stem) :]
            if len(digits) < LONGEST_NUMBER and (number := int(digits)) < count:
                first = number - number % _WINDOW
                self.update(dict.fromkeys(_members(stem, first)[: count - first], kind))
                return kind
        return self._look_up(name, stem)

    def _look_up(self, name: str, stem: str) -> str:
        symbol = self._scope.lookup(name)
        if symbol is not None:
            kind = symbol_kind(symbol)
            if kind in _ADDRESSES:
                raise Unclear
            if symbol.count is not None and symbol.name == stem and self._is_alone(stem):
                self._alone[stem] = (symbol.count, kind)
            return kind
        special = special_register(name)
        if special is None or special.needs != ANYWHERE or name == WARP_SIZE:
            raise Unclear
        return f"%.v4{special.type}" if special.vector else f"%{special.type}"

    def _is_alone(self, stem: str) -> bool:
        # whether no other declaration could claim a member of the family
        scope: Scope | None = self._scope
        families = 0
        while scope is not None:
            if scope.numbered.get(stem):
                return False
            for name, symbols in scope.families.items():
                if name.startswith(stem) and name.rstrip(DIGITS) == stem:
                    families += len(symbols)
            scope = scope.parent
        return families == 1

    def _element(self, name: str) -> str:
        self._seen.add(name)
        special = special_register(name)
        if special is None or special.needs != ANYWHERE or not special.vector or self._scope.lookup(name) is not None:
            raise Unclear
        return f"%{special.type}"


def _shape(text: str) -> Shape:
    match = _OPERAND.fullmatch(text)
    if match is not None:
        shape = _whole(match)
    else:
        match = _PIECE.fullmatch(text)
        if match is None or len(match[2]) == len(text):
            raise Unclear
        before, core, behind = match.groups()
        begin, name, end = _shapes.get(core) or _shape(core)
        if name in (_JOINED, _SELECTED):
            raise Unclear
        shape = before.translate(_BLANKS) + begin, name, end + behind.translate(_BLANKS)
        if not name:
            shape = shape[0] + shape[2], "", ""
    if len(_shapes) > _MOST_SHAPES:
        _shapes.clear()
        _shapes[""] = ("", "", "")
    _shapes[text] = shape
    return shape


def _whole(match: re.Match[str]) -> Shape:
    which = match.lastindex or 0
    if which in (_DECIMAL, _HEX):
        value = integer(match[0])
        if value is None:
            raise Unclear
        return integer_kind(value), "", ""
    if which in _FIXED:
        return _FIXED[which], "", ""
    if which == _PLAIN:
        return "", match[1], ""
    if which == _ADDRESS:
        return "[", match[2], "]"
    if which == _OFFSET:
        return "[", match[2], "+]"
    if which == _NOT:
        return "!", match[9], ""
    return "", _JOINED if which == _PAIR else _SELECTED, ""


def integer(text: str) -> int | None:
    """The value of a plain integer literal; None for any other text."""
    match = _OPERAND.fullmatch(text)
    if match is not None and match.lastindex == _DECIMAL:
        value = int(match[4])
        return value if -_LARGEST <= value <= _LARGEST else None
    if match is not None and match.lastindex == _HEX:
        return int(match[5], 16)
    return None


@lru_cache(maxsize=8192)
def _members(stem: str, first: int) -> tuple[str, ...]:
    # members of a register family, those from number `first` on
    return tuple(f"{stem}{number}" for number in range(first, first + _WINDOW))


@lru_cache(maxsize=512)
def _typed_members(stem: str, first: int, kind: str) -> tuple[str, ...]:
    return tuple([typed(f"{stem}{number}", kind) for number in range(first, first + _SURE_WINDOW)])


def names_of(operands: str) -> list[str]:
    """The names in operands, or in a piece of them."""
    return _NAMES.findall(operands)


def pieces(operands: str) -> list[str]:
    """What stands between the commas of an operand list; one empty text where there are no operands."""
    return operands.replace(", ", ",").split(",")
