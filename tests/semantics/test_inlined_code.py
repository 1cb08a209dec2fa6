"""The search for inlined code takes time in proportion to the text, whatever the text is."""

import pytest

from ptx_lsp.semantics import inlined_code as module
from ptx_lsp.semantics.inlined_code import inlined_code
from tests.growth import LINEAR, growth

HOSTILE = [
    (".section .debug_str\n{\n.b64 0x", "f", "\n}\n"),
    (".section .debug_str\n{\n", "a", "\n}\n"),
    (".section .debug_str { a", " ", "}"),
    ("", ".section .debug_str ", ""),
    ("", ".section .debug_str {", ""),
    ("", ".loc 1 2 3 ", ""),
]


@pytest.mark.parametrize(("before", "word", "after"), HOSTILE)
def test_time_is_linear_in_the_text(before: str, word: str, after: str) -> None:
    short, long_ = (before + word * (size // len(word)) + after for size in (4_000, 16_000))
    assert growth(lambda text: inlined_code(text, in_comment=False), short, long_) < LINEAR


LOCS = """\t.loc\t1 2 3{0}
\t.loc\t2 5 7, function_name $L__info_string1, inlined_at 1 2 3{0}
\tadd.s32 %r1, %r2, %r3;
\t.loc\t1 8 3{0}
\t.loc\t2 5 7, function_name $L__info_string1, inlined_at 1 8 4{0}
\t.loc\t2 5 7, function_name $L__info_string1, inlined_at 1 8 4{0}
"""


def sets(comment: str) -> list[set[str]]:
    """What is found in the text with this comment, each field as a set."""
    return list(map(set, inlined_code(LOCS.format(comment), in_comment=False)))


def test_a_comment_after_a_position_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [{"1 2 3", "2 5 7", "1 8 3"}, {"1 8 4"}, set(), {"$L__info_string1"}]
    for comment in ("", " // src/a.py:2:3", " //, function_name x, inlined_at 1 2 9", " // .loc 1 8 4", "\r"):
        assert sets(comment) == found
    # the text of a compiler is not searched for comments
    monkeypatch.setattr(module, "_without_comments", None)
    assert sets(" // src/a.py:2:3") == found
