"""No text raises, hangs, or has a finding outside of the text: damaged real files, statements with any
operands, and random words of PTX."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hostile import ENTRY, HEAD
from tests.analysis.fuzz import EXAMPLES, WORDS, damaged, read_sources, trouble
from tests.analysis.random_operands import texts

pytestmark = pytest.mark.slow

# each of these failed at some time
KEPT = [
    '.entry "\r\n',
    "@@DWARF\r\n",
    HEAD + ".entry k() {\n@@DWARF",
    ENTRY + "call.uni (%r1),!\n\thelper, \n\t(\n\t);\n",
    ENTRY + "ret; } \0// \0",
    'd"\r\n.reg',
    "mov.b64 %rd1, {% r};\n",
    ENTRY + f"mov.b32 %r1, %r{'1' * 5000};\n",
    "// ptx-lsp: ignore[und\u2028ared]\n.global <?xml?> @@DWARF .x\n",
    ".version 9.0\n.target sm_90\n.func k() {\n.attribute.u64 q;\ncvta.global.u64 q, q;\nret;\n}\n",
    ".visible .entry kernel(. L1: param .u64 data)\n    .reg .b32 %r<4>;\n .secti'",
    HEAD + ".global .u64 x = generic(5);\n",
    ENTRY + ".reg .b16 %h<2>;\nmov.b32 %r1, {%r2.b0, %h1};\n",
    ENTRY + "tcgen05.mma.cta_group::1.kind::f16 [], %r1, %r1, %r1, %r1;\n",
]
SHARES = 4  # shares of the damaged texts, so that they can run in parallel
TEXTS = 40


@pytest.mark.parametrize("share", range(SHARES))
def test_damaged_files(share: int) -> None:
    texts = damaged(read_sources(sorted(EXAMPLES.rglob("*.ptx"))), seed=20261120 + share)
    assert [(text, found) for text, asked in islice(texts, TEXTS) if (found := trouble(text, Random(asked)))] == []


@pytest.mark.parametrize("share", range(SHARES))
def test_statements_with_any_operands(share: int) -> None:
    some = islice(texts(20261123 + share), TEXTS // 4)
    assert [(text, found) for text in some if (found := trouble(text, Random(share)))] == []


@pytest.mark.parametrize("text", KEPT)
def test_kept_texts(text: str) -> None:
    assert trouble(text, Random(1)) is None


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=80), st.sampled_from((" ", "", "\n")))
def test_words(words: list[str], between: str) -> None:
    assert trouble(ENTRY + between.join(words), Random(len(words))) is None


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=400))
def test_bytes(data: bytes) -> None:
    assert trouble(data.decode("utf-8", "surrogateescape"), Random(len(data))) is None
