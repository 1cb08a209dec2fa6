"""Possessive rounds go back to where they began when they fail, also in Python before 3.11.5 (cpython issue 106052)."""

import re
from pathlib import Path

SOURCES = sorted((Path(__file__).parents[2] / "ptx_lsp").rglob("*.py"))
ROUND = re.compile(r"(.{0,12}?)\s*\)(?:[*+?]|\{\{?\d*,\d*\}\}?)\+")
FAIL_AT_THEIR_FIRST_CHARACTER = (r"[^*]*+\*++", r"(?:\.uni", r"[\[{][ \t]*+", r"[\]}][ \t]*+")
"""What such rounds end with; the last character of a comment's round is only missing where the text ends."""


def test_the_last_alternative_of_a_possessive_round_is_to_fail() -> None:
    found = []
    for path in SOURCES:
        for match in ROUND.finditer(path.read_text("utf-8")):
            if not match[1].endswith(("(?!)", *FAIL_AT_THEIR_FIRST_CHARACTER)):
                found.append((path.name, match[0]))
    assert found == []


def test_python_goes_back_so() -> None:
    """The reason, with what Python before 3.11.5 gets wrong left out."""
    listed = re.compile(r"a(?:,[ ]*+b|(?!))*+")
    assert [listed.sub("", text, count=1) for text in ("a,b", "a,b,", "a, c")] == ["", ",", ", c"]
