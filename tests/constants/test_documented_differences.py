"""The table of `docs/constants.md`: each value by the assembler or by arithmetic, and no difference is left out."""

import re
import struct
from pathlib import Path

import pytest

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.constants.operators import BINARY, CASTS, TERNARY, UNARY
from ptx_lsp.constants.spelling import typed
from tests.constants.expressions import parsed
from tests.oracle.assembler import Assembler, needs_assembler
from tests.oracle.constants import REFUSED, Answer, theirs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "constants.md"
TABLE = re.search(r"<!-- differences: .*?-->(.*)<!-- end of differences -->", PAGE.read_text("utf-8"), re.S)
assert TABLE
ROWS = [
    [cell.strip().replace("\\|", "|").replace("`", "") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in TABLE[1].strip().splitlines()[2:]
]
UNSIGNED = 1 << 64

# By hand: the sides as `.u64` where the manual says so, and the result in the type that it names.
MANUAL: dict[str, tuple[int | float, str]] = {
    "-1 % 10": (-1 % UNSIGNED % 10, ".s64"),
    "(-1 % 10) - 6": (-1 % UNSIGNED % 10 - 6, ".s64"),
    "(-1 % 10) - 6 < 0": (int(-1 % UNSIGNED % 10 - 6 < 0), ".s64"),
    "-1 & -2": (-1 % UNSIGNED & -2 % UNSIGNED, ".u64"),
    "-1 | 0": (-1 % UNSIGNED | 0, ".u64"),
    "-1 ^ 1": (-1 % UNSIGNED ^ 1, ".u64"),
    "(-1 | 0) < 0": (int((-1 % UNSIGNED | 0) < 0), ".s64"),
    "(-1 | 0) >> 63": ((-1 % UNSIGNED | 0) >> 63, ".u64"),
    "1 ? -1 : 1U": (-1 % UNSIGNED, ".u64"),
    "(1 ? -1 : 1U) < 0": (int(-1 % UNSIGNED < 0), ".s64"),
    "1 ? 1.5 : 2.5": (1.5, ".f64"),
}


@needs_assembler
def test_the_assembler_gives_the_values_of_its_column() -> None:
    answers = theirs(Assembler(), [row[0] for row in ROWS])
    assert [written(answer) for answer in answers] == [row[1] for row in ROWS]


def written(answer: Answer) -> str:
    """An answer of the assembler as the page writes it."""
    if answer == REFUSED:
        return "refused"
    code = {"s64": "q", "u64": "Q", "real": "d"}[answer.type]
    [value] = struct.unpack(f"<{code}", struct.pack("<Q", answer.bits))
    return f"{value} .{answer.type.replace('real', 'f64')}"


def test_table_5_gives_the_values_of_its_column() -> None:
    assert {row[0]: row[3] for row in ROWS} == {text: f"{value} {kind}" for text, (value, kind) in MANUAL.items()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_program_gives_the_values_of_all_columns(row: list[str]) -> None:
    text, assembler, prose, table = row
    assert value(text, Authority.PTXAS) == assembler
    assert value(text, Authority.TABLE) == table
    assert not prose or value(text, Authority.PROSE) == prose
    assert {assembler} != {prose or assembler, table}


def value(text: str, authority: Authority) -> str:
    found = evaluate(parsed(text), authority)
    return "refused" if found.value is None or found.errors else typed(found.value).replace("(", "").replace(")", "")


def test_every_operator_with_a_difference_has_a_line() -> None:
    operators = [*UNARY.values(), *CASTS.values(), *BINARY.values(), TERNARY]
    differing = {each.symbol for each in operators if not each.ptxas == each.table == (each.prose or each.ptxas)}
    shown = {symbol for symbol in differing for row in ROWS if symbol[0] in row[0]}
    assert shown == differing
    assert len(differing) == 5
