"""Completion offers what files really have: the measure of `completion_measure` on the examples."""

from pathlib import Path

import pytest

from ptx_lsp.candidates.completion_items import Completions, Item, ItemKind
from ptx_lsp.text.ranges import Range
from tests.features.completion_measure import GOALS, Outcome, first_items, measure, shares

ROOT = Path(__file__).parents[2]
EXAMPLES = [*sorted((ROOT / "examples").glob("*.ptx")), ROOT / "tests" / "data" / "calls.ptx"]
EVERY = 3


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """Every third token of the examples."""
    texts = [path.read_text("utf-8") for path in EXAMPLES]
    return [outcome for number, text in enumerate(texts) for outcome in measure(text, EVERY, begin=number % EVERY)]


@pytest.mark.parametrize("cell", GOALS)
def test_the_token_of_the_file_is_among_the_first_items(outcomes: list[Outcome], cell: tuple[str, int]) -> None:
    hits, all_ = shares(outcomes).get(cell, (0, 0))
    missed = [o.token for o in outcomes if (o.token.class_, o.typed) == cell and (o.place is None or o.place >= 20)]
    assert hits >= GOALS[cell] * all_, missed


def test_the_examples_have_tokens_of_every_class(outcomes: list[Outcome]) -> None:
    assert {outcome.token.class_ for outcome in outcomes} >= {class_ for class_, _ in GOALS}


def test_a_client_orders_the_items_that_begin_with_the_word_first() -> None:
    items = tuple(Item(label, ItemKind.OPCODE) for label in ("setp", "ex2", "selp", "xset"))
    found = Completions(Range(0, 0, 0, 2), items)
    assert first_items(found, "SE") == ["setp", "selp", "xset"]
    assert first_items(found, "") == ["setp", "ex2", "selp", "xset"]
    assert first_items(None, "se") == []
