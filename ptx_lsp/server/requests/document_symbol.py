"""`textDocument/documentSymbol`: formatted straight to JSON, in slices, as a long document has many symbols."""

import json
from collections.abc import Callable, Generator, Iterator
from functools import partial
from json.encoder import encode_basestring_ascii as escape

from lsprotocol import types

from ptx_lsp.outline.constructs import construct_steps
from ptx_lsp.outline.nesting import Construct, Kind
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult, JsonParts, list_parts
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices

_KINDS = {
    Kind.ENTRY: types.SymbolKind.Function.value,
    Kind.FUNCTION: types.SymbolKind.Function.value,
    Kind.PARAMETER: types.SymbolKind.Variable.value,
    Kind.VARIABLE: types.SymbolKind.Variable.value,
    Kind.LABEL: types.SymbolKind.Key.value,
}
_SYMBOLS_PER_STEP = 200
_COLUMNS = range(512)  # those whose texts are made once
_TO_START = '"range":{"start":{"line":'
_TO_LINE = {kind: f'"kind":{value},{_TO_START}' for kind, value in _KINDS.items()}
_TO_END = [f',"character":{column}}},"end":{{"line":' for column in _COLUMNS]
_TO_NAME = [f',"character":{column}}}}},"selectionRange":{{"start":{{"line":' for column in _COLUMNS]
_TO_LAST = [f',"character":{column}}}}}' for column in _COLUMNS]
_Column = Callable[[int, int], int]
"""Gives the client's column for a line and a column in code points."""


async def document_symbol(server: Server, params: types.DocumentSymbolParams) -> JsonParts | ErrorResult | None:
    """The symbols of a document, as JSON; an error if it is edited before they are complete.

    Without `hierarchicalDocumentSymbolSupport` they are a flat list of `SymbolInformation`.
    """
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    steps = _hierarchy(document) if server.client.nested_symbols else _flat(document)
    return await answer_in_slices(server, document, steps)


def _column_of(document: OpenDocument) -> _Column:
    if not document.text.wide_chunks:
        return _same_column  # a third of the time of a long document
    return document.column


def _same_column(line: int, column: int) -> int:
    return column


def _hierarchy(document: OpenDocument) -> Generator[None, None, JsonParts]:
    found = yield from construct_steps(document.module.document)
    return (yield from list_parts(_nested(_column_of(document), found.outline)))


def _nested(column: _Column, outline: list[Construct]) -> Iterator[list[str]]:
    """The symbols as JSON, in portions. A symbol with many children is in several, all but the last one empty."""
    outer: list[str] = []
    number = 0
    write = _narrow_symbol if column is _same_column else partial(_symbol, column)
    for symbol in outline:
        inner: list[str] = []
        for child in symbol.children:
            inner.append(write(child) + "}")
            number += 1
            if not number % _SYMBOLS_PER_STEP:
                yield []
        number += 1
        children = f',"children":[{",".join(inner)}]' if inner else ""
        outer.append(write(symbol) + children + "}")
        if number >= _SYMBOLS_PER_STEP:
            yield outer
            outer, number = [], 0
    yield outer


def _symbol(column_of: _Column, symbol: Construct) -> str:
    """A `DocumentSymbol` as JSON, without its closing brace."""
    line, name = symbol.name_line, symbol.name
    column = column_of(line, symbol.name_column)
    detail = f'"detail":{json.dumps(symbol.detail)},' if symbol.detail else ""
    return (
        f'{{"name":"{name}",{detail}"kind":{_KINDS[symbol.kind]},"range":{_range(column_of, symbol)},"selectionRange":'
        f'{{"start":{{"line":{line},"character":{column}}},'
        f'"end":{{"line":{line},"character":{column + len(name)}}}}}'
    )


def _narrow_symbol(symbol: Construct) -> str:
    """What `_symbol` gives if the columns of the client are those of the text.

    It is written for speed: a text of a million lines has 200,000 symbols. The text from each column to the next number
    is made once, and equal lines are converted once, which takes a third of the time.
    """
    name, line, name_line, end_line = symbol.name, symbol.line, symbol.name_line, symbol.end_line
    column, detail = symbol.name_column, symbol.detail
    begin = str(line)
    named = begin if name_line == line else str(name_line)
    end = begin if end_line == line else end_line
    written = f'"detail":{escape(detail)},' if detail else ""
    try:
        return (
            f'{{"name":"{name}",{written}{_TO_LINE[symbol.kind]}{begin}{_TO_END[symbol.column]}{end}'
            f"{_TO_NAME[symbol.end_column]}{named}{_TO_END[column]}{named}{_TO_LAST[column + len(name)]}"
        )
    except IndexError:  # a long line
        return _symbol(_same_column, symbol)


def _range(column_of: _Column, symbol: Construct) -> str:
    line, end_line = symbol.line, symbol.end_line
    return (
        f'{{"start":{{"line":{line},"character":{column_of(line, symbol.column)}}},'
        f'"end":{{"line":{end_line},"character":{column_of(end_line, symbol.end_column)}}}}}'
    )


def _flat(document: OpenDocument) -> Generator[None, None, JsonParts]:
    found = yield from construct_steps(document.module.document)
    return (yield from list_parts(_flattened(document, found.outline)))


def _flattened(document: OpenDocument, outline: list[Construct]) -> Iterator[list[str]]:
    """The same as a flat list, in portions."""
    uri = json.dumps(document.uri)
    column = _column_of(document)
    to_line = {kind: f'"kind":{value},"location":{{"uri":{uri},{_TO_START}' for kind, value in _KINDS.items()}
    write = partial(_information, column, uri)
    if column is _same_column:
        write = partial(_narrow_information, to_line)
    items: list[str] = []
    for symbol in outline:
        inside = f',"containerName":"{symbol.name}"}}'
        items.append(write(symbol) + "}")
        for child in symbol.children:
            items.append(write(child) + inside)
            if len(items) >= _SYMBOLS_PER_STEP:
                yield items
                items = []
        if len(items) >= _SYMBOLS_PER_STEP:
            yield items
            items = []
    yield items


def _information(column_of: _Column, uri: str, symbol: Construct) -> str:
    """A `SymbolInformation` as JSON, without its closing brace; `uri` is JSON."""
    return (
        f'{{"name":"{symbol.name}","kind":{_KINDS[symbol.kind]},'
        f'"location":{{"uri":{uri},"range":{_range(column_of, symbol)}}}'
    )


def _narrow_information(to_line: dict[Kind, str], symbol: Construct) -> str:
    """What `_information` gives if the columns of the client are those of the text.

    `to_line` is the text between the name and the line, by kind.
    """
    try:
        return (
            f'{{"name":"{symbol.name}",{to_line[symbol.kind]}{symbol.line}{_TO_END[symbol.column]}{symbol.end_line}'
            f"{_TO_LAST[symbol.end_column]}}}"
        )
    except IndexError:  # a long line
        range_ = _range(_same_column, symbol)
        return f'{{"name":"{symbol.name}",{to_line[symbol.kind].removesuffix(_TO_START)}"range":{range_}}}'
