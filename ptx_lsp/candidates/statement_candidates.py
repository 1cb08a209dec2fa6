"""What can begin a statement: labels that branches need, opcodes, and snippets."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.completion_items import Found, Item, ItemKind
from ptx_lsp.candidates.directive_candidates import directive_items
from ptx_lsp.candidates.half_typed import Typed
from ptx_lsp.candidates.label_candidates import lacking_labels
from ptx_lsp.candidates.snippets import snippet_items
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.opcode_sets import COMMON
from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.text.ranges import Position


def statement_items(module: Module, position: Position, context: PositionContext, typed: Typed) -> Found:
    """The words that can begin a statement at a position."""
    if context.surroundings.function is None:
        directives, _ = directive_items(module, position, context, typed)
        return [*directives, *snippet_items(context.profile, False, typed.word)], False
    labels = [name for name in lacking_labels(module, position, context.scope) if name.startswith(typed.word)]
    found = [Item(name, ItemKind.LABEL, "label", f"{name}:") for name in labels]
    items, _ = opcode_items(module, position, context, typed)
    return [*found, *items, *snippet_items(context.profile, True, typed.word)], False


def opcode_items(module: Module, position: Position, context: PositionContext, typed: Typed) -> Found:
    """The opcodes that begin with the word, the most frequent ones first."""
    words = [opcode for opcode in opcodes() if opcode.startswith(typed.word)]
    words.sort(key=lambda opcode: COMMON.get(opcode, len(COMMON)))
    return [Item(word, ItemKind.OPCODE) for word in words], False
