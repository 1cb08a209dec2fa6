"""The table: one row per measurement, with the figure of ptxas and the goals."""

import sys
from dataclasses import dataclass

_HEAD = ("what", "ptx-lsp", "ptxas", "ratio", "must", "aim")
_WIDTHS = (58, 20, 12, 7, 18, 14)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `must` and `aim` are the goals of the project, as text."""

    what: str
    ours: str
    theirs: str = ""
    ratio: str = ""
    must: str = ""
    aim: str = ""


def show_head() -> None:
    """Print the head of the table."""
    _show(_HEAD)
    _show(tuple("-" * width for width in _WIDTHS))


def show(row: Row) -> None:
    """Print a row at once: a run takes minutes."""
    _show((row.what, row.ours, row.theirs, row.ratio, row.must, row.aim))


def _show(cells: tuple[str, ...]) -> None:
    line = "  ".join(cell.ljust(width) for cell, width in zip(cells, _WIDTHS, strict=True))
    print(line.rstrip(), flush=True, file=sys.stdout)


def milliseconds(seconds: float) -> str:
    """A time as text."""
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.1 else f"{seconds * 1000:.2f} ms"


def ratio(ours: float, theirs: float) -> str:
    """The ratio of our figure to that of ptxas."""
    return f"{ours / theirs:.2f} x" if theirs else ""


def percentile(seconds: list[float], share: float) -> float:
    """The time that a share of the times (from 0 to 1) is not above: 0.5 for the median. There is at least one."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def median(seconds: list[float]) -> str:
    """The median of times in milliseconds, as text without the unit."""
    return f"{percentile(seconds, 0.5) * 1000:.2f}"


def spread(seconds: list[float]) -> str:
    """The median and the 99th percentile of times, as text."""
    return f"{median(seconds)} / {percentile(seconds, 0.99) * 1000:.2f} ms"
