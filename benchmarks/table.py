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


def median(seconds: list[float]) -> str:
    """The median of times, as text."""
    return f"{sorted(seconds)[len(seconds) // 2] * 1000:.2f}"


def spread(seconds: list[float]) -> str:
    """The median and the 99th percentile of times, as text."""
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"{ordered[len(ordered) // 2] * 1000:.2f} / {high * 1000:.2f} ms"
