"""Reports about names that need the whole function: missing labels, undeclared names, braces that do not match."""

from itertools import pairwise

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.reading.braces import (
    brace_too_deep,
    early_brace,
    misplaced,
    stray_closing_brace,
    unclosed_brace,
    unmatched_brace,
)
from ptx_lsp.reading.function_part import FunctionPart
from ptx_lsp.reading.state import Body
from ptx_lsp.reading.undeclared import conclude_undeclared
from ptx_lsp.semantics.reports import Mark, Report
from ptx_lsp.semantics.suggestions import near_name
from ptx_lsp.semantics.surroundings import LabelUse
from ptx_lsp.semantics.symbols import SymbolKind

RELATED_AT_MOST = 20

MOST_SUGGESTED = 32
"""Missing labels of one function for which another label is looked for."""


def conclude_names(body: Body, parts: list[FunctionPart]) -> list[Report]:
    """Reports of missing labels and undeclared names; `parts` are all parts of the function, in source order."""
    labels = _labels(parts) if parts and (parts[-1].ends or body.is_given) and not parts[-1].cut else []
    deep = [brace_too_deep(part.too_deep) for part in parts if part.too_deep is not None]
    found = deep[:1] + _braces(body, parts) + labels
    if any(part.undeclared for part in parts):
        found += conclude_undeclared(body, parts, damaged(parts))
    return found


def damaged(parts: list[FunctionPart]) -> bool:
    """True unless the function ends with its one closing brace; its scopes are uncertain then.

    The function around a fragment has none.
    """
    if parts and parts[0].body.is_given:
        return any(part.ends for part in parts)
    return not parts or any(part.cut for part in parts) or not parts[-1].ends or any(p.ends for p in parts[:-1])


def _braces(body: Body, parts: list[FunctionPart]) -> list[Report]:
    """Reports of directives inside of the function, the first brace that ends it too early, or a missing brace."""
    if body.is_given:
        return _stray_ends(parts)
    found = []
    unfinished = parts[-1].cut if parts else None
    for before, part in pairwise(parts):
        if part.resumed_at is None or before.closing is None:
            continue
        if before.cut is not None:
            found.append(misplaced(before.cut))
        elif part.resumed_by_brace and (unfinished is not None or not parts[-1].ends):
            return [*found, unmatched_brace(part.resumed_at)]
        else:
            return [*found, early_brace(before.closing, part.resumed_at, body.symbol.name)]
    if unfinished is not None:
        found.append(unclosed_brace(unfinished.opening, unfinished.noticed))
    return found


def _stray_ends(parts: list[FunctionPart]) -> list[Report]:
    """What ends the function around a fragment, which the fragment cannot do: only the first."""
    for part in parts:
        if part.cut is not None:
            return [misplaced(part.cut)]
        if part.closing is not None:
            return [stray_closing_brace(part.closing)]
    return []


def _report(code: str, mark: Mark, message: str, **more: object) -> Report:
    return Report(code, mark, message, default_severity(code), **more)  # type: ignore[arg-type]


def look_for_labels(part: FunctionPart) -> None:
    """Look up the labels that a part branches to, and keep the uses of missing ones in `missing`."""
    part.labels_checked = True
    part.missing = [use for use in part.label_uses if use.scope.label(use.name) is None]


def _labels(parts: list[FunctionPart]) -> list[Report]:
    seen: dict[tuple[int, str], list[LabelUse]] = {}
    for part in parts:
        if not part.labels_checked or part.missing:
            look_for_labels(part)
            for use in part.missing:
                seen.setdefault((id(use.scope), use.name), []).append(use)
    if seen and damaged(parts):
        # in a damaged function, the scope of a label is uncertain
        astray = {label.name for part in parts for label in part.labels}
        seen = {key: uses for key, uses in seen.items() if key[1] not in astray}
    known = sorted({label.name for part in parts for label in part.labels}) if seen else []
    return [
        _missing_label(uses, near_name(uses[0].name, known) if number < MOST_SUGGESTED else "")
        for number, uses in enumerate(seen.values())
    ]


def _missing_label(uses: list[LabelUse], near: str) -> Report:
    first, *others = uses
    related = tuple((use.mark, f"`{use.name}` is used here too") for use in others[:RELATED_AT_MOST])
    symbol = first.scope.lookup(first.name)
    if symbol is not None:
        what = "a register" if symbol.kind is SymbolKind.REGISTER else f"a {symbol.kind.value}"
        message = f"`{first.name}` is {what}, but a label of this function is expected here"
        related = ((symbol.mark, f"`{symbol.name}` is declared here"), *related)
        return _report("label-expected", first.mark, message, related=related)
    return _report(
        "undefined-label",
        first.mark,
        f"there is no label `{first.name}` in this scope or around it" + (f": did you mean `{near}`?" if near else ""),
        related=related,
        data={"meant": near},
    )
