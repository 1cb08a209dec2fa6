"""Settings that come after `initialize`: pulled with `workspace/configuration`, or pushed by the client."""

import asyncio
import logging
from typing import Any

from lsprotocol import types

from ptx_lsp.config.schema import SECTION
from ptx_lsp.config.settings import read_settings
from ptx_lsp.server.server import Server

_log = logging.getLogger(__name__)


async def initialized(server: Server, params: types.InitializedParams) -> None:
    """Ask for the settings, and to be told when they or the files of the workspace change."""
    _, complaints = read_settings(server.client.options)
    if complaints:
        server.warn(complaints)
    if wanted := _registrations(server):
        server.client_register_capability(types.RegistrationParams(wanted))
    if server.client.configuration:
        await _pull(server)


async def did_change_configuration(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """The settings have changed: take what was sent, or ask for them where the client can be asked."""
    if server.client.configuration:
        await _pull(server)
    else:
        server.use(*read_settings(server.client.options, _section(params.settings)))


def _registrations(server: Server) -> list[types.Registration]:
    wanted = []
    if server.client.registers_configuration:
        sections = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        wanted.append(types.Registration("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, sections))
    if server.client.watches_files:
        files = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher("**/*.ptx")])
        wanted.append(types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files))
    return wanted


async def _pull(server: Server) -> None:
    item = types.ConfigurationItem(section=SECTION)
    try:
        answer: Any = await server.workspace_configuration_async(types.ConfigurationParams([item]))
    except asyncio.CancelledError:
        raise
    except Exception as error:
        _log.warning("the client did not give its settings: %s", error)
        return
    values = answer[0] if isinstance(answer, (list, tuple)) and answer else None
    server.use(*read_settings(server.client.options, values))


def _section(settings: object) -> object:
    """Our part of what a client pushed: some push the settings of everything."""
    if isinstance(settings, dict) and SECTION in settings:
        return settings[SECTION]
    return settings
