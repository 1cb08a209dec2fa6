"""References in inline PTX: all places of a statement that name what is at a position."""

from ptx_lsp.embedded.definition import in_host
from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inside import inside
from ptx_lsp.embedded.operand_uses import operand_at, own_place, range_of
from ptx_lsp.features import references as ptx
from ptx_lsp.text.ranges import Position, Range


def references(analysis: HostText, position: Position, declarations: bool) -> list[Range] | None:
    """The places in the host that name what is at a position, in the order of the text; None outside of inline PTX.

    With `declarations` the places that declare it are among them: for an operand its name in the list of operands, or
    its constraint. Never raises.
    """
    here = inside(analysis, position)
    if here is None:
        return None
    found = operand_at(here, position)
    if found is not None:
        own = [here.lines.range(*own_place(found.operand))] if found.operand is not None and declarations else []
        return sorted([*in_host(here, (range_of(here, each) for each in found.references)), *own])
    at = here.position(position)
    if at is None:
        return None
    return in_host(here, (each for some in ptx.references(here.module, at, declarations) for each in some))
