"""`textDocument/documentLink` and `documentLink/resolve`: a link gets its target when it is resolved."""

from typing import Any

from lsprotocol import types
from pygls.uris import to_fs_path

from ptx_lsp.outline.constructs import construct_steps
from ptx_lsp.outline.nesting import Path
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.requests.wire_ranges import wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import in_slices
from ptx_lsp.server.source_files import source_file


async def document_link(
    server: Server, params: types.DocumentLinkParams
) -> list[types.DocumentLink] | ErrorResult | None:
    """A link without a target for each path in a `.file` directive."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    found = await in_slices(server, document, construct_steps(document.module.document))
    return CONTENT_MODIFIED if found is None else [_link(document, path) for path in found.paths]


def _link(document: OpenDocument, path: Path) -> types.DocumentLink:
    return types.DocumentLink(wire_range(document, path.range), data={"uri": document.uri, "path": path.text})


def resolve(server: Server, link: types.DocumentLink) -> types.DocumentLink:
    """The link with its target, if a regular file is there."""
    data: Any = link.data
    if not isinstance(data, dict) or not isinstance(data.get("path"), str):
        return link
    target = source_file(server, str(data.get("uri")), data["path"])
    if target is not None:
        link.target = target
        link.tooltip = to_fs_path(target)
    return link
