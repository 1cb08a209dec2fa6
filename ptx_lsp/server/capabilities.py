"""The answer to `initialize`: plain data, so that it can be given before the heavy imports."""

from typing import Any

from ptx_lsp import __version__
from ptx_lsp.server.client import Client

EVALUATE = "ptx.evaluate"
INCREMENTAL = 2


def initialize_result(client: Client) -> dict[str, Any]:
    """What the server can do, as JSON; `tests/server` holds that each of it has its handler."""
    return {
        "capabilities": {
            "positionEncoding": client.encoding.value,
            "textDocumentSync": {"openClose": True, "change": INCREMENTAL},
            "hoverProvider": True,
            "inlayHintProvider": {"resolveProvider": True},
            "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.ptx"]},
            "codeLensProvider": {},
            "diagnosticProvider": {
                "identifier": "ptx-lsp",
                "interFileDependencies": False,
                "workspaceDiagnostics": True,
            },
            "executeCommandProvider": {"commands": [EVALUATE]},
            "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
            "experimental": {"serverStatusNotification": True},
        },
        "serverInfo": {"name": "ptx-lsp", "version": __version__},
    }
