"""Places in the source: the place in `.loc`, its name from `.file`, and the calls that the code was inlined at.

Source: PTX ISA, #debugging-directives-loc and #debugging-directives-file.
"""

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple, TypeGuard

from ptx_lsp.analysis.module import Module
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.occurrences.code_text import code_of_lines
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Directive, Expression, Statement, TermKind
from ptx_lsp.text.lines import LINE_BEGIN, begin_of_line, count_line_ends
from ptx_lsp.text.ranges import Position, Range

Place = tuple[int, int, int]
"""The number of a file, a line and a column, as in `.loc`."""

MOST_CALLERS = 16
_FARTHEST = 20_000  # the number of lines above that are searched for the place of a caller
_LONGEST_NAME = 200  # characters
_LONGEST_STRING = 2 * _LONGEST_NAME  # lines; compilers write a byte on each, and some write a comment too
_FIRST_PART = 4_000  # characters of the part that is searched first
_LONGER = 6  # times as many characters has each further part
_NAME = re.compile(r'"([^"]*)"')
_FARTHEST_LOCATION = 2_000  # the number of lines above a statement in which its `.loc` is looked for
_LOCATION_OR_HEADER = re.compile(LINE_BEGIN + r"[ \t]*(?:(\.loc)\b|\.(?:visible|weak|entry|func|extern)\b)", re.M)
_BYTES = re.compile(r"\s*(?:\.b8\s+([0-9, \t]+)|//[^\n]*|[ \t]*\n)")


class SourcePlace(NamedTuple):
    """A place in a source: the path as `.file` has it, or `file 3` if no `.file` has the number 3.

    `line` and `column` count from 1 as in `.loc`; a column of 0 is not known. `function` is the inlined function that
    the place is in; empty if the code is not inlined, or for the places that it was inlined at.
    """

    path: str
    line: int
    column: int
    function: str = ""


def source_steps(directive: Directive, line: int, module: Module) -> Generator[None, None, list[SourcePlace]]:
    """The place in a `.loc` on a line (from 0) of the module, then those that it was inlined at.

    They are found in steps between which the module must not be edited.
    """
    places = _places(directive)
    if not places:
        return []
    function = yield from _function(directive, module)
    chain = yield from _chain(places, line, module)
    found = [SourcePlace(_file(file, module), row, column) for file, row, column in chain]
    return [found[0]._replace(function=function), *found[1:]]


def shown_places(places: list[SourcePlace]) -> list[str]:
    """The places as text in Markdown."""
    texts = []
    for number, place in enumerate(places):
        text = f"`{place.path}:{place.line}:{place.column}`"
        if number == 0:
            texts.append(text + (f", in `{place.function}`" if place.function else ""))
        else:
            texts.append(f"inlined at {text}")
    return texts


def in_force_steps(module: Module, line: int) -> Generator[None, None, list[SourcePlace]]:
    """The source of the statement on a line (from 0): the place in the last `.loc` above it in its function.

    It is found in steps between which the module must not be edited.
    """
    first = max(0, line - _FARTHEST_LOCATION)
    above = code_of_lines(module, first, line)
    last = yield from _last_match(_LOCATION_OR_HEADER, above)
    if last is None or last[1] is None:
        return []
    at = first + count_line_ends(above, last.start(1))
    # the block above the statement, which may be long, is not parsed
    statement = next((statement for statement, _ in parse_statements(above, last.start(1))), None)
    return (yield from source_steps(statement, at, module)) if isinstance(statement, Directive) else []


def of_location_steps(module: Module, position: Position) -> Generator[None, None, list[SourcePlace]]:
    """The place that the `.loc` at a position names; empty if there is no `.loc`.

    It is found in steps between which the module must not be edited.
    """
    located = yield from module.statement_steps(position)
    if located is None or not is_location(located.statement):
        return []
    line = located.range(located.statement.start, located.statement.start).line
    return (yield from source_steps(located.statement, line, module))[:1]


def is_location(statement: Statement) -> TypeGuard[Directive]:
    """Whether a statement is a `.loc`."""
    return isinstance(statement, Directive) and statement.name.text == ".loc"


