"""Linked editing: while the name of a label is typed, all of its uses change with it."""

import string
from collections.abc import Iterable, Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.search import occurrences
from ptx_lsp.occurrences.target import target_steps
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range

NAME_PATTERN = r"[a-zA-Z_$%][\w$]*"
"""What a label may become, as a regular expression of the client."""

_LETTERS = string.ascii_letters + string.digits + "_$%"


def linked_editing_ranges(module: Module, position: Position) -> Iterator[list[Range]]:
    """The places of the label at a position, its definition among them, in the order of the text; none for other names.

    They come in lists that may be empty. The module must not be edited between two of them.
    """
    found = yield from target_steps(module, position)
    if found is None or found.target.symbol.kind is not SymbolKind.LABEL:
        return
    for some in occurrences(module, found.target, roles=False):
        yield [each.range for each in some]


def still_linked(document: Document, position: Position, places: Iterable[Position], found: list[Range]) -> list[Range]:
    """The names at `places`, which were one label, if an edit has changed just the one at `position`; empty otherwise.

    A client changes the other places after the user has typed, but may ask in between: the typed name is not yet that
    of the others then. `found` are the linked places of the typed name, which is not meant if it has others.
    """
    ranges = [_name_at(document, place) for place in places]
    changed = [each for each in ranges if each.start <= position <= each.end]
    others = {document.text(each) for each in ranges if each not in changed}
    if len(changed) != 1 or len(others) != 1 or not {*found} <= {*changed}:
        return []
    return ranges if document.text(changed[0]) not in ("", *others) else []


def _name_at(document: Document, place: Position) -> Range:
    """The range of the name around a place, which is empty if there is none."""
    line = document.line(place.line)
    before, after = line[: place.column], line[place.column :]
    return Range(place.line, len(before.rstrip(_LETTERS)), place.line, len(line) - len(after.lstrip(_LETTERS)))
