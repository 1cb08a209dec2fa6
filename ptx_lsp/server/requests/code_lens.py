"""`textDocument/codeLens`: what the module needs, what functions declare and who calls them, and what loops hold."""

import asyncio
import json
from collections.abc import Generator, Iterator

from lsprotocol import types

from ptx_lsp.analysis.module import Module
from ptx_lsp.features import code_lens as feature
from ptx_lsp.features.function_lens import function_lenses
from ptx_lsp.features.loop_lens import loop_lenses
from ptx_lsp.features.module_needs import find_needs
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import JsonParts, list_parts
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import in_slices
from ptx_lsp.text.ranges import Range

QUIET = 0.3
"""Seconds without an edit after which the lenses are computed: an editor requests them after every keystroke."""

MOST_LINES = 30_000
"""Lines; longer documents have no lenses, which are computed after every edit. `ptx-lsp needs` has no limit."""

Lenses = list[tuple[Range, str]]
_LENSES_PER_STEP = 50


async def code_lens(server: Server, params: types.CodeLensParams) -> JsonParts | list[types.CodeLens]:
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
    answer = await in_slices(server, document, list_parts(_written(document, found or [])))
    return [] if answer is None else answer


def _written(document: OpenDocument, lenses: Lenses) -> Iterator[list[str]]:
    """The lenses as JSON: to convert the objects of a thousand lenses takes 50 ms."""
    for begin in range(0, len(lenses), _LENSES_PER_STEP):
        yield [
            f'{{"range":{json.dumps(document.wire_range(place))},"command":{{"title":{json.dumps(title)},"command":""}}}}'
            for place, title in lenses[begin : begin + _LENSES_PER_STEP]
        ]


def _lenses(module: Module) -> Generator[None, None, Lenses]:
    needs = yield from find_needs(module)
    functions = yield from function_lenses(module)
    loops = yield from loop_lenses(module)
    found = [(lens.range, lens.title) for lens in feature.code_lenses(needs)]
    found += [(lens.range, lens.title) for lens in functions]
    return found + [(lens.range, lens.title) for lens in loops]
