"""Call hierarchy: the function at a position, the functions that call it, and those that it calls."""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.calls import DirectCall, calls
from ptx_lsp.occurrences.target import target_at
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.outline.nesting import Construct, Kind
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.text.ranges import Position, Range

_FUNCTIONS = (SymbolKind.FUNCTION, SymbolKind.ENTRY)


class Function(NamedTuple):
    """A function or kernel: `range` is its declaration with the body, `name_range` that of its name."""

    name: str
    detail: str
    range: Range
    name_range: Range


class CallGroup(NamedTuple):
    """The calls between the asked function and another one: the places of the called name, in the order of the text."""

    function: Function
    ranges: list[Range]


def function_at(module: Module, position: Position) -> Function | None:
    """The function whose name is at a position, else the one whose body is around it; None outside of functions."""
    found = target_at(module, position)
    if found is not None and found.target.symbol.kind in _FUNCTIONS:
        return function_named(module, found.target.name)
    around = (each for each in _functions(module) if each.range.contains(position))
    return next(map(_function, around), None)


def function_named(module: Module, name: str) -> Function | None:
    """The function of a name: its definition, or its first declaration without one."""
    named = [each for each in _functions(module) if each.name == name]
    defined = [each for each in named if each.opening >= 0]
    return next(map(_function, defined or named), None)


def _functions(module: Module) -> Iterator[Construct]:
    outline = find_constructs(module.document).outline
    return (each for each in outline if each.kind in (Kind.ENTRY, Kind.FUNCTION))


def _function(construct: Construct) -> Function:
    return Function(construct.name, construct.detail, construct.range, construct.name_range)


def incoming_calls(module: Module, name: str) -> Iterator[list[DirectCall]]:
    """The calls of a function, in steps between which the caller may pause."""
    for some in calls(module):
        yield [call for call in some if call.callee == name]


def outgoing_calls(module: Module, name: str) -> Iterator[list[DirectCall]]:
    """The calls in the body of a function, in steps between which the caller may pause."""
    for some in calls(module):
        yield [call for call in some if call.caller.name == name]


def by_caller(module: Module, found: list[DirectCall]) -> list[CallGroup]:
    """Calls, put together by the function around them."""
    return _grouped(module, [(call.caller.name, call.range) for call in found])


def by_callee(module: Module, found: list[DirectCall]) -> list[CallGroup]:
    """Calls, put together by the function that they call."""
    return _grouped(module, [(call.callee, call.range) for call in found])


def _grouped(module: Module, places: list[tuple[str, Range]]) -> list[CallGroup]:
    ranges: dict[str, list[Range]] = {}
    for name, range_ in places:
        ranges.setdefault(name, []).append(range_)
    named = ((function_named(module, name), found) for name, found in ranges.items())
    return [CallGroup(function, found) for function, found in named if function is not None]
