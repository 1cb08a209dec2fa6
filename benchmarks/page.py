"""The page of the documentation with the last measurements, and the machine that they were made on."""

import os
import platform
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from benchmarks.table import Row

COLUMNS = ("What", "ptx-lsp", "ptxas", "Ratio")
HEAD = """# Performance

`python -m benchmarks --page docs/performance.md` measured this and wrote the page. "Ratio" is the time of ptx-lsp
divided by that of `ptxas -arch=compute_NN`, which parses and checks, on the same text. Two times with a slash are the
median and the 99th percentile; times of a server include the messages to it and from it.

Some rows have other values in the third column. "half" and "an eighth" are times of ptx-lsp for that part of the text;
"Ratio" is then the growth of the time up to the whole text, which is 2 or 8 if the time is proportional to the length.
The time of an empty process is subtracted for "half", so that the growth of short times is inexact. In rows about
memory it is the maximum while the text was opened.
"""


class Machine(NamedTuple):
    """Where the measurements were made. `length` says which lengths of texts were measured."""

    processor: str
    system: str
    python: str
    length: str


def this_machine(short: bool) -> Machine:
    """The machine that runs this."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Machine(
        f"{_processor()}, {cores} cores",
        f"{platform.system()} {platform.release()}",
        f"{platform.python_implementation()} {platform.python_version()}",
        "short (`--short`)" if short else "all",
    )


def _processor() -> str:
    """The name of the processor."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.M)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def page(machine: Machine, rows: list[Row]) -> str:
    """The page, in Markdown. A row without a number says what was not measured; the page leaves it out."""
    about = (
        ("Processor", machine.processor),
        ("System", machine.system),
        ("Python", machine.python),
        ("Measurements", machine.length),
    )
    measured = [(each.what.strip(), each.ours, each.theirs, each.ratio) for each in rows if each.ours]
    return "\n".join([HEAD, *_table(("Machine", ""), about), "", *_table(COLUMNS, measured), ""])


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """The lines of a table."""
    marks = tuple("---" for _ in head)
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in (head, marks, *rows)]
