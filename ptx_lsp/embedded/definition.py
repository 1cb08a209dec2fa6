"""Definition and declaration in inline PTX: of a name of the template, and of an operand."""

from collections.abc import Callable, Iterable

from ptx_lsp.analysis.module import Module
from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inside import Inside, inside
from ptx_lsp.embedded.operand_uses import operand_at, own_place
from ptx_lsp.features import declaration as ptx_declaration
from ptx_lsp.features import definition as ptx_definition
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import Operand
from ptx_lsp.text.ranges import Position, Range


def definition(analysis: HostText, position: Position) -> list[Range] | None:
    """The places in the host that define what is at a position; None outside of inline PTX. Never raises.

    For an operand that is its expression, where the language server of the host knows more, or its constraint.
    """
    return _places(analysis, position, ptx_definition.definition, lambda operand: operand.expression)


def declaration(analysis: HostText, position: Position) -> list[Range] | None:
    """The places in the host that declare what is at a position; None outside of inline PTX. Never raises.

    For an operand that is the name that its author gave it, or its constraint.
    """
    return _places(analysis, position, ptx_declaration.declaration, lambda _: None)


def _places(
    analysis: HostText,
    position: Position,
    of_ptx: Callable[[Module, Position], list[Range]],
    expression: Callable[[Operand], Span | None],
) -> list[Range] | None:
    here = inside(analysis, position)
    if here is None:
        return None
    found = operand_at(here, position)
    if found is not None:
        operand = found.operand
        return [here.lines.range(*(expression(operand) or own_place(operand)))] if operand is not None else []
    at = here.position(position)
    return in_host(here, of_ptx(here.module, at)) if at is not None else None


def in_host(here: Inside, ranges: Iterable[Range]) -> list[Range]:
    """The places in the host of ranges of the PTX, without those that have none."""
    return [range_ for each in ranges if (range_ := here.range(each)) is not None]
