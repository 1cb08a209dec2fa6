"""Runs the command that the arguments name: finds its module, and imports only that one."""

import gc
import os
import sys

from ptx_lsp import __version__
from ptx_lsp.cli.command_table import COMMANDS, HELP
from ptx_lsp.cli.options import UsageError
from ptx_lsp.cli.printable import printable
from ptx_lsp.light_classes import Callable, cast

INTERRUPTED = 130


def run_command(given: list[str]) -> int:
    """Run the command of these arguments; the exit code.

    0: no errors; 1: the checked files have errors; 2: wrong arguments, or a file that cannot be read.
    """
    _print_anything()
    if given[:1] != ["server"]:
        _replace_closed_streams()
    name = f"ptx-lsp {given[0]}" if given and given[0] in COMMANDS else "ptx-lsp"
    try:
        code = _run(given)
        sys.stdout.flush()
    except UsageError as error:
        from ptx_lsp.cli.help import usage_of

        print(f"{name}: {printable(str(error))}\nusage: {usage_of(given[0])}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _write_nothing_more()  # the reader of the output has closed it
        return 1
    except OSError as error:
        from ptx_lsp.cli.sources import reason

        _write_nothing_more()
        print(f"{name}: {printable(reason(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(given: list[str]) -> int:
    if given[:1] == ["help"] and len(given) > 1:
        given = [given[1], "--help"]
    if not given or given[0] in ("-h", "--help", "help"):
        from ptx_lsp.cli.help import overview

        print(overview(), end="")
        return 0
    if given[0] in ("-V", "--version"):
        print(f"ptx-lsp {__version__}")
        return 0
    command = COMMANDS.get(given[0])
    if command is None:
        return _unknown(given[0])
    if _asks_for_help(given[0], given[1:]):
        from ptx_lsp.cli.help import help_of

        print(help_of(given[0]), end="")
        return 0
    # `importlib` takes half a millisecond
    run = getattr(__import__(f"ptx_lsp.cli.{command.module}", fromlist=[command.function]), command.function)
    if not gc.isenabled():
        gc.freeze()  # Python would begin with a search for garbage among the objects of the modules
        gc.enable()
    return cast(Callable[[list[str]], int], run)(given[1:])


def _unknown(name: str) -> int:
    from ptx_lsp.cli.help import overview
    from ptx_lsp.nearest_word import nearest

    near = nearest(name, COMMANDS)
    text = f", did you mean `{near}`?\n" if near else f"\n\n{overview()}"
    print(f"ptx-lsp: there is no command `{printable(name)}`{text}", end="", file=sys.stderr)
    return 2


def _asks_for_help(name: str, arguments: list[str]) -> bool:
    """Whether a command is called for its help; for `eval` that is its first argument only, as it takes expressions."""
    end = 1 if name == "eval" else arguments.index("--") if "--" in arguments else len(arguments)
    options = arguments[:end]
    return HELP.name in options or HELP.short in options


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
