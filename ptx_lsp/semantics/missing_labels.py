"""Reports of labels that a function branches to and does not have."""

from collections.abc import Iterable, Mapping

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.light_classes import Protocol, Sequence
from ptx_lsp.semantics.suggestions import near_name, without_other_digits
from ptx_lsp.semantics.surroundings import Report, ScopedUse
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol, SymbolKind, member_number, place

MOST_RELATED = 20
"""Further branches to a missing label that its report names."""

MOST_SUGGESTED = 32
"""Missing labels of one function for which another label is looked for."""

MOST_COMPARED = 32
"""Names of broken statements that are compared with each missing label."""


def is_hidden(use: ScopedUse) -> bool:
    """Whether the name of a label means something else at its use, where only what is above counts (ptxas 13.5)."""
    at = place(use.mark)
    for scope in use.scope.outward():
        if any(place(label.mark) < at for label in scope.labels.get(use.name, ())):
            return False
        if _declared_in(scope, use.name, at) is not None:
            return True
    return False


class _Part(Protocol):
    """The part of a function in one block: its labels, and the names of each broken statement that may be a label."""

    labels: list[Symbol]
    lost_labels: list[frozenset[str]]


def missing_labels(missing: list[list[ScopedUse]], parts: Sequence[_Part]) -> list[Report]:
    """A report for each label that is missing; `missing` are their uses, `parts` all parts of the function."""
    if lost := [names for part in parts for names in part.lost_labels]:
        missing = _without_lost(missing, lost)
    known: dict[str, Symbol] = {label.name: label for part in parts for label in part.labels}
    first_at = {place(uses[0].mark): uses for uses in reversed(missing)}  # the labels of a family have one place
    return [
        _report(uses, known if number < MOST_SUGGESTED else {})
        for number, uses in enumerate(uses for uses in missing if first_at[place(uses[0].mark)] is uses)
    ]


class _Labels:
    """The part of a function with those of its labels that a missing one may be meant to be."""

    def __init__(self, labels: list[Symbol]) -> None:
        self.labels, self.lost_labels = labels, list[frozenset[str]]()


def missing_label(missing: list[list[ScopedUse]], parts: Sequence[_Part], scope: Scope, also: str = "") -> list[Report]:
    """The reports of one label that is missing; `missing` are its uses, at least one, by their scopes.

    `parts` are the parts of the function that are known, with the scope of its body; it has the label `also` too.
    No report if a broken statement may be the label.
    """
    if any(part.lost_labels for part in parts):
        return []
    first = missing[0][0]
    names = list(scope.labels)  # mostly all of them; to list those of all parts takes thirty times as long
    if len(names) != sum(len(part.labels) for part in parts):
        names = [label.name for part in parts for label in part.labels]
    near = without_other_digits(first.name, names)
    others = [Symbol(name, SymbolKind.LABEL, first.mark) for name in (*near, also) if name not in ("", first.name)]
    return missing_labels(missing, [_Labels(others)])


def _nearest(name: str, labels: Iterable[str]) -> str:
    return near_name(name, sorted(set(without_other_digits(name, list(labels)))))


def _without_lost(missing: list[list[ScopedUse]], lost: list[frozenset[str]]) -> list[list[ScopedUse]]:
    """The missing labels without those that a broken statement was meant to be: that is reported where it is."""
    meant = frozenset().union(*lost)
    few = meant if len(meant) <= MOST_COMPARED else ()
    left = [uses for uses in missing if uses[0].name not in meant and not near_name(uses[0].name, few)]
    without_name = sum(not names for names in lost)
    return left if len({uses[0].name for uses in left}) > without_name else []


def _report(uses: list[ScopedUse], known: Mapping[str, Symbol]) -> Report:
    """The report of a missing label; `known` are the labels of its function by their names."""
    first, *others = uses
    related = tuple((use.mark, f"`{use.name}` is used here too") for use in others[:MOST_RELATED])
    symbol = _declared_above(first)
    if symbol is not None:
        what = "a register" if symbol.kind is SymbolKind.REGISTER else f"a {symbol.kind.value}"
        message = f"`{first.name}` is {what}, but a label of this function is expected here"
        related = ((symbol.mark, f"`{symbol.name}` is declared here"), *related)
        return Report("label-expected", first.mark, message, default_severity("label-expected"), related=related)
    elsewhere = known.get(first.name)
    if elsewhere is not None:
        meant, near = ": it is in another scope", ""
        related = ((elsewhere.mark, f"`{first.name}` is here, between other braces"), *related)
    else:
        near = _nearest(first.name, known)
        meant = f": did you mean `{near}`?" if near else ""
    message = f"there is no label `{first.name}` in this scope or around it{meant}"
    severity = default_severity("undefined-label")
    return Report("undefined-label", first.mark, message, severity, related=related, data={"meant": near})


def _declared_above(use: ScopedUse) -> Symbol | None:
    """What the name of a missing label means where it is used. What is declared below must not change that."""
    found = (_declared_in(scope, use.name, place(use.mark)) for scope in use.scope.outward())
    return next((symbol for symbol in found if symbol is not None), None)


def _declared_in(scope: Scope, name: str, at: tuple[int, int, int]) -> Symbol | None:
    """What a scope declares the name as above a place, apart from labels."""
    stem = name.rstrip(DIGITS)
    families = scope.families.get(stem, []) if stem != name else []
    number = member_number(name[len(stem) :]) if families else 0
    members = [one for one in families if number < (one.count or 0)]
    found = (symbol for symbol in (*scope.members.get(name, [])[:1], *members) if place(symbol.mark) < at)
    return next(found, None)
