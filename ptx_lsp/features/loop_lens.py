"""Code lenses on the heads of loops: the number of their instructions, loads, stores and barriers.

A loop reaches from a label to the last branch below that goes back to it.
"""

from collections.abc import Generator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.counted_instructions import ALWAYS_COUNTED, COUNTED, Counted
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.symbols import Symbol
from ptx_lsp.text.ranges import Position, Range

LONGEST = 20_000
"""Lines; a longer loop has no lens."""

_LINES_PER_STEP = 500
_OPCODE = lazy_pattern(
    r"(?:^|[;{}:])[ \t]*+(?:@[ \t]*+!?[ \t]*+[%\w$]++[ \t]++|(?!))?+([a-z]\w*+)((?:[.:][\w:]++|(?!))*+)(?=[ \t;]|$)"
)


class LoopLens(NamedTuple):
    """A line of text above a label; `range` is that of its name."""

    range: Range
    title: str


def loop_lenses(module: Module) -> Generator[None, None, list[LoopLens]]:
    """The lenses of the loops, in the order of the text, in steps between which the caller may pause."""
    found = []
    for label, last in (yield from _loops(module)):
        place = label.mark.resolved()
        if last - place.line > LONGEST:
            continue
        title = yield from _title(module, place.line, last)
        found.append(LoopLens(place, title))
    return sorted(found)


def _loops(module: Module) -> Generator[None, None, list[tuple[Symbol, int]]]:
    """The labels that a branch goes back to, each with the line of the last such branch."""
    ends: dict[Range, tuple[Symbol, int]] = {}
    for block in list(module.block_map.blocks):
        for part in block.parts:
            for use in part.label_uses:
                label = use.scope.label(use.name)
                here = use.mark.resolved()
                if label is not None and (place := label.mark.resolved()).start <= Position(here.line, here.column):
                    ends[place] = label, max(here.line, ends[place][1] if place in ends else 0)
        yield
    return list(ends.values())


def _title(module: Module, first: int, last: int) -> Generator[None, None, str]:
    counts = [0] * len(COUNTED)
    instructions = 0
    for number in range(first, last + 1):
        for match in _OPCODE.finditer(module.document.line(number).partition("//")[0]):
            instructions += 1
            for index, row in enumerate(COUNTED):
                counts[index] += _counts(row, match[1], match[2])
        if not number % _LINES_PER_STEP:
            yield
    counted = (
        f"{count:,} {row.singular if count == 1 else row.plural}"
        for row, count in zip(COUNTED, counts, strict=True)
        if count
    )
    return ", ".join((f"loop of {instructions:,} instruction{'' if instructions == 1 else 's'}", *counted))


def _counts(row: Counted, opcode: str, modifiers: str) -> bool:
    if opcode not in row.opcodes:
        return False
    words = modifiers.replace("::", ".").split(".")
    return not row.modifiers or opcode in ALWAYS_COUNTED or not row.modifiers.isdisjoint(words)
