"""The outline is searched while a document is analysed for the first time, for clients that show it."""

import pytest

from ptx_lsp.analysis.module import Checks
from ptx_lsp.outline import scanned_chunks
from ptx_lsp.outline.constructs import construct_steps, find_constructs
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.text.lines import Encoding

KERNEL = ".visible .entry kernel_{0}()\n{{\n\t.reg .b32 \t%r<2>;\n$L_{0}:\n\tmov.u32 \t%r1, {0};\n\tret;\n}}\n"
TEXT = ".version 9.0\n.target sm_90\n.address_size 64\n" + "".join(map(KERNEL.format, range(400)))


def _open() -> OpenDocument:
    document = OpenDocument("file:///a.ptx", 1, TEXT, Checks(), Encoding.UTF16)
    document.outline_steps = construct_steps(document.text)
    return document


def test_what_was_found_while_loading_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    document = _open()
    while document.outline_steps is not None:
        document.search_outline(0.001)

    def scan_again(*arguments: object) -> None:
        raise AssertionError("a chunk is scanned again")

    monkeypatch.setattr(scanned_chunks, "scan_chunk", scan_again)
    assert len(find_constructs(document.text).outline) == 400


def test_no_time_is_no_step() -> None:
    document = _open()
    document.outline_time = -1.0
    document.search_outline(0.5)
    assert document.outline_steps is not None
    assert document.outline_time == -0.5


def test_an_edit_ends_the_search() -> None:
    document = _open()
    document.search_outline(0.000001)
    place = {"line": 3, "character": 0}
    document.apply(2, [{"range": {"start": place, "end": place}, "text": ".global .b32 fresh;\n"}])
    document.search_outline(1.0)
    assert document.outline_steps is None
    assert len(find_constructs(document.text).outline) == 401
