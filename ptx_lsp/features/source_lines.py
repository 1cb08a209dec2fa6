"""From a line of a source file to its PTX: the lines of a module that `.loc` directives attribute to it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.code_text import codes_of_chunks
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.lines import LINE_BEGIN, count_line_ends

_FILE = lazy_pattern(LINE_BEGIN + r'[ \t]*+\.file[ \t]++([0-9]++)[ \t]++"([^"\r\n]*+)"', re.M)
_LOCATION = lazy_pattern(
    LINE_BEGIN
    + r"[ \t]*+(?:\.loc[ \t]++([0-9]++)[ \t]++([0-9]++)\b|(?:\}|\.(?:visible|weak|entry|func|extern|section)\b))",
    re.M,
)


class LineRange(NamedTuple):
    """A run of lines, both included, from 0."""

    first: int
    last: int


def source_files(module: Module) -> Iterator[list[tuple[int, str]]]:
    """The numbers and paths of the `.file` directives, in lists between which the caller may pause."""
    for chunk in codes_of_chunks(module):
        if ".file" in chunk:
            yield [(int(match[1]), match[2]) for match in _FILE.finditer(chunk)]
        else:
            yield []


def lines_of(module: Module, files: frozenset[int], line: int) -> Iterator[list[LineRange]]:
    """The lines of the PTX whose `.loc` names one of some files and a line of it (from 1), in steps.

    They begin after the `.loc`, and end before the next one or at the end of the function.
    """
    begun: int | None = None
    at = 0
    for chunk in codes_of_chunks(module):
        found = []
        for match in _LOCATION.finditer(chunk):
            here = at + count_line_ends(chunk, match.start())
            if begun is not None and begun < here:
                found.append(LineRange(begun, here - 1))
            is_wanted = match[1] is not None and int(match[1]) in files and int(match[2]) == line
            begun = here + 1 if is_wanted else None
        at += count_line_ends(chunk)
        yield found
    if begun is not None and begun <= at:
        yield [LineRange(begun, at)]
