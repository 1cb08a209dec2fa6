"""Snippets."""

from ptx_lsp.features.completion_items import Item
from ptx_lsp.features.description import Part
from ptx_lsp.reading.statement_context import PositionContext


def snippet_items(context: PositionContext, word: str) -> list[Item]:
    """The snippets for a place."""
    return []


def describe_snippet(label: str) -> tuple[Part, ...]:
    """The text of a snippet."""
    return ()
