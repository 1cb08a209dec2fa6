"""Writes the examinations of the files: in the format that was chosen, to the terminal or a file, and counts them."""

import sys

from ptx_lsp.cli.examination import Counts, Examination, Order, format_module
from ptx_lsp.cli.formats.table import FORMATS
from ptx_lsp.cli.printable import counted
from ptx_lsp.cli.sources import Unreadable
from ptx_lsp.findings.finding import Severity
from ptx_lsp.light_classes import Iterable, NamedTuple, TextIO


class Verbosity(NamedTuple):
    """What is printed beside findings: `quiet` is true if nothing is, `verbose` if each file is, with its time.

    `statistics` is true if only the number of findings of each rule is printed.
    """

    quiet: bool = False
    verbose: bool = False
    statistics: bool = False


class Total(NamedTuple):
    """Counts: of findings by code and severity, of files that cannot be read or are not PTX, of fixed findings, files.

    `changed` counts the files that fixes would change.
    """

    counts: Counts
    troubles: list[tuple[str, str]]
    foreign: int
    fixed: int
    files: int
    changed: int

    @property
    def errors(self) -> int:
        """The number of errors."""
        return sum(number for (_, severity), number in self.counts.items() if severity is Severity.ERROR)


def by_severity(counts: Iterable[Counts]) -> dict[Severity, int]:
    """The number of findings of each severity, in all of these counts together."""
    found: dict[Severity, int] = {}
    for each in counts:
        for (_, severity), number in each.items():
            found[severity] = found.get(severity, 0) + number
    return found


def report(examinations: Iterable[Examination], order: Order, verbosity: Verbosity, stream: TextIO) -> Total:
    """Write the findings of each file as soon as it is examined, and count them."""
    counts: dict[tuple[str, Severity], int] = {}
    troubles: list[tuple[str, str]] = []
    foreign = fixed = files = changed = 0
    document = _document(order, verbosity)
    between = ""
    if document:
        stream.write(document.BEGIN)
    for examined in examinations:
        files += 1
        if examined.trouble:
            print(Unreadable(examined.path, examined.trouble), file=sys.stderr)
            troubles.append((examined.path, examined.trouble))
        elif verbosity.verbose:
            number = sum(examined.counts.values())
            findings = counted(number, "finding")
            print(f"{examined.path}: {findings}, {examined.seconds * 1000:.0f} ms", file=sys.stderr)
        for remark in examined.remarks:
            print(remark, file=sys.stderr)
        if examined.output and not verbosity.statistics:
            stream.write(between + examined.output)
            between = document.BETWEEN if document else ""
        for key, number in examined.counts.items():
            counts[key] = counts.get(key, 0) + number
        foreign += examined.foreign
        fixed += examined.fixed
        changed += bool(order.diff and examined.output)
    if document:
        stream.write(document.end({code for code, _ in counts}, troubles))
    return Total(counts, troubles, foreign, fixed, files, changed)


def _document(order: Order, verbosity: Verbosity):  # type: ignore[no-untyped-def]  # the module of a format
    row = FORMATS[order.format]
    if not row.document or verbosity.statistics or order.diff:
        return None
    return format_module(row)
