"""Hover at every word of the examples: it never raises, and every text has a readable length and the right range."""

import re
from pathlib import Path

import pytest

from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.features.hover import hover
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed
from tests.features.modules import marked

EXAMPLES = sorted(Path(__file__).parents[2].joinpath("examples").rglob("*.ptx"))
LONGEST = 4000
_WORD = re.compile(r"[\w%$.:@\"]+|[^\s\w]")


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_every_word_of_an_example(path: Path) -> None:
    module = analysed(path.read_text())
    answered = 0
    for number in range(module.document.line_count):
        for word in _WORD.finditer(module.document.line(number)):
            found = hover(module, Position(number, word.start()))
            if found is None:
                continue
            answered += 1
            assert found.range.contains(Position(number, word.start()))
            for markdown in (True, False):
                text = render_parts(found.parts, markdown)
                assert text.strip()
                assert len(text) <= LONGEST, text
    assert answered


@pytest.mark.parametrize(
    ("at", "wanted"), [(".b8 95", "8 untyped bits"), ("95", ""), ("info:", ""), (".b64 info", "64 untyped bits")]
)
def test_debug_data_is_answered_by_its_line(at: str, wanted: str) -> None:
    text = ".version 8.0\n.target sm_90\n.address_size 64\n.section .debug_str\n{\ninfo:\n.b8 95\n.b64 info\n}\n"
    start = text.index(at)
    found = hover(*marked(f"{text[:start]}¦{text[start:]}"))
    assert (wanted in render_parts(found.parts, markdown=False)) if found is not None else not wanted
