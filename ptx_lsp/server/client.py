"""The capabilities and options of the client, read from the parameters of `initialize` without any library."""

from dataclasses import dataclass
from typing import Any

from ptx_lsp.text.lines import Encoding

_SYMBOL = "capabilities.textDocument.documentSymbol"
_COMPLETION = "capabilities.textDocument.completion.completionItem"
_SIGNATURE = "capabilities.textDocument.signatureHelp.signatureInformation"
_ACTION = "capabilities.textDocument.codeAction"
_FOLDING = "capabilities.textDocument.foldingRange"

_DEPRECATED = 1  # CompletionItemTag.Deprecated


@dataclass(frozen=True, slots=True)
class Client:
    """The client's capabilities that the server depends on; a flag is True if the client has announced the capability.

    `most_folds` is the number of folding ranges that the client takes for one document, None if it has no limit.
    `process` is the id of the client's process, `roots` the URIs of its folders, `options` its initialization options.
    """

    encoding: Encoding = Encoding.UTF16
    markdown: bool = False
    pulls_diagnostics: bool = False
    configuration: bool = False
    watches_files: bool = False
    progress: bool = False
    refreshes_hints: bool = False
    refreshes_diagnostics: bool = False
    refreshes_tokens: bool = False
    shows_status: bool = False
    nested_symbols: bool = False
    snippets: bool = False
    marks_deprecated: bool = False
    parameter_offsets: bool = False
    folds_lines: bool = False
    resolves_actions: bool = False
    applies_edits: bool = False
    document_changes: bool = False
    most_folds: int | None = None
    process: int | None = None
    roots: tuple[str, ...] = ()
    options: object = None


def read_client(params: object) -> Client:
    """The client of the parameters of `initialize`. A missing or invalid value counts as absent. Never raises."""
    formats = _at(params, "capabilities.textDocument.hover.contentFormat")
    process = _at(params, "processId")
    return Client(
        encoding=choose_encoding(_at(params, "capabilities.general.positionEncodings")),
        markdown=_prefers_markdown(formats),
        pulls_diagnostics=isinstance(_at(params, "capabilities.textDocument.diagnostic"), dict),
        configuration=_at(params, "capabilities.workspace.configuration") is True,
        watches_files=_at(params, "capabilities.workspace.didChangeWatchedFiles.dynamicRegistration") is True,
        progress=_at(params, "capabilities.window.workDoneProgress") is True,
        refreshes_hints=_at(params, "capabilities.workspace.inlayHint.refreshSupport") is True,
        refreshes_diagnostics=_at(params, "capabilities.workspace.diagnostics.refreshSupport") is True,
        refreshes_tokens=_at(params, "capabilities.workspace.semanticTokens.refreshSupport") is True,
        nested_symbols=_at(params, f"{_SYMBOL}.hierarchicalDocumentSymbolSupport") is True,
        snippets=_at(params, f"{_COMPLETION}.snippetSupport") is True,
        marks_deprecated=_DEPRECATED in _list(_at(params, f"{_COMPLETION}.tagSupport.valueSet")),
        parameter_offsets=_at(params, f"{_SIGNATURE}.parameterInformation.labelOffsetSupport") is True,
        resolves_actions="edit" in _list(_at(params, f"{_ACTION}.resolveSupport.properties"))
        and _at(params, f"{_ACTION}.dataSupport") is True,
        applies_edits=_at(params, "capabilities.workspace.applyEdit") is True,
        document_changes=_at(params, "capabilities.workspace.workspaceEdit.documentChanges") is True,
        folds_lines=_at(params, f"{_FOLDING}.lineFoldingOnly") is True,
        most_folds=_count(_at(params, f"{_FOLDING}.rangeLimit")),
        shows_status=_at(params, "capabilities.experimental.serverStatusNotification") is True,
        process=process if isinstance(process, int) and not isinstance(process, bool) else None,
        roots=tuple(_roots(params)),
        options=_at(params, "initializationOptions"),
    )


def choose_encoding(offered: object) -> Encoding:
    """The unit of columns: UTF-8 if the client offers it, else UTF-32, else the protocol's default, UTF-16."""
    if isinstance(offered, list):
        for encoding in (Encoding.UTF8, Encoding.UTF32):
            if encoding.value in offered:
                return encoding
    return Encoding.UTF16


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _prefers_markdown(formats: object) -> bool:
    return isinstance(formats, list) and "markdown" in formats and formats[:1] != ["plaintext"]


def _roots(params: object) -> list[str]:
    folders = _at(params, "workspaceFolders")
    found = [_at(folder, "uri") for folder in folders] if isinstance(folders, list) else []
    uris = [uri for uri in found if isinstance(uri, str)]
    root = _at(params, "rootUri")
    return uris or ([root] if isinstance(root, str) else [])


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value
