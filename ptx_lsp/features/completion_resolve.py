"""What an item of completion is: the texts of hover, worked out when the client shows the item."""

from collections.abc import Generator

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.completion_items import ItemKind
from ptx_lsp.candidates.snippets import describe_snippet
from ptx_lsp.explanations.description import Part, Prose
from ptx_lsp.explanations.directive_hover import pragma_meaning
from ptx_lsp.explanations.instruction_hover import describe_modifier, describe_opcode
from ptx_lsp.explanations.name_hover import describe_symbol
from ptx_lsp.explanations.words_hover import describe_directive, describe_special_register, describe_target
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.steps import result_of
from ptx_lsp.syntax.statements import parse_statement
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text.ranges import Position

_OPCODES = frozenset((ItemKind.OPCODE, ItemKind.MODIFIER, ItemKind.TYPE, ItemKind.SPACE))


def explain(module: Module, position: Position, label: str, kind: ItemKind, about: str) -> tuple[Part, ...]:
    """The description of an item that `completion` gave at a position: its label, kind and `about`; empty if none."""
    return result_of(explain_steps(module, position, label, kind, about))


def explain_steps(
    module: Module, position: Position, label: str, kind: ItemKind, about: str
) -> Generator[None, None, tuple[Part, ...]]:
    """The result of `explain`, in steps between which the module must not be edited."""
    context = yield from module.context_steps(position)
    if context is None:
        return ()
    if kind is ItemKind.SNIPPET:
        return describe_snippet(label)
    if kind is ItemKind.OPCODE or (kind in _OPCODES and about):
        return _instruction(label, about, context.surroundings)
    if kind is ItemKind.SPECIAL_REGISTER or (kind is ItemKind.ELEMENT and about):
        name, dot, member = (about + label if kind is ItemKind.ELEMENT else label).partition(".")
        return describe_special_register(name, dot + member)
    if kind in (ItemKind.DIRECTIVE, ItemKind.TYPE, ItemKind.SPACE):
        return describe_directive(label)
    if kind is ItemKind.TEXT:
        meaning = pragma_meaning(label.strip('"'))
        return describe_target(label) or ((Prose(meaning),) if meaning else ())
    name = label.strip("[]")
    symbol = context.scope.lookup(name) or context.scope.label(name)
    return (yield from describe_symbol(name, symbol, module)) if symbol is not None else ()


def _instruction(label: str, about: str, surroundings: Surroundings) -> tuple[Part, ...]:
    """The description of an opcode, or of the last modifier of an opcode text."""
    parsed = parse_statement(f"{about}{label} ;")
    if parsed is None or not isinstance(parsed[0], Instruction):
        return ()
    instruction = parsed[0]
    if not about:
        return describe_opcode(instruction, surroundings)
    return describe_modifier(instruction, len(instruction.modifiers) - 1, surroundings)
