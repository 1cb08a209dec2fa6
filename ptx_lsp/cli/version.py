"""`ptx-lsp version` prints the version."""

from ptx_lsp import __version__
from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.options import UsageError, read_options


def run(arguments: list[str]) -> int:
    """Print the version in one line. Raises UsageError if there are arguments."""
    options = read_options(arguments, COMMANDS["version"].options)
    if options.rest:
        raise UsageError(f"there is no argument `{options.rest[0]}`")
    print(f"ptx-lsp {__version__}")
    return 0
