"""The place of a new declaration of a register."""

import re

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.accesses import uses
from ptx_lsp.fixes.fix import Edit, insertion
from ptx_lsp.isa.types import TYPES
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.text.ranges import Position, Range

_INDENT = re.compile(r"[ \t]*")


def declaration_edit(declaration: str, name: str, type_: str, finding: Finding, module: Module) -> Edit | None:
    """The insertion of a `.reg` declaration into the function around `finding`; None if there is no function.

    A name that is used in one inner block only is declared at the beginning of that block. Compilers declare families
    by width, predicates first, and single registers before them, by name: a new declaration is inserted so that this
    order is kept. If that is not possible it is inserted after the last declaration, or after the `{` without one.
    """
    located = module.statement_at(finding.range.start)
    function = located.surroundings.function if located is not None else None
    if located is None or function is None:
        return None
    scope = located.surroundings.scope
    if scope.opening is not None and is_of_inner_block(name, finding, module):
        return insertion(scope.opening.resolved(), f" {declaration}")
    above = _registers_above(_body_scope(scope), finding.range.start)
    following = _following(above, name, type_, family="<" in declaration)
    if following is not None:
        return _before(following, declaration, module)
    anchor = module.statement_at(above[-1][0] if above else function.mark.resolved().start)
    if anchor is None:
        return None
    place = anchor.range(anchor.statement.start, anchor.statement.end)
    indent = _indent(place.line, module) + ("" if above else "    ")
    return insertion(place, f"\n{indent}{declaration}")


Found = tuple[Position, Symbol]


def is_of_inner_block(name: str, finding: Finding, module: Module) -> bool:
    """Whether the finding is in a block inside a function, and every use of the undeclared name is, too."""
    context = module.statement_at(finding.range.start)
    scope = context.surroundings.scope if context is not None else None
    if scope is None or scope.parent is None or scope.parent.parent is None or scope.opening is None:
        return False
    opening = scope.opening.resolved()
    for located, _ in uses(name, finding, module):
        own = located.surroundings.scope
        openings = [around.opening.resolved() for around in own.outward() if around.opening is not None]
        if own.lookup(name) is None and opening not in openings:
            return False
    return True


def _following(above: list[Found], name: str, type_: str, *, family: bool) -> Position | None:
    """The first declaration that comes after one of this name and type, of a `family` or a single register.

    None if the new one comes last.
    """
    families = [(place, symbol) for place, symbol in above if symbol.count is not None]
    if not family:
        later = [place for place, symbol in above if symbol.count is None and symbol.name > name]
        return min(later[:1] + [place for place, _ in families[:1]], default=None)
    floats_last = _floats_last(families)
    rank = _rank(type_, floats_last)
    return next((place for place, symbol in families if _rank(symbol.type, floats_last) > rank), None)


def _floats_last(families: list[Found]) -> bool:
    """Whether this function declares floats after integers of the same width, as LLVM does and nvcc does not."""
    order = [symbol.type for _, symbol in families]
    pairs = ((".b32", ".f32"), (".b64", ".f64"))
    return any(b in order and f in order and order.index(b) < order.index(f) for b, f in pairs)


def _rank(type_: str, floats_last: bool) -> tuple[int, bool]:
    """The place of a type among the declarations of families, which are in the order of their widths.

    `floats_last`: true where floats come after the other types of their width.
    """
    known = TYPES.get(type_)
    return (known.bits, (known.letter == "f") is floats_last) if known is not None else (0, False)


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
    """The scope of the body of the function around; that of the module outside of functions."""
    scopes = list(scope.outward())
    return scopes[-2] if len(scopes) > 1 else scope


def _registers_above(scope: Scope, place: Position) -> list[Found]:
    """The registers that the function declares above a place, in the order of the text."""
    symbols = [s for table in (scope.members, scope.families) for found in table.values() for s in found]
    found = [(s.mark.resolved().start, s) for s in symbols if s.kind is SymbolKind.REGISTER]
    return sorted(((start, s) for start, s in found if start < place), key=lambda each: each[0])
