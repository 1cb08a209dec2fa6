"""`ptx-lsp completion SHELL` prints the script that completes the command line in a shell.

The scripts come with the package; `editors/generate.py` writes them from the rows of the commands.
"""

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.options import UsageError, read_options
from ptx_lsp.package_data import read_text


def run(arguments: list[str]) -> int:
    """Print the script of the shell in `arguments`. Raises UsageError if it is not one of bash, zsh and fish."""
    row = COMMANDS["completion"]
    options = read_options(arguments, row.options)
    if len(options.rest) != 1 or options.rest[0] not in row.choices.split("|"):
        raise UsageError("which shell? bash, zsh or fish")
    print(read_text("cli", "completions", f"ptx-lsp.{options.rest[0]}"), end="")
    return 0
