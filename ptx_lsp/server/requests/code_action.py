"""`textDocument/codeAction`: the fixes of the findings in a range."""

from collections.abc import Sequence

from lsprotocol import types

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Fix
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.requests.places import core_range, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.text.ranges import Range

MOST_FINDINGS = 20
"""Of so many findings in one range fixes are offered: nobody reads a longer menu."""


def code_action(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """A quick fix for each fix of each finding that touches the range."""
    document = server.document(params.text_document.uri)
    wanted = params.context.only
    if document is None or (wanted and not any(_covers(kind) for kind in wanted)):
        return []
    range_ = core_range(document, params.range)
    here = [finding for finding in server.findings(document) if _touches(finding.range, range_)]
    return [
        _action(document, finding, fix, params.context.diagnostics)
        for finding in here[:MOST_FINDINGS]
        for fix in fixes(finding, document.module)
    ]


def _covers(kind: types.CodeActionKind | str) -> bool:
    """Whether a quick fix is of that kind, or of one below it: the empty kind is above all."""
    name = kind.value if isinstance(kind, types.CodeActionKind) else kind
    return types.CodeActionKind.QuickFix.value == name or not name


def _touches(one: Range, other: Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _action(
    document: OpenDocument,
    finding: Finding,
    fix: Fix,
    diagnostics: Sequence[types.Diagnostic],
) -> types.CodeAction:
    place = wire_range(document, finding.range)
    fixed = [known for known in diagnostics if known.code == finding.code and known.range == place]
    edits = [types.TextEdit(wire_range(document, edit.range), edit.text) for edit in fix.edits]
    return types.CodeAction(
        title=fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=fixed or None,
        is_preferred=fix.preferred or None,
        edit=types.WorkspaceEdit(changes={document.uri: edits}),
    )
