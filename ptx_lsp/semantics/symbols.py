"""Symbols, which are the meanings of names, the marks of their places, and the scopes in which they are declared."""

from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.isa.types import OPAQUE_TYPES, TYPES
from ptx_lsp.judgement.kinds import UNKNOWN
from ptx_lsp.light_classes import Any, Enum, Iterator, NamedTuple, Protocol, attrgetter, bisect_left, bisect_right
from ptx_lsp.semantics.limited_variables import LimitedVariables
from ptx_lsp.text.ranges import Range

DIGITS = "0123456789"
SECTIONS = ".section"  # the name under which a module remembers that it has debug information
LIMITED = (".shared", ".const")  # the spaces of which a kernel or a module has few bytes: see memory.py
_new = tuple.__new__  # the constructor of a named tuple takes three times as long
LONGEST_NUMBER = 10  # every number of fewer digits fits 32 bits


def member_number(digits: str) -> int:
    """The number of the member of a family whose name ends with these digits, of which the first may be zeros.

    Only the low 32 bits of the number count (observed: ptxas 13.5).
    """
    return int(digits[-32:]) & 0xFFFFFFFF  # more digits change nothing: 10**32 is a multiple of 2**32


class Holder(Protocol):
    """A block of text with its place: the line of the document where it begins, and its index, both from 0."""

    line: int
    index: int


class Mark:
    """A range inside a block: it stays right when the block moves.

    If a name is declared again without a change, the mark of its symbol is moved to the new declaration, so that
    everything that refers to the mark sees the new place. `Mark.moves` grows with each move of a mark or of a block.
    """

    __slots__ = ("holder", "range")
    moves = 0

    def __init__(self, holder: Holder, range_: Range) -> None:
        self.holder = holder
        self.range = range_

    def move_to(self, other: "Mark") -> None:
        """Take over the place of another mark."""
        if self.holder is not other.holder or self.range != other.range:
            Mark.moves += 1
            self.holder, self.range = other.holder, other.range

    def is_on(self, lines: Range) -> bool:
        """Whether the mark shares a line with a range of the document as it is now."""
        above = self.holder.line
        return self.range.line + above <= lines.end_line and lines.line <= self.range.end_line + above

    def resolved(self) -> Range:
        """The range in the document as it is now."""
        line, column, end_line, end_column = self.range
        above = self.holder.line
        return Range(line + above, column, end_line + above, end_column)


class Places:
    """Makes marks of a text in its block. `starts` are the offsets at which its lines begin; the caller may append."""

    __slots__ = ("_holder", "_starts")

    def __init__(self, holder: Holder, starts: list[int]) -> None:
        self._holder = holder
        self._starts = starts

    def mark(self, start: int, end: int) -> Mark:
        """The mark of the text from the offset `start` to `end`."""
        starts = self._starts
        first = bisect_right(starts, start) - 1
        column = start - starts[first]
        if first + 1 == len(starts) or end < starts[first + 1]:
            return Mark(self._holder, _new(Range, (first, column, first, column + end - start)))
        last = bisect_right(starts, end) - 1
        return Mark(self._holder, Range(first, column, last, end - starts[last]))


def place(mark: Mark) -> tuple[int, int, int]:
    """The begin of a mark as a key for sorting: its block, and the line and column (from 0) inside the block."""
    return mark.holder.index, mark.range.line, mark.range.column


MEANT = "?"  # the type of a function that a broken header was meant to declare
ANY_CALLED = CALL
"""The name of the function that a header without a name was meant to declare: it may be any that is called."""


class SymbolKind(Enum):
    """The kinds of declared names."""

    __hash__ = object.__hash__  # the hash of Enum is written in Python and five times as slow

    REGISTER = "register"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    FUNCTION = "function"
    ENTRY = "kernel"
    LABEL = "label"
    PROTOTYPE = "call prototype"
    TARGETS = "list of targets"


