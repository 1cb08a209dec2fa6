"""`textDocument/codeAction`: the fixes of the findings in a range, and all safe fixes of a document at once."""

from collections.abc import Sequence
from itertools import islice

from lsprotocol import types

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Edit, Fix
from ptx_lsp.fixes.fix_all import fix_all
from ptx_lsp.fixes.line_edits import line_edits
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.request_table import FIX_ALL
from ptx_lsp.server.requests.wire_ranges import core_range, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.text.ranges import Range

MOST_FINDINGS = 20
"""At most this many findings of one range get their fixes: a longer menu is of no use."""

LONGEST_FIXED = 1_000_000
"""Characters beyond which "fix all" is not offered: it analyses the document several times."""


def code_action(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """A quick fix for each fix of each finding that touches the range; "fix all" only if the client requests it."""
    if (host := server.host_document(params.text_document.uri)) is not None:
        return _in_host(host, params)
    document = server.document(params.text_document.uri)
    if document is None:
        return []
    only = params.context.only
    actions: list[types.CodeAction] = []
    if not only or any(_covers(kind, types.CodeActionKind.QuickFix.value) for kind in only):
        actions += _quick_fixes(server, document, params)
    if only and any(_covers(kind, FIX_ALL) for kind in only):
        actions += _fix_all(document)
    return actions


def _in_host(document: OpenDocument, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The quick fixes in inline PTX."""
    from ptx_lsp.embedded.code_actions import fixes_in

    only = params.context.only
    if only and not any(_covers(kind, types.CodeActionKind.QuickFix.value) for kind in only):
        return []
    found = islice(fixes_in(document.host_text, core_range(document, params.range)), MOST_FINDINGS)
    return [_action(document, finding, fix, params.context.diagnostics) for finding, fix in found]


def _quick_fixes(server: Server, document: OpenDocument, params: types.CodeActionParams) -> list[types.CodeAction]:
    range_ = core_range(document, params.range)
    here = [finding for finding in server.findings(document) if _touches(finding.range, range_)]
    return [
        _action(document, finding, fix, params.context.diagnostics)
        for finding in here[:MOST_FINDINGS]
        for fix in fixes(finding, document.module)
    ]


def _covers(kind: types.CodeActionKind | str, of_action: str) -> bool:
    """Whether an action's kind is `kind` or one below it: the empty kind is above all."""
    name = kind.value if isinstance(kind, types.CodeActionKind) else kind
    return not name or of_action == name or of_action.startswith(name + ".")


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
    return types.CodeAction(
        title=fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=fixed or None,
        is_preferred=fix.preferred or None,
        edit=_workspace_edit(document, fix.edits),
    )


def _fix_all(document: OpenDocument) -> list[types.CodeAction]:
    if document.module.document.character_count > LONGEST_FIXED:
        return []
    text = document.module.document.whole()
    fixed = fix_all(text, document.module.checks)
    if not fixed.made:
        return []
    edit = _workspace_edit(document, line_edits(text, fixed.text))
    title = f"make {fixed.made} safe fix{'' if fixed.made == 1 else 'es'}"
    return [types.CodeAction(title=title, kind=FIX_ALL, edit=edit)]


def _workspace_edit(document: OpenDocument, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    changes = [types.TextEdit(wire_range(document, edit.range), edit.text) for edit in edits]
    return types.WorkspaceEdit(changes={document.uri: changes})
