"""`textDocument/didOpen`, `didChange` and `didClose`, from plain JSON: `didChange` is sent at every keystroke."""

from collections.abc import Mapping
from typing import Any

from ptx_lsp.server.documents import Inline, OpenDocument, is_ours, path_of
from ptx_lsp.server.server import Server

PTX = "ptx"


def did_open(server: Server, params: Mapping[str, Any]) -> None:
    """Begin the analysis of a document, if its scheme is one that the server checks."""
    item = params["textDocument"]
    uri = item["uri"]
    if not is_ours(uri):
        return
    embedded = _inline(server, uri, item.get("languageId"))
    checks, encoding = server.checks(uri), server.client.encoding
    server.open(OpenDocument(uri, _version_in(item), item["text"], checks, encoding, embedded))


def did_change(server: Server, params: Mapping[str, Any]) -> None:
    """Apply the edits of an open document."""
    identifier = params["textDocument"]
    document = server.documents.get(identifier["uri"])
    if document is not None:
        server.edit(document, _version_in(identifier), params["contentChanges"])


def did_close(server: Server, params: Mapping[str, Any]) -> None:
    """Drop a document and withdraw its diagnostics."""
    server.close(params["textDocument"]["uri"])


def _inline(server: Server, uri: str, language: object) -> Inline | None:
    """The language of a document with inline PTX; None for PTX. The file's name decides if the identifier does not."""
    if language == PTX or path_of(uri).endswith(".ptx"):
        return None
    from ptx_lsp.hosts.scan import host_of
    from ptx_lsp.hosts.statement import Host

    known = {host.value: host for host in Host} | {"cuda": Host.CUDA}
    host = known.get(str(language)) or host_of(path_of(uri))
    return None if host is None else Inline(host, server.targets(uri))


def _version_in(item: Mapping[str, Any]) -> int | None:
    """The version of a text document as the client sent it; None if it is not an integer."""
    version = item.get("version")
    return version if isinstance(version, int) and not isinstance(version, bool) else None
