"""Statements in the text of a string of another language: CUDA C++ in Python, LLVM IR in Julia.

The statement is found in the decoded string; here its positions become those of the file, escape by escape.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ptx_lsp.hosts.source_map import Run, Span, composed, offset_of, source_range
from ptx_lsp.hosts.statement import HOLE, AsmStatement, Piece, PieceKind, Template


class Inner(NamedTuple):
    """The decoded text of a string, and its map, which covers all of it: a hole is one code point, `HOLE`.

    `holes` are the decoded offsets of the holes, ascending.
    """

    text: str
    runs: tuple[Run, ...]
    holes: tuple[int, ...]


def inner_text(pieces: Sequence[Piece]) -> Inner:
    """The pieces of a string as one text."""
    parts: list[str] = []
    runs: list[Run] = []
    holes: list[int] = []
    at = 0
    for piece in pieces:
        text = HOLE if piece.text is None else piece.text
        if piece.text is None:
            holes.append(at)
            runs.append(Run(at, 1, piece.start, piece.end))
        runs += (Run(run.decoded + at, run.length, run.start, run.end) for run in piece.runs)
        parts.append(text)
        at += len(text)
    return Inner("".join(parts), tuple(runs), tuple(holes))


def relocated(statement: AsmStatement, inner: Inner) -> AsmStatement:
    """A statement that was found in `inner.text`, at its place in the file."""

    def place(span: Span) -> Span:
        return source_range(inner.runs, span.start, span.end)

    pieces = tuple(part for piece in statement.template.pieces for part in _relocated_piece(piece, inner))
    start, end = place(Span(statement.start, statement.end))
    touched = bool(_holes_in(inner, statement.start, statement.end))
    return statement._replace(
        start=start,
        end=end,
        template=Template(pieces),
        operands=tuple(
            operand._replace(
                where=place(operand.where),
                expression=operand.expression and place(operand.expression),
                target=operand.target and place(operand.target),
                name_at=operand.name_at and place(operand.name_at),
                constraint=None if operand.constraint and HOLE in operand.constraint else operand.constraint,
            )
            for operand in statement.operands
        ),
        clobbers=tuple(word._replace(where=place(word.where)) for word in statement.clobbers),
        labels=tuple(word._replace(where=place(word.where)) for word in statement.labels),
        options=tuple(word._replace(where=place(word.where)) for word in statement.options),
        whole=statement.whole and not touched,
    )


def _holes_in(inner: Inner, start: int, end: int) -> tuple[int, ...]:
    return inner.holes[bisect_left(inner.holes, start) : bisect_left(inner.holes, end)]


def _relocated_piece(piece: Piece, inner: Inner) -> Iterator[Piece]:
    start, end = source_range(inner.runs, piece.start, piece.end)
    holes = _holes_in(inner, piece.start, piece.end)
    if piece.text is None or not holes:
        yield Piece(piece.kind, start, end, piece.text, composed(piece.runs, inner.runs))
        return
    text, runs = piece.text, piece.runs
    begins, done = start, 0
    for hole in holes:
        at = offset_of(runs, hole) or 0
        where = source_range(inner.runs, hole, hole + 1)
        yield _part(text, runs, done, at, begins, where.start, inner)
        yield Piece(PieceKind.FIELD, where.start, where.end, None)
        begins, done = where.end, at + 1
    yield _part(text, runs, done, len(text), begins, end, inner)


def _part(text: str, runs: Sequence[Run], first: int, last: int, start: int, end: int, inner: Inner) -> Piece:
    """The decoded text from `first` to `last` as a literal piece of its own, from `start` to `end` in the file."""
    kept = []
    for run in runs:
        begins, stops = max(run.decoded, first), min(run.decoded + run.length, last)
        if begins < stops:
            source = Span(run.source(begins).start, run.source(stops - 1).end)
            kept.append(Run(begins - first, stops - begins, *source))
    return Piece(PieceKind.LITERAL, start, end, text[first:last], composed(kept, inner.runs))
