"""Text with blanks in place of what a request need not parse, so that the offsets of the rest do not change."""

from __future__ import annotations

from itertools import zip_longest

from ptx_lsp.isa.directive_names import ENTRY, FUNC, TARGET
from ptx_lsp.isa.opcode_sets import COMMON
from ptx_lsp.light_classes import Callable, Iterable, Iterator, Sequence, bisect_left, bisect_right
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.semantics.symbols import DIGITS
from ptx_lsp.syntax.plain_text import PLAIN_VALUES
from ptx_lsp.syntax.section_rows import all_rows
from ptx_lsp.text.document import Document
from ptx_lsp.text.kept_lines import KeptText, without_lines
from ptx_lsp.text.ranges import Range

_GUARD = r"(?:@!?[%\w$]++[ \t]++|(?!))?+"
_MODIFIERS = r"(?:\.[\w:]++|(?!))*+"
_OPCODE = r"[a-z]\w*+"
# another word may be a directive without its dot: `global.u64 x;`; before `.reg` it is a mistake, and this declares
_SURE_OPCODE = rf"(?:{'|'.join(COMMON)})\b(?!\.reg\b)"
_OPERANDS = r"(?:[^;{}\"/\n\r]++|\{[^;{}\"/\n\r]*+\}|(?!))*+"
_SURE_OPERANDS = r"(?:[^;{}\"/\n\r.]++|\.(?![a-z]{2})|\{[^;{}\"/\n\r.]*+\}|(?!))*+"  # they hold no directive
_LOC = r"\.loc[ \t][\w \t,$]++(?<!,)"
# one before an instruction: the header of a function has these too, and its body follows them
_PRAGMA = r"\.pragma[ \t]++\"[^\"\\\n]*+\"[ \t]*+;(?=[ \t]*+\n[ \t]*+[@a-z])"
# a scope without another one in it, and without a `.target`, which is for the text below it too
_NESTED = rf"\{{(?:[^{{}}\"/.]++|\.(?!{TARGET[1:]})|\{{[^;{{}}\"/]*+\}}|//[^\n]*+\n|(?!))*+\}}"
_KNOWN_LABEL = r"[%$_a-zA-Z][\w$]*+:(?=\s*+(?:[^./\s]|\.loc\b))"  # not that of a list of labels or of a prototype


def _instruction(opcode: str, operands: str) -> str:
    return rf"{_GUARD}{opcode}{_MODIFIERS}(?:[ \t](?![ \t]*+:){operands}|(?!))?+;"


def _lines_with(*constructs: str) -> re.Pattern[str]:
    one = "|".join(constructs)
    return lazy_pattern(rf"\n(?<=;\n)(?:[ \t]*+(?:(?:{one})[ \t]*+|(?!))?+(?://[^\n]*+|(?!))?+\n|(?!))++")


KNOWN_LINES = _lines_with(_instruction(_OPCODE, _OPERANDS), _LOC, _KNOWN_LABEL, _PRAGMA, _NESTED)
"""Lines after a statement that declare nothing which a request has to know: instructions, `.loc`, labels, pragmas,
empty lines, comments and nested scopes.

The module knows the labels of a function, and what a nested scope declares is not visible below it. The pattern begins
with the end of the line above, because a constant character is found fast.
"""
_SURE_INSTRUCTION = _instruction(_SURE_OPCODE, _SURE_OPERANDS)
_SURE_NESTED = rf"\{{(?:\s++|//[^\n]*+\n|{_SURE_INSTRUCTION}|(?!))*+\}}"  # as inline assembly is written
SURE_LINES = _lines_with(_SURE_INSTRUCTION, _LOC, _KNOWN_LABEL, _SURE_NESTED)
"""Those of `KNOWN_LINES` that declare nothing in a text with mistakes either, where a directive may be in any line."""
_BODY = lazy_pattern(r"\n(?:[ \t]*+(?:(?://|\.loc\b)[^\n]*+|(?!))?+\n|(?!))*+[ \t]*+\{")
_DECLARED_NAME = r"[%$_a-zA-Z][\w$]*+"


def _declaration(name: str, family: str) -> str:
    """One register, family, or variable with its size and such integers, its name and the `<` of a family as given."""
    return (
        r"(?:\.visible[ \t]++)?\.(?:reg|local|param|shared|global|const)[ \t]++(?:\.align[ \t]++[0-9]++[ \t]++)?"
        rf"\.\w++[ \t]++(?:\.\w++[ \t]++|(?!))?+{name}(?:{family}[0-9]{{1,9}}>"
        rf"|\[[0-9]{{1,9}}\](?:[ \t]*+=\s*+{PLAIN_VALUES}|(?!))?+|(?!))?+[ \t]*+;"
    )


