"""`textDocument/inlayHint` and `inlayHint/resolve`.

Hints are formatted straight to JSON: some editors ask for those of a whole file at once. A hint's `data` says where it
stands, for its tooltip to be told when somebody looks.
"""

import json
from typing import Any

from lsprotocol import types

from ptx_lsp.features import inlay_hints as feature
from ptx_lsp.features.inlay_hints import Hint
from ptx_lsp.features.rendering import render_parts
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import Text
from ptx_lsp.server.requests.choices import choices
from ptx_lsp.server.requests.places import core_range
from ptx_lsp.server.server import Server
from ptx_lsp.text.ranges import Position

_KINDS = {feature.Kind.OPERAND_NAME: types.InlayHintKind.Parameter.value}


def inlay_hint(server: Server, params: types.InlayHintParams) -> Text | None:
    """The hints of a range, as JSON."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    range_ = core_range(document, params.range)
    document.visible = (range_.line, range_.end_line)
    hints = feature.inlay_hints(document.module, range_, choices(server.settings))
    return Text("[" + ",".join(_json(document, hint) for hint in hints) + "]")


def resolve(server: Server, hint: types.InlayHint) -> types.InlayHint:
    """The hint with its tooltip, if its document is still as it was."""
    data: Any = hint.data
    if not isinstance(data, dict):
        return hint
    document = server.document(str(data.get("uri")))
    if document is None or document.version != data.get("version"):
        return hint
    place = Position(int(data["line"]), int(data["column"]))
    parts = feature.explain(document.module, place, choices(server.settings))
    if parts:
        hint.tooltip = types.MarkupContent(types.MarkupKind.Markdown, render_parts(parts, markdown=True))
    return hint


def _json(document: OpenDocument, hint: Hint) -> str:
    line, column = hint.position
    kind = _KINDS.get(hint.kind)
    data = {"uri": document.uri, "version": document.version, "line": hint.about.line, "column": hint.about.column}
    return (
        f'{{"position":{{"line":{line},"character":{document.column(line, column)}}},"label":{json.dumps(hint.label)},'
        + (f'"kind":{kind},' if kind else "")
        + f'"{"paddingRight" if hint.before else "paddingLeft"}":true,"data":{json.dumps(data)}}}'
    )
