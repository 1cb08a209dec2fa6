"""`textDocument/codeAction` and `codeAction/resolve`: fixes of findings, rewrites, and actions on a whole document.

The edits of rewrites and of actions on a document are worked out when the user has chosen one, if the client can ask
for them then. A client that cannot, but applies edits that the server sends, gets a command for an action on a
document: to work out its edits takes as long as the document is.
"""

from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import Any

from lsprotocol import types

from ptx_lsp.analysis.module import Module
from ptx_lsp.features import code_action as feature
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.catalogue import fix_steps
from ptx_lsp.fixes.fix import Edit, Fix
from ptx_lsp.fixes.fix_all import fix_all
from ptx_lsp.fixes.line_edits import line_edits
from ptx_lsp.rewrites.rewrite import Rewrite
from ptx_lsp.rewrites.suppression_comments import suppress
from ptx_lsp.server.client import Client
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.invalid_params import InvalidParamsError
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.request_table import ADD_HEADER, APPLY_ACTION, FIX_ALL, REMOVE_UNUSED
from ptx_lsp.server.requests.wire_ranges import core_position, core_range, wire_range
from ptx_lsp.server.requests.workspace_edit import changed, workspace_edit
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import completed, gather, in_slices
from ptx_lsp.text.ranges import Position, Range

REWRITE = types.CodeActionKind.RefactorRewrite.value

MOST_FINDINGS = 20
"""At most this many findings of one range get their fixes: a longer menu is of no use."""

LINES_PER_PART = 500
"""Lines of the first part of a range whose findings are made together."""

LONGEST_FIXED = 1_000_000
"""Characters beyond which "fix all" is not offered: it analyses the document several times."""


async def code_action(server: Server, params: types.CodeActionParams) -> list[types.CodeAction] | ErrorResult:
    """The fixes of findings that touch the range, rewrites at its beginning, and actions on the whole document.

    Those on the document are offered if the client requests their kind or the user opens the menu; "fix all" only if
    its kind is requested. An error if the document is edited before edits are complete.
    """
    if (host := server.host_document(params.text_document.uri)) is not None:
        return await _in_host(server, host, params)
    document = server.document(params.text_document.uri)
    if document is None:
        return []
    actions: list[types.CodeAction] = []
    if _wants(params, types.CodeActionKind.QuickFix.value):
        fixes_here = await in_slices(server, document, _quick_fixes(server, document, params))
        if fixes_here is None:
            return CONTENT_MODIFIED
        actions += fixes_here
    edited = document.edited
    rewrites = await in_slices(server, document, _rewrites(document, params))
    if rewrites is None:
        return CONTENT_MODIFIED
    for kind, rewrite in rewrites:
        action = await _offered(server, document, kind, rewrite, core_position(document, params.range.start))
        if document.edited != edited:
            return CONTENT_MODIFIED
        actions += [action] if action is not None else []
    if params.context.only and _wants(params, FIX_ALL):
        actions += _fix_all(server.client, document)
    return actions


async def resolve(server: Server, action: types.CodeAction) -> types.CodeAction | ErrorResult:
    """The action with its edit; an error if its document has changed since."""
    data: Any = action.data
    if not isinstance(data, dict) or action.edit is not None:
        return action
    found = await _edits_of_chosen(server, data, action.title)
    if isinstance(found, ErrorResult):
        return found
    action.edit = found
    return action


async def apply_action(server: Server, *arguments: Any) -> None:
    """`workspace/executeCommand` with `ptx.applyAction`: ask the client to apply an action that had no edit.

    Nothing if the document has changed since the action was offered.
    """
    data = arguments[0] if arguments else None
    if not isinstance(data, dict):
        raise InvalidParamsError("the command takes what the code action has")
    edit = await _edits_of_chosen(server, data, str(data.get("title")))
    if isinstance(edit, types.WorkspaceEdit):
        server.workspace_apply_edit(types.ApplyWorkspaceEditParams(edit))


async def _edits_of_chosen(server: Server, data: Any, title: str) -> types.WorkspaceEdit | ErrorResult | None:
    """The edits of the action with this title and these `_data`; an error if its document has changed since."""
    document = server.document(str(data.get("uri")))
    if document is None or document.version != data.get("version"):
        return CONTENT_MODIFIED
    place = Position(int(data["line"]), int(data["column"]))
    offered = _of_kind(document.module, str(data.get("kind")), place)
    rewrite = next((each for each in offered if each is not None and each.title == title), None)
    edited = document.edited
    edits = await _edits(server, document, rewrite) if rewrite is not None else None
    return CONTENT_MODIFIED if document.edited != edited else edits


def _rewrites(
    document: OpenDocument, params: types.CodeActionParams
) -> Generator[None, None, list[tuple[str, Rewrite]]]:
    """The rewrites that the client asks for, each with its kind."""
    invoked = params.context.trigger_kind is types.CodeActionTriggerKind.Invoked
    place = core_position(document, params.range.start)
    found: list[tuple[str, Rewrite]] = []
    for kind in (REWRITE, REMOVE_UNUSED, ADD_HEADER):
        if _wants(params, kind) and (kind == REWRITE or invoked or params.context.only):
            for rewrite in _of_kind(document.module, kind, place):
                found += [(kind, rewrite)] if rewrite is not None else []
                yield
    return found


