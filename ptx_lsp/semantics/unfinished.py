"""What may follow from a mistake that the parser has reported in an instruction: it is no report of its own."""

from ptx_lsp.isa.opcode_sets import WITHOUT_OPERANDS
from ptx_lsp.semantics.surroundings import Report, ScopedUse, Surroundings, Undeclared
from ptx_lsp.semantics.symbols import Mark
from ptx_lsp.syntax.recovery import MISSING_SEMICOLON
from ptx_lsp.syntax.tree import Instruction, Problem

_AT_END = frozenset(("operand-count", "missing-modifier"))
"""What an instruction without its `;` may lack because its end is missing."""
_LAST_NAMES = frozenset(("undeclared-function",))
"""What is wrong with a name that may not be finished."""
_UNKNOWN = "unknown-opcode"
_LAST_WORDS = frozenset(("unknown-modifier", "vector-element"))
"""What is wrong with a word with a dot, which may be in the place of a `;`."""


def drop_what_follows(reports: list[Report], checked_from: int) -> None:
    """Drop what may follow from another report on an instruction without its `;`; that is the last one of the parser.

    The reports from the index `checked_from` on are those of the check. What is missing at the end may be what the
    instruction lacks, a last word that is wrong may be in the place of the `;`, and a last name may not be finished. An
    unknown opcode may be no opcode.
    """
    end = reports[checked_from - 1].mark.range.end
    found = [
        report
        for report in reports[checked_from:]
        if report.code not in _AT_END and not (report.code in _LAST_NAMES and report.mark.range.end == end)
    ]
    if any(
        (report.code in _LAST_WORDS and report.mark.range.end == end) or report.code == _UNKNOWN for report in found
    ):
        del reports[checked_from - 1]
        checked_from -= 1
    reports[checked_from:] = found


def report_next_statement(found: Instruction, noted: int, surroundings: Surroundings) -> None:
    """Report a comma at the end of a line if the undeclared name below it is an instruction such as `ret`.

    `noted` is the index of the first undeclared name of the instruction `found`.
    """
    last, use = found.operands[-1], surroundings.undeclared[-1]
    if use.name not in WITHOUT_OPERANDS or len(found.operands) < 2 or len(surroundings.undeclared) > noted + 1:
        return
    between = surroundings.source(found.operands[-2].end, last.start)
    if "\n" not in between or surroundings.source(last.start, last.end) != use.name:
        return
    surroundings.undeclared.pop()
    comma = found.operands[-2].end + between.index(",")
    surroundings.report("extra-comma", comma, comma + 1, "an operand is missing after this comma")


def drop_unfinished_name(
    found: Instruction, problems: tuple[Problem, ...], noted: list[Undeclared] | list[ScopedUse], end: Mark
) -> None:
    """Drop the use of an unknown name at the end of an instruction without its `;`: the name may not be finished.

    `noted` are the uses of undeclared names or of labels so far; a use in the instruction is the last one. `end` is the
    place of its end.
    """
    lacks_end = any(problem.code == MISSING_SEMICOLON for problem in problems)
    if lacks_end and found.operands and noted and noted[-1].mark.range.end == end.range.end:
        noted.pop()
