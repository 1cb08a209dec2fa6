"""Verification of fixes: before a fix is offered, the statement is checked as it would be after the fix."""

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.semantics.declarations import declare
from ptx_lsp.semantics.instructions import check_instruction
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Mark, Symbol, SymbolKind
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Declaration, Instruction
from ptx_lsp.text.ranges import Range

_OF_WHAT_IS_MISSING = frozenset(
    ("expected-name", "expected-operand", "extra-comma", "missing-modifier", "operand-count", "unclosed-bracket")
)


@dataclass(frozen=True, slots=True)
class Site:
    """The statement that a finding is about: its context, its text, and the part of the text that the finding marks.

    `start` and `end` are the offsets of that part in `text`.
    """

    located: StatementContext
    text: str
    start: int
    end: int
    module: Module

    @property
    def marked(self) -> str:
        """The text of the finding's range."""
        return self.text[self.start : self.end]

    def edit(self, start: int, end: int, new_text: str) -> Edit:
        """The replacement of the statement's characters from `start` to `end`, as an edit of the module."""
        first = self.located.statement.start
        return Edit(self.located.range(first + start, first + end), new_text)

    def count(self, opcode_text: str) -> int:
        """The number of times that the module writes this opcode with these modifiers."""
        pattern = rf"(?<![\w.$%]){re.escape(opcode_text)}(?![\w.:])"
        return len(re.findall(pattern, self.module.document.whole()))

    def changed(self, start: int, end: int, new_text: str) -> str:
        """The statement's text with `new_text` in place of its characters from `start` to `end`."""
        return self.text[:start] + new_text + self.text[end:]


@dataclass(slots=True)
class Nowhere:
    """A placeholder for a block: a trial keeps nothing, so no place in it matters."""

    line: int = 0
    index: int = 0


class Faults(NamedTuple):
    """The number of errors of a statement, and of undeclared names in it."""

    own: int
    undeclared: int

    @property
    def all(self) -> int:
        """The sum of both."""
        return self.own + self.undeclared


def site_steps(finding: Finding, module: Module) -> Generator[None, None, Site | None]:
    """The statement around a finding, in steps; None if the finding is in no statement or in several."""
    for located in module.statements_with_pauses(finding.range):
        if located is None:
            yield
            continue
        start, end = located.offset(finding.range.start), located.offset(finding.range.end)
        first, last = located.statement.start, located.statement.end
        if first <= start < last and end <= last:
            return Site(located, located.text[first:last], start - first, end - first, module)
    return None


def helps(site: Site, start: int, end: int, new_text: str) -> bool:
    """Whether the statement has fewer errors with `new_text` in place of its characters from `start` to `end`."""
    return errors_in(site.changed(start, end, new_text), site.located) < errors_in(site.text, site.located)


def fits(site: Site, start: int, end: int, new_text: str) -> bool:
    """Whether the statement has no errors with that replacement. Undeclared names are not counted."""
    return faults_in(site.changed(start, end, new_text), site.located).own == 0


def declared_as(name: str, type_: str, finding: Finding) -> Symbol:
    """The symbol of a register with that name and type, declared at the place of the finding."""
    return Symbol(name, SymbolKind.REGISTER, Mark(Nowhere(index=-1), finding.range), ".reg", type_)


def errors_in(text: str, located: StatementContext) -> int:
    """The number of errors in `text` as a statement at the place of `located`."""
    return faults_in(text, located).all


def faults_in(text: str, located: StatementContext) -> Faults:
    """The errors in `text` as a statement at the place of `located`."""
    codes, undeclared = _codes_in(text, located)
    return Faults(len(codes), undeclared)


def lacks_nothing(text: str, located: StatementContext) -> bool:
    """Whether no operand, modifier or bracket is missing in `text` as a statement at the place of `located`."""
    return _OF_WHAT_IS_MISSING.isdisjoint(_codes_in(text, located)[0])


def _codes_in(text: str, located: StatementContext) -> tuple[list[str], int]:
    """The codes of the errors in a statement, and the number of undeclared names in it."""
    holder = Nowhere()
    reports: list[Report] = []
    around = located.surroundings._replace(
        text=text,
        reports=reports,
        undeclared=[],
        label_uses=[],
        mark=lambda start, end: Mark(holder, Range(0, start, 0, end)),
    )
    codes: list[str] = []
    for statement, found in parse_statements(text):
        codes += [problem.code for problem in found]
        if isinstance(statement, Instruction):
            check_instruction(statement, around)
        elif isinstance(statement, Declaration):
            declare(statement, around)
    codes += [report.code for report in reports if report.severity is Severity.ERROR]
    return codes, len(around.undeclared)
