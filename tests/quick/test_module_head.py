"""The recogniser for the head of a module: it gives the same findings, places and profile as the parser."""

import pytest

from ptx_lsp.analysis.module import Checks
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.reading import reader
from tests.analysed import analysed
from tests.analysis.incremental import shown
from tests.quick.comparison import parsed_statements_of
from tests.quick.heads import HEADS

AFTER_HEADS = (
    "",
    "\t.visible .entry k() { ret; }\n\t.global .align 3 .b8 g;\n",
    "\t.global .align 3 .b8 g; .global .b8 h;\n",
    ".visible .entry k() { ret; }\n",
    ".entry k() { .reg .b64 %r; mov.u64 %r, %clock64; fence.proxy.async; ret; }\n",
    ".x",
    "x\n.global .b8 g;\n",
)


@pytest.mark.parametrize("head", HEADS)
def test_heads_of_modules(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def results(text: str, checks: Checks) -> list[object]:
        module = analysed(text, checks)
        profile, exit_ = module.profile, module.block_map.blocks[-1].exit
        places = [mark and mark.resolved() for mark in (profile.written, profile.debug)]
        return [shown(module), profile[:-2], places, exit_ and exit_.header]

    cases = [
        (head + after, checks)
        for after in AFTER_HEADS
        for checks in (Checks(), Checks(maximum_version=Version(7, 0)), Checks(target=Target(80)))
    ]
    quick = [results(*case) for case in cases]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == [results(*case) for case in cases]


def test_a_head_before_many_comments_needs_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    comments = "// a variable with a long name has been demoted\n" * 500
    text = HEADS[0] + comments + ".visible .entry k()\n.maxnreg 64\n{\n\tret;\n}\n"
    assert parsed_statements_of(text, monkeypatch) == []
    module = analysed(text)
    assert module.findings() == []
