"""The server put together: which handler answers which method, and what is got ready before it is needed."""

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from ptx_lsp.server.capabilities import EVALUATE
from ptx_lsp.server.client import Client
from ptx_lsp.server.requests import code_action, code_lens, configuration, diagnostic, evaluate, hover, inlay_hint
from ptx_lsp.server.server import Server

HANDLERS: dict[str, Callable[..., Any]] = {
    types.INITIALIZED: configuration.initialized,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: configuration.did_change_configuration,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: diagnostic.did_change_watched_files,
    types.TEXT_DOCUMENT_HOVER: hover.hover,
    types.TEXT_DOCUMENT_CODE_ACTION: code_action.code_action,
    types.TEXT_DOCUMENT_CODE_LENS: code_lens.code_lens,
    types.TEXT_DOCUMENT_INLAY_HINT: inlay_hint.inlay_hint,
    types.INLAY_HINT_RESOLVE: inlay_hint.resolve,
    types.TEXT_DOCUMENT_DIAGNOSTIC: diagnostic.document_diagnostic,
    types.WORKSPACE_DIAGNOSTIC: diagnostic.workspace_diagnostic,
}

COMMANDS: dict[str, Callable[..., Any]] = {EVALUATE: evaluate.evaluate}


def assemble(client: Client) -> Server:
    """A server for this client, ready to receive."""
    server = Server(client)
    for method, handler in HANDLERS.items():
        server.feature(method)(handler)
    for name, command in COMMANDS.items():
        server.command(name)(command)
    server.garbage.begin()
    return server
