"""Every name in a statement, with the place in the grammar where it is written.

Nothing here knows what a name means: a name may also be a special register, or declared nowhere.
"""

from ptx_lsp.isa.directive_names import HEADER
from ptx_lsp.light_classes import Enum, Iterator, NamedTuple
from ptx_lsp.syntax.tree import (
    Address,
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
    Specifier,
    Statement,
    TermKind,
    Value,
    ValueRun,
    Word,
    parts_of,
)

_WITHOUT_NAMES = frozenset((*HEADER, ".file", ".pragma"))


class Where(Enum):
    """Where in the grammar a name is written."""

    OPERAND = "in an operand of an instruction"
    GUARD = "in the guard of an instruction"
    LABEL = "before a colon, as the label of the next statement"
    DECLARED = "in a declaration, as what it declares; also the label of a prototype or of a list"
    TARGET = "in a list of labels or functions"
    DATA = "in an initial value, the data of a section, or the arguments of a directive"


class Name(NamedTuple):
    """A name in a statement, from the offset `start` to `end`.

    For an operand, `path` is its index, then the index of a part inside it, and so on. `bracketed` is True if the name
    is the first part of an address in brackets: `g` and `%r1` in `[g+4]`, `[%r1]` and `[%r1, {%r2}]`.
    """

    text: str
    start: int
    end: int
    where: Where
    path: tuple[int, ...] = ()
    bracketed: bool = False


def names_in(statement: Statement) -> Iterator[Name]:
    """The names in a statement; those of an instruction in the order of the text."""
    match statement:
        case Instruction():
            yield from _in_instruction(statement)
        case Label(name):
            yield _of_word(name, Where.LABEL)
        case Declaration():
            yield from _in_declaration(statement)
        case Directive():
            yield from _in_directive(statement)
        case FunctionHeader():
            yield from _in_header(statement)
        case NameList(label, _, names, _):
            if label is not None:
                yield _of_word(label, Where.DECLARED)
            yield from (_of_word(name, Where.TARGET) for name in names)
        case Section():
            yield from _in_section(statement)


def _of_word(word: Word, where: Where) -> Name:
    return Name(word.text, word.start, word.end, where)


def _in_instruction(instruction: Instruction) -> Iterator[Name]:
    if instruction.guard is not None:
        yield _of_word(instruction.guard.name, Where.GUARD)
    pending: list[tuple[Operand, tuple[int, ...], bool]]
    pending = [(operand, (i,), False) for i, operand in enumerate(instruction.operands)]
    pending.reverse()
    while pending:
        operand, path, bracketed = pending.pop()
        if isinstance(operand, Value):
            yield from _in_expression(operand.expression, Where.OPERAND, path, bracketed)
            continue
        parts = [
            (part, (*path, i), isinstance(operand, Address) and i == 0) for i, part in enumerate(parts_of(operand))
        ]
        pending += reversed(parts)


def _in_expression(
    expression: Expression, where: Where, path: tuple[int, ...] = (), bracketed: bool = False
) -> Iterator[Name]:
    for term in expression.terms:
        # `generic(5)` has an empty name where that of a variable was expected
        if term.kind is TermKind.NAME and term.text and term.text[0] != ".":
            yield Name(term.text, term.at, term.at + len(term.text), where, path, bracketed)


def names_in_items(items: "tuple[Expression | ValueRun | Word, ...]") -> Iterator[Name]:
    """The names in the items of an initial value, of a row of section data, or of the arguments of a directive."""
    for item in items:
        if isinstance(item, Expression):
            yield from _in_expression(item, Where.DATA)
        elif isinstance(item, Word) and item.text[0] not in '".{}':
            yield _of_word(item, Where.DATA)


def _in_specifiers(specifiers: tuple[Specifier, ...]) -> Iterator[Name]:
    for specifier in specifiers:
        yield from names_in_items(specifier.arguments)


def _in_declaration(declaration: Declaration) -> Iterator[Name]:
    yield from _in_specifiers(declaration.specifiers)
    for declarator in declaration.declarators:
        yield from _in_declarator(declarator)


def _in_declarator(declarator: Declarator) -> Iterator[Name]:
    if declarator.name.text != "_":
        yield _of_word(declarator.name, Where.DECLARED)
    sizes = (declarator.members, *(dimension.size for dimension in declarator.dimensions))
    for size in sizes:
        if size is not None:
            yield from _in_expression(size, Where.DATA)
    if declarator.initialiser is not None:
        yield from names_in_items(declarator.initialiser.items)


def _in_header(header: FunctionHeader) -> Iterator[Name]:
    yield from _in_specifiers(header.linkage)
    for word in (header.label, header.name):
        if word is not None and word.text != "_":
            yield _of_word(word, Where.DECLARED)
    for declaration in (*(header.returns or ()), *(header.parameters or ())):
        yield from _in_declaration(declaration)
    for directive in header.directives:
        yield from _in_directive(directive)


def _in_directive(directive: Directive) -> Iterator[Name]:
    if directive.name.text not in _WITHOUT_NAMES:
        yield from names_in_items(directive.arguments)


def _in_section(section: Section) -> Iterator[Name]:
    for row in section.data:
        if not row.name.text.startswith("."):
            yield _of_word(row.name, Where.LABEL)
        yield from names_in_items(row.items)
