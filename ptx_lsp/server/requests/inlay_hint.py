"""`textDocument/inlayHint` and `inlayHint/resolve`.

Hints are formatted straight to JSON, as some editors request those of a whole file at once. A hint's `data` holds its
position; `inlayHint/resolve` uses it to compute the tooltip.
"""

import json
from collections.abc import Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.features import inlay_hints as feature
from ptx_lsp.features.choices import Choices
from ptx_lsp.features.inlay_hints import Hint
from ptx_lsp.features.offset_hints import HintKind
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult, JsonParts, ListInParts, list_parts
from ptx_lsp.server.requests.feature_choices import choices
from ptx_lsp.server.requests.markup import markup
from ptx_lsp.server.requests.positioned import known_inside
from ptx_lsp.server.requests.wire_ranges import core_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices
from ptx_lsp.text.ranges import Position, Range

if TYPE_CHECKING:
    from ptx_lsp.embedded.inlay_hints import HostHint

MOST_IN_HOST = 2_000
"""Hints in inline PTX; no screen shows more."""

MOST_SHOWN = 2_000
"""Lines; a client that requests the hints of more does not show them all."""

_KINDS = {HintKind.OPERAND_NAME: types.InlayHintKind.Parameter.value}


async def inlay_hint(server: Server, params: types.InlayHintParams) -> JsonParts | ErrorResult | None:
    """The hints of a range, as JSON; an error if the document is edited before they are complete.

    They are found in slices, so that no other request waits for a long range, and the request can be cancelled.
    """
    if (host := server.host_document(params.text_document.uri)) is not None:
        return await _in_host(server, host, params)
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    range_ = core_range(document, params.range)
    if range_.end_line - range_.line <= MOST_SHOWN:
        document.visible = (range_.line, range_.end_line)
    return await answer_in_slices(server, document, _hints(document, range_, choices(server.settings_of(document.uri))))


def _hints(document: OpenDocument, range_: Range, chosen: Choices) -> Generator[None, None, JsonParts]:
    uri = json.dumps(document.uri)
    answer = ListInParts()
    number = 0
    for hints in feature.hints_by_statement(document.module, range_, chosen):
        answer.add([_json(document, uri, hint) for hint in hints])
        number += len(hints)
        if number > feature.MOST_HINTS:
            break
        yield
    return answer.result()


async def _in_host(server: Server, document: OpenDocument, params: types.InlayHintParams) -> JsonParts | ErrorResult:
    """The hints in inline PTX, once its statements are analysed."""
    range_ = core_range(document, params.range)
    if range_.end_line - range_.line <= MOST_SHOWN:
        document.visible = (range_.line, range_.end_line)
    if not await known_inside(server, document, (range_.line, range_.end_line)):
        return CONTENT_MODIFIED
    from ptx_lsp.embedded.inlay_hints import inlay_hints

    chosen, expressions = choices(server.settings_of(document.uri)), server.settings.embedded.expressions
    found = inlay_hints(document.host_text, range_, chosen, expressions)
    return await answer_in_slices(server, document, list_parts(_first_in_host(document, found)))


def _first_in_host(document: OpenDocument, found: "Iterable[list[HostHint]]") -> Iterator[list[str]]:
    """The first hints in inline PTX, as JSON."""
    left = MOST_IN_HOST
    for hints in found:
        yield [_host_hint(document, hint) for hint in hints[:left]]
        left -= len(hints)
        if left <= 0:
            break


def _host_hint(document: OpenDocument, hint: "HostHint") -> str:
    place = json.dumps(document.wire_position(hint.position))
    side = "paddingRight" if hint.before else "paddingLeft"
    return f'{{"position":{place},"label":{json.dumps(hint.label)},"{side}":true}}'


def resolve(server: Server, hint: types.InlayHint) -> types.InlayHint:
    """The hint with its tooltip, if its document has not changed since."""
    data: Any = hint.data
    if not isinstance(data, dict):
        return hint
    document = server.document(str(data.get("uri")))
    if document is None or document.version != data.get("version"):
        return hint
    place = Position(int(data["line"]), int(data["column"]))
    parts = feature.explain(document.module, place, choices(server.settings_of(document.uri)))
    if parts:
        hint.tooltip = markup(server.client, parts)
    return hint


def _json(document: OpenDocument, uri: str, hint: Hint) -> str:
    """A hint as JSON; `uri` is that of the document, as JSON."""
    line, column = hint.position
    kind = _KINDS.get(hint.kind)
    version = "null" if document.version is None else document.version
    about = f'"version":{version},"line":{hint.about.line},"column":{hint.about.column}'
    return (
        f'{{"position":{{"line":{line},"character":{document.column(line, column)}}},"label":{json.dumps(hint.label)},'
        + (f'"kind":{kind},' if kind else "")
        + f'"{"paddingRight" if hint.before else "paddingLeft"}":true,"data":{{"uri":{uri},{about}}}}}'
    )
