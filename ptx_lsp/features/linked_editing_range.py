"""Linked editing: while the name of a label is typed, all of its uses change with it."""

from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.search import occurrences
from ptx_lsp.occurrences.target import target_steps
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.text.ranges import Position, Range

NAME_PATTERN = r"[a-zA-Z_$%][\w$]*"
"""What a label may become, as a regular expression of the client."""


def linked_editing_ranges(module: Module, position: Position) -> Iterator[list[Range]]:
    """The places of the label at a position, its definition among them, in the order of the text; none for other names.

    They come in lists that may be empty. The module must not be edited between two of them.
    """
    found = yield from target_steps(module, position)
    if found is None or found.target.symbol.kind is not SymbolKind.LABEL:
        return
    for some in occurrences(module, found.target, roles=False):
        yield [each.range for each in some]
