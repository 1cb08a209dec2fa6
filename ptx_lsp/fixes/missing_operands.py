"""Fixes for operands that people omit: a mask of threads, the number of a barrier, the first of two sources."""

from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, safe_if
from ptx_lsp.fixes.verification import Site, errors_in
from ptx_lsp.isa.intended_words import operands_habit
from ptx_lsp.isa.opcode_sets import OVERWRITING_ELSEWHERE
from ptx_lsp.syntax.tree import Instruction


def complete(finding: Finding, site: Site) -> Iterator[Fix]:
    """The statement with its missing operands, and with `.sync` if that is missing, if this makes it correct."""
    statement = site.located.statement
    if not isinstance(statement, Instruction):
        return
    opcode = statement.text
    if finding.data.get("wanted") == ".sync":
        opcode = statement.opcode.text + ".sync" + opcode[len(statement.opcode.text) :]
    yield from rewritten(site, statement, opcode)


def rewritten(site: Site, statement: Instruction, opcode: str) -> Iterator[Fix]:
    """The statement with the opcode text `opcode` (`shfl.sync.down.b32`) and its missing operands, if it is correct."""
    first = statement.start
    before = site.text[: statement.opcode.start - first]
    end = statement.modifiers[-1].end if statement.modifiers else statement.opcode.end
    given = site.text[end - first :].strip().removesuffix(";").strip()
    seen: set[str] = set()
    for operands, safe in _completions(opcode, given):
        text = f"{before}{opcode} {operands};"
        if text not in seen and not errors_in(text, site.located):
            seen.add(text)
            place = site.located.range(first, first + len(site.text))
            yield Fix(f"write `{text}`", (Edit(place, text),), safe_if(safe))


def _completions(opcode: str, given: str) -> Iterator[tuple[str, bool]]:
    """Operands to try; each is true if it is the only possible meaning."""
    habit = operands_habit(opcode)
    for remedy in habit.remedies if habit is not None else ():
        if "..." not in remedy.text or given:
            yield remedy.text.replace("...", given), remedy.safe and not given
    destination, comma, rest = given.partition(",")
    if comma and opcode.split(".")[0] in OVERWRITING_ELSEWHERE:
        yield f"{destination.strip()}, {destination.strip()}, {rest.strip()}", False
