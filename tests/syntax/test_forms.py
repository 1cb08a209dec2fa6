"""A text that ptxas parses has no problem, and a text with a syntax error has one.

The two lists were observed with ptxas 13.5, `+` accepted and `-` a syntax error, one text per line. They have no texts
with correct syntax and another error.
"""

from pathlib import Path

import pytest

from tests.oracle.assembler import Assembler, needs_assembler, refused
from tests.syntax.shown import problems_of

HERE = Path(__file__).parent
DECLARATIONS = (
    ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .b16 %h<9>; .reg .pred %p<9>; "
    ".reg .v4 .f32 %v<3>; .reg .b32 a, b;"
)
MODULE = ".global .b32 g[9]; .global .u64 gq; .func (.reg .b32 rr) f1 (.reg .b32 aa); .func f0;"
HEADER = ".version 9.4\n.target sm_90\n.address_size 64\n.entry k() { ret; }\n"


def read(name: str) -> list[tuple[str, bool]]:
    """The texts of a list, with the verdict of ptxas: true if it accepts the text."""
    lines = (HERE / name).read_text("utf-8").splitlines()
    return [(line[2:], line[0] == "+") for line in lines]


BODY, MODULES = read("body_forms.txt"), read("module_forms.txt")


@pytest.mark.parametrize(("text", "accepted"), BODY)
def test_statements_of_a_body_are_accepted_as_recorded(text: str, accepted: bool) -> None:
    assert (not problems_of(text + " }")) == accepted


@pytest.mark.parametrize(("text", "accepted"), MODULES)
def test_statements_of_a_module_are_accepted_as_recorded(text: str, accepted: bool) -> None:
    assert (not problems_of(text + "\n")) == accepted


@needs_assembler
def test_the_list_of_statements_is_right() -> None:
    answers = Assembler().snippets([text for text, _ in BODY], declarations=DECLARATIONS, module=MODULE)
    wrong = [text for (text, accepted), messages in zip(BODY, answers, strict=True) if refused(messages) == accepted]
    assert not wrong
    for (text, accepted), messages in zip(BODY, answers, strict=True):
        assert accepted or any("syntax error" in message.text for message in messages), text


@needs_assembler
def test_the_list_of_modules_is_right() -> None:
    outcomes = Assembler().modules([f"{HEADER}{text}\n" for text, _ in MODULES])
    wrong = [t for (t, accepted), outcome in zip(MODULES, outcomes, strict=True) if outcome.accepted != accepted]
    assert not wrong
