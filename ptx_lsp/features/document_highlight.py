"""`textDocument/documentHighlight`: the places of the symbol under the cursor, with what is done with it there."""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.search import Occurrence, occurrences
from ptx_lsp.occurrences.section_labels import section_label_steps, section_occurrences
from ptx_lsp.occurrences.target import target_steps
from ptx_lsp.semantics.execution import Role
from ptx_lsp.text.ranges import Position, Range


class Kind(Enum):
    """How a place is highlighted; the numbers are those of the Language Server Protocol."""

    TEXT = 1
    READ = 2
    WRITE = 3


class Highlight(NamedTuple):
    """One place to highlight."""

    range: Range
    kind: Kind


# an instruction that reads and writes a register is shown as one that writes it
_KINDS = {Role.READ: Kind.READ, Role.ADDRESS: Kind.READ, Role.WRITE: Kind.WRITE, Role.BOTH: Kind.WRITE}


def document_highlight(module: Module, position: Position) -> Iterator[list[Highlight]]:
    """The highlights of the symbol at a position, in the order of the text; between two steps the caller may pause.

    A declaration is highlighted as text. The module must not be edited between two steps.
    """
    found = yield from target_steps(module, position)
    if found is None:
        if label := (yield from section_label_steps(module, position)):
            for places in section_occurrences(module, label.name):
                yield [Highlight(range_, Kind.TEXT if defines else Kind.READ) for range_, defines in places]
        return
    yield []
    for some in occurrences(module, found.target):
        yield [highlight(each) for each in some]


def highlight(occurrence: Occurrence) -> Highlight:
    """How a place at which a symbol is named is highlighted."""
    return Highlight(occurrence.range, _KINDS.get(occurrence.role, Kind.TEXT))
