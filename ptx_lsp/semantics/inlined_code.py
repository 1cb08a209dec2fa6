"""What `.loc` says about inlined code, and what a module has for it: found in text, without a tree.

Observed: ptxas 13.5. The position after `inlined_at` is that of a `.loc` above, in any function; a `.loc_intermediate`
does not count. The label after `function_name` is one of any `.section`, above or below.
"""

import re

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.syntax.plain_text import NAME_TEXT, without_comments

DIRECTIVE = ".loc"
SECTION = ".section"


class Use(NamedTuple):
    """A name or a position in a `.loc`, normalised, and its range: offsets into the text."""

    what: str
    start: int
    end: int


class InlinedCode(NamedTuple):
    """What a text has: `given` are the positions of its `.loc`, `labels` the labels of its sections.

    `wanted` are the positions after `inlined_at` that no `.loc` above has in the same text, and `named` the labels
    after `function_name`, each as often as it occurs.
    """

    given: frozenset[str]
    wanted: tuple[Use, ...]
    labels: frozenset[str]
    named: tuple[Use, ...]

    def means_the_same(self, other: "InlinedCode") -> bool:
        """Whether both have the same positions and labels, regardless of their offsets."""
        return (
            self.given == other.given
            and self.labels == other.labels
            and [use.what for use in self.wanted] == [use.what for use in other.wanted]
            and [use.what for use in self.named] == [use.what for use in other.named]
        )


NOTHING = InlinedCode(frozenset(), (), frozenset(), ())

# A pattern that begins with a word is found faster than one that begins with a condition: the condition follows.
_LOC = lazy_pattern(
    rf"\.loc(?<![\w.$%]\.loc)\s+(\w+)\s+(\w+)\s+(\w+)"
    rf"(?:\s*,\s*function_name\s+({NAME_TEXT})(?:\s*\+\s*\w+)?\s*,\s*inlined_at\s+((\w+)\s+(\w+)\s+(\w+)))?",
    re.A,
)
# each begins at a place only if no text before it can belong to the same match: the time is linear in the text
_SECTION = lazy_pattern(r"\.section(?<![\w.$%]\.section)\s(?:(?!\.section\s)[^{};])*\{([^{}]*)\}", re.A)
_LABEL = lazy_pattern(rf"(?<![%$\w])({NAME_TEXT})\s*:", re.A)


def inlined_code(text: str, in_comment: bool) -> InlinedCode:
    """What a text has; `in_comment` is True if the text begins inside a `/* */` comment."""
    if DIRECTIVE not in text and SECTION not in text:
        return NOTHING
    start = 0
    if in_comment:
        end = text.find("*/")
        if end < 0:
            return NOTHING
        start = end + len("*/")
    text = " " * start + without_comments(text[start:])
    given: set[str] = set()
    wanted, named = [], []
    for loc in _LOC.finditer(text):
        if loc[5] is not None:
            named.append(Use(loc[4], *loc.span(4)))
            place = _position(loc[6], loc[7], loc[8])
            if place not in given:
                wanted.append(Use(place, *loc.span(5)))
        given.add(_position(loc[1], loc[2], loc[3]))
    labels = [label for section in _SECTION.findall(text) for label in _LABEL.findall(section)]
    return InlinedCode(frozenset(given), tuple(wanted), frozenset(labels), tuple(named))


def _position(file: str, line: str, column: str) -> str:
    return f"{_normalised(file)} {_normalised(line)} {_normalised(column)}"


def _normalised(number: str) -> str:
    """A literal in decimal."""
    if number.isdecimal() and (number[0] != "0" or len(number) == 1):
        return number
    digits = number.rstrip("Uu")
    try:
        return str(int(digits, 8 if digits.isdecimal() and digits[0] == "0" else 0))
    except ValueError:
        return number  # another check reports it
