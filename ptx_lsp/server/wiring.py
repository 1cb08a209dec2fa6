"""Builds the server: connects every row of the request table with its handler."""

from functools import partial

from ptx_lsp.server.client import Client
from ptx_lsp.server.files import Files
from ptx_lsp.server.request_table import COMMANDS, REQUESTS, load
from ptx_lsp.server.server import Server


def build_server(client: Client, files: Files) -> Server:
    """A server for this client, with all handlers loaded; `files` are those of its workspace."""
    server = Server(client, files)
    for request in REQUESTS:
        handler = load(request.handler)
        if request.direct:
            server.protocol.direct[request.method] = partial(handler, server)
        else:
            server.feature(request.method)(handler)
    for command in COMMANDS:
        server.command(command.name)(load(command.handler))
    server.garbage.begin()
    return server
