"""Where a statement names one of its operands: in its template, and in the list of its operands."""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.embedded.decoding import Reference
from ptx_lsp.embedded.inside import Inside
from ptx_lsp.embedded.operand_types import is_immediate, is_text
from ptx_lsp.features.document_highlight import Highlight, Kind, highlight
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import Operand
from ptx_lsp.occurrences.search import occurrences
from ptx_lsp.occurrences.target import target_at
from ptx_lsp.text.ranges import Position, Range


class OperandHere(NamedTuple):
    """The operand that is named at a position, and the range of its name there.

    `operand` is None if the statement has no operand with this number or name. `references` are the places of the
    template that name it.
    """

    operand: Operand | None
    range: Range
    references: tuple[Reference, ...]


def operand_at(here: Inside, position: Position) -> OperandHere | None:
    """The operand that a position of the host names: in the template, or at the name that its author gave it."""
    operands = here.embedded.statement.operands
    at = here.position(position)
    reference = here.embedded.body.reference_at(here.body.offset(at)) if at is not None else None
    if reference is not None:
        range_ = here.range(range_of(here, reference))
        operand = here.embedded.statement.operand(reference.number)
        return OperandHere(operand, range_, _like(here, reference)) if range_ is not None else None
    offset = here.lines.offset(position)
    for operand in operands:
        if operand.name_at is not None and operand.name_at.start <= offset <= operand.name_at.end:
            references = (each for each in here.embedded.body.references if each.number == operand.number)
            return OperandHere(operand, here.lines.range(*operand.name_at), tuple(references))
    return None


def _like(here: Inside, reference: Reference) -> tuple[Reference, ...]:
    """The references to the same operand, or to the same name that no operand has."""
    return tuple(
        each
        for each in here.embedded.body.references
        if each.number == reference.number and (each.number >= 0 or each.written == reference.written)
    )


def own_place(operand: Operand) -> Span:
    """Where the statement lists an operand: the name that its author gave it, or its constraint."""
    return operand.where if operand.name_at is None else operand.name_at


def range_of(here: Inside, reference: Reference) -> Range:
    """The place in the PTX of a reference."""
    return here.body.range(reference.start, reference.end)


def uses(here: Inside, found: OperandHere) -> Iterator[Highlight]:
    """The places of the template that name the operand, in the order of the text, with what is done with it there.

    What is in a statement of PTX that is not read, because a part of it is not known, is `TEXT`.
    """
    is_number = found.operand is not None and (is_immediate(found.operand) or is_text(found.operand))
    kinds: dict[Position, Kind] = {}
    for reference in found.references:
        in_body = range_of(here, reference)
        if not is_number and in_body.start not in kinds:
            kinds |= _kinds(here, in_body.start)
        range_ = here.range(in_body)
        if range_ is not None:
            yield Highlight(range_, Kind.READ if is_number else kinds.get(in_body.start, Kind.TEXT))


def _kinds(here: Inside, at: Position) -> dict[Position, Kind]:
    """What is done with the operand at a place of the PTX, at each place that names it; empty if that is not read."""
    found = target_at(here.module, at)
    if found is None or not found.target.is_outside:
        return {}
    return {each.range.start: highlight(each).kind for some in occurrences(here.module, found.target) for each in some}
