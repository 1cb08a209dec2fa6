"""Random edits: incremental analysis must have the findings of a fresh analysis.

    python -m tests.analysis.incremental --tries 2000 [--seed 1] [--first 0] [--with-fresh] [--begin WHAT] [FILE ...]

prints every sequence of edits after which the two differ, made as short as possible, as a case to be kept in
`test_incremental.py`. Between the edits it makes requests, which must change nothing. A try depends only on the seed,
its number and the files: `--first N --tries 1` plays try N again. Without `--with-fresh`, no fresh analysis follows an
edit: incremental analysis must have the findings alone.

Most sequences begin with a short module that is cut from a file, and the text is divided into small chunks, so that
edits reach over many blocks. The fresh analysis always has the chunks of the product. `--begin whole` begins with whole
files and has no small chunks; `--begin repeated` repeats the functions of short files, so that they are known;
`--begin broken` breaks many lines of the excerpt, so that blocks end between broken statements.
"""

import re
import traceback
from collections.abc import Iterable, Sequence

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.hover import hover
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.text.ranges import Position, Range
from tests.analysis.random_edits import SIZES, Edits, Sizes, Step, chunk_sizes
from tests.analysis.random_tries import command


def shown(module: Module) -> list[tuple[object, ...]]:
    """Everything of the findings that a client sees."""
    return [
        (f.code, f.range, f.message, f.severity, tuple((r.range, r.message) for r in f.related), f.tags)
        for f in module.findings()
    ]


_WORD = re.compile(r"[\w$%]+|[^\w\s.,;]")
_LONG = 3600.0  # seconds: more than a slice of any analysis takes
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
        for _ in module.needs():
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


if __name__ == "__main__":
    command(__doc__, play, tries=2000)
