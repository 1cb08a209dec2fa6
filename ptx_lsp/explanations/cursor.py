"""The part of a statement that is under the cursor."""

from collections.abc import Iterator
from dataclasses import dataclass

from ptx_lsp.judgement.fit import Path
from ptx_lsp.syntax.tree import (
    Declaration,
    Declarator,
    Directive,
    Expression,
    FunctionHeader,
    Instruction,
    Label,
    NameList,
    Operand,
    Section,
    Sink,
    Specifier,
    Statement,
    TermKind,
    Value,
    ValueRun,
    Word,
    parts_of,
)
from ptx_lsp.syntax.value_runs import value_around, values_of


@dataclass(frozen=True, slots=True)
class OpcodeHere:
    """The opcode of an instruction (`index` -1) or one of its modifiers."""

    instruction: Instruction
    index: int
    word: Word


@dataclass(frozen=True, slots=True)
class ExpressionHere:
    """A term of an expression.

    `instruction` and `path` locate the operand; for an initial value, `declaration` is that of the variable.
    """

    expression: Expression
    term: int
    instruction: Instruction | None = None
    path: Path = ()
    declaration: Declaration | None = None


@dataclass(frozen=True, slots=True)
class NameHere:
    """A name outside expressions: in a guard, a label, a declaration or a header."""

    word: Word


@dataclass(frozen=True, slots=True)
class DirectiveHere:
    """A word that begins with a dot and is not a modifier: a directive (with its arguments), a state space, a type."""

    word: Word
    directive: Directive | None = None


@dataclass(frozen=True, slots=True)
class ArgumentHere:
    """An argument of a directive: a number, a name or a string; for an expression `term` is the term at the cursor."""

    node: Word | Expression
    directive: Directive
    term: int = -1


@dataclass(frozen=True, slots=True)
class SinkHere:
    """The operand `_`."""

    sink: Sink


Here = OpcodeHere | ExpressionHere | NameHere | DirectiveHere | ArgumentHere | SinkHere
Node = Word | Expression | Sink


@dataclass(frozen=True, slots=True)
class Leaf:
    """A word, an expression or a sink of a statement, with the node that contains it."""

    node: Node
    instruction: Instruction | None = None
    path: Path = ()
    declaration: Declaration | None = None
    modifier: int | None = None  # -1: the opcode
    directive: Directive | None = None


def here(statement: Statement, offset: int) -> Here | None:
    """What is at `offset`, counted like the statement's own offsets; between two neighbours, what begins there."""
    best: Leaf | None = None
    for leaf in leaves(statement, offset):
        if leaf.node.start <= offset <= leaf.node.end and (best is None or leaf.node.start >= best.node.start):
            best = leaf
    return None if best is None else _described(best, offset)


def _described(leaf: Leaf, offset: int) -> Here:
    node = leaf.node
    if isinstance(node, Sink):
        return SinkHere(node)
    if leaf.directive is not None and node is not leaf.directive.name:
        return ArgumentHere(node, leaf.directive, term_at(node, offset) if isinstance(node, Expression) else -1)
    if isinstance(node, Expression):
        term = term_at(node, offset)
        return ExpressionHere(node, term, leaf.instruction, leaf.path, leaf.declaration)
    if leaf.modifier is not None and leaf.instruction is not None:
        return OpcodeHere(leaf.instruction, leaf.modifier, node)
    return DirectiveHere(node, leaf.directive) if node.text.startswith((".", "@@")) else NameHere(node)


def term_at(expression: Expression, offset: int) -> int:
    """The index of the term whose token is at `offset`; between tokens, that of the innermost term around it."""
    best, best_rank = len(expression.terms) - 1, (-1, 0)
    for index, term in enumerate(expression.terms):
        token_end = term.at + (1 if term.kind is TermKind.TERNARY else len(term.text))
        if term.kind is TermKind.PARENTHESES:
            token_end = term.at + 1
        if term.at <= offset < token_end:
            rank = (2, term.at)
        elif offset == token_end:
            rank = (1, term.at)
        elif term.start <= offset <= term.end:
            rank = (0, term.start - term.end)
        else:
            continue
        if rank > best_rank:
            best, best_rank = index, rank
    return best


