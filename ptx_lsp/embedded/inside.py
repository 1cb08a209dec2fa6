"""A place inside of a statement: its PTX as a module, and the way there and back, for the features of an editor."""

from __future__ import annotations

from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.embedded.encoding import encoded
from ptx_lsp.embedded.fragment import Fragment, environment_of
from ptx_lsp.embedded.host_text import HostText, Located
from ptx_lsp.embedded.inline_statement import Embedded
from ptx_lsp.embedded.places import LineIndex, offset_in_body, span_in_host
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import Piece, PieceKind
from ptx_lsp.isa.versions import Target
from ptx_lsp.memo import Memo
from ptx_lsp.text.ranges import Position, Range

_PATIENCE = 0.05  # seconds for what the last edit has changed, before a request is answered
_MOST_MODULES = 32
_modules: Memo[tuple[Fragment, Target], Module] = Memo(_MOST_MODULES)


class Inside(NamedTuple):
    """A statement with its PTX as an analysed module, which no caller may edit.

    `lines` are the lines of the statement in the document of the host, `body` those of its PTX.
    """

    located: Located
    embedded: Embedded
    module: Module
    lines: LineIndex
    body: LineIndex

    def source(self, start: int, end: int) -> str:
        """The text of the statement between two of its offsets."""
        return self.located.known.source[start:end]

    def position(self, host: Position, after: bool = False) -> Position | None:
        """The place in the PTX of a place in the host; None if that is no text of the template.

        `after` is True for the place after the character before the cursor, where completion is requested.
        """
        offset = self.lines.offset(host)
        template = self.embedded.statement.template
        if after and (before := offset_in_body(self.embedded.body, template, offset - 1)) is not None:
            return self.body.position(before + 1)
        found = offset_in_body(self.embedded.body, template, offset)
        if found is None and (before := offset_in_body(self.embedded.body, template, offset - 1)) is not None:
            found = before + 1
        return None if found is None else self.body.position(found)

    def span(self, range_: Range) -> Span | None:
        """The place in the statement of a range of the PTX; None if it has none."""
        start, end = self.body.offset(range_.start), self.body.offset(range_.end)
        return span_in_host(self.embedded.body, self.embedded.statement.template, start, end)

    def range(self, range_: Range) -> Range | None:
        """The place in the document of a range of the PTX; None if it has none."""
        span = self.span(range_)
        return None if span is None else self.lines.range(span)

    def literal(self, span: Span) -> Piece | None:
        """The string literal that holds a part of the statement, quotes excluded; None if it is not one literal."""
        for piece in self.embedded.statement.template.pieces:
            if piece.kind is PieceKind.LITERAL and piece.start <= span.start and span.end <= piece.end:
                return piece
        return None

    def written(self, text: str, span: Span) -> str | None:
        """A text of PTX as it is written in the literal around a part of the statement; None if it cannot be."""
        piece = self.literal(span)
        if piece is None:
            return None
        return encoded(text, self.embedded.statement, self.source(piece.start, piece.end))


def inside(analysis: HostText, position: Position) -> Inside | None:
    """The statement with PTX around a position of the host; None without one."""
    analysis.work(_PATIENCE)
    located = analysis.statement_at(position)
    return inside_of(located, analysis) if located is not None else None


def inside_of(located: Located, analysis: HostText) -> Inside | None:
    """A statement as its features see it; None if its template is not PTX."""
    embedded = located.known.embedded
    if embedded is None:
        return None
    target = embedded.judged(analysis.checks).target
    key = embedded.fragment, target
    module = _modules.get(key)
    if module is None:
        module = Module(embedded.fragment.text, analysis.checks, environment_of(embedded.fragment, target))
        module.work()
        _modules[key] = module
    return Inside(located, embedded, module, located.lines, LineIndex(embedded.fragment.text))