class Launch(NamedTuple):
    """The launch bounds in the header of a kernel; 0 for a bound that it does not state.

    `threads` is the number of threads of a CTA, all dimensions multiplied (`.maxntid`, `.reqntid`), `blocks` the number
    of CTAs that a multiprocessor must hold (`.minnctapersm`), `registers` the number of registers of a thread
    (`.maxnreg`), `memory` that of the bytes of per-CTA memory (`.minperctamemory`).
    """

    threads: int = 0
    blocks: int = 0
    registers: int = 0
    memory: int = 0


UNBOUNDED = Launch()


class Signature(NamedTuple):
    """The parameters and results of a function or prototype, which a `call` must match.

    `unknown` is true if they could not be read: then every call matches. `launch` are the launch bounds of a kernel.
    """

    returns: tuple["Symbol", ...] = ()
    parameters: tuple["Symbol", ...] = ()
    noreturn: bool = False
    unknown: bool = False
    launch: Launch = UNBOUNDED


class Symbol:
    """One declared name.

    `type` and `space` begin with their dots and are empty for labels and functions. `count` is the N of `%r<N>`,
    `dimensions` are the sizes of an array (0 for `[]`), empty for a scalar; `vector` is 1, 2, 4 or 8. `alignment` is
    that of `.align` in bytes, None without one and 0 if it is invalid. `defined` is false for a declaration without a
    body (`.extern`, a prototype). `names` are those in a list of targets or in an initial value, or the function whose
    body an alias has. `of_entry` is true for a parameter of a kernel, `result` for a result of a function, `unified`
    for a variable with `.attribute(.unified(...))`. The place (`mark`) is not part of the meaning: two symbols that
    differ only in their place are equal. The meaning is never changed.
    """

    __slots__ = (
        *("name", "kind", "mark", "space", "type", "vector", "dimensions", "count", "alignment", "linkage", "defined"),
        *("signature", "names", "of_entry", "result", "unified"),
    )

    # not a dataclass: many symbols are made, and the import of dataclasses takes a tenth of a short run
    def __init__(
        self,
        name: str,
        kind: SymbolKind,
        mark: Mark,
        space: str = "",
        type: str = "",
        vector: int = 1,
        dimensions: tuple[int, ...] = (),
        count: int | None = None,
        alignment: int | None = None,
        linkage: str = "",
        defined: bool = True,
        signature: Signature | None = None,
        names: tuple[str, ...] = (),
        of_entry: bool = False,
        result: bool = False,
        unified: bool = False,
    ) -> None:
        self.name, self.kind, self.mark = name, kind, mark
        self.space, self.type, self.vector = space, type, vector
        self.dimensions, self.count, self.alignment = dimensions, count, alignment
        self.linkage, self.defined, self.signature = linkage, defined, signature
        self.names, self.of_entry, self.result, self.unified = names, of_entry, result, unified

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbol) and _MEANING(self) == _MEANING(other)

    def __hash__(self) -> int:
        return hash(self.name)  # the signature of a function may have hundreds of names

    def __repr__(self) -> str:
        return f"Symbol{_MEANING(self)}"

    @property
    def model(self) -> Signature | None:
        """A signature with the meaning of `signature`; its names and places may be others, so that it costs less."""
        return self.signature

    def changed(self, **changes: Any) -> "Symbol":
        """A copy of the symbol with these attributes changed."""
        return Symbol(**{**{name: getattr(self, name) for name in Symbol.__slots__}, **changes})


_MEANING = attrgetter(*(name for name in Symbol.__slots__ if name != "mark"))
EVERYTHING = 1 << 60


class Horizon:
    """The last block whose declarations are visible: the block that is being read.

    In PTX, declarations are above their uses. If a block is read again after an edit, the scopes already contain the
    declarations of the blocks below it, which must not be visible.
    """

    index = EVERYTHING


