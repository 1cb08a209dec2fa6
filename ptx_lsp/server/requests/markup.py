"""Text for people, as the client shows it."""

from lsprotocol import types

from ptx_lsp.explanations.description import Part
from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.server.client import Client


def markup(client: Client, parts: tuple[Part, ...]) -> types.MarkupContent:
    """Some parts of a description: in Markdown if the client prefers it, otherwise as plain text."""
    kind = types.MarkupKind.Markdown if client.markdown else types.MarkupKind.PlainText
    return types.MarkupContent(kind, render_parts(parts, client.markdown))
