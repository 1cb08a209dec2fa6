"""Marks: what the scan of a chunk finds, with its place in the chunk."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from ptx_lsp.outline.declared_names import DeclarationRead, FunctionRead, Name
from ptx_lsp.text.lines import line_starts

ASSEMBLY_COMMENT = re.compile(r"[ \t]*//\s*(begin|end)\s+inline\s+asm\b")
"""The comment that NVIDIA's compiler writes above and below inline assembly, with the blanks before it."""


class MarkKind(Enum):
    """What a mark is."""

    __hash__ = object.__hash__

    OPEN = "the brace that opens a scope"
    CLOSE = "the brace that closes a scope"
    LABEL = "a label with its colon"
    FUNCTION = "the header of a function, up to its brace or semicolon"
    VARIABLES = "a declaration of variables"
    REST_OF_VARIABLES = "the end of a declaration that began in a chunk above"
    SECTION = "the head of a section, with its brace"
    LIST = "braces over several lines that contain no statements"
    COMMENTS = "lines with only a comment after `//`"
    BLOCK_COMMENT = "a comment between `/*` and `*/`"
    BEGIN_COMMENT = "the `/*` of a comment that its chunk does not end"
    END_COMMENT = "the end of a comment that began in a chunk above"
    BEGIN_ASSEMBLY = "the comment `// begin inline asm`"
    END_ASSEMBLY = "the comment `// end inline asm`"
    LOCATIONS = "lines with `.loc`"
    FILE = "the path in a `.file`, without its quotes"


class Mark(NamedTuple):
    """One mark: its lines count from the first line of the chunk, its columns are in code points.

    A line can be negative: the mark begins in a chunk above. `item` is the text of a label or path, the `Header` of a
    function, or a tuple of what is `Declared`. `above` is the length of the line above, -1 if that is in another chunk.
    """

    kind: MarkKind
    line: int
    column: int
    end_line: int
    end_column: int
    item: object
    above: int


class Declared(NamedTuple):
    """A declared name with its place, the range of its whole declaration, and the rest of that as one text."""

    name: str
    line: int
    column: int
    whole: tuple[int, int, int, int]
    detail: str


class Header(NamedTuple):
    """A function's header. `kind` is `.entry` or `.func`; `name` is None if it is missing.

    `parameters` begin with the results. `detail` is a text with the types. `body` is true if a `{` follows. `end_line`
    and `end_column` are those after the last token before it.
    """

    kind: str
    name: Declared | None
    parameters: tuple[Declared, ...]
    detail: str
    body: bool
    end_line: int
    end_column: int


Found = tuple[MarkKind, int, int, object]
"""A mark before it is located: its kind, the offsets where it begins and ends, and what was read."""


_IN_ONE_LINE = frozenset(
    (MarkKind.OPEN, MarkKind.CLOSE, MarkKind.LABEL, MarkKind.BEGIN_ASSEMBLY, MarkKind.END_ASSEMBLY, MarkKind.FILE)
)


def located_marks(text: str, fresh: int, found: list[Found]) -> Iterable[Mark]:
    """The marks that were found in a text, with lines that count from the line of the offset `fresh`."""
    return _located_by_table(text, fresh, found) if "\r" in text else _located(text, fresh, found)


def _located(text: str, fresh: int, found: list[Found]) -> list[Mark]:
    count, find_end, new = text.count, text.rfind, tuple.__new__  # `Mark(...)` takes twice the time of `new`
    located: list[Mark] = []
    add = located.append
    line = -count("\n", 0, fresh)  # the line of `at`
    at = begin = 0  # `begin` is where the line of `at` begins
    for kind, start, end, item in found:
        if further := count("\n", at, start):
            line += further
            begin = find_end("\n", at, start) + 1
        at = start
        above = begin - find_end("\n", 0, begin - 1) - 2 if line > 0 else -1
        if kind in _IN_ONE_LINE:
            add(new(Mark, (kind, line, start - begin, line, end - begin, item, above)))
            continue
        further = count("\n", start, end)
        end_begin = find_end("\n", start, end) + 1 if further else begin
        if isinstance(item, FunctionRead):
            item = _header(item, _places(text, begin, line, end))
        elif isinstance(item, DeclarationRead):
            places = _places(text, begin, line, end)
            item = tuple([_declared(name, places) for name in item.variables])
        add(new(Mark, (kind, line, start - begin, line + further, end - end_begin, item, above)))
    return located


def _located_by_table(text: str, fresh: int, found: list[Found]) -> Iterator[Mark]:
    """The same for a text with other line ends than line feeds."""
    starts = line_starts(text)
    starts.append(len(text) + 1)
    above = bisect_right(starts, fresh) - 1
    line = 0
    places = _Places(starts, above)
    for kind, start, end, item in found:
        while starts[line + 1] <= start:
            line += 1
        if text[end - 1 : end + 1] == "\r\n":  # a comment and a `.loc` reach to the `\n`
            end -= 1
        last = line
        while starts[last + 1] <= end:
            last += 1
        if isinstance(item, FunctionRead):
            item = _header(item, places)
        elif isinstance(item, DeclarationRead):
            item = tuple(_declared(name, places) for name in item.variables)
        before = starts[line] - starts[line - 1] - 1 if line > above else -1
        if before > 0 and text[starts[line] - 2 : starts[line]] == "\r\n":
            before -= 1
        yield Mark(kind, line - above, start - starts[line], last - above, end - starts[last], item, before)


class _Places(NamedTuple):
    """The offsets where lines begin, ascending; `above` is subtracted from their numbers."""

    starts: list[int]
    above: int


def _places(text: str, begin: int, line: int, end: int) -> _Places:
    """The places of the lines of a part of a text; the first one begins at the offset `begin` and is `line`."""
    starts = [begin]
    at = text.find("\n", begin, end)
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1, end)
    return _Places(starts, -line)


def _header(read: FunctionRead, places: _Places) -> Header:
    name = None if read.name is None else _declared(read.name, places)
    parameters = tuple(_declared(each, places) for each in (*read.results, *read.parameters))
    types = ", ".join(each.detail.removeprefix(".param ") for each in read.parameters)
    detail = f"{read.linkage} {read.kind}({types})".lstrip()
    last = bisect_right(places.starts, read.last) - 1
    return Header(read.kind, name, parameters, detail, read.body, last - places.above, read.last - places.starts[last])


def _declared(name: Name, places: _Places) -> Declared:
    starts, above = places
    text, start, _, from_, until, detail = name
    line = bisect_right(starts, start) - 1
    first = line if starts[line] <= from_ <= start else bisect_right(starts, from_) - 1
    last = bisect_right(starts, until, line) - 1
    whole = first - above, from_ - starts[first], last - above, until - starts[last]
    return Declared(text, line - above, start - starts[line], whole, detail)
