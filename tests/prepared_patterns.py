"""Writes the prepared expressions of the running version of Python: `python -m tests.prepared_patterns`.

An expression is prepared if a module of the analysis makes it with `lazy_pattern` while it is imported. Its code is
what `re` gives to the matching engine.
"""

import gc
import marshal
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
FORMAT = 2  # of `marshal`: later ones depend on the number of references to an object
ROOMS = ("text", "findings", "isa", "syntax", "constants", "judgement", "semantics", "quick", "reading", "analysis")


def expressions() -> set[tuple[str, int]]:
    """The source and the flags of each lazy expression of the analysis, in a process that imported nothing else."""
    for room in ROOMS:
        package = import_module(f"ptx_lsp.{room}")
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    gc.collect()
    return {(each.pattern, int(each._flags)) for each in gc.get_objects() if type(each) is patterns._Pattern}


def prepared(source: str, flags: int) -> tuple[int, int, dict[str, int], bytes]:
    """The prepared code of an expression: its flags, groups and their names, and its code as words of four bytes."""
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
    words = b"".join(word.to_bytes(4, sys.byteorder) for word in code)
    return int(all_flags), groups, dict(index), words


def data() -> bytes:
    """The whole file: for which engine the code is, which version of Python compiled it, and the expressions."""
    import _sre  # type: ignore[import-not-found]

    found = {each: prepared(*each) for each in sorted(expressions())}
    engine = _sre.MAGIC, _sre.CODESIZE, sys.byteorder
    return marshal.dumps((engine, platform.python_version(), found), FORMAT)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / patterns.file_of_prepared()).write_bytes(data())
