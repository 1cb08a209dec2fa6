"""`textDocument/codeLens`: the version and targets that the module needs, above its `.version` and `.target`."""

import asyncio

from lsprotocol import types

from ptx_lsp.features import code_lens as feature
from ptx_lsp.features.module_needs import ModuleNeeds, find_needs
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.requests.wire_ranges import wire_range
from ptx_lsp.server.server import Server

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
    needs = await _needs(document)
    if needs is None:
        return []
    return [
        types.CodeLens(wire_range(document, lens.range), types.Command(lens.title, ""))
        for lens in feature.code_lenses(needs)
    ]


async def _needs(document: OpenDocument) -> ModuleNeeds | None:
    """What the module needs, found in small steps; None if it is edited meanwhile."""
    version, module = document.version, document.module
    steps = find_needs(module)
    while document.version == version and document.module is module:
        try:
            next(steps)
        except StopIteration as done:
            needs: ModuleNeeds = done.value
            return needs
        await asyncio.sleep(0)
    return None
