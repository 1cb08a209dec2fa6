"""`workspace/didChangeWatchedFiles`, and the request to the client to send it."""

from lsprotocol import types

from ptx_lsp.server.server import Server


async def did_change_watched_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files have changed on the disk: look at them again, and answer the requests that wait for news."""
    server.files_changed()
    server.touch()


def watch_files(server: Server) -> None:
    """Ask the client, once, to report changes of files: only requests about the whole workspace need it."""
    if server.client.watches_files and not server.watching:
        server.watching = True
        files = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher("**/*.ptx")])
        registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files)
        server.client_register_capability(types.RegistrationParams([registration]))
