"""Inlay hints in inline PTX: those of PTX, and on request the expression of each operand."""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inside import Inside, inside_of
from ptx_lsp.embedded.naming import expression_text
from ptx_lsp.embedded.operand_types import is_immediate
from ptx_lsp.features import inlay_hints as ptx
from ptx_lsp.features.choices import DEFAULT, Choices
from ptx_lsp.text.ranges import Position, Range


class HostHint(NamedTuple):
    """A hint at a position of the host. `before` is True if it precedes the text that it is about."""

    position: Position
    label: str
    before: bool


def inlay_hints(
    analysis: HostText, range_: Range, choices: Choices = DEFAULT, expressions: bool = False
) -> Iterator[list[HostHint]]:
    """The hints in a range of the host, in the order of the text: a list for each statement.

    `expressions` is True if the expression of the host is shown after each operand. The caller may pause between two
    lists, and must stop if the text is edited.
    """
    for located in analysis.statements((range_.line, range_.end_line)):
        end = located.lines.position(len(located.known.source))
        if end < range_.start or located.known.embedded is None:
            continue
        if located.begin > range_.end:
            return
        here = inside_of(located, analysis)
        if here is not None:
            found = [*_of_ptx(here, choices), *(_of_operands(here) if expressions else ())]
            yield sorted(each for each in found if range_.contains(each.position))


def _of_ptx(here: Inside, choices: Choices) -> Iterator[HostHint]:
    whole = Range(0, 0, *here.body.position(len(here.body.text)))
    unknown = [here.body.position(start) for start, _ in here.embedded.fragment.unknown]
    for hint in ptx.inlay_hints(here.module, whole, choices):
        if not hint.before and hint.about in unknown:
            continue
        place = here.range(Range(*hint.position, *hint.position))
        if hint.before:
            offset = here.body.offset(hint.position)
            place = here.range(Range(*hint.position, *here.body.position(offset + 1)))
        if place is not None:
            yield HostHint(place.start, hint.label, hint.before)


def _of_operands(here: Inside) -> Iterator[HostHint]:
    for reference in here.embedded.body.references:
        operand = here.embedded.statement.operand(reference.number)
        if operand is None:
            continue
        text = expression_text(operand, here.source)
        place = here.range(here.body.range(reference.start, reference.end))
        if text and place is not None and not (is_immediate(operand) and text.isdecimal()):
            yield HostHint(place.end, text, False)
