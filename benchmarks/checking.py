"""`ptx-lsp check` compared with ptxas: lengths, memory, start-up, many findings, hostile texts."""

import sys
from collections.abc import Iterator
from statistics import median as median_of

from benchmarks.material import Source, repeated, with_mistakes
from benchmarks.plan import Plan
from benchmarks.processes import Cost, check, run, side_by_side
from benchmarks.table import Row, milliseconds, ratio

TEN_LINES = (
    ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
    "\t.reg .b32 %r<3>;\n\tmov.u32 %r1, %tid.x;\n\tadd.s32 %r2, %r1, 1;\n\tret;\n}\n"
)
MISTAKES = 10_000
HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
BODY = HEAD + ".visible .entry k()\n{\n\t.reg .b32 %r<3>;\n"


def start_up(plan: Plan) -> Iterator[Row]:
    """A file of ten lines: the time to start."""
    ours, theirs = side_by_side(plan.file("ten.ptx", TEN_LINES), max(5, plan.runs))
    yield Row(
        "check, ten lines, wall", milliseconds(ours.wall), milliseconds(theirs.wall), ratio(ours.wall, theirs.wall)
    )
    pairs = [(run(check(plan.file("ten.ptx", TEN_LINES))), run([sys.executable, "-c", "pass"])) for _ in range(15)]
    wall, empty = (median_of([cost.wall for cost in costs]) for costs in zip(*pairs, strict=True))
    yield Row("check, ten lines, and python -c pass, median wall", milliseconds(wall), milliseconds(empty),
              ratio(wall, empty), "2.5 x")  # fmt: skip


def lengths(plan: Plan) -> Iterator[Row]:
    """Ordinary text and text with debug information, of every length."""
    for kind, source in (("nvcc", plan.plain), ("nvcc -G", plan.debug)):
        if source is None:
            continue
        for lines in plan.lengths:
            yield from _length(plan, kind, source, lines)


def _length(plan: Plan, kind: str, source: Source, lines: int) -> Iterator[Row]:
    text = repeated(source, lines)
    count = text.count("\n")
    # the longest texts take seconds: the best of two runs is enough
    ours, theirs = side_by_side(plan.file("length.ptx", text), plan.runs if lines < 1_000_000 else min(2, plan.runs))
    what = f"check, {count:,} lines of {kind}, {len(text) / count:.0f} bytes each, cpu"
    judged = ("1.2 x", "0.7 x") if kind == "nvcc" and lines >= 100_000 else ("", "")
    yield Row(what, milliseconds(ours.cpu) + _failed(ours), milliseconds(theirs.cpu) + _failed(theirs),
              ratio(ours.cpu, theirs.cpu), *judged)  # fmt: skip
    if lines >= 1_000_000:
        used = f"{ours.memory / count:.0f} B/line ({ours.memory >> 20} MB)"
        yield Row("  at most, memory of the process", used, f"{theirs.memory / count:.0f} B/line",
                  ratio(ours.memory, theirs.memory), "180 B/line + 60 MB", "80 B/line")  # fmt: skip


def many_findings(plan: Plan) -> Iterator[Row]:
    """Ten thousand mistakes."""
    ours, theirs = side_by_side(plan.file("mistakes.ptx", with_mistakes(plan.plain, MISTAKES)), min(2, plan.runs))
    yield Row(f"check, {MISTAKES:,} findings, cpu", milliseconds(ours.cpu), milliseconds(theirs.cpu),
              ratio(ours.cpu, theirs.cpu))  # fmt: skip


def hostile_texts(size: int) -> dict[str, str]:
    """Texts of about `size` bytes whose analysis is slow."""
    return {
        "one line of instructions": BODY + "add.s32 %r1, %r2, 3; " * (size // 21) + "\nret;\n}\n",
        "one line of letters": BODY + "x" * size + ";\n}\n",
        "braces without an end": BODY + "{\n" * (size // 2),
        "labels": BODY + "".join(f"L{n}:\n" for n in range(size // 9)) + "ret;\n}\n",
        "an initialiser": HEAD + f".global .b8 a[{size // 3}] = {{{'1, ' * (size // 3 - 1)}1}};\n",
        "parentheses": BODY + "mov.u32 %r1, " + "(" * (size // 2) + "1" + ")" * (size // 2) + ";\nret;\n}\n",
        "comments in one line": BODY + "/* */" * (size // 5) + "\nret;\n}\n",
        "comments begun and not ended": BODY + "/*" * (size // 2),
        "quotes": BODY + '"' * size,
        "signs": BODY + "mov.u32 %r1, " + "-" * size + "1;\nret;\n}\n",
        "brackets": BODY + "ld.u32 %r1, " + "[" * size + ";\nret;\n}\n",
        "undeclared names": BODY + "".join(f"mov.u32 %r1, q{n}x;\n" for n in range(size // 22)) + "ret;\n}\n",
        "empty functions": HEAD + "".join(f".func f{n}(){{ret;}}\n" for n in range(size // 19)),
        "lone carriage returns": BODY + "add.s32 %r1, %r2, 3;\r" * (size // 21) + "ret;\n}\n",
        "empty statements": BODY + ";" * size + "\nret;\n}\n",
    }


def hostile(plan: Plan) -> Iterator[Row]:
    """Hostile texts, and twice as much of each: the time, without that of an empty process, should double."""
    begin = run(check(plan.file("ten.ptx", TEN_LINES))).cpu
    small, large = hostile_texts(plan.hostile // 2), hostile_texts(plan.hostile)
    for name in small:
        half, whole = run(check(plan.file("half.ptx", small[name]))), run(check(plan.file("whole.ptx", large[name])))
        growth = (whole.cpu - begin) / max(half.cpu - begin, 0.001)
        what = f"check, {len(large[name]) / 1e6:.1f} MB: {name}, cpu"
        yield Row(what, milliseconds(whole.cpu) + _failed(whole), "half: " + milliseconds(half.cpu),
                  f"{growth:.1f} x", "linear: 2 x")  # fmt: skip


def _failed(cost: Cost) -> str:
    return "" if cost.code in (0, 1) else f" (exit code {cost.code})"
