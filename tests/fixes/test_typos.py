"""Which word a misspelt word is a typo of."""

import pytest

from ptx_lsp.fixes.typos import evident_word, typo_cost
from ptx_lsp.isa.instructions import opcodes


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("addd", "add"),
        ("awd", "add"),
        ("aadd", "add"),
        ("foo", None),
        ("sbu", "sub"),
        ("setp", "setp"),
        ("MOV", "mov"),
        ("mvo", "mov"),
        ("shfll", "shfl"),
    ],
)
def test_one_letter_or_two_neighbours(written: str, meant: str | None) -> None:
    assert (typo_cost(written, meant or "add") is not None) is (meant is not None)


@pytest.mark.parametrize(
    ("written", "candidates", "word"),
    [
        (".gloabl", [".global", ".local"], ".global"),
        (".u3", [".u32", ".u8", ".s32"], ".u32"),
        (".e", [".eq", ".ne", ".ge", ".le"], ".eq"),
        (".l", [".lt", ".le", ".lo"], ""),
        (".r", [".rn", ".rz", ".rm", ".rp"], ""),
        (".u33", [".u32"], ""),
        (".v3", [".v2", ".v4", ".v8"], ""),
        ("imad", opcodes(), ""),
        ("fmul", opcodes(), ""),
        ("ST", opcodes(), "st"),
    ],
)
def test_the_evident_word(written: str, candidates: list[str], word: str) -> None:
    assert evident_word(written, candidates) == word


def test_a_candidate_that_does_not_fit_does_not_count() -> None:
    assert evident_word("ad", ["add", "and", "mad"], lambda word: word == "and") == "and"
