"""Places in the source: the place in `.loc`, its name from `.file`, and the calls that the code was inlined at.

Source: PTX ISA, #debugging-directives-loc and #debugging-directives-file.
"""

import re

from ptx_lsp.analysis.module import Module
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.syntax.tree import Directive, Expression, TermKind
from ptx_lsp.text.ranges import Range

Place = tuple[int, int, int]
"""The number of a file, a line and a column, as in `.loc`."""

MOST_CALLERS = 16
_FARTHEST = 20_000  # the number of lines above that are searched for the place of a caller
_LONGEST_NAME = 200
_NAME = re.compile(r'"([^"]*)"')
_BYTES = re.compile(r"\s*(?:\.b8\s+([0-9, \t]+)|//[^\n]*|[ \t]*\n)")


def source_places(directive: Directive, line: int, module: Module) -> list[str]:
    """The place in a `.loc` on a line (from 0) of the module, then those that it was inlined at, as text."""
    places = _places(directive)
    if not places:
        return []
    texts = []
    function = _function(directive, module)
    chain = _chain(places, line, module)
    for number, place in enumerate(chain):
        text = f"`{_file(place[0], module)}:{place[1]}:{place[2]}`"
        if number == 0:
            texts.append(text + (f", in `{function}`" if function else ""))
        else:
            texts.append(f"inlined at {text}")
    return texts


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


def _chain(places: list[Place], line: int, module: Module) -> list[Place]:
    """The places, and those that the last of them was itself inlined at, from the `.loc` lines above."""
    chain = list(dict.fromkeys(places))
    if len(chain) < 2:
        return chain
    text = module.document.text(Range(max(0, line - _FARTHEST), 0, line, 0))
    while len(chain) < MOST_CALLERS:
        file, row, column = chain[-1]
        above = re.compile(
            rf"^\s*\.loc\s+{file}\s+{row}\s+{column}\s*,[^\n]*inlined_at\s+(\d+)\s+(\d+)\s+(\d+)", re.M
        ).findall(text)
        if not above:
            break
        found = above[-1]
        caller = (int(found[0]), int(found[1]), int(found[2]))
        if caller in chain:
            break
        chain.append(caller)
    return chain


def _file(number: int, module: Module) -> str:
    """The name that `.file` gives to a number; `file 3` if there is no such `.file`."""
    symbol = next((s for s in module.symbols() if s.name == f".file {number}"), None)
    if symbol is not None:
        place = symbol.mark.resolved()
        name = _NAME.search(module.document.line(place.end_line), place.end_column)
        if name is not None:
            return name[1]
    return f"file {number}"


def _function(directive: Directive, module: Module) -> str:
    """The name of the inlined function: the bytes after the label in a debug section; empty without a label."""
    named = next((a for a in directive.arguments if isinstance(a, Expression) and a.root.kind is TermKind.NAME), None)
    if named is None:
        return ""
    label = re.compile(rf"^[ \t]*{re.escape(named.root.text)}[ \t]*:", re.M)
    for number in range(module.document.chunk_count):
        chunk = module.document.chunk(number)
        if named.root.text in chunk and (found := label.search(chunk)):
            following = module.document.chunk(number + 1) if number + 1 < module.document.chunk_count else ""
            return _string(chunk[found.end() :] + following)
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
