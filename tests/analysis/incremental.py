"""Random edits of real files: incremental analysis must have the findings of a fresh analysis.

    python -m tests.analysis.incremental --tries 2000 [--seed 1] [--first 0] [--without-fresh] [FILE ...]

prints every sequence of edits after which the two differ, as a case to be kept in `test_incremental.py`. Between the
edits it makes requests, which must change nothing. A try depends only on the seed and its number: `--first N --tries 1`
plays try N again.
"""

import argparse
import random
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ptx_lsp.analysis import module as analysis_module
from ptx_lsp.analysis.module import Module
from ptx_lsp.features.hover import hover
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.text.ranges import Position, Range

EXAMPLES = Path(__file__).parents[2] / "examples"
SNIPPETS = (
    *("{", "}", "}\n", "/*", "*/", "//", ";", ",", "\n", "\n\n", "\r", '"', "<", "[", "]", "(", ")", " ", "x", "9"),
    *("add.s32 %r1, %r2, %r3;", "mov.u32 %r1, %q3;", "mov.u64 %rd1, gg;", "@%p1 ", "%r", "%r1", "$L1:", "bra $L1;"),
    *(".reg .b32 %q<4>;", ".reg .pred %p<2>;", ".reg .f64 %r25;\n", ".global .b32 gg;", ".func bar(.param .b32 x);"),
    *(".entry foo() {", ".version 8.0", ".target sm_80", ".section .debug_x {", ".loc 1 2 3", "é"),
    *("for (int i = 0; i < 9; i++) {", "if (%p1) {", "int i = 0;", "%r1 = %r2 + 1;", "(%p1) bra $L1;", "&gg", "%R1"),
    *("gh", "__global__ void k(float *a) {", ".entry m(.param .b32 a; .param .b32 b) {", "goto $L1;", "for (", "do {"),
    "// ptx-lsp: ignore[undeclared]",
)


@dataclass(frozen=True, slots=True)
class Step:
    """One edit, how much is analysed after it (nothing, one block, or everything), and the requests that follow.

    `asks` holds for each request its name and a line of the text (from 0).
    """

    range: Range
    text: str
    work: str
    asks: tuple[tuple[str, int], ...] = ()


def shown(module: Module) -> list[object]:
    """Everything of the findings that a client sees."""
    return [
        (f.code, f.range, f.message, f.severity, tuple((r.range, r.message) for r in f.related), f.tags)
        for f in module.findings()
    ]


def random_step(document_lines: list[str], source: str, chance: random.Random) -> Step:
    """A random edit in a text of these lines."""
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
    asks = [(chance.choice(REQUESTS), chance.randrange(len(document_lines))) for _ in range(chance.choice((0, 1, 2)))]
    return Step(Range(*start, *end), text, chance.choice(("all", "all", "block", "nothing")), tuple(asks))


WIDEST = 200  # columns of a line about which requests are compared
REQUESTS = ("hover", "hints", "all hints", "actions", "needs")


def ask(module: Module, request: str, line: int) -> None:
    """Make a request about a line of the module, or one close to it."""
    line = min(line, module.document.line_count - 1)
    if request == "hover":
        for column in range(0, len(module.document.line(line)) + 1, 4):
            hover(module, Position(line, column))
    elif request == "hints":
        inlay_hints(module, Range(line, 0, line + 60, 0))
    elif request == "all hints":
        inlay_hints(module, Range(0, 0, module.document.line_count, 0))
    elif request == "actions":
        for finding in module.findings()[:3]:
            fixes(finding, module)
    else:
        for _ in module.demands():
            pass


def apply(module: Module, step: Step) -> None:
    """Make an edit, and analyse as far as the step says."""
    module.edit(step.range, step.text)
    if step.work != "nothing":
        module.work(0 if step.work == "block" else None)
    for request, line in step.asks:
        ask(module, request, line)


def lines_of(module: Module) -> list[str]:
    """The lines of the module's text."""
    return [module.document.line(n) for n in range(module.document.line_count)]


def answers(module: Module, lines: Iterable[int]) -> list[object]:
    """The answers about some lines that a client gets: hints, and hovers at every fourth column."""
    found: list[object] = []
    for line in lines:
        found += [(hint.position, hint.label) for hint in inlay_hints(module, Range(line, 0, line + 1, 0))]
        for column in range(0, min(len(module.document.line(line)), WIDEST) + 1, 4):
            found.append(hover(module, Position(line, column)))
    return found


def disagreement(module: Module, lines: Iterable[int] = ()) -> str | None:
    """Finish the analysis of a module; return its differences from a fresh analysis of its text, or None.

    On these lines, hovers and hints are compared too; lines beyond the text are left out.
    """
    module.work()
    fresh = Module(module.document.whole())
    fresh.work()
    kept, wanted = shown(module), shown(fresh)
    if kept == wanted:
        inside = [line for line in lines if line < module.document.line_count]
        kept, wanted = answers(module, inside), answers(fresh, inside)
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
    try:
        for _ in range(chance.randint(1, 8)):
            steps.append(random_step(lines_of(module), source, chance))
            apply(module, steps[-1])
        return steps, disagreement(module, _lines_near(steps, chance))
    except Exception:
        return steps, traceback.format_exc()


def _lines_near(steps: list[Step], chance: random.Random) -> list[int]:
    """Lines about which requests are compared: some close to the edits, and some anywhere."""
    edited = [step.range.line for step in steps]
    near = [max(0, chance.choice(edited) + chance.randint(-3, 30)) for _ in range(3)]
    return sorted({*near, *(chance.randrange(1000) for _ in range(3))})


def run(files: Iterable[Path], tries: range, seed: int) -> list[tuple[int, Path, list[Step], str]]:
    """Play one sequence of edits for each try; return those after which the two differ, with the number of the try."""
    sources = [(path, path.read_bytes().decode("utf-8", "surrogateescape")) for path in files]
    found = []
    for number in tries:
        chance = random.Random(f"{seed} {number}")
        path, source = chance.choice(sources)
        steps, difference = play(source, chance)
        if difference is not None:
            found.append((number, path, steps, difference))
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--tries", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--without-fresh", action="store_true", help="let no fresh analysis follow an edit")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    if options.without_fresh:
        analysis_module.FRESH_LINES = -1
    files = options.files or sorted(EXAMPLES.rglob("*.ptx"))
    found = run(files, range(options.first, options.first + options.tries), options.seed)
    for number, path, steps, difference in found:
        print(f"try {number}: {path}", *steps, difference, sep="\n  ")
    print(f"{options.tries} sequences of edits, {len(found)} with a difference")


if __name__ == "__main__":
    main()
