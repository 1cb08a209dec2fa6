"""`textDocument/definition`: where the symbol under the cursor is defined."""

from collections.abc import Generator, Iterator
from typing import Any

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.section_labels import section_label_steps
from ptx_lsp.occurrences.target import declarations_of, target_steps
from ptx_lsp.text.ranges import Position, Range


def definition(module: Module, position: Position) -> list[Range]:
    """The places of the name in its definitions; empty if there is no name, or nothing declares it.

    A register, a parameter and a label have one place, that of the declaration; a member of a family of
    registers has that of the family. If a function or variable is declared several times, the result has the
    definitions, or the declarations if the text has no definition. A label of a section has its place there.
    """
    return [place for some in definition_steps(module, position) for place in some]


def definition_steps(module: Module, position: Position) -> Iterator[list[Range]]:
    """The places of `definition`, in lists of which most are empty. The module must not be edited between them."""
    yield (yield from _places(module, position))


def _places(module: Module, position: Position) -> Generator[list[Any], None, list[Range]]:
    found = yield from target_steps(module, position)
    if found is None:
        label = yield from section_label_steps(module, position)
        return [label.defined] if label is not None else []
    symbols = declarations_of(module, found.target)
    defining = [symbol for symbol in symbols if symbol.defined] or symbols
    return [symbol.mark.resolved() for symbol in defining]
