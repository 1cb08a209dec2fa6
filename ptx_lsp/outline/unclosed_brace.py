"""Finds the `{` of a function that lacks its `}`, as a person would: by indentation and comments, not by count alone.

A count pairs each `}` with the last open `{`, so the one that is left over is nearly always that of the function, also
if an inner `}` is missing. Only the `{` of the function and those of its last scope may be the one that is meant.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

# comments, strings, and lists such as `{%r1, %r2}`, which have no statement
_TOKEN = re.compile(r'//[^\n]*+|/\*.*?(?:\*/|\Z)|"[^"\r\n]*+"?|\{[^{};]*+\}|[{}]', re.DOTALL)
_CALL = re.compile(r"[ \t]*+//[ \t]*+callseq[ \t]++(\d++)")
_INLINE = re.compile(r"//[ \t]*+(begin|end)[ \t]++inline[ \t]++asm\b")
_NEXT_WORD = re.compile(r"(?:\s++|//[^\n]*+|(?!))*+(\.(?:reg|param|local|shared)\b|[^\s]*+)")
_DECLARES = (".reg", ".param", ".local", ".shared")
_STATEMENT = re.compile(r"(?:\s++|//[^\n]*+|/\*.*?\*/|(?!))*+(?:[^\s./]|\.(?:loc|reg|param|local)\b)", re.DOTALL)
# what a pair of braces costs:
_OTHER_MARK = 3  # one belongs to a call or to inline assembly, and the other does not
_EMPTY = 4  # nothing is between them
_LONGEST_EMPTY = 100  # characters
_MOST = 500  # braces that are compared
_OTHER_INDENTATION = 2
_OTHER_LINE = 1  # a statement is before the `}`, and the `{` is not on its line
_AFTER_END = 1  # statements follow the end of the function
_BEFORE_END = 1  # no statement follows the last `}`, which would not be the end of the function
_NESTS = 1  # the last scope has others in it, as no other scope
_FEW = 3  # braces, with that of the function


class Unclosed(NamedTuple):
    """`opening` is the offset of the `{` that lacks its `}`, `closing` that of the `}` that a count pairs it with.

    `closing` is -1 if there is none.
    """

    opening: int
    closing: int


@dataclass(frozen=True)
class _Brace:
    """A brace at the offset `at`, with what a person pairs it by.

    `line` is the offset of the begin of its line, `indentation` the width of the blanks there. `leads` is true if it is
    the first of its line, `begins_inline` if it begins inline assembly, whose first line the compiler has indented.
    `mark` is the number of the call or the place of the inline assembly that it belongs to.
    """

    at: int
    line: int
    indentation: int
    leads: bool
    begins_inline: bool
    mark: str


class _Place(NamedTuple):
    """The offset of a brace, and where the inline assembly begins that it is in; -1 if it is in none."""

    at: int
    inline: int


@dataclass(frozen=True)
class _Pairs:
    """The braces that open scopes, in order: the number of the one around each, and the `}` of each by a count.

    `last` is the number of the brace that opens the last scope of the function, 0 without one.
    """

    openings: Sequence[_Place]
    around: Sequence[int]
    closings: Sequence[_Place | None]
    last: int


def unclosed_brace(text: str) -> Unclosed | None:
    """The `{` that lacks its `}` in a text that begins with the `{` of a function and ends where the function must end.

    None if not exactly one brace is open at the end of the text.
    """
    pairs = _pairs(text)
    if pairs is None:
        return None
    if not pairs.last:
        return Unclosed(0, -1)  # there is no other
    costs = _costs(text, pairs)
    least = min(costs.values())
    chosen = _most_unusual([number for number, cost in costs.items() if cost == least], text, pairs.openings)
    closing = pairs.closings[chosen]
    return Unclosed(pairs.openings[chosen].at, -1 if closing is None else closing.at)


def _most_unusual(numbers: Sequence[int], text: str, openings: Sequence[_Place]) -> int:
    """The brace, among those with these numbers, whose scope begins like no other one; without one, the first brace.

    Compilers open a scope to declare something in it.
    """
    words = {n: word for n in numbers if n and not (word := _next_word(text, openings[n])).startswith(_DECLARES)}
    if len(numbers) == 1 or not words:
        return numbers[0]
    counts = Counter(_next_word(text, opening) for opening in openings[1:])
    return next((number for number, word in words.items() if counts[word] == 1), numbers[0])


def _next_word(text: str, opening: _Place) -> str:
    found = _NEXT_WORD.match(text, opening.at + 1)
    return found[1] if found is not None else ""


def _pairs(text: str) -> _Pairs | None:
    """The braces of a text that begins with a brace, None if not exactly one is open at its end."""
    openings: list[_Place] = []
    around: list[int] = []
    closings: list[_Place | None] = []
    open_: list[int] = []
    last = 0
    for place in _braces(text):
        if text[place.at] == "{":
            if len(open_) == 1:
                last = len(openings)
            around.append(open_[-1] if open_ else -1)
            open_.append(len(openings))
            openings.append(place)
            closings.append(None)
        elif not open_:
            return None
        else:
            closings[open_.pop()] = place
    return _Pairs(openings, around, closings, last) if open_ == [0] else None


def _braces(text: str) -> Iterator[_Place]:
    """The braces of scopes."""
    inline = -1
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token in ("{", "}"):
            yield _Place(found.start(), inline)
        elif token[0] == "{" and (not token[1:-1].strip() or ("\n" in token and "," not in token)):  # an empty scope
            yield _Place(found.start(), inline)
            yield _Place(found.end() - 1, inline)
        elif token[0] == "/" and (marker := _INLINE.match(token)) is not None:
            inline = found.end() if marker[1] == "begin" else -1


def _brace(text: str, place: _Place) -> _Brace:
    at, inline = place
    line = text.rfind("\n", 0, at) + 1
    before = text[line:at].expandtabs()
    blanks = len(before) - len(before.lstrip())
    call = _CALL.match(text, at + 1)
    mark = f"asm {inline}" if inline >= 0 else ""
    begins_inline = inline >= 0 and not text[inline:at].strip(" \t\r\n{")
    return _Brace(at, line, blanks, blanks == len(before), begins_inline, mark if call is None else call[1])


def _costs(text: str, pairs: _Pairs) -> dict[int, int]:
    """The cost of each brace that may lack its `}`: what is more unusual if that one lacks it than if the first does.

    If it is an inner one, its `}` belongs to the brace around it, and so on, and the last one to the function.
    """
    end = pairs.closings[pairs.last]
    assert end is not None, "only the first brace is open"
    follows = _STATEMENT.match(text, end.at + 1) is not None
    after_end = _AFTER_END if follows else 0
    changes = {0: 0}
    openings = {0: _brace(text, pairs.openings[0])}
    for number in range(pairs.last, min(len(pairs.openings), pairs.last + _MOST)):
        place, around = pairs.closings[number], pairs.around[number]
        assert place is not None, "only the first brace is open"
        opening, closing = _brace(text, pairs.openings[number]), _brace(text, place)
        openings[number] = opening
        changes[number] = changes[around] + _cost(text, openings[around], closing) - _cost(text, opening, closing)
    costs = {number: change + after_end for number, change in changes.items()}
    costs[0] = 0 if follows else _BEFORE_END
    if _is_flat(pairs):
        costs = {number: cost + (_NESTS if number != pairs.last else 0) for number, cost in costs.items()}
    return costs


def _is_flat(pairs: _Pairs) -> bool:
    """Whether only the last scope of the function has others in it, and there are several: the author nests none."""
    inside = pairs.around[pairs.last + 1 :]
    return len(pairs.around) > _FEW and bool(inside) and all(around in (0, pairs.last) for around in pairs.around[1:])


def _cost(text: str, opening: _Brace, closing: _Brace) -> int:
    """How unusual it is that a brace closes another one."""
    cost = _OTHER_MARK if opening.mark != closing.mark else 0
    if closing.at - opening.at <= _LONGEST_EMPTY and not text[opening.at + 1 : closing.at].strip():
        cost += _EMPTY
    if opening.line == closing.line:
        return cost
    if not closing.leads:
        return cost + _OTHER_LINE
    is_other = opening.indentation != closing.indentation and not opening.begins_inline
    return cost + (_OTHER_INDENTATION if is_other else 0)
