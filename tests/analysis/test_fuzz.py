"""No text raises, takes long, or has a finding outside of itself: real files damaged, and text made of PTX's words."""

from random import Random
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp import check
from tests.analysis.fuzz import EXAMPLES, WORDS, run, trouble

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n"
ENTRY = HEAD + ".entry k() {\n.reg .b32 %r<9>;\n"

# each broke something at some time
KEPT = [
    '.entry "\r\n',
    "@@DWARF\r\n",
    HEAD + ".entry k() {\n@@DWARF",
    ENTRY + "call.uni (%r1),!\n\thelper, \n\t(\n\t);\n",
    ENTRY + "ret; } \0// \0",
]


def test_damaged_files() -> None:
    tried, found = run(sorted(EXAMPLES.rglob("*.ptx")), seconds=20, seed=20261120)
    assert tried > 20
    assert found == []


@pytest.mark.parametrize("text", KEPT)
def test_kept(text: str) -> None:
    assert trouble(text, Random(1)) is None


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=80), st.sampled_from((" ", "", "\n")))
def test_words(words: list[str], between: str) -> None:
    assert trouble(ENTRY + between.join(words), Random(len(words))) is None


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_bytes(data: bytes) -> None:
    assert trouble(data.decode("utf-8", "surrogateescape"), Random(len(data))) is None


def hostile(pattern: str, size: int) -> str:
    """A body in which one thing is repeated up to a size in characters."""
    return ENTRY + pattern * (size // len(pattern)) + "\nret;\n}\n"


# one line, deep nesting, and what is never closed; blanks part the patterns of a line
_INLINE = r"""
{ } ( ) [ /* " @ - ~ 1+ 1? 1?2: .x .u32 %r1, x 0 a: ; ! %r1| {%r1, [%r1+ {{ "x" # // \ _ .b8a[ .funcf( a<
"""
HOSTILE = [
    *_INLINE.split(),
    *("add.s32 %r1, %r2, ", "{.reg .b32 a;", "mov.b32 %r1, ((", ".reg ", ".global .b8 a[", ".global .b8 a[] = {{"),
    *("call (", ".branchtargets ", ".func f(", ".section .x {", ".b8 1,", ".loc 1 1 1 ", '.file 1 "', ".pragma "),
    *(".entry e() {\n", "}\nret;\n", "bra L;\n", "L:\n", "{\n", "}\n", "ret;\n", "mov.b32 %r1, %q1;\n", "foo\n"),
    *("\0", "\r", "\f", " ", "\n", "\ufeff", "\u00e9", "\u00e9\n"),
]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_time_is_linear(pattern: str) -> None:
    took = []
    for size in (25_000, 200_000):
        best = 9e9
        for _ in range(2):
            started = perf_counter()
            check(hostile(pattern, size))
            best = min(best, perf_counter() - started)
        took.append(best)
    # eight times the text: a square would take 64 times as long
    assert took[1] < 0.2 + 24 * took[0]
