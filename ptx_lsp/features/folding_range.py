"""Folding ranges: headers, bodies, scopes, sections, comments, inline assembly, runs of `.loc`, and long lists.

Every range has at least two lines. If a client folds whole lines only, the line with the closing brace stays visible,
and no range begins on the line on which another one ends.
"""

from collections.abc import Generator, Iterator
from heapq import nlargest
from itertools import chain
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.outline.nesting import Construct, Constructs
from ptx_lsp.steps import result_of
from ptx_lsp.text.ranges import Range

COMMENT, REGION = "comment", "region"
_FOLDS_PER_STEP = 500
_LINES_OF_PART = 10_000


class Fold(NamedTuple):
    """A folding range: lines from 0, the last one included. `kind` is `COMMENT`, `REGION` or empty.

    `column` is where it begins on its line, and `end_column` where it ends; -1 for the end of the line.
    """

    line: int
    end_line: int
    column: int = -1
    end_column: int = -1
    kind: str = ""


def folding_ranges(module: Module, whole_lines: bool = False, most: int | None = None) -> list[Fold]:
    """The folding ranges of a document; `whole_lines` and `most` are those of `fold_steps`."""
    return result_of(fold_steps(find_constructs(module.document), whole_lines, most))


def fold_steps(found: Constructs, whole_lines: bool, most: int | None) -> Generator[None, None, list[Fold]]:
    """The folding ranges in the order of the text, in steps. `whole_lines`: true if the client ignores columns.

    If there are more than `most`, the longest ones.
    """
    parts: dict[int, list[Fold]] = {}  # by a part of the text, because to sort all of them takes 15 ms
    for number, fold in enumerate(_folds(found)):
        one = _by_line(fold) if whole_lines else fold
        if one.end_line > one.line:
            parts.setdefault(one.line // _LINES_OF_PART, []).append(one)
        if not number % _FOLDS_PER_STEP:
            yield
    folds: list[Fold] = []
    for part in sorted(parts):
        folds += sorted(parts[part])
        yield
    if whole_lines:
        kept: list[Fold] = []
        for number, fold in enumerate(_without_overlap(folds)):
            kept.append(fold)
            if not number % _FOLDS_PER_STEP:
                yield
        folds = kept
    if most is not None and len(folds) > most:
        folds = sorted(nlargest(max(0, most), folds, key=lambda fold: fold.end_line - fold.line))
    return folds


def _folds(found: Constructs) -> Iterator[Fold]:
    yield from map(_braced, found.braced)
    yield from (_lines(range_) for range_ in chain(found.headers, found.locations))
    yield from (_lines(range_, COMMENT) for range_ in found.comments)
    yield from (_lines(range_, REGION) for range_ in found.assembly)
    for range_ in found.lists:
        yield Fold(range_.line, range_.end_line, -1, range_.end_column)


def _braced(construct: Construct) -> Fold:
    """From after the `{` to before the `}`."""
    end_column = construct.end_column - 1 if construct.closed else construct.end_column
    return Fold(construct.open_line, construct.end_line, construct.opening, end_column)


def _lines(range_: Range, kind: str = "") -> Fold:
    return Fold(range_.line, range_.end_line, kind=kind)


def _by_line(fold: Fold) -> Fold:
    """The fold without columns; one that ends before a bracket ends on the line above it."""
    return Fold(fold.line, fold.end_line - (fold.end_column >= 0), kind=fold.kind)


def _without_overlap(folds: list[Fold]) -> Iterator[Fold]:
    """Folds of whole lines in their order, none of which begins on the first or the last line of another one.

    If two begin on the same line, the longer one is kept. One that would overlap the next is shortened.
    """
    around: list[Fold] = []
    for number, fold in enumerate(folds):
        following = folds[number + 1] if number + 1 < len(folds) else None
        if following is not None and following.line == fold.line:
            continue
        if following is not None and fold.line < following.line <= fold.end_line < following.end_line:
            fold = fold._replace(end_line=following.line - 1)
        while around and around[-1].end_line < fold.line:
            around.pop()
        if around and fold.end_line > around[-1].end_line:
            fold = fold._replace(end_line=around[-1].end_line)
        if fold.end_line > fold.line:
            around.append(fold)
            yield fold
