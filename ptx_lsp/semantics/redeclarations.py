"""Which declarations may have the same name, and how they must agree (observed: ptxas 13.5, all pairs of linkages)."""

from __future__ import annotations

from itertools import islice

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.light_classes import TYPE_CHECKING
from ptx_lsp.semantics.surroundings import Report, Surroundings
from ptx_lsp.semantics.symbols import DIGITS, FUNCTION_KINDS, Scope, Symbol, SymbolKind, place

if TYPE_CHECKING:
    from ptx_lsp.syntax.tree import Declarator

ALIAS = ".alias "
"""Begins the name of the symbol of an alias, which no other symbol can have."""


# what a label names: a family of registers below it may have the same name among its members, but not one above it
_LABELLED = (SymbolKind.PROTOTYPE, SymbolKind.TARGETS)

# declarations of one name, or names of one declaration: of more, only the first ones are compared (and the last one of
# the same name)
_MOST_RELATED = 20  # names that a declaration repeats, in its report
_TOO_MANY = 100


def earlier(scope: Scope, name: str) -> list[Symbol]:
    """The declarations of `name` in this scope itself, above the statement, in source order."""
    found = scope.members.get(name, [])
    if len(found) > _TOO_MANY:
        found = [*found[:_TOO_MANY], found[-1]]
    return [symbol for symbol in found if symbol.mark.holder.index <= scope.horizon.index]


def repeated_label(label: Symbol, above: list[Symbol], reports: list[Report]) -> list[Report]:
    """The report of a label whose name the first of `above` has already in its scope; none without one.

    `reports` are those before it: a label that lacks its colon may be the beginning of an instruction.
    """
    lacks_colon = reports[-1:] and reports[-1].code == "missing-colon" and place(reports[-1].mark) == place(label.mark)
    if not above or lacks_colon:
        return []
    related = ((above[0].mark, f"`{label.name}` is defined here first"),)
    severity = default_severity("duplicate-label")
    message = f"`{label.name}` is already defined in this scope"
    return [Report("duplicate-label", label.mark, message, severity, related)]


def check_names(symbols: tuple[Symbol, ...], declarators: tuple[Declarator, ...], surroundings: Surroundings) -> None:
    """Report every name that the scope, or the same declaration, has declared before."""
    own: dict[str, Symbol] = {}
    families: list[Symbol] = []  # those among the first names: a list may have thousands of single names
    reported = len(surroundings.reports)
    for symbol, declarator in zip(symbols, declarators, strict=True):
        key = symbol.name if symbol.count is None else symbol.name + "<"
        others = families if symbol.count is None else islice(own.values(), _TOO_MANY)
        before = own.get(key) or next((other for other in others if _overlap(symbol, other)), None)
        first = _first_member(symbol, own, surroundings.scope)
        if first is not None and key not in own:
            _repeat(declarator, first, surroundings)
        elif before is not None:
            _duplicate(declarator, before, surroundings)
        elif symbol.count is not None:
            _check_family(symbol, declarator, surroundings)
        else:
            _check_name(symbol, declarator, surroundings)
        if symbol.count is not None and key not in own and len(own) < _TOO_MANY:
            families.append(symbol)
        own.setdefault(key, symbol)
    _merge_repeated(len(declarators), reported, surroundings)


def _merge_repeated(names: int, reported: int, surroundings: Surroundings) -> None:
    """Report the names of a declaration once if it repeats all of them: it was probably typed or copied twice.

    `names` is the number of its names; its reports begin at the index `reported`.
    """
    found = surroundings.reports[reported:]
    repeated = [r for r in found if r.code == "duplicate-declaration" and r.related and r.severity is Severity.ERROR]
    if not 2 <= names == len(repeated):
        return
    first, *others = repeated
    more = "another name" if len(others) == 1 else f"{len(others)} other names"
    message = f"{first.message}, and so {'is' if len(others) == 1 else 'are'} {more} of this declaration"
    related = tuple(note for report in repeated[:_MOST_RELATED] for note in report.related)
    merged = {id(report) for report in others}
    surroundings.reports[reported:] = [
        first._replace(message=message, related=related) if report is first else report
        for report in found
        if id(report) not in merged
    ]


def _check_name(symbol: Symbol, declarator: Declarator, surroundings: Surroundings) -> None:
    scope, name = surroundings.scope, symbol.name
    others = earlier(scope, name)
    if surroundings.function is None:
        if special_register(name) is not None:
            message = f"`{name}` is a special register: a module cannot declare it"
            surroundings.report("duplicate-declaration", declarator.name.start, declarator.name.end, message)
            return
        if others:
            _check_global(symbol, others, declarator, surroundings)
            return
    labels = labels_above(symbol, scope)
    first = others[0] if others else scope.own(name) or (labels[0] if labels else None)
    if first is not None:
        _duplicate(declarator, first, surroundings)


def labels_above(symbol: Symbol, scope: Scope) -> list[Symbol]:
    """The labels of the same name in this scope that are above the declaration of `symbol`."""
    here = (symbol.mark.holder.index, symbol.mark.range)
    return [label for label in scope.labels.get(symbol.name, ()) if (label.mark.holder.index, label.mark.range) < here]


