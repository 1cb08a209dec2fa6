"""`textDocument/didOpen`, `didChange` and `didClose`, from plain JSON: they are sent at every keystroke."""

from collections.abc import Mapping
from typing import Any

from ptx_lsp.server.documents import OpenDocument, is_ours
from ptx_lsp.server.server import Server


def did_open(server: Server, params: Mapping[str, Any]) -> None:
    """Begin the analysis of a document, if its scheme is one that the server checks."""
    item = params["textDocument"]
    uri = item["uri"]
    if is_ours(uri):
        server.open(OpenDocument(uri, _version_in(item), item["text"], server.checks(uri), server.client.encoding))


def did_change(server: Server, params: Mapping[str, Any]) -> None:
    """Apply the edits of an open document."""
    identifier = params["textDocument"]
    document = server.document(identifier["uri"])
    if document is not None:
        server.edit(document, _version_in(identifier), params["contentChanges"])


def did_close(server: Server, params: Mapping[str, Any]) -> None:
    """Drop a document and withdraw its diagnostics."""
    server.close(params["textDocument"]["uri"])


def _version_in(item: Mapping[str, Any]) -> int | None:
    """The version of a text document as the client sent it; None if it is not an integer."""
    version = item.get("version")
    return version if isinstance(version, int) and not isinstance(version, bool) else None
