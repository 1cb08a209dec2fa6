"""Code lenses on the heads of loops: the number of their instructions, loads, stores and barriers.

A loop reaches from a label to the last branch below that goes back to it.
"""

from collections.abc import Generator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.counted_instructions import ALWAYS_COUNTED, COUNTED, Counted
from ptx_lsp.occurrences.code_text import code_of_lines
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.symbols import Symbol
from ptx_lsp.syntax.plain_text import GUARD
from ptx_lsp.text.lines import split_lines
from ptx_lsp.text.ranges import Position, Range

LONGEST = 20_000
"""Lines; a longer loop has no lens."""

_LINES_PER_STEP = 500
_OPCODE = lazy_pattern(rf"(?:^|[;{{}}:])[ \t]*+{GUARD}([a-z]\w*+)((?:[.:][\w:]++|(?!))*+)(?=[ \t;]|$)")


class LoopLens(NamedTuple):
    """A line of text above a label; `range` is that of its name."""

    range: Range
    title: str


def loop_lenses(module: Module) -> Generator[None, None, list[LoopLens]]:
    """The lenses of the loops, in the order of the text, in steps between which the caller may pause."""
    loops = []
    for label, last in (yield from _loops(module)):
        place = label.mark.resolved()
        if last - place.line <= LONGEST:
            loops.append((place, last))
    totals = yield from _totals(module, [(place.line, last) for place, last in loops])
    return sorted(LoopLens(place, _title(totals[place.line], totals[last + 1])) for place, last in loops)


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


def _totals(module: Module, loops: list[tuple[int, int]]) -> Generator[None, None, dict[int, tuple[int, ...]]]:
    """The sums of what all loops have above the first line of each of them, and above the line below its last one.

    The first sum is that of the instructions, the others are those of the rows. Each line is read once, however many
    loops it is in.
    """
    sums = [0] * (1 + len(COUNTED))
    bounds = {bound for first, last in loops for bound in (first, last + 1)}
    found: dict[int, tuple[int, ...]] = {}
    below = 0  # the line below the last one that was read
    for first, last in sorted(loops):
        for begin in range(max(first, below), last + 1, _LINES_PER_STEP):
            code = code_of_lines(module, begin, min(begin + _LINES_PER_STEP - 1, last))
            for number, line in enumerate(split_lines(code), begin):
                if number in bounds:
                    found.setdefault(number, tuple(sums))
                _add(line.rstrip("\r\n"), sums)
            yield
        below = max(below, last + 1)
        found.setdefault(below, tuple(sums))
        yield
    return found


def _add(line: str, sums: list[int]) -> None:
    for match in _OPCODE.finditer(line.partition("//")[0]):
        sums[0] += 1
        for index, row in enumerate(COUNTED, 1):
            sums[index] += _counts(row, match[1], match[2])


def _title(above: tuple[int, ...], below: tuple[int, ...]) -> str:
    instructions, *counts = (end - begin for begin, end in zip(above, below, strict=True))
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
