"""`ptx-lsp check` compared with ptxas on every kind of producer: real files repeated with new names, and long files as
they are; with the geometric mean and the worst ratio."""

import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.material import read_source, repeated, target_of
from benchmarks.plan import Plan
from benchmarks.processes import Cost, best, run, side_by_side
from benchmarks.table import Row, milliseconds, ratio

FREE = 60 << 20  # bytes of memory that every process may take
LONG = 10_000  # lines of a file that is measured as it is
_LOOP = "for i in range(10_000_000): pass"


class Kind(NamedTuple):
    """A kind of producer: the files of the corpus that it made, as patterns of paths, and the goals for the ratio.

    `debug` is true for code that is not optimised: many small functions, most of them with debug information.
    """

    name: str
    patterns: tuple[str, ...]
    must: str = "1.2 x"
    aim: str = "0.8 x"
    debug: bool = False


KINDS = (
    Kind("Triton", ("triton/*.ptx",)),
    Kind("CUB", ("nvcc-*/cubk_sm_??.ptx", "cub/kernels.ptx")),
    Kind("CUTLASS -lineinfo", ("cutlass/*lineinfo*.ptx",), "1.5 x"),
    Kind("Thrust -lineinfo", ("thrust/*lineinfo*.ptx",)),
    Kind("nvcc", ("nvcc-*/basics_sm_90a.ptx",)),
    Kind("nvcc -lineinfo", ("nvcc-*/*_lineinfo.ptx",)),
    Kind("nvrtc", ("nvrtc-*/*_fast.ptx", "nvrtc-*/rt_basic_*[0-9].ptx")),
    Kind("nvrtc -lineinfo", ("nvrtc-*/*_li.ptx",)),
    Kind("clang", ("clang-*/*_O2.ptx",)),
    Kind("clang -g", ("clang-*/*_O2-g.ptx",)),
    Kind("Numba", ("numba-cuda/maths_sm???.ptx", "numba-cuda/maths_sm??.ptx")),
    Kind("Numba -lineinfo", ("numba-cuda/*_li.ptx",)),
    Kind("tinygrad", ("tinygrad/*.ptx",)),
    Kind("Warp", ("nvcc-*/warp_*_srcptx.ptx",)),
    Kind("Halide", ("halide/*.ptx",)),
    Kind("GCC", ("gcc-*/*-O[23].as.ptx",)),
    Kind("Zig", ("zig/*.ptx",)),
    Kind("nvcc -G", ("nvcc-*/*_G.ptx", "nvcc-*/*[0-9]G.ptx"), "2 x", "1.2 x", True),
    Kind("CUB -G", ("cub/*_G.ptx",), "2 x", "1.2 x", True),
    Kind("nvcc -G, asynchronous copies", ("nvcc-*/wgmma_*_G.ptx",), "2 x", "1.2 x", True),
    Kind("nvcc -G, dynamic parallelism", ("nvcc-*/cdp_*_G.ptx",), "2 x", "1.2 x", True),
    Kind("nvrtc -G", ("nvrtc-*/*_G.ptx",), "2 x", "1.2 x", True),
    Kind("Numba -G", ("numba-cuda/*_dbg.ptx",), "2 x", "1.2 x", True),
    Kind("clang -O0 -g", ("clang-*/*_O0-g.ptx",), "2 x", "1.2 x", True),
    Kind("clang -O0", ("clang-*/*_O0.ptx",), "2 x", "1.2 x", True),
    Kind("Rust -O0", ("rust/*_O0.ptx",), "2.5 x", "1.2 x", True),
)


class Measured(NamedTuple):
    """The cheapest run of ptx-lsp and that of ptxas on one text."""

    kind: Kind
    ours: Cost
    theirs: Cost

    @property
    def ratio(self) -> float:
        """Our processor time as a multiple of that of ptxas, start-up included."""
        return self.ours.cpu / self.theirs.cpu


