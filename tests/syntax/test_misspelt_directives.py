"""A misspelt directive is read as the one that was meant, whichever the parser knows."""

import pytest

from ptx_lsp.syntax import statements
from ptx_lsp.syntax.misspelt_directives import meant_directive
from ptx_lsp.syntax.recovery import DECLARING
from tests.syntax.shown import problems_of

KNOWN = sorted(DECLARING | statements.DIRECTIVE_PARSERS.keys())


@pytest.mark.parametrize("word", KNOWN)
def test_a_directive_is_meant_by_itself(word: str) -> None:
    assert meant_directive(word) == word


@pytest.mark.parametrize("word", [word for word in KNOWN if len(word) > 6])
def test_a_directive_is_meant_by_a_word_with_one_letter_twice(word: str) -> None:
    assert meant_directive(word[:3] + word[2] + word[3:]) == word


def test_no_directive_is_meant_by_another_word_or_by_one_letter() -> None:
    assert [meant_directive(word) for word in (".quux", ".v", "." + "x" * 100)] == [".quux", ".v", "." + "x" * 100]


def test_the_directive_that_was_meant_is_proposed() -> None:
    (problem,) = problems_of(".sectoin .debug_x { .b8 1 }")
    assert (problem.code, dict(problem.data)) == ("unknown-directive", {"replacement": ".section"})
