"""`ptx-lsp server`: the language server."""

import sys

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.options import UsageError, read_options, whole_number


def run(arguments: list[str]) -> int:
    """Serve one client; the exit code is 0 if the client has sent `shutdown` and `exit`, else 1.

    Raises UsageError.
    """
    options = read_options(arguments, COMMANDS["server"].options)
    if options.rest:
        raise UsageError(f"there is no argument `{options.rest[0]}`")
    if sys.stdin is None or sys.stdout is None:  # the process was started without one of them
        raise OSError("standard input or standard output is closed")
    process = _number(options.values.get("--clientProcessId"))
    place = _place(options.values.get("--tcp"))

    from ptx_lsp.server.process.server_process import serve
    from ptx_lsp.server.process.standard_streams import open_standard_streams
    from ptx_lsp.server.process.tcp import open_tcp

    if place is None:
        return serve(open_standard_streams, process)
    host, port = place
    return serve(lambda inbox: open_tcp(inbox, host, port), process)


def _number(text: str | None) -> int | None:
    number = None if text is None else whole_number(text)
    if text is not None and number is None:
        raise UsageError(f"`--clientProcessId` takes a number, not `{text}`")
    return number


def _place(text: str | None) -> tuple[str, int] | None:
    if text is None:
        return None
    host, colon, port = text.rpartition(":")
    number = whole_number(port)
    if not colon or number is None or number > 65535:
        raise UsageError(f"`--tcp` takes HOST:PORT, not `{text}`")
    return host.strip("[]") or "127.0.0.1", number