async def _offered(
    server: Server, document: OpenDocument, kind: str, rewrite: Rewrite, place: Position
) -> types.CodeAction | None:
    """The action for a rewrite at a place, with its edits if they cannot be found later; None if it has no edits."""
    data = _data(document, kind, place)
    action = types.CodeAction(rewrite.title, kind, data=data)
    if server.client.resolves_actions:
        return action
    if kind != REWRITE and server.client.applies_edits:
        action.command = types.Command(rewrite.title, APPLY_ACTION, arguments=[{**data, "title": rewrite.title}])
        return action
    action.edit = await _edits(server, document, rewrite)
    return action if action.edit is not None else None


def _of_kind(module: Module, kind: str, place: Position) -> Iterator[Rewrite | None]:
    """The rewrites of a kind at a place; None in place of one where the caller may pause."""
    if kind == REWRITE:
        return feature.rewrite_steps(module, place)
    return feature.unused_names(module) if kind == REMOVE_UNUSED else feature.missing_header(module)


def _data(document: OpenDocument, kind: str, place: Position) -> dict[str, object]:
    """What `resolve` needs to find the rewrite again."""
    line, column = place
    return {"uri": document.uri, "version": document.version, "kind": kind, "line": line, "column": column}


async def _edits(server: Server, document: OpenDocument, rewrite: Rewrite) -> types.WorkspaceEdit | None:
    """The edits of a rewrite; None if there are none, or if the document is edited meanwhile."""
    found = await gather(server, document, lambda module: rewrite.steps())
    return workspace_edit(server.client, changed(document, found)) if found else None


def _wants(params: types.CodeActionParams, kind: str) -> bool:
    """Whether the client asks for actions of a kind; without `only` it asks for all."""
    only = params.context.only
    return not only or any(_covers(wanted, kind) for wanted in only)


async def _in_host(
    server: Server, document: OpenDocument, params: types.CodeActionParams
) -> list[types.CodeAction] | ErrorResult:
    """The quick fixes in inline PTX, once its analysis is complete."""
    from ptx_lsp.embedded.code_actions import fixes_in

    if not _wants(params, types.CodeActionKind.QuickFix.value):
        return []
    if not await completed(server, document):
        return CONTENT_MODIFIED
    found = islice(fixes_in(document.host_text, core_range(document, params.range)), MOST_FINDINGS)
    return [_action(server.client, document, finding, fix, params.context.diagnostics) for finding, fix in found]


def _quick_fixes(
    server: Server, document: OpenDocument, params: types.CodeActionParams
) -> Generator[None, None, list[types.CodeAction]]:
    here = yield from _first_findings(server, document, core_range(document, params.range))
    actions: list[types.CodeAction] = []
    for finding in here:
        for fix in (yield from fix_steps(finding, document.module)):
            actions.append(_action(server.client, document, finding, fix, params.context.diagnostics))
            yield
        yield
    ways: dict[str, tuple[Finding, Rewrite]] = {}
    for finding in here:
        for rewrite in suppress(finding, document.module):
            ways.setdefault(rewrite.title, (finding, rewrite))
        yield
    for finding, rewrite in ways.values():
        edits: list[Edit] = []
        for some in rewrite.steps():
            edits += some
            yield
        actions.append(
            _action(server.client, document, finding, Fix(rewrite.title, tuple(edits)), params.context.diagnostics)
        )
    return actions


def _first_findings(server: Server, document: OpenDocument, range_: Range) -> Generator[None, None, list[Finding]]:
    """The first findings that touch a range, at most `MOST_FINDINGS`: in parts of the range that become longer."""
    found: list[Finding] = []
    line, lines = range_.line, LINES_PER_PART
    while line <= range_.end_line and len(found) < MOST_FINDINGS:
        below = line + lines
        part = Range(*max(range_.start, Position(line, 0)), *min(range_.end, Position(below, 0)))
        first = line if line > range_.line else 0  # the findings above have been found
        found += (each for each in server.findings_touching(document, part) if first <= each.range.line < below)
        line, lines = below, 2 * lines
        yield
    return found[:MOST_FINDINGS]


def _covers(kind: types.CodeActionKind | str, of_action: str) -> bool:
    """Whether an action's kind is `kind` or one below it: the empty kind is above all."""
    name = kind.value if isinstance(kind, types.CodeActionKind) else kind
    return not name or of_action == name or of_action.startswith(name + ".")


def _action(
    client: Client,
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
        edit=workspace_edit(client, changed(document, fix.edits)),
    )


def _fix_all(client: Client, document: OpenDocument) -> list[types.CodeAction]:
    if document.module.document.character_count > LONGEST_FIXED:
        return []
    text = document.module.document.whole()
    fixed = fix_all(text, document.module.checks)
    if not fixed.made:
        return []
    edit = workspace_edit(client, changed(document, line_edits(text, fixed.text)))
    title = f"make {fixed.made} safe fix{'' if fixed.made == 1 else 'es'}"
    return [types.CodeAction(title=title, kind=FIX_ALL, edit=edit)]
