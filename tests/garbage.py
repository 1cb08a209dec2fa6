"""What only Python's search for garbage frees after some work."""

import gc
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import FunctionType


def left_in_a_new_process(work: Callable[[str], None], texts: list[str]) -> list[list[str]]:
    """For each text, the types of our objects that are left after the work on it.

    The work is a function at the top of a module. In a process of its own no thread of another test makes objects.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return list(process.map(_left_by, [work] * len(texts), texts))


def _left_by(work: Callable[[str], None], text: str) -> list[str]:
    work(text)  # what is imported and remembered stays
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        work(text)
        gc.collect()
        return [_name(each) for each in gc.garbage if _name(each).startswith("ptx_lsp.")]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


def _name(each: object) -> str:
    kind = type(each)  # `isinstance` would ask a proxy, whose object may be gone
    if kind is FunctionType:
        return f"{each.__module__}.{kind.__qualname__}"
    return f"{kind.__module__}.{kind.__qualname__}"
