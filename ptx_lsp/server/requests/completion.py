"""`textDocument/completion` and `completionItem/resolve`: the list is formatted straight to JSON, as it is often long.

An item's `data` has the position and what the item is; `completionItem/resolve` uses it to describe the item.
"""

import json
from collections.abc import Generator
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from lsprotocol import types

from ptx_lsp.candidates.completion_items import Completions, Item, ItemKind
from ptx_lsp.features import completion as feature
from ptx_lsp.features.completion_resolve import explain_steps
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import JsonText
from ptx_lsp.server.requests.markup import markup
from ptx_lsp.server.requests.positioned import known_inside
from ptx_lsp.server.requests.wire_ranges import core_position
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import for_present_text, in_slices
from ptx_lsp.text.ranges import Position

_KINDS = {
    ItemKind.OPCODE: types.CompletionItemKind.Keyword.value,
    ItemKind.MODIFIER: types.CompletionItemKind.EnumMember.value,
    ItemKind.DIRECTIVE: types.CompletionItemKind.Keyword.value,
    ItemKind.TYPE: types.CompletionItemKind.TypeParameter.value,
    ItemKind.SPACE: types.CompletionItemKind.EnumMember.value,
    ItemKind.REGISTER: types.CompletionItemKind.Variable.value,
    ItemKind.SPECIAL_REGISTER: types.CompletionItemKind.Constant.value,
    ItemKind.ELEMENT: types.CompletionItemKind.Field.value,
    ItemKind.VARIABLE: types.CompletionItemKind.Field.value,
    ItemKind.PARAMETER: types.CompletionItemKind.Property.value,
    ItemKind.FUNCTION: types.CompletionItemKind.Function.value,
    ItemKind.LABEL: types.CompletionItemKind.Reference.value,
    ItemKind.NUMBER: types.CompletionItemKind.Value.value,
    ItemKind.TEXT: types.CompletionItemKind.Text.value,
    ItemKind.SNIPPET: types.CompletionItemKind.Snippet.value,
}
_BEFORE_A_DOT = frozenset((ItemKind.OPCODE, ItemKind.MODIFIER, ItemKind.SPACE, ItemKind.TYPE))
"""The items that a `.` accepts: another modifier follows."""

_SNIPPET = types.InsertTextFormat.Snippet.value
_DEPRECATED = types.CompletionItemTag.Deprecated.value


async def completion(server: Server, params: types.CompletionParams) -> JsonText | None:
    """What can be written at a position, as JSON; None if there is nothing.

    If the document is edited meanwhile, which a user who types does, the answer is that for the present text.
    """
    if (host := server.host_document(params.text_document.uri)) is not None:
        return await _in_host(server, host, params.position)
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    return await for_present_text(server, document, lambda: _steps(server, document, params.position))


def _steps(server: Server, document: OpenDocument, place: types.Position) -> Generator[None, None, JsonText]:
    position = core_position(document, place)
    found = yield from feature.completion_steps(document.module, position)
    yield
    return JsonText("null" if found is None else _list(server, document, position, found))


async def _in_host(server: Server, document: OpenDocument, place: types.Position) -> JsonText | None:
    """What can be written at a position of inline PTX, in the present text."""
    from ptx_lsp.embedded.completion import completion as complete_inside

    while not await known_inside(server, document, (place.line, place.line)):
        if server.documents.get(document.uri) is not document:
            return None
    position = core_position(document, place)
    found = complete_inside(document.host_text, position)
    return None if found is None else JsonText(_list(server, document, position, found.completions))


def _list(server: Server, document: OpenDocument, position: Position, found: Completions) -> str:
    line, column, _, end = found.range
    start, finish = document.column(line, column), document.column(line, end)
    range_ = f'{{"start":{{"line":{line},"character":{start}}},"end":{{"line":{line},"character":{finish}}}}}'
    place = f'"uri":{json.dumps(document.uri)},"line":{position.line},"column":{position.column}'
    shown = [item for item in found.items if item.kind is not ItemKind.SNIPPET or server.client.snippets]
    items = [_item(server, item, number, range_, place) for number, item in enumerate(shown)]
    return f'{{"isIncomplete":{json.dumps(found.incomplete)},"items":[{",".join(items)}]}}'


def _item(server: Server, item: Item, number: int, range_: str, place: str) -> str:
    is_snippet = item.snippet and server.client.snippets
    text = item.label if item.snippet and not is_snippet else item.text or item.label
    parts = [
        f'"label":{quoted(item.label)},"kind":{_KINDS[item.kind]},"sortText":"{number:04}"',
        f'"textEdit":{{"range":{range_},"newText":{quoted(text)}}}',
        f'"data":{{{place},"kind":"{item.kind.value}","about":{quoted(item.about)}}}',
    ]
    if detail := item.lacking or item.detail:
        parts.append(f'"detail":{quoted(detail)}')
    if item.compared:
        parts.append(f'"filterText":{quoted(item.compared)}')
    if is_snippet:
        parts.append(f'"insertTextFormat":{_SNIPPET}')
    if item.lacking and server.client.marks_deprecated:
        parts.append(f'"tags":[{_DEPRECATED}]')
    if item.kind in _BEFORE_A_DOT:
        parts.append('"commitCharacters":["."]')
    return f"{{{','.join(parts)}}}"


async def resolve(server: Server, item: types.CompletionItem) -> types.CompletionItem:
    """The item with its documentation, if its document is still open."""
    data: Any = item.data
    if not isinstance(data, dict):
        return item
    document = server.documents.get(str(data.get("uri")))
    if document is None:
        return item
    kind = next((kind for kind in ItemKind if kind.value == data.get("kind")), None)
    if kind is None:
        return item
    position = Position(int(data["line"]), int(data["column"]))
    about = str(data.get("about", ""))
    if document.is_host:
        from ptx_lsp.embedded.completion import explain_inside

        parts = explain_inside(document.host_text, position, item.label, kind, about)
    else:
        steps = explain_steps(document.module, position, item.label, kind, about)
        parts = await in_slices(server, document, steps) or ()
    if parts:
        item.documentation = markup(server.client, parts)
    return item