def _places(directive: Directive) -> list[Place]:
    """The place of a `.loc` and, if it has one, the place after its `inlined_at`."""
    numbers = []
    for argument in directive.arguments:
        value = evaluate(argument, Authority.PTXAS).value if isinstance(argument, Expression) else None
        if value is not None and not value.is_float:
            numbers.append(value.bits)
    if len(numbers) < 3:
        return []
    first, last = numbers[:3], numbers[-3:]
    places: list[Place] = [(first[0], first[1], first[2])]
    return [*places, (last[0], last[1], last[2])] if len(numbers) >= 6 else places


def _chain(places: list[Place], line: int, module: Module) -> Generator[None, None, list[Place]]:
    """The places, and those that the last of them was itself inlined at, from the `.loc` lines above."""
    chain = list(dict.fromkeys(places))
    if len(chain) < 2:
        return chain
    text = module.document.text(Range(max(0, line - _FARTHEST), 0, line, 0))
    while len(chain) < MOST_CALLERS:
        found = yield from _last_inlined(text, chain[-1])
        if found is None:
            break
        caller = (int(found[1]), int(found[2]), int(found[3]))
        if caller in chain:
            break
        chain.append(caller)
    return chain


def _last_inlined(text: str, place: Place) -> Generator[None, None, re.Match[str] | None]:
    """The last `.loc` of a text with this place that says where the code was inlined at; its groups are that place."""
    file, row, column = place
    # the word comes first, because a pattern that begins with a word is found ten times as fast
    location = rf"\.loc\s+{file}\s+{row}\s+{column}\s*,[^\n]*inlined_at\s+(\d+)\s+(\d+)\s+(\d+)"
    return (yield from _last_match(re.compile(location), text))


def _last_match(pattern: re.Pattern[str], text: str) -> Generator[None, None, re.Match[str] | None]:
    """The last match of a text that begins its line, after blanks: most are near the end, and the end is read first.

    It is found in steps. No match may begin before the begin of a line and end after it.
    """
    for begin in begins_of_parts(text):
        yield
        for found in reversed(list(pattern.finditer(text, begin))):
            if not text[begin_of_line(text, found.start()) : found.start()].strip():
                return found
    return None


def begins_of_parts(text: str) -> Iterator[int]:
    """The begins of the last lines of a text, of more lines each time, and at last of all lines."""
    length = _FIRST_PART
    while length < len(text):
        yield begin_of_line(text, len(text) - length)
        length *= _LONGER
    yield 0


def _file(number: int, module: Module) -> str:
    """The name that `.file` gives to a number; `file 3` if there is no such `.file`."""
    declared = module.declarations(f".file {number}")
    if declared:
        place = declared[0].mark.resolved()
        name = _NAME.search(module.document.line(place.end_line), place.end_column)
        if name is not None:
            return name[1]
    return f"file {number}"


def _function(directive: Directive, module: Module) -> Generator[None, None, str]:
    """The name of the inlined function: the bytes after the label in a debug section; empty without a label."""
    named = next((a for a in directive.arguments if isinstance(a, Expression) and a.root.kind is TermKind.NAME), None)
    if named is None:
        return ""
    label = re.compile(rf"{LINE_BEGIN}[ \t]*{re.escape(named.root.text)}[ \t]*:", re.M)
    for number in reversed(range(module.document.chunk_count)):  # compilers write the section at the end
        chunk = module.document.chunk(number)
        if named.root.text in chunk and (found := label.search(chunk)):
            line = module.document.chunk_line(number) + count_line_ends(chunk, found.end())
            after = found.end() - begin_of_line(chunk, found.end())
            return _string(module.document.text(Range(line, after, line + _LONGEST_STRING, 0)))
        yield
    return ""


def _string(text: str) -> str:
    """The characters in `.b8` lines, up to a zero."""
    at, characters = 0, ""
    while len(characters) < _LONGEST_NAME and (found := _BYTES.match(text, at)):
        at = found.end()
        for number in (found[1] or "").replace(",", " ").split():
            code = int(number)
            if not 32 <= code < 127:
                return characters
            characters += chr(code)
    return characters
