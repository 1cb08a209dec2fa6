"""Comments are replaced by blanks; a string is no comment. Observed: ptxas 13.5 reads the statements after "a/*b"."""

import pytest

from ptx_lsp.syntax.plain_text import without_comments


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a // b\nc", "a     \nc"),
        ("a /* b\nc */ d", "a     \n     d"),
        ("a /* b", "a     "),
        ("a /* b\r\nc\rd */ e", "a     \r\n \r     e"),
        ('.pragma "a/*b"; c // d', '.pragma "a/*b"; c     '),
        ('.file 1 "//a/*.cu"\n/* "*/ b', '.file 1 "//a/*.cu"\n       b'),
        ('/* " */ a " /* b */', '        a "        '),
    ],
)
def test_comments_are_replaced(text: str, expected: str) -> None:
    assert without_comments(text) == expected
