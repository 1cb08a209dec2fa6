"""Statements whose check needs the whole function or its callees; they are found in the text, without a tree.

Only a full compile checks them. They are few, and each is found by its first words.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.syntax.plain_text import without_comments


class Trait(Enum):
    """What such a statement does."""

    GROUP = "a `tcgen05` instruction for one CTA (value 1) or a pair of CTAs (2)"
    INCREASE = "`setmaxnreg.inc` to `value` registers"
    DECREASE = "`setmaxnreg.dec` to `value` registers"
    RESULTS = "an instruction that writes `value` different registers of 32 bits"


class Trace(NamedTuple):
    """One such statement: the range of the text for a report, and a number whose meaning depends on the trait."""

    trait: Trait
    start: int
    end: int
    value: int


_MARKERS = ("tcgen05", "setmaxnreg", "wgmma")
# `re` finds an expression that begins with fixed text much faster: what may not precede that is checked after it
_GROUP = lazy_pattern(r"tcgen05\.(?<![\w.$%]tcgen05\.)[\w.:]*?(\.cta_group::([12]))(?![\w:])", re.A)
_COUNT = lazy_pattern(r"(setmaxnreg\.(?<![\w.$%]setmaxnreg\.)(inc|dec)[\w.]*)\s+([0-9]{1,4})\s*;", re.A)
_RESULTS = tuple(
    lazy_pattern(rf"({opcode}\.(?<![\w.$%]{opcode}\.)[\w.:]+)\s+\{{([^{{}};]*)\}}", re.A)
    for opcode in (r"wgmma\.mma_async", r"tcgen05\.ld")
)


def traces(text: str, start: int, stop: int) -> Iterator[Trace]:
    """The traces in a text from the offset `start` to `stop`; of those that write many registers, only the widest."""
    if not any(text.find(marker, start, stop) >= 0 for marker in _MARKERS):
        return
    text = without_comments(text[:stop])
    for group in _GROUP.finditer(text, start):
        yield Trace(Trait.GROUP, *group.span(1), int(group[2]))
    for count in _COUNT.finditer(text, start):
        trait = Trait.INCREASE if count[2] == "inc" else Trait.DECREASE
        yield Trace(trait, *count.span(1), int(count[3]))
    results = [_results(found) for each in _RESULTS for found in each.finditer(text, start)]
    widest = max(results, key=lambda trace: (trace.value, -trace.start), default=None)
    if widest is not None:
        yield widest


def _results(found: re.Match[str]) -> Trace:
    return Trace(Trait.RESULTS, *found.span(2), len({name.strip() for name in found[2].split(",")}))
