"""What a module needs after it has been analysed: nothing, once it is forgotten."""

import gc
from types import FunctionType
from weakref import proxy

import pytest

from ptx_lsp.analysis.module import Module
from tests.analysis.fuzz import EXAMPLES, read_sources

SOURCES = read_sources(sorted(EXAMPLES.rglob("*.ptx")))
REPEATED = SOURCES[0] + SOURCES[0].partition(".address_size")[2].partition("\n")[2].replace("(", "_again(", 1)


@pytest.mark.parametrize("text", [*SOURCES, REPEATED])
def test_nothing_is_left_for_the_garbage_collector(text: str) -> None:
    _analyse(text)  # what is imported and remembered stays
    gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        _analyse(text)
        assert _left() == []
    finally:
        if was_enabled:
            gc.enable()


def _left() -> list[str]:
    """The types of our objects that only the garbage collector frees. Other threads of the test runner leave others."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        return [type(each).__qualname__ for each in gc.garbage if _is_ours(each)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


def _is_ours(each: object) -> bool:
    """Whether an object is of the package. A proxy that another test left may have lost its object."""
    kind = type(each)  # `isinstance` would ask the proxy
    named = each if kind is FunctionType else kind
    return (named.__module__ or "").startswith("ptx_lsp.")


def test_a_proxy_of_what_is_gone_is_not_ours() -> None:
    assert not _is_ours(proxy(set()))
    assert not _is_ours(read_sources)
    assert _is_ours(Module.work)
    assert _is_ours(Module(""))


def _analyse(text: str) -> None:
    module = Module(text)
    module.work()
    module.findings()
    for _ in module.forget():
        pass
