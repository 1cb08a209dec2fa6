"""A body that occurs again is read as one text, if its first reading had no other effects than a body can have."""

from __future__ import annotations

from ptx_lsp.quick.body_text import BodyText, body_at, body_end, body_like, measures
from ptx_lsp.quick.declarations import prologue
from ptx_lsp.quick.effect import Effect, LineEffect
from ptx_lsp.reading.block import FunctionPart, ReadBody, WatchedBody
from ptx_lsp.reading.block_reader import BlockReader, apply_effect


def read_body(reader: BlockReader, part: FunctionPart, start: int) -> tuple[int, bool]:
    """Read the body whose first line begins at the offset `start`, if it is known; otherwise what it declares first.

    Returns the offset of what follows, and whether the body has been read to its end: then it is known.
    """
    after = _read_known(reader, part, start)
    return (after, True) if after >= 0 else (_read_prologue(reader, start), False)


def _read_prologue(reader: BlockReader, start: int) -> int:
    """Read the declarations with which the body at the offset `start` begins; returns the offset of what follows."""
    source = reader.source
    first = source.line_at(start)
    effect = prologue(source.text, start, source.lines, first, reader.view, source.name_mark)
    if effect is None:
        return start
    apply_effect(reader, effect)
    following = first + effect.count
    return source.starts[following] if following < len(source.starts) else len(source.text)


def _read_known(reader: BlockReader, part: FunctionPart, start: int) -> int:
    """Read the body at the offset `start` if it is known; otherwise watch its reading.

    Returns the offset of the line after the body, -1 if it is not known.
    """
    text = reader.source.text
    end = body_end(text, start)
    reader.in_whole_body = end >= 0
    if end < 0:
        return -1
    known, first = reader.known, reader.source.line_at(start)
    measured = measures(text, start, end, reader.source.lines_between(start, end))
    function, members = part.body.symbol.name, reader.scopes[0].members
    counts = reader.not_by_body, len(reader.reports)
    if known.seen.is_first(measured, text, start, end, function):
        reader.watched = WatchedBody(None, measured, end + 1, part, first, known, *counts)
        return -1
    earlier = known.seen.take_first(measured, members) if reader.view.shallow else None
    body = body_like(earlier, text, start, end, function, members) if earlier is not None else None
    body = body or body_at(text, start, end, function, members)
    if body is None:
        return -1
    effect = _known_effect(reader, body, measured, earlier, first)
    if effect is not None:
        _take_sample(reader, part, body)
        apply_effect(reader, effect)
        return effect.end
    if known.seen.is_repeated(body.key):
        reader.watched = WatchedBody(body, measured, body.brace, part, first, known, *counts)
    return -1


def _known_effect(
    reader: BlockReader, body: BodyText, measured: int, earlier: BodyText | None, first: int
) -> Effect | None:
    """The effect of a body with these measures that begins with the line `first` of its block, if it is known.

    `earlier` is the first one with these measures, unless a second one was read before.
    """
    from ptx_lsp.quick.body_memory import known_body  # only for bodies that are much like another one

    view, bodies, name_mark = reader.view, reader.known.bodies, reader.source.name_mark
    if not view.shallow:
        return None
    read = reader.first_bodies.pop(measured, None) if earlier is not None else None
    if earlier is not None and read is not None and earlier.key == body.key:
        _remember(reader, earlier, read)
    return known_body(bodies, body, first, view.scope, name_mark)


def remember_watched(reader: BlockReader, watched: WatchedBody) -> None:
    """Remember the body that was read last, or keep what it gave for a second one, if it is fine."""
    reader.watched = None
    if not _is_fine(reader, watched):
        return
    part = watched.part
    read = ReadBody(part, watched.first, part.lines, part.mentions, part.writes)
    if watched.body is not None:
        _remember(reader, watched.body, read)
        _take_sample(reader, part, watched.body)
    elif not part.undeclared_names:
        reader.first_bodies[watched.measured] = read


def _is_fine(reader: BlockReader, watched: WatchedBody) -> bool:
    """Whether a body has ended where it should, and reading it had no effects but those that are remembered."""
    part = watched.part
    return (
        (part.ends and part.cut is None and part.stop == watched.brace)
        and (reader.not_by_body == watched.not_by_body and len(reader.reports) == watched.reports)
        and not (part.loads or any(use.as_label != "" for use in part.undeclared_names))
        and reader.known is watched.known
        and part.too_deep is None
        and part.resumed_at is None
    )


def _remember(reader: BlockReader, body: BodyText, read: ReadBody) -> None:
    """Remember a body in which every line is fine, if possible."""
    from ptx_lsp.quick.body_memory import BodyResults, remember_body  # only for bodies that are much like another one

    part = read.part
    scope = part.body.scope
    own = {id(label) for labels in scope.labels.values() for label in labels}
    if any(use.scope is not scope for use in part.label_uses) or len(own) != len(scope.labels):
        return
    labels = [label for label in part.labels if id(label) in own]
    inner = [label for label in part.labels if id(label) not in own]
    branches = [(use.name, use.mark) for use in part.label_uses]
    lines = (*read.lines, LineEffect((), tuple(read.mentions), tuple(read.writes), ()))
    undeclared = [(use.name, use.mark) for use in part.undeclared_names]
    results = BodyResults(read.first, lines, labels, branches, part.inner, inner, undeclared)
    remember_body(reader.known.bodies, body, scope, results)


def _take_sample(reader: BlockReader, part: FunctionPart, body: BodyText) -> None:
    """Note that the function may become a template, if its checks give no report."""
    remembered = reader.known.bodies.get(body.key)
    if remembered is not None and not remembered.places.undeclared and reader.header_start >= 0:
        part.sample = reader.known.templates, reader.header_start, body, remembered
