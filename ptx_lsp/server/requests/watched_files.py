"""`workspace/didChangeWatchedFiles`, and the request to the client to send it."""

from lsprotocol import types

from ptx_lsp.config.project import NAMES
from ptx_lsp.server.projects import is_configuration
from ptx_lsp.server.server import Server


async def did_change_watched_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files have changed on the disk: look at them again, and answer the requests that wait for news."""
    if any(is_configuration(change.uri) for change in params.changes):
        server.configuration_changed()
    server.files_changed()
    server.touch()


def watch_configuration(server: Server) -> None:
    """Ask the client to report changes of configuration files."""
    if server.client.watches_files:
        _watch(server, "configuration", [f"**/{name}" for name in NAMES])


def watch_files(server: Server) -> None:
    """Ask the client, once, to report changes of files: only requests about the whole workspace need it."""
    if server.client.watches_files and not server.watching:
        server.watching = True
        _watch(server, "files", ["**/*.ptx"])


def _watch(server: Server, id_: str, patterns: list[str]) -> None:
    watchers = [types.FileSystemWatcher(pattern) for pattern in patterns]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration(id_, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    server.client_register_capability(types.RegistrationParams([registration]))
