"""What a name can stand for, and the scopes in which names are declared."""

from bisect import bisect_left, insort
from enum import Enum
from operator import attrgetter
from typing import Any, NamedTuple

from ptx_lsp.semantics.reports import Mark, place

DIGITS = "0123456789"
LONGEST_NUMBER = 10  # digits of a member's number: no family has so many


class SymbolKind(Enum):
    """What a declared name is."""

    __hash__ = object.__hash__  # an Enum's own is written in Python, and five times as slow

    REGISTER = "register"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    FUNCTION = "function"
    ENTRY = "kernel"
    LABEL = "label"
    PROTOTYPE = "call prototype"
    TARGETS = "list of targets"


class Launch(NamedTuple):
    """The bounds of a kernel's launch, as its header states them; 0 where it does not.

    `threads` are those of a CTA, all dimensions multiplied (`.maxntid`, `.reqntid`), `blocks` the CTAs that a
    multiprocessor is to hold (`.minnctapersm`), `registers` those of a thread (`.maxnreg`).
    """

    threads: int = 0
    blocks: int = 0
    registers: int = 0


UNBOUNDED = Launch()


class Signature(NamedTuple):
    """The parameters of a function or prototype: what `call` must match. `unknown` accepts everything.

    `launch` are the launch bounds of a kernel.
    """

    returns: tuple["Symbol", ...] = ()
    parameters: tuple["Symbol", ...] = ()
    noreturn: bool = False
    unknown: bool = False
    launch: Launch = UNBOUNDED


class Symbol:
    """One declared name.

    `type` and `space` carry their dots and are empty for labels and functions. `count` is the N of `%r<N>`,
    `dimensions` the sizes of an array (0 for `[]`), empty for a scalar; `vector` is 1, 2, 4 or 8. `defined` is False
    for a declaration without a body (`.extern`, a prototype). `names` are those of a list of targets. `of_entry` tells
    a parameter of a kernel from a function's or a local one, `result` what a function returns from what it takes.
    Where it stands (`mark`) is not part of its meaning: two symbols that differ in nothing else are equal. Nobody
    changes one.
    """

    __slots__ = (
        *("name", "kind", "mark", "space", "type", "vector", "dimensions", "count", "alignment", "linkage", "defined"),
        *("signature", "names", "of_entry", "result"),
    )

    # written out, and no dataclass: many are made, and to import these takes a tenth of a short run
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
    ) -> None:
        self.name = name
        self.kind = kind
        self.mark = mark
        self.space = space
        self.type = type
        self.vector = vector
        self.dimensions = dimensions
        self.count = count
        self.alignment = alignment
        self.linkage = linkage
        self.defined = defined
        self.signature = signature
        self.names = names
        self.of_entry = of_entry
        self.result = result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbol) and _MEANING(self) == _MEANING(other)

    def __hash__(self) -> int:
        return hash(_MEANING(self))

    def __repr__(self) -> str:
        return f"Symbol{_MEANING(self)}"

    def changed(self, **changes: Any) -> "Symbol":
        """The same symbol but for what is given."""
        return Symbol(**{**{name: getattr(self, name) for name in self.__slots__}, **changes})


_MEANING = attrgetter(*(name for name in Symbol.__slots__ if name != "mark"))


class Horizon:
    """How far down the module names are visible: to the block that is being read, and no further.

    PTX wants declarations above their uses. When a block is read again after an edit, the scopes already hold what
    the blocks below it declare; these must not be seen.
    """

    __slots__ = ("index",)

    def __init__(self) -> None:
        self.index = EVERYTHING


EVERYTHING = 1 << 60


class Scope:
    """The names declared between one pair of braces, or at the top of the module.

    `members` are single names, `families` the prefixes of `%r<N>`, `labels` the labels, which are visible above their
    place too. Lists are in source order; the first declaration of a name counts and later ones are duplicates.
    `opening` is the brace that opened it, None for the module's.
    """

    __slots__ = ("families", "horizon", "labels", "members", "numbered", "opening", "parent")

    def __init__(self, parent: "Scope | None" = None, opening: Mark | None = None) -> None:
        self.parent = parent
        self.opening = opening
        self.horizon: Horizon = parent.horizon if parent is not None else Horizon()
        self.members: dict[str, list[Symbol]] = {}
        self.families: dict[str, list[Symbol]] = {}
        self.labels: dict[str, list[Symbol]] = {}
        # by stem, how many single names end in digits: they could hide members of a family
        self.numbered: dict[str, int] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing but labels is declared here."""
        return not self.members and not self.families

    def table(self, symbol: Symbol) -> dict[str, list[Symbol]]:
        """Where a symbol of this kind is kept."""
        if symbol.kind is SymbolKind.LABEL:
            return self.labels
        return self.members if symbol.count is None else self.families

    def declare(self, symbol: Symbol) -> None:
        """Add a declaration at its place among others of the same name."""
        table = self.table(symbol)
        if table is self.members:
            self._count(symbol, 1)
        found = table.get(symbol.name)
        if found is None:
            table[symbol.name] = [symbol]
        elif _order(found[-1]) > _order(symbol):
            insort(found, symbol, key=_order)
        else:
            found.append(symbol)

    def withdraw(self, symbol: Symbol) -> None:
        """Take a declaration back: that very object. Without effect where it is not declared."""
        table = self.table(symbol)
        found = table.get(symbol.name, [])
        # in its place, if no block has gone since: there may be thousands of one name
        at = bisect_left(found, _order(symbol), key=_order)
        if at == len(found) or found[at] is not symbol:
            at = next((number for number, other in enumerate(found) if other is symbol), len(found))
        if at < len(found):
            if table is self.members:
                self._count(symbol, -1)
            del found[at]
        if not found:
            table.pop(symbol.name, None)

    def _count(self, symbol: Symbol, by: int) -> None:
        stem = symbol.name.rstrip(DIGITS)
        if stem != symbol.name:
            self.numbered[stem] = self.numbered.get(stem, 0) + by

    def sees(self, symbol: Symbol) -> bool:
        """Whether a symbol stands where, or above where, the module is being read."""
        return symbol.mark.holder.index <= self.horizon.index

    def own(self, name: str) -> Symbol | None:
        """What `name` means by this scope's own declarations, labels left out, the member of a family included."""
        found = self.members.get(name)
        if found and found[0].mark.holder.index <= self.horizon.index:
            return found[0]
        if self.families and name[-1:] in DIGITS:
            prefix = name.rstrip(DIGITS)
            return self._member(prefix, name[len(prefix) :])
        return None

    def _member(self, prefix: str, digits: str) -> Symbol | None:
        # `%r12` may belong to `%r<99>` or to `%r1<9>`; `r08` is member 8 of `r<9>`
        for cut in range(max(0, len(digits) - LONGEST_NUMBER + 1), len(digits)):
            number = digits[cut:]
            for family in self.families.get(prefix + digits[:cut], ()):
                seen = family.mark.holder.index <= self.horizon.index
                if seen and int(number) < (family.count or 0):
                    return family
        return None

    def lookup(self, name: str) -> Symbol | None:
        """What `name` means here: its own scope first, then the scopes around it. Labels are left out."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.own(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def label(self, name: str) -> Symbol | None:
        """The label `name` of this scope or one around it; below its use counts as well."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.labels.get(name)
            if found:
                return found[0]
            scope = scope.parent
        return None


def _order(symbol: Symbol) -> tuple[int, int, int]:
    return place(symbol.mark)
