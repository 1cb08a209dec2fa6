"""The page about the performance: the option of the benchmark has written it."""

import re
from pathlib import Path

from benchmarks.page import Machine, page
from benchmarks.table import Row

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
CELLS = re.compile(r"(?<!\\)\|")


def tables(text: str) -> list[list[list[str]]]:
    """The cells of the tables of a page, without their heads."""
    found: list[list[list[str]]] = [[]]
    for line in text.splitlines():
        if line.startswith("| "):
            found[-1].append([cell.strip().replace("\\|", "|") for cell in CELLS.split(line)[1:-1]])
        elif found[-1]:
            found.append([])
    return [table[2:] for table in found if table]


def test_a_page_has_the_machine_and_a_line_for_each_measurement() -> None:
    rows = [Row("check 10 lines | cold", "5.00 ms", "9.00 ms", "0.56 x", "1 s", "1 s"), Row("start", "3.00 ms")]
    text = page(Machine("Abacus, 2 cores", "Linux 1", "CPython 3.11.0", "all"), rows)
    about, measured = tables(text)
    assert about == [
        ["Processor", "Abacus, 2 cores"],
        ["System", "Linux 1"],
        ["Python", "CPython 3.11.0"],
        ["Measurements", "all"],
    ]
    assert measured == [["check 10 lines | cold", "5.00 ms", "9.00 ms", "0.56 x"], ["start", "3.00 ms", "", ""]]


def test_the_page_of_the_documentation_is_one_that_the_option_writes() -> None:
    text = PAGE.read_text("utf-8")
    about, measured = tables(text)
    rows = [Row(*cells) for cells in measured]
    assert page(Machine(*(value for _, value in about)), rows) == text
    assert len(rows) > 20
    assert all(re.search(r"\d", row.ours) for row in rows)
