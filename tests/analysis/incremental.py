"""Random edits on real files: what incremental analysis finds must be what a fresh analysis finds.

    python -m tests.analysis.incremental --minutes 60 [--seed 1] [FILE ...]

prints every sequence of edits that tells the two apart, as a case to be kept in `test_incremental.py`.
"""

import argparse
import random
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range

EXAMPLES = Path(__file__).parents[2] / "examples"
SNIPPETS = (
    *("{", "}", "}\n", "/*", "*/", "//", ";", ",", "\n", "\n\n", "\r", '"', "<", "[", "]", "(", ")", " ", "x", "9"),
    *("add.s32 %r1, %r2, %r3;", "mov.u32 %r1, %q3;", "mov.u64 %rd1, gg;", "@%p1 ", "%r", "%r1", "$L1:", "bra $L1;"),
    *(".reg .b32 %q<4>;", ".reg .pred %p<2>;", ".reg .f64 %r25;\n", ".global .b32 gg;", ".func bar(.param .b32 x);"),
    *(".entry foo() {", ".version 8.0", ".target sm_80", ".section .debug_x {", ".loc 1 2 3", "é"),
    "// ptx-lsp: ignore[undeclared]",
)


@dataclass(frozen=True, slots=True)
class Step:
    """One edit, and how much is analysed after it: nothing, one block, or everything."""

    range: Range
    text: str
    work: str


def shown(module: Module) -> list[object]:
    """All that a client sees of the findings."""
    return [
        (f.code, f.range, f.message, f.severity, tuple((r.range, r.message) for r in f.related), f.tags)
        for f in module.findings()
    ]


def random_step(document_lines: list[str], source: str, chance: random.Random) -> Step:
    """An edit somewhere in a text of these lines."""
    line = chance.randrange(len(document_lines))
    column = chance.randint(0, len(document_lines[line]))
    end_line, end_column = line, column
    if chance.random() < 0.28:
        end_column = min(len(document_lines[line]), column + chance.randint(1, 12))
    elif chance.random() < 0.17:
        end_line = min(len(document_lines) - 1, line + chance.randint(1, chance.choice((2, 10, 400))))
        end_column = chance.randint(0, len(document_lines[end_line]))
    start, end = sorted(((line, column), (end_line, end_column)))
    text = chance.choice(SNIPPETS)
    kind = chance.random()
    if kind < 0.15:
        text = ""
    elif kind < 0.3:
        text = chance.choice(source.splitlines(keepends=True))
    elif kind < 0.34:
        text = source[: chance.randint(0, 20_000)]
    return Step(Range(*start, *end), text, chance.choice(("all", "all", "block", "nothing")))


def apply(module: Module, step: Step) -> None:
    """Make an edit and analyse as far as it says."""
    module.edit(step.range, step.text)
    if step.work != "nothing":
        module.work(0 if step.work == "block" else None)


def lines_of(module: Module) -> list[str]:
    """The lines of the module's text."""
    return [module.document.line(n) for n in range(module.document.line_count)]


def disagreement(module: Module) -> str | None:
    """Bring a module up to date; what a fresh analysis of its text finds otherwise, None for nothing."""
    module.work()
    fresh = Module(module.document.whole())
    fresh.work()
    kept, wanted = shown(module), shown(fresh)
    if kept == wanted:
        return None
    more = [x for x in kept if x not in wanted]
    less = [x for x in wanted if x not in kept]
    return f"only incremental: {more[:3]}\nonly fresh: {less[:3]}"


def play(source: str, chance: random.Random) -> tuple[list[Step], str | None]:
    """Open a text, edit it a few times, and compare."""
    module = Module(source)
    module.work()
    steps = []
    for _ in range(chance.randint(1, 8)):
        steps.append(random_step(lines_of(module), source, chance))
        apply(module, steps[-1])
    return steps, disagreement(module)


def run(files: Iterable[Path], seconds: float, seed: int) -> tuple[int, list[tuple[Path, list[Step], str]]]:
    """Play for some seconds: how many sequences, and those that told the two apart."""
    chance = random.Random(seed)
    sources = [(path, path.read_bytes().decode("utf-8", "surrogateescape")) for path in files]
    end, played, found = time.monotonic() + seconds, 0, []
    while time.monotonic() < end:
        path, source = chance.choice(sources)
        steps, difference = play(source, chance)
        played += 1
        if difference is not None:
            found.append((path, steps, difference))
    return played, found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    files = options.files or sorted(EXAMPLES.rglob("*.ptx"))
    played, found = run(files, options.minutes * 60, options.seed)
    for path, steps, difference in found:
        print(path, *steps, difference, sep="\n  ")
    print(f"{played} sequences of edits, {len(found)} with a difference")


if __name__ == "__main__":
    main()
