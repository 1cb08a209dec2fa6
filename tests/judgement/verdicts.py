"""Tables of modules with their errors, which are compared with the analysis and with ptxas.

A row is `code "at" | source`: the code of every error in the source (with commas between them) and the text that it
underlines, or `-` if both ptxas and the analysis accept the source. `code "at" 2` means the second place of this text,
counted in whole words. A row without `"at"` says nothing about the place. `^` means a line end.

ptxas decides whether a row is accepted; this project decides its code. The place is what a reader of ptxas' message and
of the manual would mark: the word that ptxas names, or the operand, word or name that has to change.
"""

import re
from dataclasses import dataclass
from itertools import accumulate

from ptx_lsp.findings.finding import Severity
from tests.analysed import analysed
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


@dataclass(frozen=True, slots=True, order=True)
class Underlined:
    """An error of a row: its code, the text that it underlines (None: not said), and which of its places (from 1)."""

    code: str
    at: str | None = None
    place: int = 1

    def __str__(self) -> str:
        at = "" if self.at is None else f' "{self.at}"'
        return f"{self.code}{at}" + (f" {self.place}" if self.place > 1 else "")


_UNDERLINED = re.compile(r'([\w-]+)(?: "(.+?)"(?: (\d+))?)?(?:, |\Z)')


@dataclass(frozen=True, slots=True)
class Row:
    """One source of a table with its errors."""

    errors: tuple[Underlined, ...]
    source: str


def rows(table: str) -> list[Row]:
    """The rows of a table; blank lines and lines that begin with `#` are left out."""
    found = []
    for line in table.splitlines():
        if line.strip() and not line.startswith("#"):
            said, source = line.split(" | ", 1)
            wanted = [] if said.strip() == "-" else list(_UNDERLINED.finditer(said.strip()))
            assert "".join(each[0] for each in wanted) == said.strip().removeprefix("-"), line
            marks = (Underlined(each[1], each[2], int(each[3] or 1)) for each in wanted)
            found.append(Row(tuple(sorted(marks)), source.replace("^", "\n")))
    return found


def underlined(text: str, start: int, length: int) -> list[Underlined]:
    """Every error in a module, except those of a full compile; places are counted in `length` characters at `start`."""
    module = analysed(text)
    begins = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=-start))
    found = []
    for finding in module.findings():
        if finding.severity is Severity.ERROR and finding.code not in COMPILED:
            range_ = finding.range
            first, last = begins[range_.line] + range_.column, begins[range_.end_line] + range_.end_column
            found.append(_underlined(finding.code, text[start : start + length], first, last))
    return sorted(found)


def _underlined(code: str, source: str, start: int, end: int) -> Underlined:
    at = source[max(start, 0) : max(end, 0)]
    if not at:
        return Underlined(code, "outside of the source")
    word = r"[\w$%]"
    pattern = (rf"(?<!{word})" if re.match(word, at) else "") + re.escape(at) + (r"(?!\w)" if at[-1:].isalnum() else "")
    places = [match.start() for match in re.finditer(pattern, source)]
    return Underlined(code, at, places.index(start) + 1 if start in places else 0)


def errors(text: str) -> tuple[str, ...]:
    """The codes of all errors in a module, sorted, except those of a full compile."""
    module = analysed(text)
    return tuple(sorted(f.code for f in module.findings() if f.severity is Severity.ERROR and f.code not in COMPILED))


def our_mistakes(table: str, before: str = HEADER, after: str = "") -> list[str]:
    """The rows whose codes or places differ from those of the analysis, each as the analysis would have it."""
    found = []
    for row in rows(table):
        ours = underlined(before + row.source + after, len(before), len(row.source))
        said = [Underlined(one.code) if other.at is None else one for one, other in zip(ours, row.errors, strict=False)]
        if said != list(row.errors) or len(ours) != len(row.errors):
            shown = ", ".join(map(str, ours)) or "-"
            found.append(f"{shown} | {row.source!r}, expected {', '.join(map(str, row.errors)) or '-'}")
    return found


def without_places(table: str) -> list[str]:
    """The sources that have an error whose place the table does not say."""
    return [row.source for row in rows(table) if any(error.at is None for error in row.errors)]


def ptxas_mistakes(
    table: str, before: str = HEADER, after: str = "", arch: str = "compute_90", options: tuple[str, ...] = ()
) -> list[str]:
    """The rows that ptxas accepts although they have a code, or refuses although they have none."""
    found = rows(table)
    outcomes = Assembler(options=options).modules([before + row.source + after for row in found], arch)
    return [
        f"{row.source!r}: the table says {', '.join(map(str, row.errors)) or '-'}, ptxas {outcome.messages}"
        for row, outcome in zip(found, outcomes, strict=True)
        if outcome.accepted == bool(row.errors)
    ]


def broken_into_lines(table: str) -> str:
    """The same table with each statement of several operands on two lines, which no recogniser knows."""
    statement = re.compile(r"^([^|]+ \| (?:@\S+ )?[\w.:]+) (?=.*,)")
    return "\n".join(statement.sub(r"\1 ^ ", line) for line in table.splitlines())
