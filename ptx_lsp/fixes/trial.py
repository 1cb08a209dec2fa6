"""Would that be right? A statement is checked as it would read with a fix, before the fix is offered."""

from dataclasses import dataclass

from ptx_lsp.analysis.located import Located
from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.semantics.declarations import declare
from ptx_lsp.semantics.instructions import check_instruction
from ptx_lsp.semantics.reports import Mark, Report
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Declaration, Instruction
from ptx_lsp.text.ranges import Range


@dataclass(frozen=True, slots=True)
class Site:
    """The statement that a finding is about: where it stands, its text, and which part of that text is meant."""

    located: Located
    text: str
    start: int
    end: int

    @property
    def marked(self) -> str:
        """The text of the finding's range."""
        return self.text[self.start : self.end]


@dataclass(slots=True)
class Nowhere:
    """Stands in for a block: nothing of a trial is kept, so no place in it matters."""

    line: int = 0
    index: int = 0


def site_of(finding: Finding, module: Module) -> Site | None:
    """The statement in which a finding lies, or None where it lies in none or in several."""
    for located in module.statements(finding.range):
        start, end = located.offset(finding.range.start), located.offset(finding.range.end)
        first, last = located.statement.start, located.statement.end
        if first <= start < last and end <= last:
            return Site(located, located.text[first:last], start - first, end - first)
    return None


def helps(site: Site, start: int, end: int, new_text: str) -> bool:
    """Whether the statement has fewer errors with `new_text` in place of its characters from `start` to `end`."""
    changed = site.text[:start] + new_text + site.text[end:]
    return errors_in(changed, site.located) < errors_in(site.text, site.located)


def declared_as(name: str, type_: str, finding: Finding) -> Symbol:
    """A register of that name and type, as if it were declared where the finding is."""
    return Symbol(name, SymbolKind.REGISTER, Mark(Nowhere(index=-1), finding.range), ".reg", type_)


def errors_in(text: str, located: Located) -> int:
    """How many errors a statement has that reads like `text` and stands where `located` does."""
    holder = Nowhere()
    reports: list[Report] = []
    around = located.surroundings._replace(
        text=text,
        reports=reports,
        undeclared=[],
        label_uses=[],
        mark=lambda start, end: Mark(holder, Range(0, start, 0, end)),
    )
    problems = 0
    for statement, found in parse_statements(text):
        problems += len(found)
        if isinstance(statement, Instruction):
            check_instruction(statement, around)
        elif isinstance(statement, Declaration):
            declare(statement, around)
    return problems + len(around.undeclared) + sum(report.severity is Severity.ERROR for report in reports)
