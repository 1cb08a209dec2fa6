"""The kinds of tests, as markers: `pytest -m fast` runs all tests that have none of the other four markers.

`assembler`: the test asks ptxas. `editor`: it drives a real editor. `process`: it is in a module whose tests start a
server or a command as a process of their own. `slow`: it tries many random texts or edits, or
every position of whole files, builds packages, or checks the types of the whole program. Tests of hypothesis are slow;
other slow tests are marked in their modules.
"""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.oracle.assembler import WITHOUT_ASSEMBLER

# Without bytecode, each process that a test starts would compile all modules again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell that starts the tests in the background has interrupts ignored, also by the processes that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A test of hypothesis must not fail because the machine is busy.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

EDITORS = Path(__file__).with_name("editors")
OTHERS = ("assembler", "editor", "process", "slow")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that asks the assembler or drives an editor; what has no such marker is `fast`."""
    for item in items:
        if any(mark.kwargs.get("reason") == WITHOUT_ASSEMBLER for mark in item.iter_markers("skipif")):
            item.add_marker(pytest.mark.assembler)
        if item.path.is_relative_to(EDITORS):
            item.add_marker(pytest.mark.editor)
        if getattr(getattr(item, "function", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.slow)
        if not any(item.get_closest_marker(name) for name in OTHERS):
            item.add_marker(pytest.mark.fast)
