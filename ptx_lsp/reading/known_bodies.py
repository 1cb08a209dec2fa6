"""A body that is read for the second time is remembered, if reading it had no other effects than a body can have."""

from __future__ import annotations

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.quick.body_memory import BodyResults, remember_body
from ptx_lsp.quick.body_text import BodyText
from ptx_lsp.quick.effect import LineEffect
from ptx_lsp.quick.instructions import Known
from ptx_lsp.reading.block import FunctionPart
from ptx_lsp.reading.block_reader import BlockReader


class WatchedBody(NamedTuple):
    """A body that is being read to be remembered: its first line in the block, and the state and counts before it."""

    body: BodyText
    part: FunctionPart
    first: int
    known: Known
    not_by_body: int
    reports: int


def remember_watched(reader: BlockReader) -> None:
    """Remember the body that was read last, if it has ended where it should and every line of it is fine."""
    watched, reader.watched = reader.watched, None
    if watched is None or not _is_fine(reader, watched):
        return
    part = watched.part
    scope = part.body.scope
    own = {id(label) for labels in scope.labels.values() for label in labels}
    if any(use.scope is not scope for use in part.label_uses) or len(own) != len(scope.labels):
        return
    labels = [label for label in part.labels if id(label) in own]
    inner = [label for label in part.labels if id(label) not in own]
    branches = [(use.name, use.mark) for use in part.label_uses]
    lines = (*part.lines, LineEffect((), tuple(part.mentions), tuple(part.writes), ()))
    undeclared = [(use.name, use.mark) for use in part.undeclared_names]
    results = BodyResults(watched.first, lines, labels, branches, part.inner, inner, undeclared)
    remember_body(reader.known.bodies, watched.body, scope, results)
    take_sample(reader, part, watched.body)


def take_sample(reader: BlockReader, part: FunctionPart, body: BodyText) -> None:
    """Note that the function may become a template, if its checks give no report."""
    remembered = reader.known.bodies.get(body.key)
    if remembered is not None and not remembered.places.undeclared and reader.header_start >= 0:
        part.sample = reader.known, reader.header_start, body, remembered


def _is_fine(reader: BlockReader, watched: WatchedBody) -> bool:
    """Whether reading a body had no effects but those that are remembered."""
    part = watched.part
    return (
        (part.ends and part.cut is None and part.stop == watched.body.brace)
        and (reader.not_by_body == watched.not_by_body and len(reader.reports) == watched.reports)
        and not (part.loads or any(use.as_label for use in part.undeclared_names))
        and reader.known is watched.known
        and part.too_deep is None
        and part.resumed_at is None
    )
