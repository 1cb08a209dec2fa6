"""Initial values, and a lexer that takes them one by one."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ptx_lsp.syntax import lexer, long_mistakes

PLAIN = ["0", "7", "255", "-3", "0xFF", "0f3F800000", "0d3FF0000000000000", "18446744073709551615", "2.5", "-0.5"]

ODD = [
    *("x", "x+4", "generic(x)", "0xFF(x)", "1U", "017", "1+2", "(3)", "- 5", "5x", "1 2", "", "{1, 2}", "{", "}"),
    *("1.", "1e5", "0b11", "0x", "'a'", "/* c */ 3", "// c\n4", "%r1", ";", ".b8", "[1]", '"s"', "=", "WARP_SZ"),
    *("\nbra L", "\nadd.s32 x"),
]


@contextmanager
def values_one_by_one() -> Iterator[None]:
    """While this is open, the lexer makes a token of each value, and no statement has too many of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexer, "find_values", lambda *_: None)
        patch.setattr(long_mistakes, "MOST_TOKENS", 1_000_000)
        yield
