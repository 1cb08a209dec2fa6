"""Lines that are read as one text, and remembered as one if they have no effects but those that a line can have."""

from __future__ import annotations

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.quick.effect import DECLARED, NAMES, WRITTEN, remember_inline
from ptx_lsp.reading.block import FunctionPart
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.semantics.symbols import Scope


class InlineAssembly(NamedTuple):
    """Lines that are being read as one text, up to the line `end` (from 0, exclusive), and the counts before them."""

    text: str
    end: int
    scope: Scope
    trace: tuple[int, ...]
    mentions: int
    writes: int
    inner: int
    lines: int


def begin_inline(reader: BlockReader, part: FunctionPart, text: str, end: int) -> InlineAssembly:
    """Note the state before these lines are read."""
    counts = len(part.mentions), len(part.writes), len(part.inner), len(part.lines)
    return InlineAssembly(text, end, reader.scopes[-1], _trace(reader, part), *counts)


def end_inline(reader: BlockReader, inline: InlineAssembly) -> None:
    """After these lines have been read, remember them if they are fine and have no other effects."""
    part = reader.part
    if part is None or reader.scopes[-1] is not inline.scope or _trace(reader, part) != inline.trace:
        return
    names, written, inner = part.mentions[inline.mentions :], part.writes[inline.writes :], part.inner[inline.inner :]
    for effect in part.lines[inline.lines :]:
        names += NAMES(effect)
        written += WRITTEN(effect)
        inner += DECLARED(effect)
    remember_inline(reader.known.lines, inline.text, reader.table, names, written, inner)


def _trace(reader: BlockReader, part: FunctionPart) -> tuple[int, ...]:
    """Numbers that grow with every effect that a line can have, except the names that it mentions."""
    return (
        reader.not_by_text,
        reader.buried,
        len(reader.parts),
        len(reader.reports),
        len(reader.declared),
        len(part.labels),
        len(part.label_uses),
        len(part.loads),
        len(part.results),
        len(part.undeclared_names),
        len(reader.demands or ()),
    )
