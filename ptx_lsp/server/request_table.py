"""Every method and command that the server handles: its handler and the capability that announces it, in one row.

The answer to `initialize`, the dispatch of messages and the tests are derived from these rows. Handlers are named, not
imported: `initialize` is answered before any of them is loaded.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from ptx_lsp.features.token_types import MODIFIER_NAMES, TYPE_NAMES

FIX_ALL = "source.fixAll.ptx"
APPLY_ACTION = "ptx.applyAction"
REMOVE_UNUSED, ADD_HEADER = "source.removeUnused.ptx", "source.addHeader.ptx"
"""The kinds of the code actions on a whole document, as clients name them in `editor.codeActionsOnSave`: all safe
fixes, the removal of unused registers and labels, the missing directives of the header."""

_EDITS = 2  # TextDocumentSyncKind.Incremental


class Request(NamedTuple):
    """A request or notification of the client.

    `handler` is `module.function` in `server/requests/`. `capability` is the path of the server capability that
    announces the method, empty if the protocol needs none; `value` is the value there.

    The handler of a method of the protocol takes an object of lsprotocol and returns one. That of a method of our own,
    `ptx/...`, takes its parameters as plain JSON and returns plain JSON; such a row has no capability. `direct` is True
    for the notifications whose handler takes plain JSON too: it is called at once, before other messages are read.
    """

    method: str
    handler: str
    capability: str = ""
    value: object = True
    direct: bool = False


class Command(NamedTuple):
    """A command of `workspace/executeCommand`; `handler` is `module.function` in `server/requests/`."""

    name: str
    handler: str


_ACTION_KINDS = ["quickfix", "refactor.rewrite", FIX_ALL, REMOVE_UNUSED, ADD_HEADER]
_TOKENS = {"legend": {"tokenTypes": [*TYPE_NAMES], "tokenModifiers": [*MODIFIER_NAMES]}, "range": True}
_COMPLETION = {"triggerCharacters": [".", "%", "@", "[", ":"]}
_SIGNATURES = {"triggerCharacters": [" ", "\t", ",", "[", "{", "("], "retriggerCharacters": ["]", "}", ")"]}
_DIAGNOSTICS = {"identifier": "ptx-lsp", "interFileDependencies": False}

REQUESTS = (
    Request("initialized", "configuration.initialized"),
    Request("textDocument/didOpen", "synchronization.did_open", "textDocumentSync.openClose", direct=True),
    Request("textDocument/didChange", "synchronization.did_change", "textDocumentSync.change", _EDITS, direct=True),
    Request("textDocument/didClose", "synchronization.did_close", "textDocumentSync.openClose", direct=True),
    Request("textDocument/hover", "hover.hover", "hoverProvider"),
    Request("textDocument/completion", "completion.completion", "completionProvider", _COMPLETION),
    Request("completionItem/resolve", "completion.resolve", "completionProvider.resolveProvider"),
    Request("textDocument/signatureHelp", "signature_help.signature_help", "signatureHelpProvider", _SIGNATURES),
    Request("textDocument/definition", "definition.definition", "definitionProvider"),
    Request("textDocument/declaration", "declaration.declaration", "declarationProvider"),
    Request("textDocument/references", "references.references", "referencesProvider"),
    Request("textDocument/documentHighlight", "document_highlight.document_highlight", "documentHighlightProvider"),
    Request("textDocument/prepareRename", "rename.prepare_rename", "renameProvider.prepareProvider"),
    Request("textDocument/rename", "rename.rename", "renameProvider", {}),
    Request("textDocument/inlayHint", "inlay_hint.inlay_hint", "inlayHintProvider", {}),
    Request("textDocument/inlineValue", "inline_value.inline_value", "inlineValueProvider"),
    Request("inlayHint/resolve", "inlay_hint.resolve", "inlayHintProvider.resolveProvider"),
    Request(
        "textDocument/codeAction",
        "code_action.code_action",
        "codeActionProvider.codeActionKinds",
        _ACTION_KINDS,
    ),
    Request("codeAction/resolve", "code_action.resolve", "codeActionProvider.resolveProvider"),
    Request("textDocument/codeLens", "code_lens.code_lens", "codeLensProvider", {}),
    Request("textDocument/prepareCallHierarchy", "call_hierarchy.prepare_call_hierarchy", "callHierarchyProvider"),
    Request("callHierarchy/incomingCalls", "call_hierarchy.incoming_calls_of"),
    Request("callHierarchy/outgoingCalls", "call_hierarchy.outgoing_calls_of"),
    Request("textDocument/documentSymbol", "document_symbol.document_symbol", "documentSymbolProvider"),
    Request("textDocument/selectionRange", "selection_range.selection_range", "selectionRangeProvider"),
    Request(
        "textDocument/linkedEditingRange", "linked_editing_range.linked_editing_range", "linkedEditingRangeProvider"
    ),
    Request("textDocument/documentLink", "document_link.document_link", "documentLinkProvider", {}),
    Request("documentLink/resolve", "document_link.resolve", "documentLinkProvider.resolveProvider"),
    Request("textDocument/foldingRange", "folding_range.folding_range", "foldingRangeProvider"),
    Request("textDocument/semanticTokens/full", "semantic_tokens.full", "semanticTokensProvider.full", {}),
    Request("textDocument/semanticTokens/full/delta", "semantic_tokens.delta", "semanticTokensProvider.full.delta"),
    Request("textDocument/semanticTokens/range", "semantic_tokens.in_range", "semanticTokensProvider", _TOKENS),
    Request("textDocument/formatting", "formatting.formatting", "documentFormattingProvider"),
    Request("textDocument/rangeFormatting", "formatting.range_formatting", "documentRangeFormattingProvider"),
    Request(
        "textDocument/onTypeFormatting",
        "formatting.on_type_formatting",
        "documentOnTypeFormattingProvider",
        {"firstTriggerCharacter": ";", "moreTriggerCharacter": ["}", "\n"]},
    ),
    Request("textDocument/diagnostic", "diagnostic.document_diagnostic", "diagnosticProvider", _DIAGNOSTICS),
    Request("workspace/diagnostic", "diagnostic.workspace_diagnostic", "diagnosticProvider.workspaceDiagnostics"),
    Request("workspace/symbol", "workspace_symbol.workspace_symbol", "workspaceSymbolProvider"),
    Request("workspace/didChangeConfiguration", "configuration.did_change_configuration"),
    Request(
        "workspace/didChangeWorkspaceFolders",
        "configuration.did_change_workspace_folders",
        "workspace.workspaceFolders.changeNotifications",
    ),
    Request("workspace/didChangeWatchedFiles", "watched_files.did_change_watched_files"),
)

COMMANDS = (
    Command("ptx.evaluate", "evaluate.evaluate"),
    Command("ptx.lastWrites", "last_writes.last_writes"),
    Command("ptx.sourceOf", "source_of.source_of"),
    Command("ptx.ptxOf", "source_of.ptx_of"),
    Command(APPLY_ACTION, "code_action.apply_action"),
)


def load(handler: str) -> Callable[..., Any]:
    """The function that a row names; imports its module."""
    module, _, function = handler.partition(".")
    found: Callable[..., Any] = getattr(import_module(f"ptx_lsp.server.requests.{module}"), function)
    return found
