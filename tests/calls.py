"""Calls of functions: how many some work makes, a measure that does not depend on the machine; and those of one."""

import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any, NamedTuple

import pytest


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


class Call(NamedTuple):
    """One call of a function: the positional arguments that were given, and the result."""

    given: tuple[Any, ...]
    result: Any


def noted_calls(monkeypatch: pytest.MonkeyPatch, owner: ModuleType | type, name: str) -> list[Call]:
    """The calls made from now on of the function that a module or class knows by a name, each when it has returned."""
    called = getattr(owner, name)
    calls: list[Call] = []

    def noted(*given: Any, **others: Any) -> Any:
        result = called(*given, **others)
        calls.append(Call(given, result))
        return result

    monkeypatch.setattr(owner, name, noted)
    return calls
