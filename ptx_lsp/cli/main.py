"""The program `ptx-lsp`: finds the module of the command, and imports only that one."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, cast

from ptx_lsp import __version__
from ptx_lsp.cli.options import UsageError
from ptx_lsp.cli.printable import printable

INTERRUPTED = 130


class Subcommand(NamedTuple):
    """One command: the module and function that run it, its arguments, and its purpose in one line."""

    module: str
    function: str
    usage: str
    purpose: str


COMMANDS = {
    "check": Subcommand("check", "run", "[OPTION...] PATH... | -", "check PTX files, or folders of them"),
    "eval": Subcommand("evaluate", "run", "[OPTION...] EXPR... | -", "evaluate constant expressions"),
    "explain": Subcommand("explain", "run", "CODE", "explain a finding: what it means, an example, the fixed example"),
    "rules": Subcommand("explain", "run_rules", "", "list all rules"),
    "isa": Subcommand("isa", "run", "OPCODE", "show an instruction: its forms, operands, versions and targets"),
    "needs": Subcommand(
        "needs", "run", "[OPTION...] PATH... | -", "find the lowest version and targets that a module needs"
    ),
    "format": Subcommand("format", "run", "[--check | --diff] PATH... | -", "format PTX files"),
    "server": Subcommand("serve", "run", "[--stdio | --tcp HOST:PORT]", "speak the Language Server Protocol"),
}


def main(arguments: list[str] | None = None) -> int:
    """Run `ptx-lsp` with these arguments (by default those of the process); the exit code.

    0: no errors; 1: the checked files have errors; 2: wrong arguments, or a file that cannot be read.
    """
    given = sys.argv[1:] if arguments is None else arguments
    _print_anything()
    if given[:1] != ["server"]:
        _replace_closed_streams()
    if not given or given[0] in ("-h", "--help", "help"):
        print(usage(), end="")
        return 0
    if given[0] in ("-V", "--version"):
        print(f"ptx-lsp {__version__}")
        return 0
    command = COMMANDS.get(given[0])
    if command is None:
        print(f"ptx-lsp: there is no command `{printable(given[0])}`\n\n{usage()}", end="", file=sys.stderr)
        return 2
    return _run(given[0], command, given[1:])


def usage() -> str:
    """The text that `ptx-lsp` without arguments prints."""
    lines = [f"  {name:<8} {command.purpose}" for name, command in COMMANDS.items()]
    return (
        "ptx-lsp - the language server for PTX, NVIDIA's GPU virtual assembly\n\n"
        "usage: ptx-lsp COMMAND [ARGUMENT...]\n\n" + "\n".join(lines) + "\n\n"
        "`ptx-lsp COMMAND --help` describes a command, `ptx-lsp --version` prints the version.\n"
    )


def _run(name: str, command: Subcommand, arguments: list[str]) -> int:
    try:
        run = getattr(import_module(f"ptx_lsp.cli.{command.module}"), command.function)
        code = cast(Callable[[list[str]], int], run)(arguments)
        sys.stdout.flush()
    except UsageError as error:
        shown = " ".join(part for part in ("ptx-lsp", name, command.usage) if part)
        print(f"ptx-lsp {name}: {printable(str(error))}\nusage: {shown}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _write_nothing_more()  # the reader of the output has closed it
        return 1
    except OSError as error:
        from ptx_lsp.cli.sources import reason

        _write_nothing_more()
        print(f"ptx-lsp {name}: {printable(reason(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _write_nothing_more() -> None:
    """Discard unwritten output: at exit, Python would try to write it again and report the same error."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace_closed_streams() -> None:
    """If the process has no standard output or standard error, discard what is written there."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # until the process ends


def _print_anything() -> None:
    """Make printing safe for every encoding of the terminal: names and source lines can contain any character."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
