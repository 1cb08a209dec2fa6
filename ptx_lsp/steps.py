"""Work in small steps: a generator that yields after each step, so that its caller can do other work in between."""

from ptx_lsp.light_classes import Any, Generator, TypeVar

T = TypeVar("T")


def result_of(steps: Generator[object, None, T]) -> T:
    """Do all steps without a pause; return the generator's result."""
    results: list[T] = []
    for _ in _noting_result(steps, results):
        pass
    return results[0]


def with_pauses(steps: Generator[object, None, T]) -> Generator[None, None, T]:
    """The same steps and result, with None for what each step gives: for a caller whose own steps give other things."""
    results: list[T] = []
    for _ in _noting_result(steps, results):
        yield
    return results[0]


def with_empty_lists(steps: Generator[object, None, T]) -> Generator[list[Any], None, T]:
    """The same steps and result, with an empty list for what each step gives: for a caller whose steps give lists."""
    results: list[T] = []
    for _ in _noting_result(steps, results):
        yield []
    return results[0]


def _noting_result(steps: Generator[object, None, T], results: list[T]) -> Generator[object, None, None]:
    """The same steps; at their end, the result is added to `results`."""
    results.append((yield from steps))
