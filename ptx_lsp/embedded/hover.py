"""Hover in inline PTX: what PTX says, and for an operand its constraint and its expression in the host."""

from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inside import Inside, inside_as_written
from ptx_lsp.embedded.naming import shown_operand
from ptx_lsp.embedded.operand_types import is_immediate, is_text, operand_type
from ptx_lsp.embedded.operand_uses import range_of
from ptx_lsp.explanations.description import Description, Part, Prose
from ptx_lsp.features import hover as ptx
from ptx_lsp.features.choices import DEFAULT, Choices
from ptx_lsp.hosts.statement import Operand, Role
from ptx_lsp.text.ranges import Position

_USES = {
    Role.IN: "an input",
    Role.OUT: "an output",
    Role.INOUT: "read and written",
    Role.CONST: "a constant",
    Role.SYM: "the name of a function or variable",
}


def hover(analysis: HostText, position: Position, choices: Choices = DEFAULT) -> Description | None:
    """The description of what is at a position of the host; None outside of inline PTX. Never raises."""
    here = inside_as_written(analysis, position)
    at = here.position(position) if here is not None else None
    if here is None or at is None:
        return None
    operand = _operand(here, at)
    if operand is not None:
        return operand
    found = ptx.hover(here.module, at, choices)
    range_ = here.range(found.range) if found is not None else None
    return Description(range_, found.parts) if found is not None and range_ is not None else None


def _operand(here: Inside, at: Position) -> Description | None:
    reference = here.embedded.body.reference_at(here.body.offset(at))
    statement = here.embedded.statement
    operand = statement.operand(reference.number) if reference is not None else None
    range_ = here.range(range_of(here, reference)) if reference is not None else None
    if reference is None or operand is None or range_ is None:
        return None
    shown = shown_operand(here.embedded, operand, here.source)
    title = f"`{reference.written}` is `{shown}`" if shown else f"`{reference.written}`"
    parts: list[Part] = [Prose(f"{title}: {_USES[operand.role]}, {_kind(here, operand)}")]
    return Description(range_, tuple(parts))


def _kind(here: Inside, operand: Operand) -> str:
    if is_text(operand):
        return "a text that the compiler inserts"
    if is_immediate(operand):
        number = next((each for each in here.embedded.body.references if each.number == operand.number), None)
        unknown = number is None or (number.start, number.end) in here.embedded.fragment.unknown
        if number is None or unknown:
            return "an immediate whose value is not known here"
        return f"the immediate {here.embedded.body.text[number.start : number.end]}"
    type_ = operand_type(operand, here.embedded.statement).type
    return f"in a `{type_}` register" if type_ else "in a register whose type is not known"
