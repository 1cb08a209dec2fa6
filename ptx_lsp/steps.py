"""Work in small steps: a generator that yields after each step, so that its caller can do other work in between."""

from ptx_lsp.light_classes import Generator, TypeVar

T = TypeVar("T")


def result_of(steps: Generator[object, None, T]) -> T:
    """Do all steps without a pause; return the generator's result."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: T = done.value
            return result


def with_pauses(steps: Generator[object, None, T]) -> Generator[None, None, T]:
    """The same steps and result, with None for what each step gives: for a caller whose own steps give other things."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: T = done.value
            return result
        yield
