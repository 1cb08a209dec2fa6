"""`textDocument/didOpen`, `didChange` and `didClose`, from plain JSON: `didChange` is sent at every keystroke.

If the parameters are not what the protocol says, none of the changes is applied.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ptx_lsp.server.documents import Inline, OpenDocument, is_ours, path_of
from ptx_lsp.server.invalid_params import InvalidParamsError
from ptx_lsp.server.server import Server
from ptx_lsp.text.document import Document

PTX = "ptx"


def did_open(server: Server, params: Mapping[str, Any]) -> None:
    """Begin the analysis of a document, if its scheme is one that the server checks."""
    _check_open(params)
    item = params["textDocument"]
    uri = item["uri"]
    if not is_ours(uri):
        return
    embedded = _inline(server, uri, item.get("languageId"))
    checks, encoding = server.checks(uri), server.client.encoding
    server.open(OpenDocument(uri, _version_in(item), item["text"], checks, encoding, embedded))


def did_change(server: Server, params: Mapping[str, Any]) -> None:
    """Apply the edits of an open document."""
    _check_change(params)
    identifier = params["textDocument"]
    document = server.documents.get(identifier["uri"])
    if document is not None:
        server.edit(document, _version_in(identifier), params["contentChanges"])


def did_close(server: Server, params: Mapping[str, Any]) -> None:
    """Drop a document and withdraw its diagnostics."""
    _check_close(params)
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


def _check_open(params: Any) -> None:
    """Raise `InvalidParamsError` if these are no parameters of `textDocument/didOpen`."""
    item = _document(params)
    if not isinstance(item.get("text"), str | Document):  # a long text is divided while it arrives
        raise InvalidParamsError("`textDocument.text` must be a string")


def _check_change(params: Any) -> None:
    """Raise `InvalidParamsError` if these are no parameters of `textDocument/didChange`: then no change is applied."""
    _document(params)
    changes = params.get("contentChanges")
    if not isinstance(changes, list):
        raise InvalidParamsError("`contentChanges` must be a list")
    for number, change in enumerate(changes):
        for reason in _of_change(change):
            raise InvalidParamsError(f"`contentChanges[{number}]{reason}")


def _check_close(params: Any) -> None:
    """Raise `InvalidParamsError` if these are no parameters of `textDocument/didClose`."""
    _document(params)


def _document(params: Any) -> Mapping[str, Any]:
    item = params.get("textDocument") if isinstance(params, dict) else None
    if not isinstance(item, dict):
        raise InvalidParamsError("`textDocument` must be an object")
    if not isinstance(item.get("uri"), str):
        raise InvalidParamsError("`textDocument.uri` must be a string")
    return item


def _of_change(change: Any) -> Iterator[str]:
    if not isinstance(change, dict):
        yield "` must be an object"
    elif not isinstance(change.get("text"), str):
        yield ".text` must be a string"
    elif (range_ := change.get("range")) is not None:
        for end in ("start", "end"):
            position = range_.get(end) if isinstance(range_, dict) else None
            for axis in ("line", "character"):
                # `True` is an integer to Python, and the column 1.0 is one to no client
                if type(position.get(axis) if isinstance(position, dict) else None) is not int:
                    yield f".range.{end}.{axis}` must be an integer"