def leaves(statement: Statement, offset: int | None = None) -> Iterator[Leaf]:
    """Every word, expression and sink of a statement; with `offset`, at least those around it."""
    match statement:
        case Instruction():
            yield from _instruction_leaves(statement, offset)
        case Label(name):
            yield Leaf(name)
        case Declaration():
            yield from _declaration_leaves(statement, offset)
        case Directive():
            yield from _directive_leaves(statement)
        case FunctionHeader():
            yield from _header_leaves(statement, offset)
        case NameList(label, kind, names, _):
            yield from map(Leaf, filter(None, (label, kind, *names)))
        case Section(name, data):
            yield Leaf(name)
            for row in data:
                yield Leaf(row.name)
                yield from map(Leaf, row.items)


def _instruction_leaves(instruction: Instruction, offset: int | None) -> Iterator[Leaf]:
    if instruction.guard is not None:
        yield Leaf(instruction.guard.name)
    yield Leaf(instruction.opcode, instruction, modifier=-1)
    for index, modifier in enumerate(instruction.modifiers):
        yield Leaf(modifier, instruction, modifier=index)
    pending: list[tuple[Operand, Path]] = [(o, (i,)) for i, o in enumerate(instruction.operands)]
    pending.reverse()
    while pending:
        operand, path = pending.pop()
        if offset is not None and not operand.start <= offset <= operand.end:
            continue
        if isinstance(operand, Sink):
            yield Leaf(operand, instruction, path)
        elif isinstance(operand, Value):
            yield Leaf(operand.expression, instruction, path)
        else:
            pending.extend((part, (*path, i)) for i, part in reversed(list(enumerate(parts_of(operand)))))


def _declaration_leaves(declaration: Declaration, offset: int | None) -> Iterator[Leaf]:
    yield from _specifier_leaves(declaration.specifiers)
    for declarator in declaration.declarators:
        yield from _declarator_leaves(declarator, declaration, offset)


def _specifier_leaves(specifiers: tuple[Specifier, ...]) -> Iterator[Leaf]:
    for specifier in specifiers:
        yield Leaf(specifier.word)
        yield from map(Leaf, specifier.arguments)


def _declarator_leaves(declarator: Declarator, declaration: Declaration, offset: int | None) -> Iterator[Leaf]:
    yield Leaf(declarator.name)
    if declarator.members is not None:
        yield Leaf(declarator.members)
    for dimension in declarator.dimensions:
        if dimension.size is not None:
            yield Leaf(dimension.size)
    if declarator.initialiser is not None:
        for item in declarator.initialiser.items:
            if isinstance(item, Expression):
                yield Leaf(item, declaration=declaration)
            elif isinstance(item, ValueRun) and offset is None:
                yield from (Leaf(value, declaration=declaration) for value in values_of(item))
            elif isinstance(item, ValueRun) and offset is not None and item.start <= offset <= item.end:
                yield Leaf(value_around(item, offset), declaration=declaration)


def _header_leaves(header: FunctionHeader, offset: int | None) -> Iterator[Leaf]:
    yield Leaf(header.kind)
    yield from _specifier_leaves(header.linkage)
    yield from map(Leaf, filter(None, (header.label, header.name)))
    for declaration in (*(header.returns or ()), *(header.parameters or ())):
        yield from _declaration_leaves(declaration, offset)
    for directive in header.directives:
        yield from _directive_leaves(directive)


def _directive_leaves(directive: Directive) -> Iterator[Leaf]:
    yield Leaf(directive.name, directive=directive)
    for argument in directive.arguments:
        yield Leaf(argument, directive=directive)
