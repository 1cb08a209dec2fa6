"""Which symbol a name in the text means.

**Identity.** In one state of the text, two targets are the same symbol if they have the same `declared`: two
declarations are never in one place. After an edit a target is out of date. What lasts is the place of the declaration:
keep it in `text.moving_ranges`, which moves it with every edit. As long as the declared name itself is not edited, and
its statement still declares it, the moved place is that of the same symbol, and `target_at` gives it again for the
present text. A `Symbol` object does not last: reading a block again makes new ones for what the block declares between
braces.
"""

import re
from bisect import bisect_left
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.directive_names import BRANCH_TARGETS, SECTION_DATA_TEXT
from ptx_lsp.reading.state import Body
from ptx_lsp.reading.statement_context import StatementContext, holding_steps
from ptx_lsp.semantics.execution import meaning_in
from ptx_lsp.semantics.symbols import SECTIONS, Scope, Symbol, SymbolKind
from ptx_lsp.steps import result_of
from ptx_lsp.syntax.names import Name, Where, names_in
from ptx_lsp.syntax.plain_text import NAME_TEXT
from ptx_lsp.syntax.tree import FunctionHeader, Instruction, NameList, Section
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Position, Range

_SECTION_ROW = re.compile(rf"[ \t]*{SECTION_DATA_TEXT}[ \t](?=[^;={{}}\[\]()]*$)", re.M)
_LONGEST_BEGIN = 80  # characters of a line that show whether it is a row of data
_LABEL_LINE = re.compile(rf"[ \t]*{NAME_TEXT}[ \t]*:[ \t\r]*$", re.A)
_BEGIN_OF_NAME = r"(?<![\w$%.])"
EVERY_NAME = re.compile(_BEGIN_OF_NAME + NAME_TEXT, re.A)
"""The names in a text that is searched without a tree."""
_USES = (Where.OPERAND, Where.TARGET, Where.DATA)
_MOST_TRIED = 8  # mentions of a name, such as those in comments, that are looked at


class Target(NamedTuple):
    """A symbol of which the occurrences are searched.

    `name` is how its uses are written: `%r3` for a member of `%r<9>`, and `%r` for the whole family, where `family` is
    True. `declared` is the place of its name in its first declaration. `opening` is where the brace is that opens the
    scope of the declaration, None for the module's scope. `lone` is True for a parameter of a header without a body,
    which nothing can use.
    """

    name: str
    symbol: Symbol
    declared: Range
    opening: Position | None
    family: bool = False
    lone: bool = False

    @property
    def is_outside(self) -> bool:
        """Whether the environment of a fragment declares it, and no place in the fragment."""
        return self.declared.line < 0


class Found(NamedTuple):
    """A name in the text with the symbol that it means; `range` is that of the name."""

    target: Target
    range: Range


def target_at(module: Module, position: Position) -> Found | None:
    """The symbol that the name at a position means; None if there is no name, or nothing in this text declares it."""
    return result_of(target_steps(module, position))


def target_steps(module: Module, position: Position) -> Generator[list[Any], None, Found | None]:
    """The result of `target_at`, in steps, for features that give lists in steps: the lists of these are empty.

    The module must not be edited between two steps.
    """
    found = yield from found_steps(module, position)
    return found if isinstance(found, Found) else None


def found_steps(module: Module, position: Position) -> Generator[list[Any], None, Found | bool]:
    """What is at a position, in such steps: a symbol, True for a name that means none here, False without a name."""
    block = module.block_map.at_line(position.line)
    if block.entry is None or module.foreign is not None:
        return False
    line = module.document.line(position.line) if position.line < module.document.line_count else ""
    if (row := _SECTION_ROW.match(line)) is not None:
        return (yield from _in_row(module, row, position)) or True
    following = Range(position.line + 1, 0, position.line + 1, _LONGEST_BEGIN)
    if _LABEL_LINE.match(line) and _SECTION_ROW.match(module.document.text(following)):
        return True  # a label of a section
    block, seen, _ = module.seen(block, Range(*position, *position))
    starts = line_starts(seen.text) if seen.starts is None else seen.starts
    yield []
    offset = starts[min(max(position.line - block.line, 0), len(starts) - 1)] + position.column
    best: tuple[Name, StatementContext] | None = None
    found: Target | None = None
    for context in holding_steps(block, seen, (max(offset - 1, 0), offset)):
        if context is None:
            yield []
            continue
        for name in names_in(context.statement):
            if name.start <= offset <= name.end and (best is None or name.start > best[0].start):
                best = name, context  # between two names, the one that begins there
                found = _of_section(module, context, name) or target_in(module, context, name)
    if best is None or found is None:
        return best is not None
    return Found(found, best[1].range(best[0].start, best[0].end))


def _in_row(module: Module, row: re.Match[str], position: Position) -> Generator[list[Any], None, Found | None]:
    """The symbol that a row of debug data names at a position.

    The section is not parsed: it is one statement of perhaps 100,000 lines.
    """
    for name in EVERY_NAME.finditer(row.string, row.end()):
        if name.start() <= position.column <= name.end():
            target = yield from _named_by_data(module, name[0])
            found = Range(position.line, name.start(), position.line, name.end())
            return Found(target, found) if target is not None else None
    return None