def kinds(plan: Plan) -> Iterator[Row]:
    """Every kind of producer, repeated to the length of the plan: processor time, start-up included."""
    if not plan.corpora:
        yield Row("every kind of producer: give a corpus of PTX files with --corpus", "")
        return
    measured: list[Measured] = []
    for kind in KINDS:
        path = longest(plan.corpora, kind.patterns)
        if path is None:
            yield Row(f"{kind.name}: no file in the corpus", "")
            continue
        source = read_source(path, own_target=True)
        text = repeated(source, plan.kind)
        one = measure(plan, kind, plan.file("kind.ptx", text), target_of(source.head))
        measured.append(one)
        count = text.count("\n")
        yield _row(f"{kind.name}, {count:,} lines ({path.name}), cpu", one, 0.0)
        each = f"{max(0, one.ours.memory - FREE) / count:.0f} B/line + 60 MB"
        yield Row("  memory of the process at most", each, f"{one.theirs.memory >> 20} MB", "", "250 B/line", "120")
    yield from _summary([one for one in measured if not one.kind.debug], "optimised", "0.9 x", "0.5 x")
    yield from _summary([one for one in measured if one.kind.debug], "-G and -O0", "2 x", "1.2 x")
    yield from _singles(plan)


def machine(plan: Plan) -> Iterator[Row]:
    """The speed of the machine: all absolute goals are those of one where the command with the loop takes 0.3 s."""
    empty = best([run([sys.executable, "-c", "pass"]) for _ in range(9)], lambda cost: cost.cpu)
    yield Row("machine: python -c pass, wall", milliseconds(empty.wall), "cpu " + milliseconds(empty.cpu))
    looping = best([run([sys.executable, "-c", _LOOP]) for _ in range(3)], lambda cost: cost.cpu)
    yield Row(f"machine: python -c '{_LOOP}', cpu", milliseconds(looping.cpu), "", "", "300 ms")


def longest(corpora: Sequence[Path], patterns: Sequence[str]) -> Path | None:
    """The longest file of some folders whose path in its folder fits a pattern."""
    found = [path for corpus in corpora for pattern in patterns for path in corpus.glob(pattern)]
    return max(found, key=lambda path: (path.stat().st_size, path), default=None)


def measure(plan: Plan, kind: Kind, path: Path, target: str) -> Measured:
    """The cheapest of some alternating runs on a file."""
    ours, theirs = side_by_side(path, max(3, plan.runs - 2), target)
    return Measured(kind, ours, theirs)


def _singles(plan: Plan) -> Iterator[Row]:
    empty = best([run([sys.executable, "-c", "pass"]) for _ in range(9)], lambda cost: cost.cpu).cpu
    files = [(path, corpus) for corpus in plan.corpora for path in corpus.rglob("*.ptx")]
    for path, folder in sorted(files):
        text = path.read_text("utf-8", "surrogateescape")
        count = text.count("\n")
        if count >= LONG:
            kind = _kind_of(path, folder)
            one = measure(plan, kind, path, target_of(text))
            yield _row(f"single file, {count:,} lines ({path.name}), cpu - pass", one, empty)


def _kind_of(path: Path, corpus: Path) -> Kind:
    name = path.relative_to(corpus)
    debug = any(kind.debug and any(name.match(pattern) for pattern in kind.patterns) for kind in KINDS)
    return Kind(path.name, (), *(("2 x", "1.3 x") if debug or "G" in path.stem else ("1.5 x", "1 x")), debug)


def _row(what: str, one: Measured, less: float) -> Row:
    failed = f" (exit codes {one.ours.code} and {one.theirs.code})" if one.ours.code or one.theirs.code else ""
    ours, theirs = one.ours.cpu - less, one.theirs.cpu
    return Row(
        what, milliseconds(ours) + failed, milliseconds(theirs), ratio(ours, theirs), one.kind.must, one.kind.aim
    )


def _summary(measured: list[Measured], what: str, must: str, aim: str) -> Iterator[Row]:
    measured = [one for one in measured if one.ours.code == one.theirs.code]
    if measured:
        mean = math.exp(sum(math.log(one.ratio) for one in measured) / len(measured))
        worst = max(measured, key=lambda one: one.ratio)
        yield Row(f"{what}: geometric mean of {len(measured)} kinds", "", "", f"{mean:.2f} x", must, aim)
        yield Row(f"{what}: worst kind, {worst.kind.name}", "", "", f"{worst.ratio:.2f} x")
