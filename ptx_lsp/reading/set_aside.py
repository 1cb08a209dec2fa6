"""Copies of blocks for requests, which read them without a change of the state of the module."""

from __future__ import annotations

from ptx_lsp.light_classes import Any
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import Body, State
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol


def copy_to_read(block: Block) -> Block:
    """A copy of `block` to read for a request: with the same text, place and entry state.

    Its scopes are copies, without the declarations of the block itself. A declaration in the copies does not change the
    scopes of the module.
    """
    copy = Block(block.chunks, block.lines)
    copy.index, copy.line = block.index, block.line
    assert block.entry is not None
    copy.entry = _without(block.entry, block)
    return copy


def _without(entry: State, block: Block) -> State:
    """A copy of the state, with copies of the scopes without the declarations of the block itself.

    A declaration in the copies does not change the scopes of the module.
    """
    scopes: list[Scope] = []
    for scope in entry.scopes:
        scopes.append(_copy(scope, scopes[-1] if scopes else None, block))
    scopes[0].horizon.index = block.index
    body, closed = entry.body, entry.closed
    if body is not None:
        body = Body(body.symbol, scopes[entry.scopes.index(body.scope)])
    if closed is not None:
        closed = Body(closed.symbol, _copy(closed.scope, scopes[0], block))
    return entry._replace(scopes=tuple(scopes), body=body, closed=closed)


class _Copy(dict[str, list[Symbol]]):
    """A copy of a table of symbols. A list is copied when it is first requested, because few of many are."""

    __slots__ = ("_copied",)

    def __init__(self, table: dict[str, list[Symbol]]) -> None:
        super().__init__(table)
        self._copied: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        """The list of a name, which may be changed."""
        found = super().get(name)
        if found is None:
            return default
        if name not in self._copied:
            self._copied.add(name)
            found = self[name] = list(found)
        return found


def _copy(scope: Scope, parent: Scope | None, block: Block) -> Scope:
    copy = Scope(parent, scope.opening)
    copy.families = _filtered(scope.families, block)
    copy.limited = _filtered(scope.limited, block)
    copy.labels = _Copy(scope.labels)
    copy.numbered = dict(scope.numbered)
    if parent is None:
        # the scope of the module is never closed, so the block knows all that it has declared there
        copy.members = _Copy(scope.members)
        names = {declared.symbol.name for declared in block.declared if declared.scope is scope} & scope.members.keys()
        for name in names:
            kept = [symbol for symbol in scope.members[name] if symbol.mark.holder is not block]
            if kept:
                copy.members[name] = kept
            else:
                del copy.members[name]
    else:
        copy.members = _filtered(scope.members, block)
        names = set(scope.members)
    for name in names:
        stem = name.rstrip(DIGITS)
        if stem != name:
            copy.numbered[stem] -= len(scope.members[name]) - len(copy.members.get(name, ()))
    return copy


def _filtered(table: dict[str, list[Symbol]], block: Block) -> dict[str, list[Symbol]]:
    found = {name: [s for s in symbols if s.mark.holder is not block] for name, symbols in table.items()}
    return {name: symbols for name, symbols in found.items() if symbols}
