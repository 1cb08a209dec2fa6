"""Random edits: no finding goes away and comes back while the text is read again after an edit.

    python -m tests.analysis.steady --tries 1000 [--seed 1] [--first 0] [FILE ...]

prints every edit after which the findings of some moment lack one that was there before and is there in the end, or
have one that was not there before and is not there in the end. Findings that have an edited line are not compared.
"""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range
from tests.analysis.incremental import lines_of
from tests.analysis.random_edits import MORE_SNIPPETS, SIZES, SMALL_SIZES, SNIPPETS, chunk_sizes, excerpt, random_step
from tests.analysis.random_tries import options_of_tries, read_files, without_fresh_analysis

Place = tuple[str, int, int]  # code, and line and column where it begins


class Unsteady(NamedTuple):
    """What was wrong at a moment after an edit: findings that were missing, and findings that were there only then."""

    missing: list[Place]
    passing: list[Place]


def places(module: Module) -> Counter[Place]:
    """The findings of a module."""
    return Counter((f.code, f.range.line, f.range.column) for f in module.findings())


def places_on(module: Module, line: int, end_line: int) -> set[Place]:
    """The findings that have one of these lines."""
    found = (f for f in module.findings() if f.range.line <= end_line and f.range.end_line >= line)
    return {(f.code, f.range.line, f.range.column) for f in found}


def unsteady(module: Module, range_: Range, text: str) -> Unsteady | None:
    """Make an edit in a module that has been analysed; the first moment at which the findings are not steady."""
    before, edited = places(module), places_on(module, range_.line, range_.end_line)
    lines = module.document.line_count
    module.edit(range_, text)
    moved = module.document.line_count - lines
    kept = Counter(
        {
            (code, line if line < range_.line else line + moved, column): count
            for (code, line, column), count in before.items()
            if (code, line, column) not in edited
        }
    )
    moments = [(places(module), places_on(module, range_.line, range_.end_line + moved))]
    while not module.work(0.0):
        moments.append((places(module), places_on(module, range_.line, range_.end_line + moved)))
    final, on_edited = places(module), places_on(module, range_.line, range_.end_line + moved)
    for moment, here in moments:
        missing = [one for one in (kept & final) - moment if one not in on_edited]
        passing = [one for one in moment - (kept | final) if one not in here]
        if missing or passing:
            return Unsteady(missing, passing)
    return None


def run(files: list[Path], tries: range, seed: int) -> Iterator[tuple[int, Path, int, Range, str, Unsteady]]:
    """Play a sequence of edits for each try: the edits after which the findings are not steady."""
    sources = read_files(files)
    for number in tries:
        chance = random.Random(f"{seed} {number}")
        path, source = chance.choice(sources)
        with chunk_sizes(chance.choice((SIZES, *SMALL_SIZES))):
            module = Module(excerpt(source, chance))
            while not module.work(3600.0 if number % 4 else None):
                pass
            for count in range(6):
                step = random_step(lines_of(module), source, chance, SNIPPETS + MORE_SNIPPETS)
                found = unsteady(module, step.range, step.text)
                if found is not None:
                    yield number, path, count, step.range, step.text, found


def main() -> None:
    """The command."""
    options = options_of_tries(__doc__, tries=1000).parse_args()
    print(f"seed {options.seed}")
    without_fresh_analysis()  # it replaces all findings at once
    count = 0
    codes: Counter[str] = Counter()
    tries = range(options.first, options.first + options.tries)
    for number, path, edit, range_, text, found in run(options.files, tries, options.seed):
        count += 1
        codes.update("-" + code for code in {place[0] for place in found.missing})
        codes.update("+" + code for code in {place[0] for place in found.passing})
        print(f"try {number}, edit {edit}: {path.name} {tuple(range_)} {text[:60]!r}", found, sep="\n  ")
    print(f"{options.tries} sequences of edits, {count} edits that are not steady", dict(codes))


if __name__ == "__main__":
    main()
