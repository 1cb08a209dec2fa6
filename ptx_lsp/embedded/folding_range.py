"""Folding in inline PTX: each template that has several lines."""

from collections.abc import Iterator
from itertools import islice

from ptx_lsp.embedded.host_text import HostText, Located
from ptx_lsp.features.folding_range import REGION, Fold
from ptx_lsp.hosts.statement import PieceKind

_STATEMENTS_PER_STEP = 100


def folding_ranges(analysis: HostText, whole_lines: bool) -> Iterator[list[Fold]]:
    """The templates of PTX that have several lines, from the line of the first literal, in the order of the text.

    If `whole_lines`, which is true if the client ignores columns, a line with more than the template stays visible, and
    no range begins on the line on which another one ends. Between two lists, which may be empty, the caller may pause,
    and must stop if the text is edited.
    """
    last = -1
    statements = analysis.statements()
    while some := list(islice(statements, _STATEMENTS_PER_STEP)):
        folds: list[Fold] = []
        for located in some:
            fold = _fold(located)
            if fold is not None and whole_lines:
                after = analysis.document.line(fold.end_line)[fold.end_column :]
                fold = fold._replace(end_line=fold.end_line - bool(after.strip()))
            if fold is not None and fold.line < fold.end_line and not (whole_lines and fold.line <= last):
                last = fold.end_line
                folds.append(fold)
        yield folds


def _fold(located: Located) -> Fold | None:
    """From the end of the first line of a template to its end; None if its statement is not PTX."""
    embedded = located.known.embedded
    if embedded is None:
        return None
    literals = [piece for piece in embedded.statement.template.pieces if piece.kind is PieceKind.LITERAL]
    lines = located.lines
    end = lines.position(literals[-1].end) if literals else located.begin
    return Fold((lines.position(literals[0].start) if literals else end).line, end.line, -1, end.column, REGION)
