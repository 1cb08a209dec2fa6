"""`textDocument/codeLens`: the version and targets that the module needs, above its `.version` and `.target`."""

import asyncio

from lsprotocol import types

from ptx_lsp.features import code_lens as feature
from ptx_lsp.features.module_needs import find_needs
from ptx_lsp.server.requests.wire_ranges import wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import in_slices

QUIET = 0.3
"""Seconds without an edit after which the lenses are computed: an editor requests them after every keystroke."""

MOST_LINES = 30_000
"""Lines; longer documents have no lenses, which are computed after every edit. `ptx-lsp needs` has no limit."""


async def code_lens(server: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses of a document once its analysis is complete; none if it is edited meanwhile.

    A lens has a title and does nothing: its command has no name. Clients send the request again after each edit.
    """
    document = server.document(params.text_document.uri)
    if document is None or document.module.document.line_count > MOST_LINES:
        return []
    version = document.version
    await asyncio.sleep(QUIET)
    if document.version != version:
        return []
    await server.scheduler.complete(document)
    needs = await in_slices(server, document, find_needs(document.module))
    if needs is None:
        return []
    return [
        types.CodeLens(wire_range(document, lens.range), types.Command(lens.title, ""))
        for lens in feature.code_lenses(needs)
    ]
