"""How many calls of functions some work makes: a measure of it that does not depend on the machine."""

import sys
from collections.abc import Callable
from types import FrameType


def calls_of(work: Callable[[], object]) -> int:
    """The number of calls of functions, those in C too, that some work makes."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls
