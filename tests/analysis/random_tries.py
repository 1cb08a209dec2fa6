"""Tries of random edits: the command line of a module that plays them, and the loop over the tries.

A try depends only on the seed, its number and the files: `--first N --tries 1` plays try N again.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

from benchmarks.material import read_source
from ptx_lsp.analysis import module as analysis_module
from ptx_lsp.analysis.module import Module
from ptx_lsp.text.document import Document
from tests.analysis.random_edits import (
    MORE_SNIPPETS,
    SIZES,
    SMALL_SIZES,
    SNIPPETS,
    Edits,
    Sizes,
    Step,
    broken,
    excerpt,
    random_step,
    shortened,
    taken_back,
)

EXAMPLES = Path(__file__).parents[2] / "examples"
DATA = Path(__file__).parents[1] / "data"
PROGRESS = 250  # tries between two lines about the progress
BEGINNINGS = ("excerpt", "whole", "repeated", "broken")
"""What a sequence of edits begins with: a part of a file, a file, a short file whose functions are repeated with other
names and are known by then, or a part of a file with many broken lines."""
_LONGEST_REPEATED = 500  # lines

Play = Callable[[Edits], str | None]
"""Plays a sequence of edits: what was wrong, or None."""


class Found(NamedTuple):
    """A try after which something was wrong: its number, its file, the edits, and what was wrong."""

    number: int
    path: Path
    edits: Edits
    wrong: str


def example_files() -> list[Path]:
    """The files of a command without files."""
    return [*sorted(EXAMPLES.rglob("*.ptx")), *sorted(DATA.glob("*.ptx"))]


def read_files(files: Iterable[Path]) -> list[tuple[Path, str]]:
    """Files with their texts."""
    return [(path, path.read_bytes().decode("utf-8", "surrogateescape")) for path in files]


def random_sequence(source: str, sizes: Sizes, chance: random.Random, snippets: Sequence[str]) -> Edits:
    """Edits of a text, each made where the text then has a line; some take the one before back."""
    document = Document(source)
    steps: list[Step] = []
    before: list[str] = []
    for _ in range(chance.randint(1, 8)):
        lines = [document.line(n) for n in range(document.line_count)]
        undo = bool(steps) and chance.random() < 0.1
        step = taken_back(steps[-1], before, chance) if undo else random_step(lines, source, chance, snippets)
        steps.append(step)
        before = lines
        document.edit(step.range, step.text)
    return Edits(source, sizes, tuple(steps), _lines_near(steps, chance))


def _lines_near(steps: list[Step], chance: random.Random) -> tuple[int, ...]:
    """Lines about which requests are compared: some close to the edits, and one anywhere."""
    edited = [step.range.line for step in steps]
    near = [max(0, chance.choice(edited) + chance.randint(-3, 30)) for _ in range(2)]
    return tuple(sorted({*near, chance.randrange(100)}))


def _repeated(path: Path, chance: random.Random) -> str | None:
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


def _edits_of(path: Path, source: str, chance: random.Random, begin: str) -> Edits:
    """A sequence of edits that begins with a file, or with what `begin`, one of `BEGINNINGS`, makes of it."""
    known = _repeated(path, chance) if begin == "repeated" else None
    if begin == "whole":
        return random_sequence(source, SIZES, chance, SNIPPETS)
    if known is not None:
        return random_sequence(known, chance.choice((SIZES, SIZES, *SMALL_SIZES)), chance, SNIPPETS)
    sizes = chance.choice((SIZES, *SMALL_SIZES))
    text = excerpt(source, chance)
    text = broken(text, chance) if begin == "broken" else text
    return random_sequence(text, sizes, chance, SNIPPETS + MORE_SNIPPETS)


def run_tries(
    files: Iterable[Path], tries: range, seed: int, play: Play, begin: str = BEGINNINGS[0]
) -> Iterator[Found]:
    """Play one sequence of edits for each try: those after which something is wrong. `begin` is one of `BEGINNINGS`."""
    sources = read_files(files)
    for number in tries:
        if number % PROGRESS == 0 and number > tries.start:
            print(f"{number - tries.start} played", file=sys.stderr, flush=True)
        chance = random.Random(f"{seed} {number}")
        path, source = chance.choice(sources)
        edits = _edits_of(path, source, chance, begin)
        wrong = play(edits)
        if wrong is not None:
            yield Found(number, path, edits, wrong)


def options_of_tries(description: str | None, tries: int, *, of_files: bool = True) -> argparse.ArgumentParser:
    """The options of every command that plays tries; `tries` is how many are played if `--tries` is not given.

    `of_files`: false if the tries make their own texts.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    if of_files:
        parser.add_argument("files", nargs="*", type=Path, default=example_files())
    parser.add_argument("--tries", type=int, default=tries)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    return parser


def without_fresh_analysis() -> None:
    """Let no fresh analysis follow an edit from now on."""
    analysis_module.FRESH_LINES = -1


def with_failures(play: Play) -> Play:
    """The same, for which an exception is wrong too."""

    def played(edits: Edits) -> str | None:
        try:
            return play(edits)
        except Exception as failure:
            return f"{type(failure).__name__}: {failure}"

    return played


def command(description: str | None, play: Play, tries: int) -> None:
    """The command of a module: play tries, and print those after which something is wrong, made as short as possible.

    `tries` is how many are played if `--tries` is not given.
    """
    parser = options_of_tries(description, tries)
    parser.add_argument("--begin", choices=BEGINNINGS, default=BEGINNINGS[0], help="what each sequence begins with")
    fresh = parser.add_mutually_exclusive_group()
    fresh.add_argument("--with-fresh", action="store_true", help="let a fresh analysis follow an edit, as in an editor")
    fresh.add_argument("--without-fresh", action="store_true", help="let no fresh analysis follow an edit: the default")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    if not options.with_fresh:
        without_fresh_analysis()
    count = 0
    numbers = range(options.first, options.first + options.tries)
    for found in run_tries(options.files, numbers, options.seed, play, options.begin):
        count += 1
        print(f"try {found.number}: {found.path}", found.wrong, sep="\n  ", flush=True)
        short = shortened(found.edits, lambda other: play(other) is not None)
        print("  shortened:", short.written(), play(short), sep="\n  ", flush=True)
    print(f"{options.tries} sequences of edits, {count} with a difference, {process_time():.0f} s")
