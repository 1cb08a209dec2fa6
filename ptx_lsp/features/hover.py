"""Hover: the description of what is under the cursor."""

import re
from collections.abc import Generator

from ptx_lsp.analysis.module import Module
from ptx_lsp.explanations.constant_hover import describe_value, value_at_use
from ptx_lsp.explanations.constant_values import outermost, use_of, value_at
from ptx_lsp.explanations.counts import Counts, count_uses
from ptx_lsp.explanations.cursor import (
    ArgumentHere,
    DirectiveHere,
    ExpressionHere,
    NameHere,
    OpcodeHere,
    SinkHere,
    here,
)
from ptx_lsp.explanations.description import Code, Description, Items, Part, Prose
from ptx_lsp.explanations.directive_hover import describe_argument, describe_use
from ptx_lsp.explanations.instruction_hover import describe_modifier, describe_opcode
from ptx_lsp.explanations.name_hover import describe_symbol
from ptx_lsp.explanations.source_places import in_force_steps, shown_places
from ptx_lsp.explanations.words_hover import (
    describe_directive,
    describe_section,
    describe_special_register,
    describe_specifier,
    describe_target,
)
from ptx_lsp.features.choices import DEFAULT, Choices
from ptx_lsp.isa.directive_names import SECTION_DATA_TEXT
from ptx_lsp.isa.special_registers import WARP_SIZE
from ptx_lsp.occurrences.section_labels import section_label_steps
from ptx_lsp.occurrences.target import target_steps
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.semantics.operands import is_symbol
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.steps import result_of, with_pauses
from ptx_lsp.syntax.plain_text import NAME_TEXT, without_comments
from ptx_lsp.syntax.tree import Declaration, Directive, Expression, FunctionHeader, Statement, Term, TermKind, Word
from ptx_lsp.text.lines import beginning_of
from ptx_lsp.text.ranges import Position, Range

LONGEST_QUOTE = 60  # characters
_BEFORE = 80
"""Characters before a word of a declaration that are looked at."""

_SECTION_DATA = re.compile(rf"\s*(?:{NAME_TEXT}[ \t]*:)?\s*({SECTION_DATA_TEXT})[ \t]+[-\w$.][^;={{\[(]*$")
"""A line of data in a `.section`: a declaration that begins with such a type would end with a semicolon."""