def _check_family(symbol: Symbol, declarator: Declarator, surroundings: Surroundings) -> None:
    """Report `%r<9>` if its scope has another `%r<N>`, or one of the single names `%r0` to `%r8`.

    No single name is a member of `%r1<9>`: all digits at the end of a name are the number (observed: ptxas 13.5).
    """
    scope, count = surroundings.scope, symbol.count or 0
    if (other := _earlier_family(symbol, scope)) is not None:
        _duplicate(declarator, other, surroundings)
        return
    if symbol.name[-1] in DIGITS:
        return
    if count <= len(scope.members):
        names = (f"{symbol.name}{number}" for number in range(count))
    else:
        size = len(symbol.name)
        names = (n for n in scope.members if n.startswith(symbol.name) and _below(n[size:], count))
    members = [other for name in names for other in earlier(scope, name)[:1] if other.kind not in _LABELLED]
    if members:
        _duplicate(declarator, min(members, key=lambda member: place(member.mark)), surroundings)


def _first_member(symbol: Symbol, own: dict[str, Symbol], scope: Scope) -> Symbol | None:
    """The `%r0` that the scope has, or `own`, the names before it in its declaration, if the symbol is `%r<9>`.

    Then ptxas declares all members again, also those that the scope has (observed: ptxas 13.5).
    """
    if not symbol.count or symbol.name[-1] in DIGITS or _earlier_family(symbol, scope) is not None:
        return None
    first = f"{symbol.name}0"
    return own.get(first) or next((other for other in earlier(scope, first) if other.kind not in _LABELLED), None)


def _earlier_family(symbol: Symbol, scope: Scope) -> Symbol | None:
    """The family of the same name that the scope declares above a family."""
    families = scope.families.get(symbol.name, ())
    return next((other for other in families if other.mark.holder.index <= scope.horizon.index), None)


def _overlap(one: Symbol, other: Symbol) -> bool:
    """Whether one of two symbols is a family of registers, and the other one has the name of a member of it."""
    family, single = (one, other) if one.count is not None else (other, one)
    if family.count is None or single.count is not None or not single.name.startswith(family.name):
        return False
    return family.name[-1] not in DIGITS and _below(single.name[len(family.name) :], family.count)


def _below(digits: str, count: int) -> bool:
    return digits.isdecimal() and len(digits) < 11 and str(int(digits)) == digits and int(digits) < count


def _check_global(symbol: Symbol, others: list[Symbol], declarator: Declarator, surroundings: Surroundings) -> None:
    """Check a variable of a module: it may have many `.extern` declarations, but only one definition."""
    name, last = declarator.name, others[-1]
    functions = [other for other in others if other.kind in FUNCTION_KINDS]
    definitions = [other for other in others if other.linkage != ".extern"]
    if functions:
        message = f"`{symbol.name}` is a {functions[0].kind.value} already"
        _inconsistent(message, declarator, functions[0], surroundings)
    elif symbol.linkage != ".extern" and definitions:
        _duplicate(declarator, definitions[0], surroundings)
    elif not _same_type(symbol, last):
        _inconsistent(f"`{symbol.name}` was declared with another type", declarator, last, surroundings)
    elif symbol.linkage == "" and not definitions:
        surroundings.report(
            "inconsistent-redeclaration",
            name.start,
            name.end,
            f"`{symbol.name}` was declared `.extern`, so its definition must be `.visible`, `.weak` or `.common`",
            related=((last.mark, f"`{symbol.name}` is declared `.extern` here"),),
        )


def _same_type(one: Symbol, other: Symbol) -> bool:
    if not one.type or not other.type:
        return True  # one of them is broken, which is reported
    if (one.type, one.vector, len(one.dimensions)) != (other.type, other.vector, len(other.dimensions)):
        return False
    pairs = zip(one.dimensions, other.dimensions, strict=True)
    return all(a == b or a <= 0 or b <= 0 for a, b in pairs)


def _duplicate(declarator: Declarator, first: Symbol, surroundings: Surroundings) -> None:
    name = declarator.name
    shown = f"{name.text}<N>" if declarator.members is not None else name.text
    surroundings.report(
        "duplicate-declaration",
        name.start,
        name.end,
        f"`{shown}` is declared already in this scope",
        related=((first.mark, "the first declaration is here"),),
        data={"name": name.text},
    )


def _repeat(declarator: Declarator, first: Symbol, surroundings: Surroundings) -> None:
    """Warn of a family whose first member the scope has already: ptxas takes the type of the family for all members."""
    name = declarator.name
    surroundings.report(
        "duplicate-declaration",
        name.start,
        name.end,
        f"`{name.text}<N>` declares `{first.name}` again",
        related=((first.mark, "the first declaration is here"),),
        severity=Severity.WARNING,
        data={"name": name.text},
    )


def _inconsistent(message: str, declarator: Declarator, first: Symbol, surroundings: Surroundings) -> None:
    name = declarator.name
    surroundings.report(
        "inconsistent-redeclaration",
        name.start,
        name.end,
        message,
        related=((first.mark, f"`{first.name}` is declared here"),),
    )
