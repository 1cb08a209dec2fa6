"""The answer to `initialize`: plain data, so that it can be given before the heavy imports."""

from typing import Any

from ptx_lsp import __version__
from ptx_lsp.server.client import Client
from ptx_lsp.server.request_table import COMMANDS, REQUESTS


def initialize_result(client: Client) -> dict[str, Any]:
    """What the server can do, as JSON: what the rows of the request table announce, and what needs no row."""
    capabilities: dict[str, Any] = {
        "positionEncoding": client.encoding.value,
        "executeCommandProvider": {"commands": [command.name for command in COMMANDS]},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        "experimental": {"serverStatusNotification": True},
    }
    for request in REQUESTS:
        if request.capability:
            _announce(capabilities, request.capability.split("."), request.value)
    return {"capabilities": capabilities, "serverInfo": {"name": "ptx-lsp", "version": __version__}}


def _announce(capabilities: dict[str, Any], path: list[str], value: object) -> None:
    """Set the value at a path. Two rows may give parts of one object, in any order."""
    *parents, name = path
    for parent in parents:
        capabilities = capabilities.setdefault(parent, {})
    if isinstance(value, dict):
        capabilities[name] = capabilities.get(name, {}) | value
    else:
        capabilities[name] = value