_DECLARED = lazy_pattern(rf"\n[ \t]*+{_declaration(f'({_DECLARED_NAME})', '(<)')}")
# without groups, which are wrong after a repetition that gives nothing back (observed: CPython 3.11)
_DECLARATIONS = lazy_pattern(rf"\{{?(?:\s++|//[^\n]*+\n|{_declaration(_DECLARED_NAME, '<')}|(?!))*+")
_TO_HEADER = r"(?=\.(?:(?:visible|weak|extern)\s++\.)?(?:entry|func)\b)"
# the begin of a line with the header of a function; a constant character is found fast
_HEADER = lazy_pattern(rf"\n[ \t]*+{_TO_HEADER}")
_FIRST_HEADER = lazy_pattern(rf"(?:\s++|//[^\n]*+\n|(?!))*+{_TO_HEADER}")
# a header with an empty body or without one; the groups are the name of the function and nothing
_NAMED = r"\.(?:(?:visible|weak|extern)\s++\.)?(?:entry|func)\b\s*+(?:\([^()\"/]*+\)\s*+|(?!))?+([%$\w]++)"
_FUNCTION = lazy_pattern(rf"{_NAMED}()[^{{}};\"/]*+(?:;|\{{\s*+\}})")
_PARAMETERS = lazy_pattern(rf"{_NAMED}\s*+\(([^()\"/]*+)\)")  # a header up to them
_PARAMETER_NAME = lazy_pattern(r"(?<![\w.$%])[%$_a-zA-Z][\w$]*+")
_NAMES = lazy_pattern(r"[%$\w]++")
_COMMENT_LINES = lazy_pattern(r"\n[ \t]*+//[^\n*\"]*+(?=\n)")
_INK = lazy_pattern(r"[^\n]")
_LONGEST_INDENT = 32  # of the brace that ends a section
_NEAR = 8  # rows above and below a position that stay
_MANY = 200  # rows that are worth to be left out


def blanked(
    lines: re.Pattern[str],
    text: str,
    may_be_blank: Callable[[int, int], bool] = lambda start, end: True,
    *,
    from_second: bool = False,
) -> str:
    """The text with as many blanks as a match of `lines` has characters, so that the offsets after it do not change.

    A match begins with the end of the line above. If that line has a comment or a string, its semicolon may be in it,
    and may not end a statement: then the match stays as it is up to the end of its first statement, or of the scope
    that begins there. A scope that follows a directive with a string may be the body of a function that has the
    directive in its header: then too all of it stays. A match for whose offsets `may_be_blank` is false stays as it is.
    With `from_second` the first statement of every match stays: a mistake above may reach to it.
    """
    has_strings = '"' in text

    def blanks(found: re.Match[str]) -> str:
        start = found.start()
        if not may_be_blank(start, found.end()):
            return found[0]
        above = text[text.rfind("\n", 0, start) + 1 : start]
        kept = _first_statement(found[0]) if from_second or "/" in above or '"' in above else ""
        if has_strings and _BODY.match(found[0]) is not None:
            statement_above = text[text.rfind(";", 0, start - 1) + 1 : start]
            if '"' in statement_above:
                return found[0]
        if len(kept) == len(found[0]):
            return kept
        # the line end stays, because a declaration is found by the one above it
        return kept + " " * (len(found[0]) - len(kept) - 1) + "\n"

    return lines.sub(blanks, text)


def in_functions(block: Block, text: str) -> Callable[[int, int], bool]:
    """For two offsets in the text of a block: whether all between them is in one function. They ascend.

    What braces outside of functions declare is visible below them.
    """
    begins_inside = block.entry is not None and block.entry.body is not None
    if block.stale:
        return (lambda start, end: True) if begins_inside else in_bodies(text)
    parts = block.parts
    starts = [part.start for part in parts]

    def is_inside(start: int, end: int) -> bool:
        index = bisect_right(starts, start) - 1
        stop = parts[index].stop if index >= 0 else 0
        return stop is None or end <= stop

    return is_inside


