"""The reports about a function that is known as a whole, and its traces, at their places in each repetition.

They are remembered with the places in the key of the body, and only if no message has a name that varies.
"""

from __future__ import annotations

from itertools import chain

from ptx_lsp.light_classes import TYPE_CHECKING, NamedTuple
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.body_text import VARYING_MARK, VARYING_NAME, BodyText, Names, column_in_key, growth
from ptx_lsp.quick.effect import PARAMETER
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Holder, Mark
from ptx_lsp.text.ranges import Range

if TYPE_CHECKING:
    from ptx_lsp.semantics.traces import Trait

_WORD = lazy_pattern(r"[\w$%]++")

Traces = tuple[tuple["Trait", int, Mark], ...]


class TemplateReports(NamedTuple):
    """Reports and traces of a function, each with ranges in the key of its body; lines count from that after the `{`.

    The ranges of a report are its own and those of its related places. `shifted` are the lines of the key, by number,
    in which a name that varies is before a place.
    """

    reports: tuple[tuple[Report, tuple[Range, ...]], ...] = ()
    traces: tuple[tuple[Trait, int, Range], ...] = ()
    shifted: dict[int, str] = {}  # noqa: RUF012  # never changed


NO_REPORTS = TemplateReports()


class BodyPlace(NamedTuple):
    """The place of a body: its names, its block, and its first line in the block."""

    names: Names
    holder: Holder
    first: int


def template_reports(body: BodyText, at: BodyPlace, reports: list[Report], traces: Traces) -> TemplateReports | None:
    """What a template remembers of the reports and traces of a function; None if they may differ in another one."""
    if not reports and not traces:
        return NO_REPORTS
    marks = [*chain.from_iterable(map(_marks, reports)), *(mark for _, _, mark in traces)]
    lines = body.key.split("\n")
    if any(mark.holder is not at.holder for mark in marks):
        return None
    if not all(0 <= number < len(lines) for mark in marks for number in _lines(mark, at)):
        return None
    if any(_varies(text, at.names) for report in reports for text in _texts(report)):
        return None
    found = TemplateReports(
        tuple((report, tuple(_in_key(mark, lines, at) for mark in _marks(report))) for report in reports),
        tuple((trait, value, _in_key(mark, lines, at)) for trait, value, mark in traces),
        {number: lines[number] for mark in marks for number in _lines(mark, at) if VARYING_MARK in lines[number]},
    )
    return found if _ranges(*repeated(found, at)) == _ranges(reports, traces) else None


def repeated(known: TemplateReports, at: BodyPlace) -> tuple[list[Report], Traces]:
    """The reports and traces of a function whose body has this place."""
    found = []
    for report, ranges in known.reports:
        mark, *others = (_at(range_, known.shifted, at) for range_ in ranges)
        related = tuple((other, text) for other, (_, text) in zip(others, report.related, strict=True))
        found.append(report._replace(mark=mark, related=related))
    return found, tuple((trait, value, _at(range_, known.shifted, at)) for trait, value, range_ in known.traces)


def _at(range_: Range, shifted: dict[int, str], at: BodyPlace) -> Mark:
    line, column, end_line, end_column = range_
    column, end_column = _column(line, column, shifted, at.names), _column(end_line, end_column, shifted, at.names)
    return Mark(at.holder, Range(line + at.first, column, end_line + at.first, end_column))


def _column(line: int, column: int, shifted: dict[int, str], names: Names) -> int:
    if line not in shifted:
        return column
    return column + sum(growth(found[0], names) for found in VARYING_NAME.finditer(shifted[line], 0, column))


def _in_key(mark: Mark, lines: list[str], at: BodyPlace) -> Range:
    line, end_line = _lines(mark, at)
    _, column, _, end_column = mark.range
    column, end_column = (
        column_in_key(lines[number], place, at.names) for number, place in ((line, column), (end_line, end_column))
    )
    return Range(line, column, end_line, end_column)


def _lines(mark: Mark, at: BodyPlace) -> tuple[int, int]:
    return mark.range.line - at.first, mark.range.end_line - at.first


def _marks(report: Report) -> tuple[Mark, ...]:
    return report.mark, *(mark for mark, _ in report.related)


def _texts(report: Report) -> tuple[str, ...]:
    return report.message, *(text for _, text in report.related), *report.data.values()


def _varies(text: str, names: Names) -> bool:
    """Whether a text may have a name that varies."""
    varying = {names.function, *names.outer, *names.variables}
    own = names.function + PARAMETER
    return any(
        word in varying or word.startswith(own) or bool(names.labels and names.labels in word)
        for word in _WORD.findall(text)
    )


def _ranges(reports: list[Report], traces: Traces) -> list[Range]:
    return [mark.range for mark in (*chain.from_iterable(map(_marks, reports)), *(mark for _, _, mark in traces))]
