"""Where a new declaration of a register goes."""

import re

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, insertion
from ptx_lsp.isa.types import TYPES
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.text.ranges import Position, Range

_INDENT = re.compile(r"[ \t]*")


def declaration_edit(declaration: str, type_: str, finding: Finding, module: Module) -> Edit | None:
    """The insertion of a `.reg` declaration into the function around `finding`; None where that is no function.

    Compilers declare families by width, predicates first, and single registers before them: a new declaration goes
    where it keeps that order, else after the last one, else after the `{`.
    """
    located = module.statement_at(finding.range.start)
    function = located.surroundings.function if located is not None else None
    if located is None or function is None:
        return None
    above = _registers_above(_body_scope(located.surroundings.scope), finding.range.start)
    following = _following(above, type_, family="<" in declaration)
    if following is not None:
        return _before(following, declaration, module)
    anchor = module.statement_at(above[-1][0] if above else function.mark.resolved().start)
    if anchor is None:
        return None
    place = anchor.range(anchor.statement.start, anchor.statement.end)
    indent = _indent(place.line, module) + ("" if above else "    ")
    return insertion(place, f"\n{indent}{declaration}")


Found = tuple[Position, Symbol]


def _following(above: list[Found], type_: str, *, family: bool) -> Position | None:
    """The first declared family that comes after one of this type; None where the new one comes last."""
    families = [(place, symbol) for place, symbol in above if symbol.count is not None]
    if not family:
        return families[0][0] if families else None
    rank = _rank(type_)
    return next((place for place, symbol in families if _rank(symbol.type) > rank), None)


def _rank(type_: str) -> tuple[int, bool]:
    known = TYPES.get(type_)
    return (known.bits, known.letter != "f") if known is not None else (0, False)


def _before(place: Position, declaration: str, module: Module) -> Edit | None:
    statement = module.statement_at(place)
    if statement is None:
        return None
    start = statement.range(statement.statement.start, statement.statement.end)
    at = Range(start.line, start.column, start.line, start.column)
    return Edit(at, f"{declaration}\n{_indent(start.line, module)}")


def _indent(line: int, module: Module) -> str:
    found = _INDENT.match(module.document.line(line))
    return found[0] if found else ""


def _body_scope(scope: Scope) -> Scope:
    while scope.parent is not None and scope.parent.parent is not None:
        scope = scope.parent
    return scope


def _registers_above(scope: Scope, place: Position) -> list[Found]:
    """The registers that the function declares above a place, in the order of the text."""
    symbols = [s for table in (scope.members, scope.families) for found in table.values() for s in found]
    found = [(s.mark.resolved().start, s) for s in symbols if s.kind is SymbolKind.REGISTER]
    return sorted(((start, s) for start, s in found if start < place), key=lambda each: each[0])
