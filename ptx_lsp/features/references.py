"""`textDocument/references`: where the symbol under the cursor is named."""

from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.search import occurrences
from ptx_lsp.occurrences.section_labels import section_label_steps, section_occurrences
from ptx_lsp.occurrences.target import target_steps
from ptx_lsp.semantics.execution import Role
from ptx_lsp.text.ranges import Position, Range


def references(module: Module, position: Position, declarations: bool) -> Iterator[list[Range]]:
    """The places of the symbol at a position, in the order of the text, in steps between which the caller may pause.

    With `declarations` the places that declare it are among them. The module must not be edited between two steps.
    Nothing if there is no name, or nothing declares it.
    """
    found = yield from target_steps(module, position)
    if found is None:
        if label := (yield from section_label_steps(module, position)):
            for places in section_occurrences(module, label.name):
                yield [range_ for range_, defines in places if declarations or not defines]
        return
    yield []
    for some in occurrences(module, found.target, roles=False):
        yield [each.range for each in some if declarations or each.role is not Role.DECLARATION]
