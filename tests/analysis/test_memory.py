"""What a module needs after it has been analysed: nothing, once it is forgotten."""

import gc

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
        assert gc.collect() == 0
    finally:
        if was_enabled:
            gc.enable()


def _analyse(text: str) -> None:
    module = Module(text)
    module.work()
    module.findings()
    for _ in module.forget():
        pass