def _named_by_data(module: Module, name: str) -> Generator[list[Any], None, Target | None]:
    """What a name means in debug data: a symbol of the module, or what the first function that names it means."""
    for symbol in module.declarations(name):
        return Target(name, symbol, symbol.mark.resolved(), None)
    document = module.document
    word = whole_name(name)
    tried = 0
    for number in range(document.chunk_count):
        chunk = document.chunk(number)
        for each in word.finditer(chunk) if name in chunk else ():
            position = document.position_in_chunk(number, each.start())
            if tried == _MOST_TRIED or _SECTION_ROW.match(document.line(position.line)):
                return None
            tried += 1
            found = yield from target_steps(module, position)
            if found is not None and found.target.name == name and is_in_debug_data(found.target):
                return found.target
        yield []
    return None


def whole_name(name: str) -> re.Pattern[str]:
    """A pattern that finds a name, but not as a part of a longer one."""
    return re.compile(rf"{_BEGIN_OF_NAME}{re.escape(name)}(?![\w$])", re.A)


def is_in_debug_data(target: Target) -> bool:
    """Whether debug data may name a symbol: it names registers in another way."""
    return target.symbol.kind is not SymbolKind.REGISTER


def target_of(context: StatementContext, name: Name) -> Target | None:
    """The symbol that a name of a statement means; None if nothing declares it."""
    if name.where in (Where.LABEL, Where.DECLARED):
        return _declared_target(context, name)
    symbol = _meaning(context, name)
    scope = _scope_of(symbol, context.surroundings.scope) if symbol is not None else None
    return _target(name.text, symbol, scope) if symbol is not None and scope is not None else None


def target_in(module: Module, context: StatementContext, name: Name) -> Target | None:
    """The result of `target_of`, or what the module declares below a name that nothing above it declares.

    No assembler of NVIDIA takes such a use, but GCC declares all external functions at the end of its modules.
    """
    found = target_of(context, name)
    if found is None and name.where in _USES:
        place = context.range(name.start, name.end)
        for symbol in module.declarations(name.text):
            declared = symbol.mark.resolved()
            return Target(name.text, symbol, declared, None) if declared.start > place.start else None
    return found


def _meaning(context: StatementContext, name: Name) -> Symbol | None:
    statement, scope = context.statement, context.surroundings.scope
    if isinstance(statement, Instruction):
        return meaning_in(statement, name, context.surroundings)
    if isinstance(statement, NameList) and statement.kind.text == BRANCH_TARGETS:
        return scope.label(name.text)
    return scope.lookup(name.text) or scope.label(name.text)


def _target(name: str, symbol: Symbol, scope: Scope) -> Target:
    opening = scope.opening.resolved().start if scope.opening is not None else None
    return Target(name, symbol, symbol.mark.resolved(), opening)


def _scope_of(symbol: Symbol, innermost: Scope) -> Scope | None:
    """The scope that declares a symbol, if it is one of these: the innermost one, and those around it."""
    return next((scope for scope in innermost.outward() if scope.declares(symbol)), None)


def _declared_target(context: StatementContext, name: Name) -> Target | None:
    """What a statement declares: the symbol at the place of the name, or the first declaration that it repeats."""
    place = context.range(name.start, name.end)
    for scope in context.surroundings.scope.outward():
        for table in (scope.members, scope.families, scope.labels):
            symbols = table.get(name.text, [])
            if is_declared_at(symbols, place):
                return _target(name.text, symbols[0], scope)._replace(family=table is scope.families)
    return _parameter_of_declaration(context, name, place)


def is_declared_at(symbols: list[Symbol], place: Range) -> bool:
    """Whether one of some symbols, which are in the order of the text, is declared at a place."""
    at = bisect_left(symbols, place.start, key=_start)
    return at < len(symbols) and symbols[at].mark.resolved() == place


def _start(symbol: Symbol) -> Position:
    return symbol.mark.resolved().start


def _parameter_of_declaration(context: StatementContext, name: Name, place: Range) -> Target | None:
    header = context.statement
    if not isinstance(header, FunctionHeader):
        return None
    word = header.label or header.name
    scope = context.surroundings.scope
    for function in scope.members.get(word.text, ()) if word is not None else ():
        given = function.signature.returns + function.signature.parameters if function.signature is not None else ()
        for symbol in given:
            if symbol.mark.resolved() == place:
                return Target(name.text, symbol, place, None, lone=True)
    return None


def _of_section(module: Module, context: StatementContext, name: Name) -> Target | None:
    """The label of a function that debug data names; labels of a function are visible in no other place outside it."""
    if not isinstance(context.statement, Section) or name.where is not Where.DATA:
        return None
    for body, label in function_labels(module, name.text):
        return Target(name.text, label, label.mark.resolved(), body.opening.resolved().start)
    return None


def function_labels(module: Module, name: str) -> Iterator[tuple[Body, Symbol]]:
    """The labels of this name in all functions, in source order, each with its function."""
    for block in module.block_map.blocks:
        for part in block.parts:
            yield from ((part.body, label) for label in part.labels if label.name == name)


def has_sections(module: Module) -> bool:
    """Whether the module has sections of debug data, which may name labels of its functions."""
    return bool(module.declarations(SECTIONS))


def declarations_of(module: Module, target: Target) -> list[Symbol]:
    """Every declaration of a target in this text: there may be several of a function or variable of the module.

    Empty if the environment of a fragment declares it.
    """
    if target.is_outside:
        return []
    if target.opening is None and not target.lone and target.symbol.kind is not SymbolKind.LABEL:
        found = module.declarations(target.symbol.name)
        if any(symbol.mark.resolved() == target.declared for symbol in found):
            return found
    return [target.symbol]
