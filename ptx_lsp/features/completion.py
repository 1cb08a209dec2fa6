"""Completion: what can be written at the cursor, the most likely first."""

from collections.abc import Callable, Generator

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates import likely_names
from ptx_lsp.candidates.completion_items import Completions, Found, FoundInSteps, Item
from ptx_lsp.candidates.directive_candidates import declaration_items, directive_items, string_items, value_items
from ptx_lsp.candidates.half_typed import CursorPlace, Typed, half_typed
from ptx_lsp.candidates.modifier_candidates import modifier_items
from ptx_lsp.candidates.operand_candidates import guard_steps, member_items, operand_steps
from ptx_lsp.candidates.statement_candidates import opcode_items, statement_items
from ptx_lsp.isa.releases import NEWEST
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.steps import result_of
from ptx_lsp.text.ranges import Position, Range

_FIRST_LINES = 50  # of a document: a position in them may be above the header
_BEGINNING = lazy_pattern(r"(?:[ \t]*(?:\.[^\n]*|//[^\n]*)?\n)*[ \t]*(?:\.[^\n]*|\w*)")


def completion(module: Module, position: Position) -> Completions | None:
    """What can be written at a position of any text, however broken; None in comments and numbers, and without PTX."""
    return result_of(completion_steps(module, position))


def completion_steps(module: Module, position: Position) -> Generator[None, None, Completions | None]:
    """The result of `completion`, in steps between which the module must not be edited."""
    position = module.document.clamp(position)
    context = (yield from module.context_steps(position)) or _new_module(module, position)
    if context is None:
        return None
    typed = half_typed(context.prefix)
    if typed is None or _in_comment(module, position, context):
        return None
    yield
    if typed.place is CursorPlace.ARGUMENT:
        yield from likely_names.read_in_steps(module.document, position, typed.tokens)
    if typed.place in _BY_NEARBY_NAMES:
        items, incomplete = yield from _BY_NEARBY_NAMES[typed.place](module, position, context, typed)
    else:
        items, incomplete = _ITEMS[typed.place](module, position, context, typed)
    yield
    if not items:
        return None
    range_ = Range(position.line, position.column - len(typed.word), position.line, position.column)
    return Completions(range_, tuple(_without_repeats(items)), incomplete)


def _new_module(module: Module, position: Position) -> PositionContext | None:
    """The context of a position in a text that has too little to be PTX: comments, directives, one word."""
    above = module.document.text(Range(0, 0, *position)) if position.line < _FIRST_LINES else "?"
    if module.foreign is None or not _BEGINNING.fullmatch(above):
        return None
    begun = Module(f".version {NEWEST}\n")
    begun.work()
    context = begun.context_at(Position(1, 0))
    return context and context._replace(prefix=above[above.rfind("\n") + 1 :])


def _in_comment(module: Module, position: Position, context: PositionContext) -> bool:
    """Whether a position between two statements is in a comment."""
    if context.prefix.strip():
        return False
    line = module.document.line(position.line)[: position.column]
    if "//" in line:
        return True
    above = module.document.text(Range(max(0, position.line - 100), 0, *position))
    return above.rfind("/*") > above.rfind("*/")


def _without_repeats(items: list[Item]) -> list[Item]:
    return list({(item.label, item.text): item for item in reversed(items)}.values())[::-1]


_BY_NEARBY_NAMES: dict[CursorPlace, Callable[[Module, Position, PositionContext, Typed], FoundInSteps]] = {
    CursorPlace.GUARD: guard_steps,
    CursorPlace.OPERAND: operand_steps,
}
"""The places whose items are ordered by what thousands of lines mention: their items are made in steps."""

_ITEMS: dict[CursorPlace, Callable[[Module, Position, PositionContext, Typed], Found]] = {
    CursorPlace.STATEMENT: statement_items,
    CursorPlace.OPCODE: opcode_items,
    CursorPlace.MODIFIER: modifier_items,
    CursorPlace.MEMBER: member_items,
    CursorPlace.DIRECTIVE: directive_items,
    CursorPlace.DECLARATION: declaration_items,
    CursorPlace.ARGUMENT: value_items,
    CursorPlace.STRING: string_items,
}
