"""`textDocument/codeLens`: what the module needs, what functions declare and who calls them, and what loops hold."""

import asyncio
from collections.abc import Generator, Iterable

from lsprotocol import types

from ptx_lsp.analysis.module import Module
from ptx_lsp.features import code_lens as feature
from ptx_lsp.features.function_lens import function_lenses
from ptx_lsp.features.loop_lens import loop_lenses
from ptx_lsp.features.module_needs import find_needs
from ptx_lsp.server.requests.wire_ranges import wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import in_slices
from ptx_lsp.text.ranges import Range

QUIET = 0.3
"""Seconds without an edit after which the lenses are computed: an editor requests them after every keystroke."""

MOST_LINES = 30_000
"""Lines; longer documents have no lenses, which are computed after every edit. `ptx-lsp needs` has no limit."""

Lenses = Iterable[tuple[Range, str]]


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
    found = await in_slices(server, document, _lenses(document.module))
    lenses = found if found is not None else ()
    return [types.CodeLens(wire_range(document, range_), types.Command(title, "")) for range_, title in lenses]


def _lenses(module: Module) -> Generator[None, None, Lenses]:
    needs = yield from find_needs(module)
    functions = yield from function_lenses(module)
    loops = yield from loop_lenses(module)
    found = [(lens.range, lens.title) for lens in feature.code_lenses(needs)]
    found += [(lens.range, lens.title) for lens in functions]
    return found + [(lens.range, lens.title) for lens in loops]
