"""Statements whose check needs the whole function or its callees; they are found in the text, without a tree.

Only a full compile checks them, except the reads of the per-CTA memory. They are few, and each is found by its words.
"""

from ptx_lsp.isa.opcode_sets import OF_CTA_MEMORY, SETTING_REGISTER_COUNT, WITH_CTA_GROUP, WITH_WIDE_RESULTS
from ptx_lsp.light_classes import Enum, Iterator, NamedTuple
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.plain_text import without_comments


class Trait(Enum):
    """What such a statement does."""

    GROUP = "a `tcgen05` instruction for one CTA (value 1) or a pair of CTAs (2)"
    INCREASE = "`setmaxnreg.inc` to `value` registers"
    DECREASE = "`setmaxnreg.dec` to `value` registers"
    RESULTS = "an instruction that writes `value` different registers of 32 bits"
    MEMORY = "a read of the size (value 1) or the offset (0) of the per-CTA memory"


class Trace(NamedTuple):
    """One such statement: the range of the text for a report, and a number whose meaning depends on the trait."""

    trait: Trait
    start: int
    end: int
    value: int


def _patterns(opcodes: tuple[str, ...], rest: str) -> tuple[re.Pattern[str], ...]:
    """A pattern for each opcode. `re` finds fixed text much faster: what must not precede it is checked after it."""
    names = (opcode.replace(".", r"\.") for opcode in opcodes)
    return tuple(lazy_pattern(rf"{name}\.(?<![\w.$%]{name}\.)" + rest, re.A) for name in names)


_GROUP = _patterns(WITH_CTA_GROUP, r"[\w.:]*?(\.cta_group::([12]))(?![\w:])")
_COUNT = _patterns(SETTING_REGISTER_COUNT, r"(inc|dec)[\w.]*(?=\s+([0-9]{1,4})\s*;)")
_RESULTS = _patterns(WITH_WIDE_RESULTS, r"[\w.:]+\s+\{([^{};]*)\}")
_MEMORY = lazy_pattern(rf"\b(?:mov|cvt)\.[\w.]+\s+[^,;{{}}]+,\s*({'|'.join(OF_CTA_MEMORY)})(?=\s*;)", re.A)


def traces(text: str, start: int, stop: int) -> Iterator[Trace]:
    """The traces in a text from the offset `start` to `stop`; of those that write many registers, only the widest."""
    for trace in _traces(without_comments(text[start:stop])):
        yield trace._replace(start=trace.start + start, end=trace.end + start)


def _traces(text: str) -> Iterator[Trace]:
    for group in _matches(_GROUP, text):
        yield Trace(Trait.GROUP, *group.span(1), int(group[2]))
    for count in _matches(_COUNT, text):
        trait = Trait.INCREASE if count[1] == "inc" else Trait.DECREASE
        yield Trace(trait, *count.span(), int(count[2]))
    for read in _MEMORY.finditer(text):
        yield Trace(Trait.MEMORY, *read.span(1), OF_CTA_MEMORY.index(read[1]))
    results = [_results(found) for found in _matches(_RESULTS, text)]
    widest = max(results, key=lambda trace: (trace.value, -trace.start), default=None)
    if widest is not None:
        yield widest


def _matches(patterns: tuple[re.Pattern[str], ...], text: str) -> Iterator[re.Match[str]]:
    return (found for pattern in patterns for found in pattern.finditer(text))


def _results(found: re.Match[str]) -> Trace:
    return Trace(Trait.RESULTS, *found.span(1), len({name.strip() for name in found[1].split(",")}))
