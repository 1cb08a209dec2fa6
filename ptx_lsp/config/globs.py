"""Path patterns as editors know them: `*`, `?`, `**`, `[a-z]` and `{a,b}`.

A pattern comes from the settings of a folder, which may come from an untrusted source. Regular expressions can take
exponential time, so a pattern becomes a graph of states that is searched for all alternatives at once: the time is at
most proportional to the length of the pattern times the length of the path.
"""

import re

from ptx_lsp.light_classes import Callable, Iterable, lru_cache
from ptx_lsp.memo import forgettable

LONGEST = 1_000
"""The maximum length of a pattern in characters; a longer one matches nothing."""

_TOKEN = re.compile(r"\*\*/|/\*\*\Z|\*\*|\*|\?|\[!?[^]/]+\]|\{|\}|,|.", re.S)
_Test = Callable[[str], bool]


def matches(pattern: str, path: str) -> bool:
    """Whether `path` (with `/` between its parts, absolute or relative to the workspace) matches `pattern`.

    A pattern without a `/` is compared with the last part of the path only; an invalid pattern matches nothing.
    """
    return _fits(pattern, path if "/" in pattern else path.rsplit("/", 1)[-1])


@forgettable
@lru_cache(maxsize=4096)
def _fits(pattern: str, subject: str) -> bool:
    graph = _compiled(pattern)
    return graph is not None and graph.accepts(subject)


class _Graph:
    """States numbered from 0, the start; the last state is the end."""

    def __init__(self) -> None:
        self._free: list[list[int]] = [[]]  # for each state, the states reached without a character
        self._steps: list[list[tuple[_Test, int]]] = [[]]  # and those reached with one character

    def state(self, *before: int) -> int:
        """A new state, reached from the states `before` without a character."""
        self._free.append([])
        self._steps.append([])
        new = len(self._free) - 1
        for each in before:
            self._free[each].append(new)
        return new

    def step(self, start: int, test: _Test, end: int) -> None:
        """Connect `start` to `end` by any character that passes the test."""
        self._steps[start].append((test, end))

    def repeat(self, before: int, test: _Test) -> int:
        """A new state, reached from `before` by any number of characters that pass the test."""
        new = self.state(before)
        self.step(new, test, new)
        return new

    def accepts(self, text: str) -> bool:
        """Whether the whole text leads from the first state to the last one."""
        here = self._reached((0,))
        for character in text:
            here = self._reached({end for state in here for test, end in self._steps[state] if test(character)})
            if not here:
                return False
        return len(self._free) - 1 in here

    def _reached(self, states: Iterable[int]) -> set[int]:
        found = set(states)
        left = list(found)
        while left:
            for state in self._free[left.pop()]:
                if state not in found:
                    found.add(state)
                    left.append(state)
        return found


def _any(character: str) -> bool:
    return True


def _inside(character: str) -> bool:
    return character != "/"


@forgettable
@lru_cache(maxsize=256)
def _compiled(pattern: str) -> _Graph | None:
    if len(pattern) > LONGEST:
        return None
    graph = _Graph()
    here = 0
    braces: list[tuple[int, list[int]]] = []  # for each open brace its start, and the ends of its alternatives
    for token in _TOKEN.findall(pattern):
        if token == "{":
            braces.append((here, []))
            here = graph.state(here)
        elif token == "," and braces:
            start, ends = braces[-1]
            ends.append(here)
            here = graph.state(start)
        elif token == "}":
            if not braces:
                return None
            here = graph.state(here, *braces.pop()[1])
        else:
            after = _take(graph, here, token)
            if after is None:
                return None
            here = after
    graph.state(here)
    return None if braces else graph


def _take(graph: _Graph, here: int, token: str) -> int | None:
    """The state after a token other than a brace; None if the token is invalid."""
    match token:
        case "*":
            return graph.repeat(here, _inside)
        case "**":
            return graph.repeat(here, _any)
        case "**/":  # any number of folders, also 0
            folders = graph.repeat(here, _any)
            after = graph.state(here)
            graph.step(folders, "/".__eq__, after)
            return after
        case "/**":  # the folder itself, or anything inside
            inner = graph.state()
            graph.step(here, "/".__eq__, inner)
            return graph.state(here, graph.repeat(inner, _any))
    test: _Test | None = token.__eq__
    if token == "?":
        test = _inside
    elif len(token) > 1:
        test = _class_of(token)
    if test is None:
        return None
    after = graph.state()
    graph.step(here, test, after)
    return after


def _class_of(token: str) -> _Test | None:
    """The test for `[a-z]` or `[!a-z]`; None if a range is reversed."""
    negated = token[1] in "!^" and len(token) > 3
    body = token[2 if negated else 1 : -1]
    ranges: list[tuple[str, str]] = []
    at = 0
    while at < len(body):
        last = at + 2 if body[at + 1 : at + 2] == "-" and at + 2 < len(body) else at
        if body[last] < body[at]:
            return None
        ranges.append((body[at], body[last]))
        at = last + 1
    return lambda character: any(low <= character <= high for low, high in ranges) is not negated
