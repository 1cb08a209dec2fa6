"""The program `ptx-lsp`: begins and ends its process.

It imports all other modules in a function, after the finder that finds them faster.
"""

import atexit
import gc
import os
import sys

from ptx_lsp.module_finder import find_modules_faster

_NEED_AN_ORDERLY_END = frozenset(("threading", "profile"))
"""Modules that have something to do when Python ends: to wait for threads and processes, to print a profile."""


def program() -> int:
    """The program: run `main`, and end the process if nothing else in it needs an orderly end; else the exit code.

    Python would first take every module and object apart: 2.5 of the 43 milliseconds of a short check, and more after
    a long one.
    """
    gc.disable()  # until the command begins: its modules leave no garbage
    find_modules_faster()
    code = main()
    if _NEED_AN_ORDERLY_END.isdisjoint(sys.modules) and not _has_callbacks():
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:
            return code  # Python tries again and reports it
        os._exit(code)
    gc.freeze()  # Python would search all objects once more: a third of the time of a long file
    return code


def _has_callbacks() -> bool:
    """Whether something was registered with `atexit`; without a way to know it (not CPython), true."""
    count = getattr(atexit, "_ncallbacks", None)
    return count is None or count() > 0


def main(arguments: "list[str] | None" = None) -> int:
    """Run `ptx-lsp` with these arguments, by default those of the process; the exit code that `run_command` gives."""
    from ptx_lsp.cli.chosen_command import run_command

    return run_command(sys.argv[1:] if arguments is None else arguments)
