"""Writes the prepared expressions of the running version of Python: `python -m tests.prepared_patterns`.

An expression is prepared if a module of the analysis makes it with `lazy_pattern` while it is imported. Its code is
what `re` gives to the matching engine.
"""

import gc
import platform
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any
from unittest.mock import patch

import ptx_lsp
from ptx_lsp import patterns

FOLDER = Path(ptx_lsp.__file__).parent / "prepared_patterns"
ROOMS = ("text", "findings", "isa", "syntax", "constants", "judgement", "semantics", "quick", "reading", "analysis")


def expressions() -> set[tuple[str, int]]:
    """The source and the flags of each lazy expression of the analysis, in a process that imported nothing else."""
    for room in ROOMS:
        package = import_module(f"ptx_lsp.{room}")
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    gc.collect()
    return {(each.pattern, int(each._flags)) for each in gc.get_objects() if type(each) is patterns._Pattern}


def line_of(source: str, flags: int) -> str:
    """The line of an expression: its key, flags, groups and their names, and its code as words of four bytes."""
    calls: list[tuple[Any, ...]] = []
    compiler = import_module("re._compiler")
    engine: Any = compiler._sre

    class Recorder:
        def __getattr__(self, name: str) -> Any:
            return getattr(engine, name)

        def compile(self, *given: Any) -> Any:
            calls.append(given)
            return engine.compile(*given)

    with patch.object(compiler, "_sre", Recorder()):
        compiler.compile(source, flags)
    _, all_flags, code, groups, index, _ = calls[-1]
    names = " ".join(f"{name}={number}" for name, number in index.items())
    words = b"".join(word.to_bytes(4, sys.byteorder) for word in code)
    return "\t".join((patterns.key_of(source, flags), str(int(all_flags)), str(groups), names, words.hex()))


def text() -> str:
    """The whole file. Its first line says for which engine the code is, and which version of Python compiled it."""
    import _sre  # type: ignore[import-not-found]

    lines = sorted(line_of(*each) for each in expressions())
    return "\n".join((f"{_sre.MAGIC} {_sre.CODESIZE} {sys.byteorder} {platform.python_version()}", *lines, ""))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / patterns.file_of_prepared()).write_text(text(), "utf-8", newline="\n")
