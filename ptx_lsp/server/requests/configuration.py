"""Settings after `initialize`: requested with `workspace/configuration`, or sent by the client."""

import asyncio
import logging
from typing import Any

from lsprotocol import types

from ptx_lsp.config.schema import SECTION
from ptx_lsp.config.settings import read_values
from ptx_lsp.server.requests.watched_files import watch_configuration
from ptx_lsp.server.server import Server

_log = logging.getLogger(__name__)


async def initialized(server: Server, params: types.InitializedParams) -> None:
    """Request the settings if the client supports it, and show the user which ones cannot be used."""
    server.status.ready()
    _, complaints = read_values(server.client.options)
    if complaints:
        server.warn(complaints)
    watch_configuration(server)
    if server.client.configuration:
        await _pull(server)


async def did_change_configuration(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """The settings have changed: request them if the client supports it, else use those of the notification."""
    if server.client.configuration:
        await _pull(server)
    else:
        server.use(*read_values(server.client.options, _section(params.settings)))


async def did_change_workspace_folders(server: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """The folders of the workspace are others: so are its files, and the paths that the settings compare with patterns.

    pygls has changed the folders already. It removes after it adds, so that a folder with a new name was lost.
    """
    for folder in params.event.added:
        server.workspace.add_folder(folder)
    server.configuration_changed()


async def _pull(server: Server) -> None:
    item = types.ConfigurationItem(section=SECTION)
    try:
        answer: Any = await server.workspace_configuration_async(types.ConfigurationParams([item]))
    except asyncio.CancelledError:
        raise
    except Exception as error:
        _log.warning("the client did not send its settings: %s", error)
        return
    values = answer[0] if isinstance(answer, (list, tuple)) and answer else None
    server.use(*read_values(server.client.options, values))


def _section(settings: object) -> object:
    """The settings of the section `ptx`: some clients send the settings of all sections."""
    if isinstance(settings, dict) and SECTION in settings:
        return settings[SECTION]
    return settings
