"""Snippets."""

from ptx_lsp.features.completion_items import Item
from ptx_lsp.reading.statement_context import PositionContext


def snippet_items(context: PositionContext, word: str) -> list[Item]:
    """The snippets for a place."""
    return []
