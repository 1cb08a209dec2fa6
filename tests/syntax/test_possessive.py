"""Possessive repetitions go back to their start if they fail, also in Python before 3.11.5 (cpython issue 106052)."""

import re
from pathlib import Path

SOURCES = sorted((Path(__file__).parents[2] / "ptx_lsp").rglob("*.py"))
ROUND = re.compile(r"(.{0,12}?)\s*\)(?:[*+?]|\{\{?\d*,\d*\}\}?)\+")
FAIL_AT_THEIR_FIRST_CHARACTER = (r"[^*]*+\*++", r"(?:\.uni", r"[\[{][ \t]*+", r"[\]}][ \t]*+")
"""The ends of such repetitions; the last character of a comment's repetition is missing only at the end of the text."""


def test_the_last_alternative_of_a_possessive_repetition_always_fails() -> None:
    found = []
    for path in SOURCES:
        for match in ROUND.finditer(path.read_text("utf-8")):
            if not match[1].endswith(("(?!)", *FAIL_AT_THEIR_FIRST_CHARACTER)):
                found.append((path.name, match[0]))
    assert found == []


def test_python_goes_back_to_the_start_of_the_repetition() -> None:
    """The reason, without the results that are wrong in Python before 3.11.5."""
    listed = re.compile(r"a(?:,[ ]*+b|(?!))*+")
    assert [listed.sub("", text, count=1) for text in ("a,b", "a,b,", "a, c")] == ["", ",", ", c"]
