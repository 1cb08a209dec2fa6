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
