"""NVIDIA's compiler as a library, as the reference for inline PTX: from CUDA C++ to PTX, with its messages.

It needs no GPU and no driver. A comment `// @17` at the beginning of a template survives in the PTX, so that each
message of ptxas is led back to its statement.
"""

import ctypes
import os
import re
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.oracle.assembler import Assembler

_ERROR = re.compile(r"^[^\s(]+\((\d+)\): (?:catastrophic )?error")
_MARKER = re.compile(r"// @(\d+)")
_STATEMENT = re.compile(r"// begin inline asm\n(.*?)// end inline asm\n", re.S)


def find_library() -> Path | None:
    """The library of the installed `nvidia-cuda-nvrtc`, or None."""
    folder = Path(sysconfig.get_paths()["purelib"], "nvidia", "cu13")
    return next(iter(sorted([*folder.glob("lib/libnvrtc.so.*"), *folder.glob("bin/**/nvrtc64_*.dll")])), None)


needs_compiler = pytest.mark.skipif(
    find_library() is None and os.environ.get("CI") != "true",
    reason="nvidia-cuda-nvrtc is not installed (in continuous integration this is a failure)",
)


@cache
def _library() -> ctypes.CDLL:
    path = find_library()
    assert path is not None, "nvidia-cuda-nvrtc is not installed"
    return ctypes.CDLL(str(path))


class Compiled(NamedTuple):
    """The result for a program: its PTX, empty if it was refused; the log; the lines (from 1) with errors."""

    ptx: str
    log: str

    @property
    def refused_lines(self) -> frozenset[int]:
        """The lines of the program that have an error."""
        return frozenset(int(found[1]) for line in self.log.splitlines() if (found := _ERROR.match(line)))


def compile_program(source: str, arch: str) -> Compiled:
    """Compile a program for an architecture such as `compute_90`."""
    library = _library()
    program = ctypes.c_void_p()
    assert library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"k.cu", 0, None, None) == 0
    options = (ctypes.c_char_p * 2)(f"-arch={arch}".encode(), b"--device-int128")
    library.nvrtcCompileProgram(program, 2, options)
    log = _text(program, "nvrtcGetProgramLog")
    ptx = "" if "error" in log else _text(program, "nvrtcGetPTX")
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return Compiled(ptx, log)


def _text(program: ctypes.c_void_p, name: str) -> str:
    library = _library()
    size = ctypes.c_size_t()
    if getattr(library, f"{name}Size")(program, ctypes.byref(size)):
        return ""
    buffer = ctypes.create_string_buffer(size.value)
    getattr(library, name)(program, buffer)
    return buffer.value.decode("utf-8", "replace")


def refused_statements(ptx: str, arch: str, assembler: Assembler) -> dict[int, str]:
    """The markers of the statements that ptxas refuses, each with the message.

    ptxas stops at the first syntax error: that statement is taken out, and the rest is judged again.
    """
    found: dict[int, str] = {}
    while True:
        outcome = assembler.module(ptx, arch)
        refused = _by_marker(ptx, ((m.line, m.text) for m in outcome.said if m.refuses and m.line))
        new = refused.keys() - found.keys()
        found.update({marker: refused[marker] for marker in new})
        if outcome.accepted or not new:
            assert outcome.accepted or refused or found, outcome.said
            return found
        ptx = _STATEMENT.sub(lambda statement: _without(statement, found), ptx)


def _by_marker(ptx: str, messages: Iterable[tuple[int, str]]) -> dict[int, str]:
    lines = ptx.split("\n")
    found: dict[int, str] = {}
    for line, text in messages:
        above = (_MARKER.search(lines[at]) for at in range(min(line, len(lines)) - 1, -1, -1))
        marker = next(filter(None, above), None)
        assert marker is not None, f"no statement is above line {line}: {text}"
        found.setdefault(int(marker[1]), text)
    return found


def _without(statement: re.Match[str], refused: dict[int, str]) -> str:
    marker = _MARKER.search(statement[1])
    return "" if marker and int(marker[1]) in refused else statement[0]
