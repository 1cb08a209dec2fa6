"""The time of one action under Python's profiler, by function."""

import cProfile
import gc
import pstats
from collections.abc import Callable

from benchmarks.material import Source, one_function, repeated, with_mistakes
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed

LINES = 100_000
EDITS = 200
SHOWN = 30


def _load(source: Source) -> Callable[[], object]:
    text = repeated(source, LINES)
    return lambda: analysed(text).findings()


def _edit(source: Source) -> Callable[[], object]:
    return _typing(repeated(source, LINES))


def _function(source: Source) -> Callable[[], object]:
    return _typing(one_function(LINES))


def _findings(source: Source) -> Callable[[], object]:
    text = with_mistakes(source, 10_000)
    return lambda: analysed(text).findings()


PROFILES: dict[str, Callable[[Source], Callable[[], object]]] = {
    "load": _load,
    "edit": _edit,
    "function": _function,
    "findings": _findings,
}


def profile(what: str, source: Source) -> None:
    """Run one of `PROFILES` under the profiler and print the slowest functions."""
    do = PROFILES[what](source)
    gc.collect()
    gc.freeze()
    profiler = cProfile.Profile()
    profiler.runcall(do)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(SHOWN)


def _typing(text: str) -> Callable[[], object]:
    module = analysed(text)
    line = module.document.line_count // 2
    here, there = Range(line, 0, line, 0), Range(line, 0, line, 1)

    def type_() -> None:
        for number in range(EDITS):
            module.edit(there if number % 2 else here, "" if number % 2 else "x")
            module.work()
            module.findings()

    return type_
