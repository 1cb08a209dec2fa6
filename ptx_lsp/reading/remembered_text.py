"""Text that is remembered as a whole: inline assembly between braces, and bodies of functions.

Inline assembly is remembered if its only effects are the names that it writes. A body is remembered when it is read for
the second time.
"""

from __future__ import annotations

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.quick.body_memory import BodyResults, BodyText, body_at, known_body, remember_body
from ptx_lsp.quick.instruction_outcomes import Known
from ptx_lsp.quick.line_memory import DECLARED, NAMES, WRITTEN, LineEffect, remember_inline
from ptx_lsp.quick.line_pattern import BLANKS, END_OF_LINE, Groups
from ptx_lsp.reading.apply_effect import apply_effect
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.function_part import FunctionPart
from ptx_lsp.semantics.symbols import Scope

_DEEPEST_AROUND = 16  # scopes; no compiler nests inline assembly deeper, although a text may have many more braces
_BEGINNINGS = ("{", ".pragma")


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


def may_be_inline(reader: BlockReader, groups: Groups) -> bool:
    """Whether a line that no recogniser knows may begin inline assembly; `groups` are its groups of `LINE`."""
    if len(reader.scopes) > _DEEPEST_AROUND:
        return False
    return bool(groups[2]) or groups[-1].lstrip(BLANKS).startswith(_BEGINNINGS)


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
    """Counts of all effects that a line can have, except the names that it mentions."""
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


# --- bodies ---------------------------------------------------------------------------------------------------------


class WatchedBody(NamedTuple):
    """A body that is being read to be remembered: its first line in the block, and the state and counts before it."""

    body: BodyText
    part: FunctionPart
    first: int
    known: Known
    not_by_text: int
    reports: int


def read_body(reader: BlockReader, start: int) -> int:
    """Read the body whose first line begins at the offset `start`, if it is known. The function has just begun.

    Returns the offset of the line after the body, -1 if it is not known.
    """
    part = reader.part
    assert part is not None, "the function has begun"
    text = reader.source.text
    end = END_OF_LINE.match(text, part.start + 1)
    if reader.demands is not None or end is None or end.end() != start:
        return -1
    body = body_at(text, start, part.body.symbol.name)
    if body is None:
        return -1
    first = reader.source.line_at(start)
    effect = known_body(body, first, reader.view, reader.source.name_mark)
    if effect is not None:
        apply_effect(reader, effect)
        return effect.end
    known, key = reader.known, hash(body.key)
    if key in known.seen:
        reader.watched = WatchedBody(body, part, first, known, reader.not_by_text, len(reader.reports))
    else:
        known.seen[key] = None
    return -1


def remember_watched(reader: BlockReader) -> None:
    """Remember the body that was read last, if it has ended where it should and every line of it is fine."""
    watched, reader.watched = reader.watched, None
    if watched is None or not _is_fine(reader, watched):
        return
    part = watched.part
    scope = part.body.scope
    if any(use.scope is not scope for use in part.label_uses) or len(part.labels) != len(scope.labels):
        return
    branches = [(use.name, use.mark) for use in part.label_uses]
    lines = (*part.lines, LineEffect((), tuple(part.mentions), tuple(part.writes), ()))
    results = BodyResults(part.body.symbol, watched.first, lines, part.labels, branches, part.inner)
    remember_body(reader.known.bodies, watched.body.key, scope, results)


def _is_fine(reader: BlockReader, watched: WatchedBody) -> bool:
    """Whether reading a body had no effects but those that are remembered."""
    part = watched.part
    return (
        (part.ends and part.cut is None and part.stop == watched.body.brace)
        and (reader.not_by_text == watched.not_by_text and len(reader.reports) == watched.reports)
        and not (part.undeclared_names or part.loads)
        and reader.known is watched.known
        and part.too_deep is None
        and part.resumed_at is None
    )
