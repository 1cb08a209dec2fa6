"""Inline values: what debuggers show at the end of a line. Of PTX these are the folded constants.

The values of registers come from the debugger itself.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.choices import DEFAULT, Choices
from ptx_lsp.features.inlay_hints import hints_by_statement
from ptx_lsp.features.offset_hints import HintKind
from ptx_lsp.text.ranges import Range

_VALUES = frozenset((HintKind.FOLDED_VALUE, HintKind.HEX_FLOAT))


class InlineValue(NamedTuple):
    """The text that is shown for a constant; `range` is that of the constant."""

    range: Range
    text: str


def inline_values(module: Module, range_: Range, choices: Choices = DEFAULT) -> Iterator[list[InlineValue]]:
    """The values of the constants in a range, in the order of the text, in steps between which the caller may pause."""
    for hints in hints_by_statement(module, range_, choices):
        found = []
        for hint in hints:
            if hint.kind in _VALUES:
                place = Range(*hint.about, *hint.position)
                written = " ".join(module.document.text(place).split())
                found.append(InlineValue(place, f"{written} = {hint.label.removeprefix('= ')}"))
        yield found
