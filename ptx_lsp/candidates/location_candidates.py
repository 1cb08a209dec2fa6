"""The arguments of `.loc` and `.file`: numbers of files, the words of inlined code and the labels of function names.

Source: PTX ISA, #debugging-directives-loc and #debugging-directives-file.
"""

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.completion_items import Item, ItemKind
from ptx_lsp.candidates.half_typed import Typed
from ptx_lsp.candidates.nearby_text import text_above
from ptx_lsp.isa.directive_names import FUNCTION_NAME, INLINED_AT
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.ranges import Position

MOST_MISSING = 50
"""Numbers in a row that no `.file` declares, after which no further number is tried."""

_FILE_USED = lazy_pattern(r"\.loc[ \t]+(\d+)")
_FUNCTION_USED = lazy_pattern(rf"{FUNCTION_NAME}[ \t]+([%$A-Za-z_.][\w$.]*)")
_PATH = lazy_pattern(r'"([^"]*)"')


def location_items(module: Module, position: Position, typed: Typed) -> list[Item]:
    """The arguments that can follow in a `.loc`, the nearest ones first; empty before a line or a column."""
    if typed.follows in (typed.tokens[0], INLINED_AT):
        return _files(module, position)
    if typed.follows == FUNCTION_NAME:
        names = _FUNCTION_USED.findall(text_above(module.document, position))
        return [Item(name, ItemKind.LABEL) for name in dict.fromkeys(reversed(names))]
    if typed.follows == ",":
        return [Item(word, ItemKind.TEXT) for word in (FUNCTION_NAME, INLINED_AT) if word not in typed.tokens]
    return []


def file_items(module: Module, typed: Typed) -> list[Item]:
    """The first number of a file that is not declared yet."""
    if len(typed.tokens) > 1:
        return []
    declared = {number for number, _ in _declared(module)}
    free = next(number for number in range(1, len(declared) + 2) if number not in declared)
    return [Item(str(free), ItemKind.NUMBER, "the next file")]


def _files(module: Module, position: Position) -> list[Item]:
    """The numbers of the declared files with their paths: those of the nearest `.loc` first."""
    paths = {}
    for number, place in _declared(module):
        path = _PATH.search(module.document.line(place.line), place.column)
        paths[str(number)] = path[1] if path else ""
    used = dict.fromkeys(reversed(_FILE_USED.findall(text_above(module.document, position))))
    ordered = dict.fromkeys((*(number for number in used if number in paths), *paths))
    return [Item(number, ItemKind.NUMBER, paths[number]) for number in ordered]


def _declared(module: Module) -> list[tuple[int, Position]]:
    """The numbers that a `.file` of the module declares, ascending, each with its place.

    All of the module count: compilers write `.file` below the functions.
    """
    found: list[tuple[int, Position]] = []
    number = 0
    while number - (found[-1][0] if found else 0) <= MOST_MISSING:
        declared = module.declarations(f".file {number}")
        if declared:
            found.append((number, declared[0].mark.resolved().start))
        number += 1
    return found