def in_bodies(text: str) -> Callable[[int, int], bool]:
    """The same as `in_functions`, by the braces alone, for a text that begins outside of functions and was not read.

    A brace at the begin of a line is the end of a function. Where a comment has braces, the answer may be False.
    """
    at = depth = 0

    def advance(stop: int) -> bool:
        """Continue to an offset: whether all from the last one to it is in one function."""
        nonlocal at, depth
        stays = depth > 0
        while depth and (closing := text.find("}", at, stop)) >= 0:
            depth += text.count("{", at, closing) - 1
            depth = 0 if text[closing - 1 : closing] == "\n" else depth
            stays, at = depth > 0, closing + 1
        if depth:
            depth += text.count("{", at, stop)
            at = stop
            return stays
        head = max(text.rfind(word, at, stop) for word in (ENTRY, FUNC))
        body = text.find("{", head, stop) if head >= 0 else -1
        at = head if body < 0 <= head else stop
        if body >= 0 and text.find(";", head, body) < 0:
            depth, at = 1, body + 1
            advance(stop)
        return False

    def is_inside(start: int, end: int) -> bool:
        advance(start)
        return depth > 0 and advance(end)

    return is_inside


def without_unused(block: Block, text: str) -> str:
    """The text of a block with blanks in place of declarations that nothing in it needs, as compilers write them.

    These are plain declarations whose names occur nowhere else, or of a function in which nothing else is left, and
    functions without a body, or with nothing in it, whose names occur nowhere else, and the parameters of others. The
    block must be fine.
    """
    text = _without_lone_declarations(block, text)
    declared = tuple(_DECLARED.finditer(text))
    rest = _replaced(text, declared, lambda _: "")
    words = _words(_replaced(rest, _functions(rest, _FUNCTION), lambda _: ""))
    stems = {word.rstrip(DIGITS) for word in words}

    def blanks(found: re.Match[str]) -> str:
        name, family = found.groups()
        is_used = name in (stems if family else words)
        # a comment may end with the line above
        return found[0] if is_used else _INK.sub(" ", found[0])

    seen = _replaced(text, declared, blanks)
    return _without_parameters(_replaced(seen, _functions(seen, _FUNCTION), blanks))


def _without_parameters(text: str) -> str:
    """A text with blanks in place of the parameters of functions of which neither these nor the name occur elsewhere.

    The text is that of a block without a mistake.
    """
    headers = tuple(_functions(text, _PARAMETERS))
    words = _words(_replaced(text, headers, lambda _: "")) if headers else set()

    def blanks(header: re.Match[str]) -> str:
        name, parameters = header.groups()
        if name in words or not words.isdisjoint(_PARAMETER_NAME.findall(parameters)):
            return header[0]
        return f"{header[0][: header.start(2) - header.start()]}{_INK.sub(' ', parameters)})"

    return _replaced(text, headers, blanks)


def _words(text: str) -> set[str]:
    """The words of a text outside of lines that are comments."""
    code = _COMMENT_LINES.sub("", f"\n{text}")
    return set(_NAMES.findall(" ".join(code.split())))  # the pattern would look at each of the blanks, which are many


def _without_lone_declarations(block: Block, text: str) -> str:
    """The text of a block with blanks in place of functions' bodies that consist of plain declarations and comments."""
    pieces: list[str] = []
    at = 0
    for part in _ended(block):
        found = _DECLARATIONS.match(text, part.start, len(text) if part.stop is None else part.stop)
        if found is not None and found.end() == part.stop:
            start = part.start + text.startswith("{", part.start)
            pieces += (text[at:start], " " * (part.stop - start))
            at = part.stop
    return "".join(pieces) + text[at:] if pieces else text


