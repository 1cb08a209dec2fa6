"""Code lenses on the heads of loops: the number of their instructions, loads, stores and barriers.

A loop reaches from a label to the last branch below that goes back to it.
"""

from collections.abc import Generator, Sequence
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
_OPCODE = lazy_pattern(rf"(?:^|[;{{}}:])[ \t]*+{GUARD}([a-z]\w*+)((?:\.[\w:]++|(?!))*+)(?=[ \t;]|$)")


class LoopLens(NamedTuple):
    """A line of text above a label; `range` is that of its name."""

    range: Range
    title: str


def loop_lenses(module: Module) -> Generator[None, None, list[LoopLens]]:
    """The lenses of the loops, in the order of the text, in steps between which the caller may pause."""
    loops = []
    for label, end in (yield from _loops(module)):
        place = label.mark.resolved()
        if end.line - place.line <= LONGEST:
            loops.append((place, end))
    totals = yield from _totals(module, [(place.start, end) for place, end in loops])
    return sorted(LoopLens(place, _title(totals[place.start], totals[end])) for place, end in loops)


def _loops(module: Module) -> Generator[None, None, list[tuple[Symbol, Position]]]:
    """The labels that a branch goes back to, each with the position of its name in the last such branch."""
    ends: dict[Range, tuple[Symbol, Position]] = {}
    for block in list(module.block_map.blocks):
        for part in block.parts:
            for use in part.label_uses:
                label = use.scope.label(use.name)
                here = use.mark.resolved().start
                if label is not None and (place := label.mark.resolved()).start <= here:
                    ends[place] = label, max(here, ends[place][1]) if place in ends else here
        yield
    return list(ends.values())


def _totals(
    module: Module, loops: list[tuple[Position, Position]]
) -> Generator[None, None, dict[Position, tuple[int, ...]]]:
    """The sums of what all loops have above the begin of each of them, and above its end.

    The first sum is that of the instructions, the others are those of the rows. Each line is read once, however many
    loops it is in.
    """
    sums = [0] * (1 + len(COUNTED))
    bounds: dict[int, list[Position]] = {}  # those in a line
    for bound in sorted({bound for loop in loops for bound in loop}):
        bounds.setdefault(bound.line, []).append(bound)
    found: dict[Position, tuple[int, ...]] = {}
    below = 0  # the line below the last one that was read
    for first, last in sorted(loops):
        for begin in range(max(first.line, below), last.line + 1, _LINES_PER_STEP):
            code = code_of_lines(module, begin, min(begin + _LINES_PER_STEP - 1, last.line))
            for number, line in enumerate(split_lines(code), begin):
                _count(line.rstrip("\r\n"), bounds.get(number, ()), sums, found)
            yield
        below = max(below, last.line + 1)
        yield
    return found


def _count(line: str, bounds: Sequence[Position], sums: list[int], found: dict[Position, tuple[int, ...]]) -> None:
    """Count the instructions of a line; the sums above each of some positions in it, in order, are added to `found`."""
    at = 0
    for opcode in _OPCODE.finditer(line.partition("//")[0]):
        while at < len(bounds) and bounds[at].column <= opcode.start(1):
            found[bounds[at]] = tuple(sums)
            at += 1
        sums[0] += 1
        for index, row in enumerate(COUNTED, 1):
            sums[index] += _counts(row, opcode[1], opcode[2])
    found.update(dict.fromkeys(bounds[at:], tuple(sums)))


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