class Scope:
    """The names declared between one pair of braces, or at the top of the module.

    `members` are single names, `families` are declarations such as `%r<N>` by their prefix, `labels` are the labels,
    which are visible above their place too. Lists are in source order: the first declaration of a name is used, later
    ones are duplicates. `opening` is the brace that opened the scope, None for the scope of the module. `continued` is
    true if a block has ever had more of the scope after its end.
    """

    __slots__ = ("continued", "families", "horizon", "labels", "limited", "members", "numbered", "opening", "parent")

    def __init__(self, parent: "Scope | None" = None, opening: Mark | None = None) -> None:
        self.parent, self.opening, self.continued = parent, opening, False
        self.horizon: Horizon = parent.horizon if parent is not None else Horizon()
        self.members: dict[str, list[Symbol]] = {}
        self.families: dict[str, list[Symbol]] = {}
        self.labels: dict[str, list[Symbol]] = {}
        # for each stem, the number of single names `<stem><digits>`, which can hide members of a family
        self.numbered: dict[str, int] = {}
        self.limited: dict[str, LimitedVariables] = {}  # by space

    @property
    def is_empty(self) -> bool:
        """True if the scope declares only labels."""
        return not self.members and not self.families

    def table(self, symbol: Symbol) -> dict[str, list[Symbol]]:
        """The table of the scope for symbols of this kind."""
        if symbol.kind is SymbolKind.LABEL:
            return self.labels
        return self.members if symbol.count is None else self.families

    def declare(self, symbol: Symbol) -> None:
        """Add a declaration at its place among others of the same name."""
        table = self.table(symbol) if symbol.count is None else self.families
        if table is self.members:
            if symbol.name[-1:] in DIGITS:  # the call takes longer
                self._count(symbol, 1)
            if symbol.space in LIMITED:
                limited = self.limited.setdefault(symbol.space, LimitedVariables())
                limited.insert(bisect_right(limited, _order(symbol), key=_order), symbol)
        found = table.get(symbol.name)
        if found is None:
            table[symbol.name] = [symbol]
        elif _order(found[-1]) > _order(symbol):
            found.insert(bisect_right(found, _order(symbol), key=_order), symbol)
        else:
            found.append(symbol)

    def withdraw(self, symbol: Symbol) -> None:
        """Remove a declaration: this object, not an equal one. Does nothing if the scope does not have it."""
        table = self.table(symbol)
        found = table.get(symbol.name, [])
        if (at := _index(found, symbol)) < 0:
            return
        del found[at]
        if table is self.members:
            self._count(symbol, -1)
            if symbol.space in LIMITED:
                del self.limited[symbol.space][_index(self.limited[symbol.space], symbol)]
        if not found:
            del table[symbol.name]

    def replace(self, symbol: Symbol, other: Symbol) -> None:
        """Declare an equal symbol in the place of a symbol; the mark of the other one moves to that place."""
        other.mark.move_to(symbol.mark)
        found = self.table(symbol)[symbol.name]
        found[_index(found, symbol)] = other
        if symbol.space in LIMITED and found is self.members.get(symbol.name):
            self.limited[symbol.space][_index(self.limited[symbol.space], symbol)] = other

    def _count(self, symbol: Symbol, by: int) -> None:
        stem = symbol.name.rstrip(DIGITS)
        if stem != symbol.name:
            self.numbered[stem] = self.numbered.get(stem, 0) + by

    def declares(self, symbol: Symbol) -> bool:
        """Whether the scope has the declaration of a symbol: of this object, not of an equal one."""
        return _index(self.table(symbol).get(symbol.name, []), symbol) >= 0

    def outward(self) -> Iterator["Scope"]:
        """The scope and those around it, the innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def sees(self, symbol: Symbol) -> bool:
        """Whether a symbol is in the block that is being read, or above it."""
        return symbol.mark.holder.index <= self.horizon.index

    def own(self, name: str) -> Symbol | None:
        """The symbol of `name` by the declarations of this scope alone: a name or a member of a family, not a label."""
        if (found := self.members.get(name)) and found[0].mark.holder.index <= self.horizon.index:
            return found[0]
        if self.families and name[-1:] in DIGITS:
            prefix = name.rstrip(DIGITS)
            return self._member(prefix, name[len(prefix) :])
        return None

    def _member(self, prefix: str, digits: str) -> Symbol | None:
        # all digits are the number: no name means a member of `%r1<9>` (observed: ptxas 13.5)
        for family in self.families.get(prefix, ()):
            seen = family.mark.holder.index <= self.horizon.index
            if seen and member_number(digits) < (family.count or 0):
                return family
        return None

    def is_lone_family(self, stem: str) -> bool:
        """Whether no declaration but that of the one family `stem`, here or around, can declare a member of it."""
        families = 0
        for scope in self.outward():
            if scope.numbered.get(stem):
                return False
            for name, symbols in scope.families.items():
                if name.startswith(stem) and name.rstrip(DIGITS) == stem:
                    families += len(symbols)
        return families == 1

    def lookup(self, name: str) -> Symbol | None:
        """The symbol of `name`: of this scope or, if it has none, of the scopes around it. Labels are not found."""
        scope: Scope | None = self  # without `outward`, which takes longer: most names are looked up
        while scope is not None:
            if (found := scope.own(name)) is not None:
                return found
            scope = scope.parent
        return None

    def owner(self, name: str) -> "Scope | None":
        """The innermost scope that declares `name`: this one or one around it. Labels do not count."""
        return next((scope for scope in self.outward() if scope.own(name) is not None), None)

    def label(self, name: str) -> Symbol | None:
        """The label `name` of this scope or of one around it; it may be defined below its use."""
        scope: Scope | None = self
        while scope is not None:
            if found := scope.labels.get(name):
                return found[0]
            scope = scope.parent
        return None


def _index(symbols: list[Symbol], symbol: Symbol) -> int:
    """The index of that very symbol in a list in source order; -1 if it is not there."""
    if symbols and symbols[-1] is symbol:
        return len(symbols) - 1  # most names have one declaration
    # a list may have thousands of symbols: the search by place finds the symbol unless a block has been removed
    at = bisect_left(symbols, _order(symbol), key=_order)
    found = at < len(symbols) and symbols[at] is symbol
    return at if found else next((number for number, other in enumerate(symbols) if other is symbol), -1)


def _order(symbol: Symbol) -> tuple[int, int, int]:
    return place(symbol.mark)


FUNCTION_KINDS = (SymbolKind.FUNCTION, SymbolKind.ENTRY)  # of what has a header and may have a body
NAMELESS = {
    SymbolKind.FUNCTION: "func",
    SymbolKind.ENTRY: "entry",
    SymbolKind.PROTOTYPE: "prototype",
    SymbolKind.TARGETS: "targets",
    SymbolKind.LABEL: "label",
}
"""The kinds of the names that have no type: their meaning is more than their kind, such as a function's parameters."""


def symbol_kind(symbol: Symbol) -> str:
    """The kind of a bare name."""
    if (nameless := NAMELESS.get(symbol.kind)) is not None:
        return nameless
    if not symbol.type or not symbol.space:
        return UNKNOWN  # its declaration is broken and has been reported
    if symbol.type in OPAQUE_TYPES and not symbol.dimensions:
        return symbol.type
    vector = f".v{symbol.vector}" if symbol.vector > 1 else ""
    if symbol.space == ".reg":
        return vector + symbol.type
    space = symbol.space
    if space == ".param" and symbol.kind is SymbolKind.PARAMETER:
        space = ".param.entry" if symbol.of_entry else ".param.result" if symbol.result else ".param.func"
    elif space == ".param":
        space = ".param.local"
    row = TYPES[symbol.type]
    type_ = symbol.type if row.declarable else f".b{row.bits}"
    return f"{space}:{vector}{type_}{'[]' if symbol.dimensions else ''}"
