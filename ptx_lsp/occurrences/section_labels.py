"""Labels in sections of debug data: `info_string3` in `.debug_str`, which rows of data and `function_name` name.

The analysis keeps no symbols for them, as a debug build has thousands and nothing of the program depends on them. They
are found by their text, in rows of data, before a colon outside of functions, and after `function_name`.
"""

import re
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.directive_names import SECTION_DATA_TEXT
from ptx_lsp.occurrences.target import EVERY_NAME, has_sections, whole_name
from ptx_lsp.syntax.plain_text import NAME_TEXT
from ptx_lsp.text.ranges import Position, Range

_LINE = re.compile(
    rf"[ \t]*(?:(?P<label>{NAME_TEXT})[ \t]*:(?!:)[ \t]*)?"
    rf"(?:{SECTION_DATA_TEXT}[ \t](?P<data>[^\"\n]*)|\.loc\b[^\n]*?function_name[ \t]+(?P<function>{NAME_TEXT}))?",
    re.A,
)

_ANY_COLUMN = 1 << 60  # beyond the end of every line


class SectionLabel(NamedTuple):
    """A label of a section: its name, a place where it is named, and the one where it is defined."""

    name: str
    named: Range
    defined: Range


def section_label_steps(module: Module, position: Position) -> Generator[list[Any], None, SectionLabel | None]:
    """The label of a section that is named at a position; None if no such label is there.

    It is found in steps, for features that give lists in steps: the lists of these are empty. The module must not be
    edited between two steps.
    """
    if not has_sections(module) or position.line >= module.document.line_count:
        return None
    for start, name in named_in(module.document.line(position.line)):
        if start <= position.column <= start + len(name):
            defined = yield from _definition(module, name)
            if defined is not None:
                return SectionLabel(name, Range(position.line, start, position.line, start + len(name)), defined)
    return None


def _definition(module: Module, name: str) -> Generator[list[Any], None, Range | None]:
    """The place of a label in a section; None if no section has it.

    Thousands of `.loc` may name a label: only what has a colon after it is looked at.
    """
    document = module.document
    label = re.compile(rf"{whole_name(name).pattern}(?=[ \t]*:)", re.A)
    for number in range(document.chunk_count):
        chunk = document.chunk(number)
        for found in label.finditer(chunk) if name in chunk else ():
            line = document.position_in_chunk(number, found.start()).line
            for place, defines in _in_line(module, line, name):
                if defines:
                    return place
        yield []
    return None


def section_occurrences(module: Module, name: str) -> Iterator[list[tuple[Range, bool]]]:
    """The places that name a label of a section, each with whether it defines the label, in the order of the text.

    They come in lists that may be empty; the module must not be edited between two of them.
    """
    document = module.document
    word = whole_name(name)
    for number in range(document.chunk_count):
        chunk = document.chunk(number)
        found: list[tuple[Range, bool]] = []
        if name in chunk:
            for line in {document.position_in_chunk(number, each.start()).line for each in word.finditer(chunk)}:
                found += _in_line(module, line, name)
        yield sorted(found)


def _in_line(module: Module, line: int, name: str) -> Iterator[tuple[Range, bool]]:
    text = module.document.line(line)
    label = _LINE.match(text)
    defined = label.start("label") if label is not None and label["label"] else -1
    in_function = _is_in_function(module, line)
    for start, found in named_in(text):
        if found == name and not (start == defined and in_function):
            yield Range(line, start, line, start + len(name)), start == defined


def named_in(line: str) -> Iterator[tuple[int, str]]:
    """The names of labels in a line, each with its column: before its colon, in data, and of an inlined function."""
    found = _LINE.match(line)
    if found is None:
        return
    for group in ("label", "function"):
        if found[group]:
            yield found.start(group), found[group]
    if found["data"]:
        for each in EVERY_NAME.finditer(found["data"].partition("//")[0]):
            yield found.start("data") + each.start(), each[0]


def _is_in_function(module: Module, line: int) -> bool:
    body = module.last_body_before(Position(line, _ANY_COLUMN))
    return body is not None and (body.closing is None or line <= body.closing.resolved().line)
