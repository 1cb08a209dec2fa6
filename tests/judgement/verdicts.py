"""Tables of modules with what is said of them, held against our analysis and against ptxas.

A row is `code | source`: the code of every error that the source draws (commas between several), `-` where ptxas and
we accept it. `^` stands for a line end. Whether a row is accepted is ptxas' answer; the code is ours to choose.
"""

from dataclasses import dataclass

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from tests.oracle.assembler import Assembler

HEADER = ".version 9.4\n.target sm_90\n.address_size 64\n"


@dataclass(frozen=True, slots=True)
class Row:
    """One source of a table with the codes of its errors."""

    codes: tuple[str, ...]
    source: str


def rows(table: str) -> list[Row]:
    """The rows of a table; blank lines and lines that begin with `#` are left out."""
    found = []
    for line in table.splitlines():
        if line.strip() and not line.startswith("#"):
            codes, source = line.split(" | ", 1)
            wanted = () if codes.strip() == "-" else tuple(sorted(code.strip() for code in codes.split(",")))
            found.append(Row(wanted, source.replace("^", "\n")))
    return found


def errors(text: str) -> tuple[str, ...]:
    """The codes of all errors in a module, sorted."""
    module = Module(text)
    module.work()
    return tuple(sorted(f.code for f in module.findings() if f.severity is Severity.ERROR))


def our_mistakes(table: str, before: str = HEADER, after: str = "") -> list[str]:
    """The rows of which our analysis says something else, with what it says."""
    found = []
    for row in rows(table):
        told = errors(before + row.source + after)
        if told != row.codes:
            found.append(f"{row.source!r}: wanted {row.codes}, told {told}")
    return found


def ptxas_mistakes(table: str, before: str = HEADER, after: str = "") -> list[str]:
    """The rows that ptxas judges otherwise than the table says."""
    found = rows(table)
    outcomes = Assembler().modules([before + row.source + after for row in found])
    return [
        f"{row.source!r}: the table says {row.codes}, ptxas {outcome.messages}"
        for row, outcome in zip(found, outcomes, strict=True)
        if outcome.accepted == bool(row.codes)
    ]
