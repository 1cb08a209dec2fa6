"""Descriptions as Markdown and as plain text."""

import re

import pytest

from ptx_lsp.explanations.description import Code, Items, Link, Prose
from ptx_lsp.explanations.known_numbers import known_as
from ptx_lsp.explanations.rendering import render_parts

PARTS = (
    Code("add.s32 d, a, b"),
    Prose("**-4** `.s64`, 2 * 3 < 7 and snake_case"),
    Items(("one `a_b`", "two")),
    Link("add in the PTX ISA", "https://example.org/#add"),
)


def test_markdown_formats_only_the_intended_text() -> None:
    assert render_parts(PARTS, markdown=True) == (
        "```ptx\nadd.s32 d, a, b\n```\n\n"
        "**-4** `.s64`, 2 \\* 3 \\< 7 and snake\\_case\n\n"
        "- one `a_b`\n- two\n\n"
        "[add in the PTX ISA](https://example.org/#add)"
    )


def test_plain_text_has_no_markup() -> None:
    assert render_parts(PARTS, markdown=False) == (
        "add.s32 d, a, b\n\n-4 .s64, 2 * 3 < 7 and snake_case\n\n- one a_b\n- two\n\n"
        "add in the PTX ISA: https://example.org/#add"
    )


def test_a_fence_in_the_source_does_not_end_the_block() -> None:
    assert render_parts((Code("// ```\nadd"),), markdown=True) == "````ptx\n// ```\nadd\n````"
    both = "// ``` ~~~~ `````"
    assert render_parts((Code(both),), markdown=True) == f"``````ptx\n{both}\n``````"


@pytest.mark.parametrize(
    "quoted",
    [
        "` ```![x](https://e.io/p.png)`",
        "`![x](https://e.io/p.png)",
        "``![x](https://e.io/p.png)``",
        "`` ` ![x](https://e.io/p.png)",
        "a``b`[x](https://e.io)`",
        "**`**[x](https://e.io)",
        "`\\`[x](https://e.io)`",
        "\n\n![x](https://e.io/p.png)",
        "` <img src=https://e.io/p.png>",
        "` https://e.io/p www.e.io me@e.io",
    ],
)
@pytest.mark.parametrize("around", ["`(1 /*{}*/ + 2)` is `3`", "**{}**", "before {} after"])
def test_source_text_makes_no_link_and_no_image_in_a_hover(around: str, quoted: str) -> None:
    shown = render_parts((Prose(around.format(quoted)), Items((around.format(quoted),))), markdown=True)
    outside = "\n".join(map(outside_code, shown.split("\n\n")))
    assert not re.search(r"[\[\]<>]|://|www\.|\w@\w", outside), shown


def outside_code(paragraph: str) -> str:
    """The parts of a paragraph that Markdown does not read as plain characters (CommonMark 0.31, 2.4 and 6.1)."""
    outside, at = "", 0
    while at < len(paragraph):
        escape = re.compile(r"\\[!-/:-@\[-`{-~]").match(paragraph, at)
        run = re.compile("`+").match(paragraph, at)
        closing = run and re.compile(rf"(?<!`){run[0]}(?!`)").search(paragraph, run.end())
        if escape:
            at = escape.end()
        elif closing:
            at = closing.end()
        else:
            outside += run[0] if run else paragraph[at]
            at = run.end() if run else at + 1
    return outside


def test_numbers_with_names() -> None:
    assert known_as(1.44269502162933349609375) == "log2(e)"
    assert known_as(-3.1415927410125732) == "minus pi"
    assert known_as(2.0**-24) == "2^-24"
    assert [known_as(value) for value in (0.0, 1.0, 0.5, 0.25, 1.5, 3.0, float("inf"), float("nan"))] == [""] * 8
