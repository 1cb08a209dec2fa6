"""How the time of some work grows with its text, on a machine that may be busy."""

import gc
import time
from collections.abc import Callable

LINEAR = 10
"""Four times the text takes four times as long, and sixteen times as long if the work is quadratic."""
_MOST_PAIRS = 20


def growth(work: Callable[[str], object], short: str, long_: str) -> float:
    """How many times as long the work takes on a long text as on a short one: the shortest times of 1 to 20 runs.

    It ends as soon as the ratio is below `LINEAR`.
    """
    times: list[tuple[float, float]] = []
    ratio = float("inf")
    while len(times) < _MOST_PAIRS and ratio >= LINEAR:
        times.append((_seconds(work, long_), max(_seconds(work, short), 0.0005)))
        ratio = min(time for time, _ in times) / min(time for _, time in times)
    return ratio


def _seconds(work: Callable[[str], object], text: str) -> float:
    """The processor time of some work on a text.

    Without the search for garbage: the process of the tests has millions of objects, and a search through all of them
    would take longer than the work.
    """
    gc.disable()
    try:
        begins = time.thread_time()
        work(text)
        return time.thread_time() - begins
    finally:
        gc.enable()
