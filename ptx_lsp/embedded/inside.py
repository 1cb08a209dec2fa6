"""A place inside of a statement: its PTX as a module, and the way there and back, for the features of an editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.embedded.encoding import Literal, encoded
from ptx_lsp.embedded.fragment import Fragment, environment_of
from ptx_lsp.embedded.holes import with_blank_holes
from ptx_lsp.embedded.host_text import HostText, Located
from ptx_lsp.embedded.inline_statement import Embedded
from ptx_lsp.embedded.places import offset_in_body, span_in_host
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import C_FAMILY, HOLE, Host, Piece, PieceKind
from ptx_lsp.isa.versions import Target
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import Position, Range

_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
_OPEN_ESCAPES = {Host.C: "\\x", Host.JULIA: "\\u"}
"""How escapes begin that have as many hexadecimal digits as follow, or up to a number that they need not have."""
_NAME_AROUND = lazy_pattern(r"[\w$%][\w$]")
_MOST_MODULES = 32  # that are remembered
_modules: Memo[tuple[Fragment, Target], Module] = Memo(_MOST_MODULES)


class Inside(NamedTuple):
    """A statement with its PTX as an analysed module, which no caller may edit.

    `lines` are the lines of the statement in the document of the host, `body` those of its PTX. `host` is the language
    of the document.
    """

    located: Located
    embedded: Embedded
    module: Module
    lines: LineIndex
    body: LineIndex
    host: Host

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
        return None if span is None else self.lines.range(*span)

    def written(self, text: str, span: Span) -> str | None:
        """A text of PTX as it is written in the literal around a part of the statement; None if it cannot be."""
        pieces = self.embedded.statement.template.pieces
        for index, piece in enumerate(pieces):
            if piece.kind is PieceKind.LITERAL and _is_in_text(piece, span):
                if text[:1] in _HEXADECIMAL and self._follows_open_escape(piece, span):
                    return None
                return encoded(text, self.embedded.statement, self._literal(pieces, index))
        return None

    def _follows_open_escape(self, piece: Piece, span: Span) -> bool:
        """Whether an escape is before a part of a literal to which a hexadecimal digit would belong: `\\x20` in C."""
        before = next((run for run in piece.runs if run.end == span.start), None)
        host = self.embedded.statement.host
        if before is None or before.is_plain:
            return False
        return _OPEN_ESCAPES.get(Host.C if host in C_FAMILY else host, "-") in self.source(before.start, before.end)

    def _literal(self, pieces: Sequence[Piece], index: int) -> Literal:
        """The literal that has a piece. One with a field inside consists of pieces that touch."""
        first = index
        while first and pieces[first - 1].end == pieces[first].start:
            if PieceKind.FIELD not in (pieces[first - 1].kind, pieces[first].kind):
                break
            first -= 1
        has_fields = any(piece.kind is PieceKind.FIELD for piece in pieces)
        return Literal(self.source(pieces[first].start, pieces[index].end), self.host, has_fields)

    def edits(self, edit: Edit) -> tuple[Edit, ...]:
        """An edit of the PTX as edits of the document; empty if its place or its text cannot be written there.

        What it replaces may be in several literals: then its text is written in the first one. Text that it keeps is
        left as it is written.
        """
        found = [self.replaced(each) for each in self._without_kept_text(edit)]
        return tuple(one for each in found for one in each) if all(found) else ()

    def _without_kept_text(self, edit: Edit) -> tuple[Edit, ...]:
        """The edit, or two edits around the text that it keeps: `[` and `]` for `[%0]` in the place of `%0`."""
        start, end = self.body.offset(edit.range.start), self.body.offset(edit.range.end)
        old, new = self.embedded.body.text[start:end], edit.text
        kept, longer = (old, new) if len(old) < len(new) else (new, old)
        if not kept or len(old) == len(new) or kept not in longer:
            return (edit,)
        before, after = old.find(kept), new.find(kept)
        ends = start + before, start + before + len(kept)
        if any(each.start < cut < each.end for each in self.embedded.body.references for cut in ends):
            return (edit,)  # the source of a reference, such as `{}` for `%1`, cannot be kept in part
        if any(_is_in_name(longer, cut) for cut in (before + after, before + after + len(kept))):
            return (edit,)  # a longer name may need escapes that the shorter one does not
        parts = ((start, ends[0], new[:after]), (ends[1], end, new[after + len(kept) :]))
        return tuple(Edit(self.body.range(first, last), text) for first, last, text in parts if first < last or text)

    def replaced(self, edit: Edit) -> tuple[Edit, ...]:
        """The same, but all of the text is written again, also what the edit keeps."""
        if edit.range.start == edit.range.end:
            return self._insertion(edit)
        span = self.span(edit.range)
        if span is None or self._removes_unnamed(edit.range):
            return ()
        found: list[Edit] = []
        for piece in self.embedded.statement.template.pieces:
            if piece.kind is PieceKind.JOIN and span.start <= piece.start <= span.end:
                return ()  # nothing in the source gives this line end, so it cannot be removed
            if piece.end <= span.start or span.end <= piece.start:
                continue
            if piece.kind is not PieceKind.LITERAL:
                return ()
            if (part := _part_of_text(piece, span)) is None:
                continue
            text = "" if found else self.written(edit.text, part)
            if text is None:
                return ()
            found.append(Edit(self.lines.range(*part), text))
        return tuple(found)

    def _insertion(self, edit: Edit) -> tuple[Edit, ...]:
        """An insertion after the code point before it, or if that is no text of a literal, before the next one."""
        after = self.body.offset(edit.range.start)
        next_ = span_in_host(self.embedded.body, self.embedded.statement.template, after, after + 1)
        for span in (self.span(edit.range), next_ and Span(next_.start, next_.start)):
            text = self.written(edit.text, span) if span is not None else None
            if span is not None and text is not None:
                return (Edit(self.lines.range(*span), text),)
        return ()

    def _removes_unnamed(self, range_: Range) -> bool:
        """Whether a range has `{}` of Rust and another `{}` follows, which would name another operand without it."""
        start, end = self.body.offset(range_.start), self.body.offset(range_.end)
        unnamed = [each for each in self.embedded.body.references if each.written.startswith(("{}", "{:"))]
        removed = any(each.start < end and start < each.end for each in unnamed)
        return removed and any(end <= each.start for each in unnamed)


def _is_in_name(text: str, at: int) -> bool:
    """Whether an offset of PTX is between two characters of a name."""
    return _NAME_AROUND.match(text[max(0, at - 1) : at + 1]) is not None


def _is_in_text(piece: Piece, span: Span) -> bool:
    """Whether a span is between the quotes of a literal that has some text."""
    return bool(piece.runs) and piece.runs[0].start <= span.start and span.end <= piece.runs[-1].end


def _part_of_text(piece: Piece, span: Span) -> Span | None:
    """The part of a span from its first to its last code point inside the quotes of a literal; None if it has none."""
    touched = [run for run in piece.runs if run.start < span.end and span.start < run.end]
    return Span(max(span.start, touched[0].start), min(span.end, touched[-1].end)) if touched else None


def inside(analysis: HostText, position: Position) -> Inside | None:
    """The statement with PTX around a position of the host, if it has been judged; None without one."""
    located = analysis.statement_at(position)
    return inside_of(located, analysis) if located is not None else None


def inside_as_written(analysis: HostText, position: Position) -> Inside | None:
    """The same for what needs no verdict: the PTX also has the text of a statement at the position that has holes."""
    here = inside(analysis, position)
    return as_written(here, analysis, position) if here is not None else None


def as_written(here: Inside, analysis: HostText, position: Position) -> Inside | None:
    """A statement whose PTX also has the text of the statement at the position, with blanks in place of its holes."""
    if HOLE not in here.embedded.body.text:
        return here
    at = here.position(position, after=True)
    embedded = here.embedded
    text = with_blank_holes(embedded.body.text, here.body.offset(at)) if at is not None else embedded.fragment.text
    if text == embedded.fragment.text:
        return here
    known = here.located.known._replace(embedded=embedded._replace(fragment=embedded.fragment._replace(text=text)))
    return inside_of(here.located._replace(known=known), analysis)


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
    return Inside(located, embedded, module, located.lines, LineIndex(embedded.fragment.text), analysis.host)
