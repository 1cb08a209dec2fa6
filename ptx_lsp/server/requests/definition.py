"""`textDocument/definition`: in this document, or in another module if this one has a declaration only.

On a `.loc` it is the place in the source.
"""

from lsprotocol import types

from ptx_lsp.analysis.module import Module
from ptx_lsp.explanations.source_places import is_location, of_location_steps
from ptx_lsp.features import definition as feature
from ptx_lsp.occurrences.needed_lines import Needed, Steps
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.other_modules import locations, names_elsewhere, shared_name
from ptx_lsp.server.requests.positioned import locations_at, locations_inside, result_at
from ptx_lsp.server.requests.wire_ranges import core_position
from ptx_lsp.server.server import Server
from ptx_lsp.server.source_files import source_file
from ptx_lsp.steps import with_empty_lists
from ptx_lsp.text.ranges import Position

Answer = list[types.Location] | ErrorResult | None


async def definition(server: Server, params: types.DefinitionParams) -> Answer:
    """The places of the name in the definitions of a symbol; an error if the document is edited meanwhile."""
    if (host := server.host_document(params.text_document.uri)) is not None:
        from ptx_lsp.embedded.definition import definition as definition_inside

        position = core_position(host, params.position)
        return await locations_inside(server, host, position.line, lambda text: definition_inside(text, position))
    here = await locations_at(server, params, feature.definition_steps)
    if here == []:
        return await _source(server, params)
    shared = await shared_name(server, params) if isinstance(here, list) else None
    if shared is None or shared.is_defined:
        return here
    others = await names_elsewhere(server, params.text_document.uri, shared.name)
    return locations([each for each in others if each.name.is_defined]) or here


def _needed_for_source(module: Module, position: Position) -> Steps:
    """All of the text for a `.loc`, as a file may have its number anywhere; for other statements only the line."""
    located = yield from with_empty_lists(module.statement_steps(position))
    is_elsewhere = located is not None and is_location(located.statement)
    return None if is_elsewhere else Needed.line(position.line)


async def _source(server: Server, params: types.DefinitionParams) -> Answer:
    """The place in the source that the `.loc` at a position names, if the file exists."""
    result = await result_at(server, params, of_location_steps, _needed_for_source)
    if not isinstance(result, tuple):
        return result
    document, found = result
    answer = []
    for place in found:
        uri = source_file(server, document.uri, place.path)
        if uri is not None:
            start = types.Position(max(place.line - 1, 0), max(place.column - 1, 0))
            answer.append(types.Location(uri, types.Range(start, start)))
    return answer
