"""Tables of modules with their errors, which are compared with the analysis and with ptxas.

A row is `code | source`: the code of every error in the source (with commas between them), or `-` if both ptxas and
the analysis accept it. `^` means a line end. ptxas decides whether a row is accepted, this project decides its code.
"""

import re
from dataclasses import dataclass

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from tests.oracle.assembler import Assembler

HEADER = ".version 9.4\n.target sm_90\n.address_size 64\n"

COMPILED = frozenset(("narrow-address", "preserved-registers"))
"""The codes of errors that ptxas reports only when it generates code, which it does not do for these tables."""

_REGISTERS = {
    "pred": "p", "b8": "o", "b16": "h", "b32": "r", "b64": "d", "b128": "q", "f16": "x", "f16x2": "ee", "f32": "f",
    "f64": "g", "u16": "hu", "s16": "hs", "u32": "u", "s32": "s", "u64": "ud", "s64": "sd",
}  # fmt: skip
NAMES = " ".join(
    (
        ".global .b32 ga[8]; .global .b32 gs; .global .v4 .f32 vv; .global .v4 .f32 vva[4]; .global .b32 g2[4][2];",
        ".global .f32 gf[4]; .global .b8 gb[64]; .const .b32 ca[8]; .shared .b32 sa[8]; .shared .b32 sv;",
        ".extern .shared .b32 es[]; .global .texref tx; .global .surfref srf; .func fn0 () { ret; }",
        ".entry k(.param .u64 kp, .param .align 8 .b8 ka[32]) {",
        *(f".reg .{type_} {stem}<9>;" for type_, stem in _REGISTERS.items()),
        ".reg .v4 .f32 vf; .reg .v2 .b32 vr; .local .b32 loc[8]; .param .b32 pl; .param .align 8 .b8 pb[16];\n",
    )
)
"""Declarations for one statement in a kernel: a register family for each type (`r<9>` is `.b32`), arrays, variables."""

END = "\nret; }\n"


def body(version: str = "9.4", target: str = "sm_90") -> str:
    """The text before one statement: the header of a module, then `NAMES`."""
    return f".version {version}\n.target {target}\n.address_size 64\n{NAMES}"


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
    """The codes of all errors in a module, sorted, except those of a full compile."""
    module = Module(text)
    module.work()
    return tuple(sorted(f.code for f in module.findings() if f.severity is Severity.ERROR and f.code not in COMPILED))


def our_mistakes(table: str, before: str = HEADER, after: str = "") -> list[str]:
    """The rows whose codes differ from those of the analysis, each with the latter."""
    found = []
    for row in rows(table):
        codes = errors(before + row.source + after)
        if codes != row.codes:
            found.append(f"{row.source!r}: wanted {row.codes}, codes {codes}")
    return found


def ptxas_mistakes(
    table: str, before: str = HEADER, after: str = "", arch: str = "compute_90", options: tuple[str, ...] = ()
) -> list[str]:
    """The rows that ptxas accepts although they have a code, or refuses although they have none."""
    found = rows(table)
    outcomes = Assembler(options=options).modules([before + row.source + after for row in found], arch)
    return [
        f"{row.source!r}: the table says {row.codes}, ptxas {outcome.messages}"
        for row, outcome in zip(found, outcomes, strict=True)
        if outcome.accepted == bool(row.codes)
    ]


def broken_into_lines(table: str) -> str:
    """The same table with each statement of several operands on two lines, which no recogniser knows."""
    return "\n".join(re.sub(r"^([\w, -]+ \| (?:@\S+ )?[\w.:]+) (?=.*,)", r"\1 ^ ", line) for line in table.splitlines())
