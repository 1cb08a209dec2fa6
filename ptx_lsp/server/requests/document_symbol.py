"""`textDocument/documentSymbol`: formatted straight to JSON, in slices, as a long document has many symbols."""

import json
from collections.abc import Generator

from lsprotocol import types

from ptx_lsp.features.construct_folding import Construct, Kind
from ptx_lsp.features.constructs import construct_steps
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult, JsonText
from ptx_lsp.server.server import Server
from ptx_lsp.server.slices import in_slices

_KINDS = {
    Kind.ENTRY: types.SymbolKind.Function.value,
    Kind.FUNCTION: types.SymbolKind.Function.value,
    Kind.PARAMETER: types.SymbolKind.Variable.value,
    Kind.VARIABLE: types.SymbolKind.Variable.value,
    Kind.LABEL: types.SymbolKind.Key.value,
}
_SYMBOLS_PER_STEP = 200


async def document_symbol(server: Server, params: types.DocumentSymbolParams) -> JsonText | ErrorResult | None:
    """The symbols of a document, as JSON; an error if it is edited before they are complete.

    Without `hierarchicalDocumentSymbolSupport` they are a flat list of `SymbolInformation`.
    """
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    steps = _hierarchy(document) if server.client.nested_symbols else _flat(document)
    answer = await in_slices(server, document, steps)
    return CONTENT_MODIFIED if answer is None else JsonText(answer)


def _hierarchy(document: OpenDocument) -> Generator[None, None, str]:
    found = yield from construct_steps(document.module)
    outer: list[str] = []
    number = 0
    for symbol in found.outline:
        inner: list[str] = []
        for child in symbol.children:
            inner.append(_symbol(document, child) + "}")
            number += 1
            if not number % _SYMBOLS_PER_STEP:
                yield
        number += 1
        children = f',"children":[{",".join(inner)}]' if inner else ""
        outer.append(_symbol(document, symbol) + children + "}")
        if not number % _SYMBOLS_PER_STEP:
            yield
    return "[" + ",".join(outer) + "]"


def _symbol(document: OpenDocument, symbol: Construct) -> str:
    """A `DocumentSymbol` as JSON, without its closing brace."""
    line, name = symbol.name_line, symbol.name
    column = document.column(line, symbol.name_column)
    detail = f'"detail":{json.dumps(symbol.detail)},' if symbol.detail else ""
    return (
        f'{{"name":"{name}",{detail}"kind":{_KINDS[symbol.kind]},"range":{_range(document, symbol)},"selectionRange":'
        f'{{"start":{{"line":{line},"character":{column}}},'
        f'"end":{{"line":{line},"character":{column + len(name)}}}}}'
    )


def _range(document: OpenDocument, symbol: Construct) -> str:
    line, end_line = symbol.line, symbol.end_line
    return (
        f'{{"start":{{"line":{line},"character":{document.column(line, symbol.column)}}},'
        f'"end":{{"line":{end_line},"character":{document.column(end_line, symbol.end_column)}}}}}'
    )


def _flat(document: OpenDocument) -> Generator[None, None, str]:
    found = yield from construct_steps(document.module)
    uri = json.dumps(document.uri)
    items: list[str] = []
    for symbol in found.outline:
        for each, container in [
            (symbol, ""),
            *((child, f',"containerName":"{symbol.name}"') for child in symbol.children),
        ]:
            items.append(
                f'{{"name":"{each.name}","kind":{_KINDS[each.kind]},'
                f'"location":{{"uri":{uri},"range":{_range(document, each)}}}{container}}}'
            )
        yield
    return "[" + ",".join(items) + "]"