_SECTION = re.compile(r"\s*(\.section)[ \t]+([.\w$]+)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_LABEL = re.compile(r"\s*[\w$.]+[ \t]*:\s*$")

Found = tuple[int, int, tuple[Part, ...]]
"""Start, end, and the parts of the description."""

Described = Generator[None, None, Description | None]
Parts = Generator[None, None, tuple[Part, ...]]


def hover(module: Module, position: Position, choices: Choices = DEFAULT) -> Description | None:
    """The description of what is at a position; None if there is nothing. Never raises for any position or text."""
    return result_of(hover_steps(module, position, choices))


def hover_steps(module: Module, position: Position, choices: Choices) -> Described:
    """The result of `hover`, in steps between which the module must not be edited."""
    if position.line >= module.document.line_count:
        return None
    line = module.document.line(position.line)
    if data := _SECTION_DATA.match(line):
        return (yield from _section_data(module, data, position))
    if section := _SECTION.match(line):
        for start, end in (section.span(1), section.span(2)):
            if start <= position.column <= end:
                return Description(Range(position.line, start, position.line, end), describe_section(section[2]))
    if _LABEL.match(line) and _is_in_section(module, position.line):
        return (yield from _section_label(module, position))
    located = yield from module.statement_steps(position)
    if located is None:
        return None
    found = yield from _found(module, located, located.offset(position), choices)
    if found is None or not found[2]:
        return None
    start, end, parts = found
    return Description(located.range(start, end), parts)


def _is_in_section(module: Module, line: int) -> bool:
    """Whether the line after a label has debug data."""
    return line + 1 < module.document.line_count and bool(_SECTION_DATA.match(module.document.line(line + 1)))


def _section_data(module: Module, data: re.Match[str], position: Position) -> Described:
    """A type or a name in a line of debug data. It is not parsed: its section may be one statement of 100,000 lines."""
    start, end = data.span(1)
    if start <= position.column <= end:
        return Description(Range(position.line, start, position.line, end), describe_directive(data[1]))
    found = yield from with_pauses(target_steps(module, position))
    if found is None:
        return (yield from _section_label(module, position))
    return Description(found.range, (yield from describe_symbol(found.target.name, found.target.symbol, module)))


def _section_label(module: Module, position: Position) -> Described:
    """A label of a section, where it is defined or named."""
    found = yield from with_pauses(section_label_steps(module, position))
    return None if found is None else Description(found.named, (Prose(f"`{found.name}`: label of a section"),))


def _found(
    module: Module, located: StatementContext, offset: int, choices: Choices
) -> Generator[None, None, Found | None]:
    statement, surroundings = located.statement, located.surroundings
    spot = here(statement, offset)
    match spot:
        case OpcodeHere(instruction, -1, word):
            source = yield from _source(module, located.range(word.start, word.end).line)
            return word.start, word.end, (*describe_opcode(instruction, surroundings), *source)
        case OpcodeHere(instruction, index, word):
            return word.start, word.end, describe_modifier(instruction, index, surroundings)
        case ExpressionHere():
            return (yield from _in_expression(module, located, spot, choices))
        case NameHere(word):
            return word.start, word.end, (yield from _name(module, located, word.text))
        case DirectiveHere(word, None):
            return word.start, word.end, describe_specifier(word.text, located.text[: word.start][-_BEFORE:])
        case DirectiveHere(word, directive) if directive is not None:
            line = located.range(word.start, word.end).line
            return word.start, word.end, (yield from describe_use(directive, line, module))
        case ArgumentHere():
            return (yield from _in_argument(module, located, spot, choices))
        case SinkHere(sink):
            return sink.start, sink.end, (Prose("`_`: this result is discarded"),)
        case None if isinstance(statement, Directive):
            return (yield from _keyword(module, located, statement, offset))
    return None


def _keyword(
    module: Module, located: StatementContext, directive: Directive, offset: int
) -> Generator[None, None, Found | None]:
    """A word between the arguments of a directive, such as `inlined_at`."""
    for found in _WORD.finditer(located.text, directive.start, directive.end):
        if found.start() <= offset <= found.end():
            line = located.range(directive.start, directive.start).line
            return found.start(), found.end(), (yield from describe_use(directive, line, module))
    return None


def _source(module: Module, line: int) -> Parts:
    """The place in the source of the statement on a line, and the calls that it was inlined at."""
    places = yield from in_force_steps(module, line)
    return (
        (Items(tuple(f"from {text}" if not n else text for n, text in enumerate(shown_places(places)))),)
        if places
        else ()
    )


def _in_argument(
    module: Module, located: StatementContext, spot: ArgumentHere, choices: Choices
) -> Generator[None, None, Found]:
    """An argument of a directive: the declaration of a name, or else the meaning of the directive's arguments."""
    node, line = spot.node, located.range(spot.directive.start, spot.directive.start).line
    if isinstance(node, Word):
        name = node.text
    else:
        name = node.terms[spot.term].text if node.terms[spot.term].kind is TermKind.NAME else ""
    if symbol := _lookup(located.surroundings, name) if name else None:
        return node.start, node.end, (yield from describe_symbol(name, symbol, module))
    parts = yield from describe_argument(spot.directive, name, line, module)
    if isinstance(node, Expression) and not name:
        found = yield from _in_expression(module, located, ExpressionHere(node, spot.term), choices)
        if found is not None and len(node.terms) > 1:
            return found[0], found[1], (*found[2], *parts)
    return node.start, node.end, parts


def _in_expression(
    module: Module, located: StatementContext, spot: ExpressionHere, choices: Choices
) -> Generator[None, None, Found | None]:
    terms = spot.expression.terms
    term = terms[spot.term]
    if is_symbol(term):
        member = _member(terms, spot.term)
        end = term.end if member is None else member.end
        return term.start, end, (yield from _named(module, located, spot, term.text, member))
    if term.kind is TermKind.MEMBER:
        name = terms[term.operands[0]]
        return term.start, term.end, (yield from _named(module, located, spot, name.text, term))
    folded = value_at(spot, located.surroundings, choices.authority)
    if folded is None:  # an operator between a name and a constant, or a mistake that has its own finding
        name = terms[0]
        is_name = name.kind is TermKind.NAME
        parts = (yield from _named(module, located, spot, name.text, None)) if is_name else ()
        return name.start, name.end, parts
    parts = describe_value(folded, choices.authority)
    if folded.expression.start > spot.expression.start or folded.expression.end < spot.expression.end:
        parts = (*parts, *_around(located, spot, choices))
    if term.text == WARP_SIZE:
        parts = (Prose("`WARP_SZ`: the number of threads in a warp"), *parts)
    return folded.expression.start, folded.expression.end, parts


def _around(located: StatementContext, spot: ExpressionHere, choices: Choices) -> tuple[Part, ...]:
    """The value of the whole expression, if the cursor is in a part of it."""
    around = value_at(outermost(spot), located.surroundings, choices.authority)
    if around is None or len(around.expression.terms) == 1:
        return ()
    text = " ".join(located.text[around.expression.start : around.expression.end].split())
    return (Prose(f"in `{beginning_of(text, LONGEST_QUOTE)}`: {value_at_use(around)}"),)


def _member(terms: tuple[Term, ...], name: int) -> Term | None:
    following = terms[name + 1] if name + 1 < len(terms) else None
    return following if following is not None and following.kind is TermKind.MEMBER else None


def _named(module: Module, located: StatementContext, spot: ExpressionHere, name: str, member: Term | None) -> Parts:
    symbol = _lookup(located.surroundings, name)
    if symbol is not None:
        counts = yield from _counts(module, located, name, symbol)
        part = member.text if member is not None else ""
        use = use_of(spot, located.surroundings)
        return (yield from describe_symbol(name, symbol, module, use, counts, part))
    return describe_special_register(name, member.text if member is not None else "")


def _name(module: Module, located: StatementContext, name: str) -> Parts:
    symbol = _lookup(located.surroundings, name) or _declared_here(located, name)
    if symbol is not None:
        counts = yield from _counts(module, located, name, symbol)
        return (yield from describe_symbol(name, symbol, module, counts=counts))
    special = describe_special_register(name, "")
    return special or describe_target(name) or _declaration(located.statement, located.text)


def _counts(
    module: Module, located: StatementContext, name: str, symbol: Symbol
) -> Generator[None, None, Counts | None]:
    if symbol.kind not in (SymbolKind.REGISTER, SymbolKind.LABEL) or (symbol.count and name == symbol.name):
        return None
    counts = yield from count_uses(name, symbol, module, located.surroundings)
    here = without_comments(located.text[located.statement.start : located.statement.end])
    is_here = counts is not None and counts.writer == " ".join(here.split())
    return counts._replace(writer="") if counts is not None and is_here else counts


def _lookup(surroundings: Surroundings, name: str) -> Symbol | None:
    scope = surroundings.scope
    return scope.lookup(name) or scope.label(name)


def _declared_here(located: StatementContext, name: str) -> Symbol | None:
    """A name that the statement declares: a family of registers, or a parameter of the function that begins here."""
    scope = located.surroundings.scope
    families = [family for family in scope.families.get(name, ()) if scope.sees(family)]
    if families:
        return families[-1]  # blocks below may declare others
    header = located.statement
    if not isinstance(header, FunctionHeader) or header.name is None:
        return None
    function = scope.lookup(header.name.text)
    if function is None or function.signature is None:
        return None
    declared = (*function.signature.returns, *function.signature.parameters)
    return next((symbol for symbol in declared if symbol.name == name), None)


def _declaration(statement: Statement, text: str) -> tuple[Part, ...]:
    if not isinstance(statement, Declaration):
        return ()
    return (Code(" ".join(text[statement.start : statement.end].split())),)
