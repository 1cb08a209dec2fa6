"""Call hierarchy: the function at a position, the functions that call it, and those that it calls."""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.calls import DirectCall, calls
from ptx_lsp.occurrences.target import target_steps
from ptx_lsp.outline.constructs import construct_steps
from ptx_lsp.outline.near_constructs import function_line_steps, near_construct_steps
from ptx_lsp.outline.nesting import Construct, Kind
from ptx_lsp.semantics.symbols import FUNCTION_KINDS
from ptx_lsp.text.ranges import Position, Range

_FUNCTIONS_PER_STEP = 1000


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


class Functions:
    """The functions of a module by their names, each where it is defined, or first declared without a definition."""

    def __init__(self) -> None:
        self._by_name: dict[str, Construct] = {}

    def steps(self, module: Module) -> Generator[None, None, "Functions"]:
        """Find them, in steps. The module must not be edited between two of them."""
        found = yield from construct_steps(module.document)
        for number, each in enumerate(found.outline):
            if each.kind in (Kind.ENTRY, Kind.FUNCTION):
                known = self._by_name.setdefault(each.name, each)
                if known.opening < 0 <= each.opening:
                    self._by_name[each.name] = each
            if not number % _FUNCTIONS_PER_STEP:
                yield
        return self

    def named(self, name: str) -> Function | None:
        """The function of a name."""
        found = self._by_name.get(name)
        return None if found is None else _function(found)


def function_at(module: Module, position: Position) -> Generator[object, None, list[Function]]:
    """The function whose name is at a position, else the one whose body is around it; none outside of functions."""
    found = yield from target_steps(module, position)
    if found is None or found.target.symbol.kind not in FUNCTION_KINDS:
        near = yield from _functions_near(module, position.line)
        return [_function(each) for each in near if each.range.contains(position)][:1]
    name = found.target.name
    line = yield from function_line_steps(module.document, name)
    if line is None:
        return []
    near = yield from _functions_near(module, line)
    near = [each for each in near if (each.name, each.name_line) == (name, line)]
    near.sort(key=lambda each: each.opening < 0)
    return [_function(each) for each in near[:1]]


def _functions_near(module: Module, line: int) -> Generator[None, None, list[Construct]]:
    """The functions that have a line, in the order of the text, with some others."""
    found = yield from near_construct_steps(module.document, line, line)
    return [each for each in found.outline if each.kind in (Kind.ENTRY, Kind.FUNCTION)]


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


def by_caller(functions: Functions, found: list[DirectCall]) -> list[CallGroup]:
    """Calls, put together by the function around them."""
    return _grouped(functions, [(call.caller.name, call.range) for call in found])


def by_callee(functions: Functions, found: list[DirectCall]) -> list[CallGroup]:
    """Calls, put together by the function that they call."""
    return _grouped(functions, [(call.callee, call.range) for call in found])


def _grouped(functions: Functions, places: list[tuple[str, Range]]) -> list[CallGroup]:
    ranges: dict[str, list[Range]] = {}
    for name, range_ in places:
        ranges.setdefault(name, []).append(range_)
    named = ((functions.named(name), found) for name, found in ranges.items())
    return [CallGroup(function, found) for function, found in named if function is not None]
