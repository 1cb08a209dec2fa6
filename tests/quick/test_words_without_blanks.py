"""Words without a blank between them: recognisers, parser and ptxas refuse the same ones."""

import pytest

from ptx_lsp.findings.finding import Severity
from ptx_lsp.memo import forget_all
from ptx_lsp.reading import reader
from tests.analysed import analysed
from tests.oracle.assembler import Assembler, needs_assembler

HEAD = (
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".func f()\n{\nret;\n}\n.func (.param .b32 r) g(.param .b32 a)\n{\nret;\n}\n"
)
IN_MODULE = (
    ".func_x()\n{\nret;\n}\n",
    ".entryk()\n{\nret;\n}\n",
    ".visible.entry k()\n{\nret;\n}\n",
    ".visible .entry$k()\n{\nret;\n}\n",
    ".weak .entry_k()\n{\nret;\n}\n",
    ".extern .func_h();\n",
    ".extern.func h();\n",
    ".func(.param .b32 r)h()\n{\nret;\n}\n",
    ".entry k(.param.b32 a)\n{\nret;\n}\n",
    ".entry k(.param .b32a)\n{\nret;\n}\n",
    ".entry k(.param .align 4.b32 a)\n{\nret;\n}\n",
    ".entry k(.param .u64.ptr.global a)\n{\nret;\n}\n",
    ".entry k(.param .u64 .ptr.globala)\n{\nret;\n}\n",
    ".entry k()\n.maxntid128\n{\nret;\n}\n",
    ".entry k()\n.maxntid 128.minnctapersm 2\n{\nret;\n}\n",
    ".globalb32 x;\n",
    ".global.b32 x;\n",
    ".global .b32x;\n",
    ".global .align 4.b32 x;\n",
    ".visible .global.b32 x;\n",
    ".section.debug_x\n{\n.b8 1\n}\n",
    ".section .debug_x\n{\n.b81\n}\n",
)
IN_BODY = (
    "callf;",
    "call.unif;",
    "call_f;",
    ".reg.b32 r;",
    ".regb32 r;",
    ".reg .b32r;",
    ".reg .b32%r<4>;",
    ".shared.b32 r;",
    ".shared .align4 .b32 r;",
    ".shared .align 4.b32 r;",
    "L:ret;",
    "bra L;\nL :",
    "braL;\nL:",
    ".reg .pred p;\n@pbra L;\nL:",
    ".loc1 2 3",
    "ret ;",
    "ret;ret;",
)
TEXTS = [HEAD + text for text in (*IN_MODULE, *(f".entry k()\n{{\n{lines}\nret;\n}}\n" for lines in IN_BODY))]


def errors(text: str) -> list[object]:
    """The codes and places of the errors in a text."""
    forget_all()
    module = analysed(text)
    return [(finding.code, finding.range) for finding in module.findings() if finding.severity is Severity.ERROR]


def test_the_recognisers_take_no_words_that_touch(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = [errors(text) for text in TEXTS]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == [errors(text) for text in TEXTS]


@needs_assembler
@pytest.mark.parametrize("text", TEXTS)
def test_ptxas_reports_the_same_words(text: str) -> None:
    outcome = Assembler().module(text, "compute_90")
    assert (errors(text) == []) is outcome.accepted, outcome.said
