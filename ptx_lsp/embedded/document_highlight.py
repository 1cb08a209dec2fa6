"""Highlights in inline PTX: all places of a statement that name what is at a position."""

from collections.abc import Iterator

from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inside import Inside, inside
from ptx_lsp.embedded.operand_uses import operand_at, own_place, uses
from ptx_lsp.features import document_highlight as ptx
from ptx_lsp.features.document_highlight import Highlight, Kind
from ptx_lsp.text.ranges import Position


def document_highlight(analysis: HostText, position: Position) -> list[Highlight] | None:
    """The highlights of what is at a position of the host, in the order of the text; None outside of inline PTX.

    An operand is also highlighted in the list of operands: its name, or its constraint. Never raises.
    """
    here = inside(analysis, position)
    if here is None:
        return None
    found = operand_at(here, position)
    if found is not None:
        own = found.operand and Highlight(here.lines.range(*own_place(found.operand)), Kind.TEXT)
        return sorted([*uses(here, found), *([own] if own else [])], key=lambda each: each.range)
    at = here.position(position)
    return list(_of_ptx(here, at)) if at is not None else None


def _of_ptx(here: Inside, at: Position) -> Iterator[Highlight]:
    for some in ptx.document_highlight(here.module, at):
        for each in some:
            range_ = here.range(each.range)
            if range_ is not None:
                yield Highlight(range_, each.kind)
