"""Copies of scopes, without the declarations of some lines: a change of the copies changes nothing else."""

from __future__ import annotations

from itertools import chain, filterfalse

from ptx_lsp.light_classes import Any, Iterator, KeysView, Mapping, NamedTuple, Sequence
from ptx_lsp.semantics.limited_variables import LimitedVariables
from ptx_lsp.semantics.symbols import DIGITS, LIMITED, Holder, Mark, Scope, Symbol

_MANY = 64  # names of a scope inside of functions: to copy more takes longer than to look at a copy


class HiddenLines(NamedTuple):
    """The lines of a block from one on, which is counted from its first line: their declarations are not copied.

    `declared` are the declarations of the block, each with its scope: all of those in the scopes that are open `above`.
    """

    block: Holder
    line: int
    declared: Sequence[tuple[Scope, Symbol]]
    above: Sequence[Scope] = ()

    def holds(self, mark: Mark) -> bool:
        """Whether a mark is in these lines."""
        return mark.holder is self.block and mark.range[0] >= self.line


class _Copy(dict[str, list[Symbol]]):
    """A copy of a table of symbols, which has lists of its own only for the names that are requested or changed.

    The scope of a module may have 100,000 names: to copy all of them for a request takes 10 ms, and a search for
    garbage that looks at them 20 ms. The names are in the order that a real copy has.
    """

    __slots__ = ("_gone", "_table")

    def __init__(self, table: dict[str, list[Symbol]]) -> None:
        super().__init__()
        self._table = table
        self._gone: set[str] = set()  # the names of the table that were deleted; if declared again, they are the last

    def get(self, name: str, default: Any = None) -> Any:
        """The list of a name, which may be changed."""
        found = super().get(name)
        if found is None and name not in self._gone and (found := self._table.get(name)) is not None:
            found = self[name] = list(found)
        return default if found is None else found

    def __getitem__(self, name: str) -> list[Symbol]:
        found: list[Symbol] | None = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        # a class that is named takes a third of the time of `super`, and requests ask for a thousand names
        return dict.__contains__(self, name) or (name in self._table and name not in self._gone)

    def __iter__(self) -> Iterator[str]:
        # without a loop in Python, as there are many names
        kept = filterfalse(self._gone.__contains__, self._table) if self._gone else iter(self._table)
        return chain(kept, self._last())

    def _last(self) -> list[str]:
        return [name for name in super().__iter__() if name in self._gone or name not in self._table]

    def __len__(self) -> int:
        return len(self._table) - len(self._gone) + len(self._last())

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self.pop(name)

    def pop(self, name: str, default: Any = None) -> Any:
        """Delete a name; the list that it had, or `default`."""
        found = self.get(name, default)
        super().pop(name, None)
        if name in self._table:
            self._gone.add(name)
        return found

    def setdefault(self, name: str, default: Any = None) -> Any:
        """The list of a name, which may be changed; if it has none, the given one, which it then has."""
        found = self.get(name)
        if found is None:
            found = self[name] = default
        return found

    def keys(self) -> Any:
        """The names, in order."""
        return KeysView(self)

    def values(self) -> Any:
        """The lists, in order; they must not be changed."""
        return (found for _, found in self.items())

    def items(self) -> Any:
        """The names and their lists, in order; the lists must not be changed."""
        return ((name, self[name] if super(_Copy, self).__contains__(name) else self._table[name]) for name in self)


class CopiedLater(Scope):
    """A copy of a scope that is made at the first request: almost no block continues the function that ended above it.

    Measured: a fifth of the time of all hints of a text with many small functions.
    """

    __slots__ = ("_hidden", "_scope")

    def __init__(self, scope: Scope, parent: Scope, hidden: HiddenLines) -> None:
        # not the constructor of the class above, which makes the tables
        self.parent = parent
        self.opening = scope.opening
        self.horizon = parent.horizon
        self._scope = scope
        self._hidden = hidden

    def __getattr__(self, name: str) -> Any:
        if name not in _TABLES:
            raise AttributeError(name)
        copy = copied(self._scope, self.parent, self._hidden)
        for table in _TABLES:
            setattr(self, table, getattr(copy, table))
        return getattr(self, name)


_TABLES = tuple(name for name in Scope.__slots__ if name not in ("horizon", "opening", "parent"))


def copied(scope: Scope, parent: Scope | None, hidden: HiddenLines) -> Scope:
    """A copy of a scope inside of `parent`, which is a copy too (None: the scope of the module).

    It has no labels unless all lines of the block are hidden, from the first one on.
    """
    copy = Scope(parent, scope.opening)
    copy.families = _filtered(scope.families, hidden)
    copy.labels = {} if hidden.line else _Copy(scope.labels)
    copy.numbered = dict(scope.numbered)
    if parent is None or (len(scope.members) > _MANY and scope in hidden.above):
        # the scope of the module is open everywhere; of another one, the block knows all that it has declared in it
        copy.members = _Copy(scope.members)
        declared = [symbol for owner, symbol in hidden.declared if owner is scope]
        copy.limited = _limited(scope, [one for one in declared if one.space in LIMITED and hidden.holds(one.mark)])
        names = {symbol.name for symbol in declared} & scope.members.keys()
        for name in names:
            kept = [symbol for symbol in scope.members[name] if not hidden.holds(symbol.mark)]
            if kept:
                copy.members[name] = kept
            else:
                del copy.members[name]
    else:
        copy.members = _filtered(scope.members, hidden)
        limited = _filtered(scope.limited, hidden)
        copy.limited = {space: LimitedVariables(variables) for space, variables in limited.items()}
        names = set(scope.members)
    for name in names:
        stem = name.rstrip(DIGITS)
        if stem != name:
            copy.numbered[stem] -= len(scope.members[name]) - len(copy.members.get(name, ()))
    return copy


def _limited(scope: Scope, hidden: list[Symbol]) -> dict[str, LimitedVariables]:
    """Copies of the limited variables of a scope by space, without these few: a module may have 1,000 of them."""
    found = {space: LimitedVariables(variables) for space, variables in scope.limited.items()}
    for symbol in hidden:
        variables = found.get(symbol.space, LimitedVariables())  # a family of variables, a mistake, is not one of them
        at = next((at for at in range(len(variables) - 1, -1, -1) if variables[at] is symbol), -1)
        if at >= 0:
            del variables[at]
    return {space: variables for space, variables in found.items() if variables}


def _filtered(table: Mapping[str, list[Symbol]], hidden: HiddenLines) -> dict[str, list[Symbol]]:
    block, holds = hidden.block, hidden.holds
    found = {n: [s for s in ss if s.mark.holder is not block or not holds(s.mark)] for n, ss in table.items()}
    return {name: symbols for name, symbols in found.items() if symbols}
