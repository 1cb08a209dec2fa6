"""What must hold for the places of every statement, whatever the text."""

from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import AsmStatement, PieceKind


def check_places(text: str, statement: AsmStatement) -> None:
    """Every range is in the text; every decoded code point comes from its piece, and the map leads back to it."""
    assert 0 <= statement.start < statement.end <= len(text)
    at = 0
    for piece in statement.template.pieces:
        assert 0 <= piece.start <= piece.end <= len(text)
        length = 1 if piece.text is None else len(piece.text)
        before = piece.start
        for offset in range(length if piece.runs else 0):
            place = statement.template.source(at + offset)
            assert place is not None
            assert piece.start <= place.start < place.end <= piece.end
            assert before <= place.start
            before = place.start
            first = statement.template.offset(place.start)
            assert first is not None
            assert statement.template.source(first) == place
        if piece.kind is PieceKind.LITERAL and piece.text:
            assert sum(run.length for run in piece.runs) == len(piece.text)
        at += length
    assert statement.template.source(at) is None
    words = (*statement.clobbers, *statement.labels, *statement.options)
    spans: list[Span | None] = [word.where for word in words]
    for operand in statement.operands:
        spans += [operand.where, operand.expression, operand.target, operand.name_at]
        if operand.name_at is not None and text[slice(*operand.name_at)] != operand.name:
            assert "\\" in text, "a name in a string of another language may have escapes"
    for span in spans:
        assert span is None or 0 <= span.start <= span.end <= len(text)