def _functions(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The matches of a pattern at the headers of functions, one after the other. The text begins between statements."""
    if ENTRY not in text and FUNC not in text:  # most parts of a long function
        return
    first = _FIRST_HEADER.match(text)
    starts = [] if first is None else [first.end()]
    for header in _HEADER.finditer(text, first.end() if first is not None else 0):
        if _follows_statement(text, header.start()):
            starts.append(header.end())
    for start in starts:
        function = pattern.match(text, start)
        if function is not None:
            yield function


def _follows_statement(text: str, end: int) -> bool:
    """Whether the text above the end of a line ends with a statement or a scope, except for comments and blanks."""
    while end >= 0:
        begin = text.rfind("\n", 0, end) + 1
        code = text[begin:end].partition("//")[0].rstrip()
        if code.strip():
            # otherwise the last character may be in a comment or a string
            return code[-1] in ";}" and "/" not in code and '"' not in code
        end = begin - 1
    return False


def _replaced(text: str, parts: Iterable[re.Match[str]], by: Callable[[re.Match[str]], str]) -> str:
    """A text with what `by` gives for each of its parts in the place of the part."""
    pieces: list[str] = []
    at = 0
    for part in parts:
        pieces += (text[at : part.start()], by(part))
        at = part.end()
    return "".join(pieces) + text[at:]


def _first_statement(lines: str) -> str:
    """Some lines without those after the first statement, or after the scope that begins before its end."""
    at = depth = 0
    ends = False
    for line in lines.split("\n"):  # a lone `\r` ends no comment
        at += len(line) + 1
        code = line.partition("//")[0]
        depth += code.count("{") - code.count("}")
        ends = ends or ";" in code
        if ends and not depth:
            break
    return lines[:at]


def without_closed_bodies(block: Block, text: str, offset: int) -> str:
    """The text of a block with blanks in the bodies that end above an offset, because what they declare ends with them.

    The block must be fine. A body that another block begins stays, because nested scopes of it may end here. One with a
    `.target` stays too: the functions below are for that target.
    """
    pieces: list[str] = []
    at = 0
    for part in _ended(block):
        if part.stop is None or part.stop >= offset:
            break
        is_whole = part.body.opening.holder is block and part.resumed_at is None
        if is_whole and text.find(TARGET, part.start, part.stop) < 0:
            pieces += (text[at : part.start + 1], " " * (part.stop - part.start - 1))
            at = part.stop
    return "".join(pieces) + text[at:] if pieces else text


def _ended(block: Block) -> Iterator[FunctionPart]:
    """The parts of functions in a block, without those after which the same function continues in it.

    What such a part declares is visible in the next one: that begins below a brace which is too early.
    """
    return (
        part for part, after in zip_longest(block.parts, block.parts[1:]) if not after or after.body is not part.body
    )


def without_rows(text: str, offsets: Sequence[int]) -> str:
    """A text with blanks in place of the rows of its sections, except of those near some offsets, which are in order.

    A section of debug information may have megabytes, and is one statement. The rows of sections that compilers do not
    write so stay, and the last ones above a line that is no row, such as one that is typed: without them, the section
    would seem to end there.
    """
    pieces: list[str] = []
    at = 0
    for start, end in all_rows(text):
        pieces.append(text[at:start])
        at = start
        near = offsets[bisect_left(offsets, start) : bisect_left(offsets, end)]
        for offset in near if text[end : end + _LONGEST_INDENT].lstrip(" \t")[:1] == "}" else (*near, end):
            first, last = _near(text, offset, start, end)
            pieces += (" " * (first - at), text[max(first, at) : last])
            at = max(at, last)
        pieces.append(" " * (end - at))
        at = end
    return "".join(pieces) + text[at:] if pieces else text


def kept_text(document: Document, block: Block, rows: Range | None) -> KeptText | None:
    """The text of a block without the rows of its sections that are far from a range, `rows` (None: without all rows).

    None if the block has few rows, or was not read since its last edit. Other than `without_rows`, this costs nothing
    for the rows: a section of debug information may have a million. The functions of the block must be above them.
    """
    if block.stale or not (block.sections or block.row_runs):
        return None
    gaps: list[tuple[int, int]] = []
    runs = _runs(block)
    for begin, end in ((block.line + begin, block.line + end) for begin, end in runs):
        kept = (0, 0) if rows is None else (max(begin, rows.line - _NEAR), min(end, rows.end_line + _NEAR + 1))
        is_near = kept[0] < kept[1]
        gaps += ((begin, kept[0]), (kept[1], end)) if is_near else ((begin, end),)
    gaps = [gap for gap in gaps if gap[0] < gap[1]]
    if not _is_above(block, runs[0][0]) or sum(end - begin for begin, end in gaps) < _MANY:
        return None
    is_last = block.chunk + block.chunks == document.chunk_count
    return without_lines(document, block.line, None if is_last else block.line + block.lines, gaps)


def first_row(block: Block) -> int:
    """The first line of a block, from 0, that is a row of a section; the block must have one."""
    return _runs(block)[0][0]


def _runs(block: Block) -> list[tuple[int, int]]:
    """The lines of a block that are rows of sections, each from one to another (exclusive), in order."""
    return sorted([*((rows.first, rows.end) for rows in block.sections), *block.row_runs])


def _is_above(block: Block, line: int) -> bool:
    """Whether the last function of a block begins above a line of the block (from 0)."""
    if not block.parts:
        return True
    last = block.parts[-1]
    opening = last.body.opening
    return last.resumed_at is None and (opening.holder is not block or opening.range.line < line)


def _near(text: str, offset: int, start: int, end: int) -> tuple[int, int]:
    """The offsets of the rows around an offset, between `start` and `end`: whole lines, as a row may have a comment."""
    first, last = offset, offset
    for _ in range(_NEAR):
        first = max(text.rfind("\n", start, first), start)
        last = text.find("\n", last, end) + 1 or end
    return first, last
