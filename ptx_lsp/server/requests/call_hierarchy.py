"""`textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `outgoingCalls`, also across files."""

from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.call_hierarchy import (
    CallGroup,
    Function,
    Functions,
    by_callee,
    by_caller,
    function_at,
    incoming_calls,
    outgoing_calls,
)
from ptx_lsp.features.calls import DirectCall
from ptx_lsp.occurrences.needed_lines import at_place
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.other_modules import analysed, names_elsewhere
from ptx_lsp.server.requests.positioned import result_at
from ptx_lsp.server.requests.wire_ranges import wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import gather, result_for


async def prepare_call_hierarchy(
    server: Server, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | ErrorResult | None:
    """The function named at a position, else the one around it."""
    result = await result_at(server, params, function_at, at_place)
    if not isinstance(result, tuple):
        return result
    document, found = result
    return [_item(document, function) for function in found] or None


async def incoming_calls_of(
    server: Server, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall] | None:
    """The functions that call one, in its module and in those that are linked with it."""
    place = _place(params.item)
    if place is None:
        return None
    uri, name = place
    found: list[types.CallHierarchyIncomingCall] = []
    others = [each.uri for each in await names_elsewhere(server, uri, name)]
    for each in dict.fromkeys((uri, *others)):
        document = await analysed(server, each)
        groups = await _groups(server, document, incoming_calls, by_caller, name) if document is not None else []
        if document is not None:
            found += [
                types.CallHierarchyIncomingCall(_item(document, group.function), _ranges(document, group))
                for group in groups
            ]
    return found


async def outgoing_calls_of(
    server: Server, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall] | None:
    """The functions that one calls, each where it is defined."""
    place = _place(params.item)
    document = await analysed(server, place[0]) if place is not None else None
    if place is None or document is None:
        return None
    uri, name = place
    found = []
    for group in await _groups(server, document, outgoing_calls, by_callee, name):
        item = await _definition(server, uri, group.function.name) or _item(document, group.function)
        found.append(types.CallHierarchyOutgoingCall(item, _ranges(document, group)))
    return found


async def _groups(
    server: Server,
    document: OpenDocument,
    find: Callable[[Module, str], Iterator[list[DirectCall]]],
    grouped: Callable[[Functions, list[DirectCall]], list[CallGroup]],
    name: str,
) -> list[CallGroup]:
    """The calls that `find` gives for a function, as `grouped` puts them together; none if the document is edited."""
    calls = await gather(server, document, lambda module: find(module, name))
    functions = await result_for(server, document, Functions().steps) if calls else None
    return [] if functions is None else grouped(functions, calls or [])


async def _definition(server: Server, uri: str, name: str) -> types.CallHierarchyItem | None:
    """The definition of a function in another module, if its own module has a declaration only."""
    own = server.document(uri)
    if own is None or any(symbol.defined for symbol in own.module.declarations(name)):
        return None
    for each in await names_elsewhere(server, uri, name):
        document = await analysed(server, each.uri) if each.name.is_defined else None
        functions = await result_for(server, document, Functions().steps) if document is not None else None
        function = functions.named(name) if functions is not None else None
        if document is not None and function is not None:
            return _item(document, function)
    return None


def _place(item: types.CallHierarchyItem) -> tuple[str, str] | None:
    """The URI and the name in the data of an item; None if the item is not one of ours."""
    data: Any = item.data
    if not isinstance(data, dict) or not isinstance(data.get("uri"), str) or not isinstance(data.get("name"), str):
        return None
    return data["uri"], data["name"]


def _item(document: OpenDocument, function: Function) -> types.CallHierarchyItem:
    return types.CallHierarchyItem(
        function.name,
        types.SymbolKind.Function,
        document.uri,
        wire_range(document, function.range),
        wire_range(document, function.name_range),
        detail=function.detail,
        data={"uri": document.uri, "name": function.name},
    )


def _ranges(document: OpenDocument, group: CallGroup) -> list[types.Range]:
    return [wire_range(document, range_) for range_ in group.ranges]
