"""How long a test waits for another process: it fails with the command then, and does not hang.

The limits are for processes that will never end or answer. A busy machine is slow, and no test may fail because of it.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

PATIENCE = 120.0
"""Seconds for a command that takes less than a few seconds."""
PATIENCE_WITH_TOOLS = 600.0
"""Seconds for the work of other programs: builds, installations, type checks."""


@contextmanager
def limited(process: "subprocess.Popen[Any]") -> Iterator[None]:
    """Kill a process that has not ended after `PATIENCE`, so that reads of its output end; then the test fails."""
    timer = Timer(PATIENCE, process.kill)
    timer.start()
    try:
        yield
    finally:
        waits = timer.is_alive()
        timer.cancel()
        assert waits, f"a process neither ended nor answered within {PATIENCE:.0f} s: {process.args!r}"
