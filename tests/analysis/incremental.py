"""Random edits: incremental analysis must have the findings of a fresh analysis.

    python -m tests.analysis.incremental --tries 2000 [--seed 1] [--first 0] [--without-fresh] [--begin WHAT] [FILE ...]

prints every sequence of edits after which the two differ, made as short as possible, as a case to be kept in
`test_incremental.py`. Between the edits it makes requests, which must change nothing. A try depends only on the seed,
its number and the files: `--first N --tries 1` plays try N again.

Most sequences begin with a short module that is cut from a file, and the text is divided into small chunks, so that
edits reach over many blocks. The fresh analysis always has the chunks of the product. `--begin whole` begins with whole
files and has no small chunks; `--begin repeated` repeats the functions of short files, so that they are known.
"""

import argparse
import random
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import process_time

from benchmarks.material import read_source
from ptx_lsp.analysis import module as analysis_module
from ptx_lsp.analysis.module import Module
from ptx_lsp.features.hover import hover
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.text.ranges import Position, Range
from tests.analysis.random_edits import (
    MORE_SNIPPETS,
    SIZES,
    SMALL_SIZES,
    SNIPPETS,
    Edits,
    Sizes,
    Step,
    chunk_sizes,
    excerpt,
    random_step,
    shortened,
    taken_back,
)

EXAMPLES = Path(__file__).parents[2] / "examples"
DATA = Path(__file__).parents[1] / "data"


def shown(module: Module) -> list[tuple[object, ...]]:
    """Everything of the findings that a client sees."""
    return [
        (f.code, f.range, f.message, f.severity, tuple((r.range, r.message) for r in f.related), f.tags)
        for f in module.findings()
    ]


_WORD = re.compile(r"[\w$%]+|[^\w\s.,;]")
_LONG = 3600.0  # seconds: more than a slice of any analysis takes
PROGRESS = 250  # tries between two lines about the progress
WIDEST = 200  # columns of a line about which requests are compared


def ask(module: Module, request: str, line: int) -> None:
    """Make a request about a line of the module, or one close to it."""
    line = min(line, module.document.line_count - 1)
    if request == "hover":
        for column in words(module, line)[:2]:
            hover(module, Position(line, column))
    elif request == "hints":
        inlay_hints(module, Range(line, 0, line + 20, 0))
    elif request == "all hints":
        inlay_hints(module, Range(0, 0, module.document.line_count, 0))
    elif request == "actions":
        for finding in module.findings()[:2]:
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


def words(module: Module, line: int) -> list[int]:
    """The columns at which the words of a line begin: there is one hover for each at most."""
    return [match.start() for match in _WORD.finditer(module.document.line(line)[:WIDEST])]


def answers(module: Module, lines: Sequence[int], most: int = 99) -> list[object]:
    """The answers that a client gets: hints for 20 lines from the first of these on, hovers at `most` words of each."""
    found: list[object] = []
    for first in lines[:1]:
        found += [(hint.position, hint.label) for hint in inlay_hints(module, Range(first, 0, first + 20, 0))]
    for line in lines:
        columns = words(module, line)
        step = -(-len(columns) // most) or 1
        found += [hover(module, Position(line, column)) for column in columns[line % 3 :: step]]
    return found


def disagreement(
    module: Module, lines: Iterable[int] = (), fresh_sizes: Sizes | None = None, most: int = 99
) -> str | None:
    """Finish the analysis of a module; return its differences from a fresh analysis of its text, or None.

    On these lines, hovers and hints are compared too; lines beyond the text are left out. There are hovers at `most`
    words of a line at most. `fresh_sizes` are the sizes of the chunks for the fresh analysis, None for the same.
    """
    module.work()
    if fresh_sizes is None:
        fresh = Module(module.document.whole())
    else:
        with chunk_sizes(fresh_sizes):
            fresh = Module(module.document.whole())
    fresh.work()
    kept: Sequence[object] = shown(module)
    wanted: Sequence[object] = shown(fresh)
    if kept == wanted:
        inside = [line for line in lines if line < module.document.line_count]
        kept, wanted = answers(module, inside, most), answers(fresh, inside, most)
    if kept == wanted:
        return None
    more = [x for x in kept if x not in wanted]
    less = [x for x in wanted if x not in kept]
    return f"only incremental: {more[:3]}\nonly fresh: {less[:3]}"


def random_sequence(source: str, sizes: Sizes, chance: random.Random, snippets: Sequence[str]) -> Edits:
    """Edits of a text, each made where the text then has a line; some take the one before back."""
    module = Module(source)
    steps: list[Step] = []
    before: list[str] = []
    for _ in range(chance.randint(1, 8)):
        lines = lines_of(module)
        undo = bool(steps) and chance.random() < 0.1
        step = taken_back(steps[-1], before, chance) if undo else random_step(lines, source, chance, snippets)
        steps.append(step)
        before = lines
        module.document.edit(step.range, step.text)
    return Edits(source, sizes, tuple(steps), _lines_near(steps, chance))


def _lines_near(steps: list[Step], chance: random.Random) -> tuple[int, ...]:
    """Lines about which requests are compared: some close to the edits, and one anywhere."""
    edited = [step.range.line for step in steps]
    near = [max(0, chance.choice(edited) + chance.randint(-3, 30)) for _ in range(2)]
    return tuple(sorted({*near, chance.randrange(100)}))


def play(sequence: Edits, most: int = 1) -> str | None:
    """Open a text, edit it, and compare: the difference, or the exception; None if there is neither.

    On each line of the sequence, hovers at `most` words are compared. Every fourth text is read at once, which makes
    large blocks; the others are read in slices, which make small ones, as in an editor.
    """
    with chunk_sizes(sequence.sizes):
        try:
            module = Module(sequence.source)
            slices = _LONG if len(sequence.source) % 4 else None
            while not module.work(slices):
                pass
            for step in sequence.steps:
                apply(module, step)
            return disagreement(module, sequence.lines, SIZES, most)
        except Exception:
            return traceback.format_exc()


Found = tuple[int, Path, Edits, str]  # the number of a try, the file, what was played, and the difference


BEGINNINGS = ("excerpt", "whole", "repeated")
"""What a sequence of edits begins with: a part of a file, a file, or a short file whose functions are repeated with
other names and are known by then."""
_LONGEST_REPEATED = 500  # lines


def repeated(path: Path, chance: random.Random) -> str | None:
    """The functions of a file, two to five times; None if it is long or has no function.

    The text has been read twice: its functions are known.
    """
    try:
        source = read_source(path, own_target=True)
    except ValueError:
        return None
    if source.body.count("\n") > _LONGEST_REPEATED:
        return None
    text = source.head + "".join(map(source.copy, range(chance.randint(2, 5)))) + source.tail
    for _ in range(2):
        Module(text).work()
    return text


def run(files: Iterable[Path], tries: range, seed: int, *, begin: str = "whole") -> Iterator[Found]:
    """Play one sequence of edits for each try: those after which the two differ. `begin` is one of `BEGINNINGS`."""
    sources = [(path, path.read_bytes().decode("utf-8", "surrogateescape")) for path in files]
    for number in tries:
        if number % PROGRESS == 0 and number > tries.start:
            print(f"{number - tries.start} played", file=sys.stderr, flush=True)
        chance = random.Random(f"{seed} {number}")
        path, source = chance.choice(sources)
        known = repeated(path, chance) if begin == "repeated" else None
        if begin == "whole":
            sequence = random_sequence(source, SIZES, chance, SNIPPETS)
        elif known is not None:
            sequence = random_sequence(known, chance.choice((SIZES, SIZES, *SMALL_SIZES)), chance, SNIPPETS)
        else:
            sizes = chance.choice((SIZES, *SMALL_SIZES))
            sequence = random_sequence(excerpt(source, chance), sizes, chance, SNIPPETS + MORE_SNIPPETS)
        difference = play(sequence)
        if difference is not None:
            yield number, path, sequence, difference


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--tries", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--without-fresh", action="store_true", help="let no fresh analysis follow an edit")
    parser.add_argument("--begin", choices=BEGINNINGS, default=BEGINNINGS[0], help="what each sequence begins with")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    if options.without_fresh:
        analysis_module.FRESH_LINES = -1
    files = options.files or [*sorted(EXAMPLES.rglob("*.ptx")), *sorted(DATA.glob("*.ptx"))]
    tries = range(options.first, options.first + options.tries)
    count = 0
    for number, path, sequence, difference in run(files, tries, options.seed, begin=options.begin):
        count += 1
        short = shortened(sequence, lambda other: play(other) is not None)
        print(f"try {number}: {path}", difference, "shortened:", short.written(), play(short), sep="\n  ", flush=True)
    print(f"{options.tries} sequences of edits, {count} with a difference, {process_time():.0f} s")


if __name__ == "__main__":
    main()
