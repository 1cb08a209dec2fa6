"""The search for inlined code takes time in proportion to the text, whatever the text is."""

import time

import pytest

from ptx_lsp.semantics.inlined_code import inlined_code

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
    """Four times the text takes less than ten times as long; with quadratic patterns it takes sixteen times."""
    short, long_ = (before + word * (size // len(word)) + after for size in (4_000, 16_000))
    ratios = []
    for _ in range(5):
        ratios.append(seconds(long_) / max(seconds(short), 0.0005))
        if ratios[-1] < 10:
            return
    pytest.fail(f"four times the text takes {min(ratios):.0f} times as long")


def seconds(text: str) -> float:
    """The processor time of one search."""
    begins = time.process_time()
    inlined_code(text, in_comment=False)
    return time.process_time() - begins
