"""The labels that the module knows for the functions and scopes of a block, for a request that reads a part of it."""

from __future__ import annotations

from ptx_lsp.reading.block import Block
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.text.ranges import Range


class KnownLabels:
    """The labels that the module has for the functions and scopes of a block, also from the blocks below.

    They are valid until the next edit, and are added to the copies that a request reads.
    """

    __slots__ = ("_block", "_nested")

    def __init__(self, block: Block) -> None:
        self._block = block
        self._nested: dict[Range, Scope] | None = None

    def add_to_open(self, reader: BlockReader) -> None:
        """Add all labels of the open function and scopes that begin in the block: not those of the functions above."""
        body = reader.body
        if body is not None and body.opening.holder is reader.block:
            self.add_to_function(body)
        self.add_to_scopes(reader, 2)

    def add_to_scopes(self, reader: BlockReader, depth: int) -> None:
        """Add all labels of the open nested scopes that begin in the block, beyond the first `depth` open scopes."""
        for scope in reader.scopes[max(depth, 2) :]:
            if scope.opening is not None and scope.opening.holder is reader.block:
                self._add_to_scope(scope.opening.range, scope)

    def add_to_function(self, body: Body) -> None:
        """Add the labels of a function that begins in the block."""
        block = self._block
        for known in (part.body for part in block.parts):
            begins_here = known.opening.holder is block and known.opening.range == body.opening.range
            if begins_here and known.symbol == body.symbol:
                body.scope.labels.update({name: list(labels) for name, labels in known.scope.labels.items()})

    def _add_to_scope(self, brace: Range, scope: Scope) -> None:
        """Add the labels of a nested scope that begins in the block: those that its branches and operands see."""
        if self._block.stale:
            return
        if self._nested is None:
            self._nested = _nested_scopes(self._block)
        known = self._nested.get(brace)
        if known is not None:
            scope.labels.update({name: list(labels) for name, labels in known.labels.items()})


def _nested_scopes(block: Block) -> dict[Range, Scope]:
    """The scopes that begin in a block and are around a use of a label, by the ranges of their braces.

    A label that is an operand is a name that nothing above it declares.
    """
    found: dict[Range, Scope] = {}
    seen: set[Scope] = set()
    for part in block.parts:
        for innermost in [use.scope for use in part.label_uses] + [use.scope for use in part.undeclared_uses()]:
            around: Scope | None = innermost
            while around is not None and around.opening is not None and around not in seen:
                seen.add(around)
                if around.opening.holder is block:
                    found.setdefault(around.opening.range, around)
                around = around.parent
    return found
