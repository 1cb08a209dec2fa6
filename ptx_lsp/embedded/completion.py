"""Completion in inline PTX: the items of PTX, written as the literal around the cursor needs it."""

from typing import NamedTuple

from ptx_lsp.candidates.completion_items import Completions, Item, ItemKind
from ptx_lsp.embedded.decoding import spelling
from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inside import Inside
from ptx_lsp.embedded.naming import shown_operand
from ptx_lsp.embedded.typed_statement import typed_statement
from ptx_lsp.embedded.written_operands import open_reference, with_names, written_operand
from ptx_lsp.explanations.description import Part
from ptx_lsp.features import completion as ptx
from ptx_lsp.features.completion_resolve import explain
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.text.ranges import Position

_BRACKETS = ("[", "{")  # of an address, and of a vector


class HostCompletions(NamedTuple):
    """The items at a position of the host, and what describes them: the PTX and the position there."""

    completions: Completions
    here: Inside
    at: Position


def completion(analysis: HostText, position: Position) -> HostCompletions | None:
    """What can be written at a position of the host; None outside of inline PTX."""
    here = typed_statement(analysis, position)
    at = here.position(position, after=True) if here is not None else None
    if here is not None and at is not None and (operands := open_reference(here, position)) is not None:
        return HostCompletions(operands, here, at)
    found = ptx.completion(here.module, at) if here is not None and at is not None else None
    if here is None or at is None or found is None:
        return None
    range_ = here.range(found.range)
    if range_ is None or range_.line != range_.end_line:
        return None
    typed = here.source(here.lines.offset(range_.start), here.lines.offset(position))
    written = [item for each in found.items if (item := _written(each, here, range_.end)) is not None]
    items = [_compared(each, typed) for each in written]
    return HostCompletions(Completions(range_, tuple(items), found.incomplete), here, at) if items else None


def explain_inside(analysis: HostText, position: Position, label: str, kind: ItemKind, about: str) -> tuple[Part, ...]:
    """The description of an item that `completion` gave at a position: its label, kind and `about`; empty if none."""
    here = typed_statement(analysis, position)
    at = here.position(position, after=True) if here is not None else None
    if here is None or at is None:
        return ()
    in_brackets = label.startswith("[") and label.endswith("]")
    inner = label[1:-1] if in_brackets else label
    for operand in here.embedded.statement.operands:
        if inner == written_operand(here, operand):
            inner = spelling(here.embedded.statement.dialect, operand.number)
            label = f"[{inner}]" if in_brackets else inner
            break
    return explain(here.module, at, label, kind, about)


def _compared(item: Item, typed: str) -> Item:
    """The item as clients compare it with what is typed: `%%tid.x` after `%%t`, though `%tid.x` is shown."""
    if item.snippet or item.label.startswith(typed) or not item.text.startswith(typed):
        return item
    return item._replace(compared=item.text)


def _written(item: Item, here: Inside, end: Position) -> Item | None:
    """The item with its text as it is written in the literal; None if it cannot be written there."""
    offset = here.lines.offset(end)
    text = here.written(item.text or item.label, Span(offset, offset))
    if text is None:
        return None
    for operand in here.embedded.statement.operands:
        if item.label == spelling(here.embedded.statement.dialect, operand.number):
            label = written_operand(here, operand)
            new = text if label == item.label else label
            return item._replace(label=label, text=new, detail=shown_operand(here.embedded, operand, here.source))
    if item.kind is not ItemKind.REGISTER:
        return item._replace(text=text)
    text = with_names(here, text)
    return item._replace(label=text if item.label.startswith(_BRACKETS) else item.label, text=text)
