"""Names that nothing declares, told once in a function: a whole family of registers is one mistake."""

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.reading.function_part import MEMBERS, FunctionPart, UndeclaredUses
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.reports import Mark, Report, place
from ptx_lsp.semantics.suggestions import suggest
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol

MOST_SUGGESTED = 32
"""UndeclaredUses names of one function for which another name is looked for."""


def conclude_undeclared(body: Body, parts: list[FunctionPart], damaged: bool) -> list[Report]:
    """A report for each name, or family of registers, that nothing declares; `parts` are all of the function.

    In a function that is `damaged`, what is declared between any of its braces may be meant, or another of its family:
    which of them are used is not looked at, as not all uses are kept.
    """
    groups: dict[tuple[str, ...], UndeclaredUses] = {}
    families: dict[tuple[str, ...], Symbol | None] = {}
    if not any(part.undeclared for part in parts):
        return []
    declared = _families(body)
    astray = {name.rstrip(DIGITS) for part in parts for name in part.inner} if damaged else set[str]()
    for part in parts:
        for word, unknown in part.undeclared.items():
            if word.rstrip(MEMBERS + DIGITS) in astray:
                continue
            stem = word.removesuffix(MEMBERS).rstrip(DIGITS)
            family = declared.get(stem) if stem != word else None
            key = (stem,) if family is not None or word.endswith(MEMBERS) else ("", word)
            families[key] = family
            groups.setdefault(key, UndeclaredUses()).merge(unknown)
    return [
        _report(unknown, families[key], body.scope if number < MOST_SUGGESTED else None)
        for number, (key, unknown) in enumerate(groups.items())
    ]


def undeclared_name(name: str, mark: Mark) -> Report:
    """A name at module level that nothing declares."""
    return _report(UndeclaredUses([(name, mark)], name), None, None)


def _report(unknown: UndeclaredUses, family: Symbol | None, scope: Scope | None) -> Report:
    """The report of an undeclared name or family; `scope` is where another name is looked for, None for nowhere."""
    (name, mark), *others = unknown.uses
    related = tuple((m, f"`{n}` is used here") for n, m in others)
    stem, highest = name.rstrip(DIGITS), unknown.highest
    if family is not None:
        needed = int(highest[len(stem) :][:9]) + 1
        last = f": its last member is `{stem}{family.count - 1}`" if family.count else ""
        return Report(
            "register-index",
            mark,
            f"`{name}` is beyond `{family.name}<{family.count}>`{last}",
            default_severity("register-index"),
            related=((family.mark, f"`{family.name}<{family.count}>` is declared here"), *related),
            data={"family": stem, "count": str(needed)},
        )
    more = f", nor any other `{stem}` register that this function uses" if unknown.several else ""
    data = {"name": name, "highest": highest}
    meant = suggest(name, mark, scope) if scope is not None else None
    if meant is not None:
        more += f": {meant.message}"
        data |= {"meant": meant.text} | ({"safe": "yes"} if meant.safe else {})
    return Report(
        "undeclared",
        mark,
        f"`{name}` is not declared{more}",
        default_severity("undeclared"),
        related=related,
        data=data,
    )


def _families(body: Body) -> dict[str, Symbol]:
    """The register families that a function could use: its own, and those above it in the module."""
    found = {stem: symbols[0] for stem, symbols in body.scope.families.items()}
    begin = place(body.opening)
    for stem, symbols in (body.scope.parent or body.scope).families.items():
        if place(symbols[0].mark) < begin:
            found.setdefault(stem, symbols[0])
    return found
