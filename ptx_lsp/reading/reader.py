"""Reads one block to the end of its last statement: plain lines by recognisers, all other statements by the parser.

Some text is remembered as a whole: inline assembly between braces if its only effects are the names that it writes, the
body of a function that occurs again, and a function without undeclared names.
"""

from __future__ import annotations

from ptx_lsp.isa.directive_names import FILE, SECTION, TARGET, VERSION
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, NamedTuple, cache
from ptx_lsp.quick.declarations import EMPTY_LINES, END_OF_LINE, has_plain, may_be_unfinished
from ptx_lsp.quick.effect import DECLARED, NAMES, SEQUENCE, WRITTEN, remember_inline, scope_length
from ptx_lsp.quick.headers import is_open_head, module_head
from ptx_lsp.quick.line_runs import BLANKS, Lines
from ptx_lsp.quick.statements import INDEXED, buried_statement, module_statement, statement
from ptx_lsp.reading.block import FunctionPart
from ptx_lsp.reading.block_reader import BlockReader, apply_effect, apply_module_effect
from ptx_lsp.reading.braces import END_OF_BODY
from ptx_lsp.reading.known_bodies import read_body, remember_watched
from ptx_lsp.reading.state import CHECKED, NO_MISTAKE, Below, Next, PlainRows, begins_with_dot, with_first_words
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.syntax.plain_text import LINE, Groups
from ptx_lsp.text.lines import has_lone_return

if TYPE_CHECKING:
    from ptx_lsp.syntax.section_rows import FewRows

RECOGNISERS = True  # False in tests only: then the parser reads every statement

_LINES_AT_ONCE = 512  # a line that has been learnt is found again only among the lines that are looked up after it
_USUAL_CALL = 2_000  # characters: few scopes of calls have more
LONG_BLOCK = 4  # chunks: a block of more is divided when it is edited
_MOST_BLANK = 32  # lines below a block before one that is not blank
_DEEPEST_AROUND = 16  # scopes; no compiler nests inline assembly deeper, although a text may have many more braces
_BEGINNINGS = ("{", ".pragma")


def read(reader: BlockReader, below: Below) -> None:
    """Read the whole block, and from `below` the rest of its last statement."""
    source, reader.below = reader.source, below
    if source.text.endswith("\r"):
        reader.extend(len(source.text))  # the line may end below, and its comment too
    offset = reader.begin()
    by_lines = _has_plain_lines(source.text)
    while offset < len(source.text):
        if by_lines and source.begins_line(offset):
            following = _read_lines(reader, offset)
        elif by_lines and reader.is_before_section(offset):
            following = _read_section(reader, offset)
        else:
            following = _parse(reader, offset)
        offset = following.offset
        if following.grown:
            by_lines = by_lines and _has_plain_lines(source.text)
    if reader.watched is not None:
        remember_watched(reader, reader.watched)
    reader.finish()


def _parse(reader: BlockReader, start: int, few: FewRows | None = None) -> Next:
    """Let the parser read statements from `start` until one ends its line; `few` is for a section."""
    text = reader.source.text
    if reader.part is None and not reader.at_end:
        from ptx_lsp.syntax.unfinished_headers import begins_header, is_last_declared, may_continue_below  # a rare case

        is_unfinished = may_continue_below(text, start) or is_open_head(text, start)
        if (is_variable := may_be_unfinished(text, start)) or is_unfinished:
            # a `.file` ends where a dot follows, the declaration of a function where a header does
            is_file = text[start:].lstrip(BLANKS).startswith(FILE)
            ends = begins_with_dot if is_file else begins_header
            reader.at_end = (is_file or is_last_declared(text, start)) and ends(_first_words_below(reader))
            seen = len(text)
            while not reader.at_end and reader.extend(start) and is_variable and ";" not in reader.source.text[seen:]:
                seen = len(reader.source.text)
            return Next(start, grown=True)  # a recogniser may know all of it, or that it has its end
    from ptx_lsp.reading.parsed_statements import parse  # the parser and all checks, which a short file may not need

    return parse(reader, start, few)


def _first_words_below(reader: BlockReader) -> str:
    """The text below the block up to the end of its first line that is not blank."""
    reader.looks_below = with_first_words(reader.below.look(_MOST_BLANK))
    return reader.looks_below


def _has_plain_lines(text: str) -> bool:
    """Whether recognisers can split the text into lines as PTX does: a lone `\\r` ends a line too."""
    return RECOGNISERS and not has_lone_return(text)


# --- by lines -------------------------------------------------------------------------------------------------------


def _read_lines(reader: BlockReader, start: int) -> Next:
    """Read from the line that begins at `start` to the end of a function, or until the text ends or has grown."""
    source = reader.source
    start, ended = _recognise_functions(reader, start)
    if not ended:
        return _parse(reader, start)
    if start >= len(source.text):
        return Next(start)
    if reader.part is None:
        return _read_outside(reader, start)
    known, part, first, stop = reader.known, reader.part, source.line_at(start), _stop(reader, start)
    # the lines of a block that is read again are remembered: the user types there, and it will be read often
    by_shape = not reader.block.generation
    # another function like this one is known as a whole; a long block is not read again as it is
    read_once = reader.in_whole_body or reader.block.chunks > LONG_BLOCK
    lines = Lines(source.text, source.lines, source.starts, first, reader.view, stop, by_shape, read_once)
    reader.runs.append(lines)
    at, inline = 0, None
    while True:
        at, inline, groups = _recognise_runs(reader, lines, at, inline)
        if at >= len(lines.lines) or at + lines.first >= len(source.starts):
            return Next(source.starts[stop] if stop < len(source.starts) else len(source.text))
        following = _read_line(reader, source.starts[at + lines.first], groups)
        if following.grown or following.offset >= len(source.text):
            return following
        at = source.line_at(following.offset) - lines.first
        if reader.known is not known or reader.part is not part or at > len(lines.lines):
            return following


def _read_outside(reader: BlockReader, start: int) -> Next:
    """Read the line at `start`, outside of functions, at which no declaration and no known function begins."""
    text = reader.source.text
    end = text.find("\n", start)
    groups: Groups = LINE.findall(text[start:] if end < 0 else text[start:end])[0]
    if not any(groups):
        return Next(len(text) if end < 0 else end + 1)
    # no recogniser knows the statement: it may be a table, and to match it again would take long
    return _read_section(reader, start) if groups[-1].lstrip(BLANKS).startswith(SECTION) else _parse(reader, start)


def _stop(reader: BlockReader, start: int) -> int:
    """The line after the next brace that seems to end a function, or one not far below that is not inside of a call."""
    source = reader.source
    last = source.line_at(start) + _LINES_AT_ONCE
    if last >= len(source.starts):
        last = len(source.lines)
    limit = source.starts[last] if last < len(source.starts) else len(source.text)
    end = source.text.find("\n}", start, limit)  # a search with the pattern takes seven times as long
    while end >= 0 and END_OF_BODY.match(source.text, end, limit) is None:
        end = source.text.find("\n}", end + 1, limit)
    if end < 0 and reader.part is not None:
        # nvopencc, the compiler before CUDA 4.1, indents the brace and writes the name of the function after it
        end = source.text.find(f"\n\t}} // {reader.part.body.symbol.name}\n", start, limit)
    if end >= 0:
        return source.line_at(end) + 2
    call = source.text.rfind(SEQUENCE, max(start, limit - _USUAL_CALL), limit)
    begin = source.text.rfind("\n", start, call) + 1 if call >= 0 else 0
    return source.line_at(begin) if begin and "}" not in source.text[begin:call] else last


def _recognise_functions(reader: BlockReader, offset: int) -> tuple[int, bool]:
    """Apply the declarations, and the functions whose bodies are known, from the line at `offset` on.

    Returns an offset and True if it is that of a line, False if it is in a line, which the parser must read.
    """
    text = reader.source.text
    while True:
        if reader.part is not None:
            begins = _begins_body(reader, reader.part, offset)
            offset, ended = read_body(reader, reader.part, offset) if begins else (offset, False)
            if not ended:
                return offset, True
        if reader.watched is not None:
            remember_watched(reader, reader.watched)
        reader.header_start = -1
        if offset >= len(text) or not (_has_header(reader) or (not reader.header and reader.needs is None)):
            return offset, True
        # the first line that is neither a comment nor blank
        offset = EMPTY_LINES.match(text, offset).end()  # type: ignore[union-attr]  # it matches the empty text
        if offset >= len(text):
            return offset, True
        if not reader.header:
            after = _read_module_head(reader, offset)
            if after < 0:
                return offset, True
            offset = after
        if reader.known.templates and (after := _known_functions()(reader, offset)) >= 0:
            offset = after
            continue
        after, ended = _recognise_statements(reader, offset)
        if not ended:
            return after, after == offset
        offset = after


def _read_module_head(reader: BlockReader, offset: int) -> int:
    """Apply the head of the module at an offset if it is known; the offset of what follows, otherwise -1."""
    found = module_head(reader.source.text, offset, reader.profile, reader.source.mark)
    if found is None:
        return -1
    reader.set_profile(found.profile)
    reader.header += found.directives
    return found.end


@cache  # an import takes longer than all else that is done for a small function
def _known_functions() -> Callable[[BlockReader, int], int]:
    from ptx_lsp.reading.known_functions import read_known_function  # not for short files

    return read_known_function


def _begins_body(reader: BlockReader, part: FunctionPart, offset: int) -> bool:
    """Whether the line at an offset is the first one of a body that may be known."""
    end = END_OF_LINE.match(reader.source.text, part.start + 1)
    # not where a block or a brace continues a function: what is declared above is not part of this text
    begins_here = part.body.opening.holder is reader.block and len(reader.scopes) <= 2
    return end is not None and end.end() == offset and reader.needs is None and begins_here


def _has_header(reader: BlockReader) -> bool:
    """True if the header is complete, or if the lack of `.version` or `.target` has been reported."""
    return CHECKED in reader.header or (VERSION in reader.header and TARGET in reader.header)


def _recognise_runs(
    reader: BlockReader, lines: Lines, at: int, inline: _InlineAssembly | None
) -> tuple[int, _InlineAssembly | None, Groups]:
    """Apply the lines from the place `at` on that a recogniser knows.

    Returns the place of the first line that it does not know, the inline assembly that begins there or that has
    not ended yet, and the groups of that line.
    """
    end = len(lines.lines)
    while at < end:
        if inline is not None and at >= inline.end:
            if at == inline.end:
                _end_inline(reader, inline)
            inline = None
        if reader.part is None:
            if any(groups := lines.groups(at)):
                return at, inline, groups
            at += 1
            continue
        stop = end if inline is None else inline.end
        if reader.buried:
            return at, inline, lines.groups(at)
        at, groups = _apply_run(reader, lines, at, stop)
        if at >= stop:
            continue
        if inline is not None or not _may_be_inline(reader, groups):
            return at, inline, groups
        count = scope_length(lines.lines, at) if "{" in lines.lines[at] else 1
        text = "\n".join(lines.lines[at : at + count])
        return at, _begin_inline(reader, reader.part, text, at + count) if count else None, groups
    return at, inline, ()


def _apply_run(reader: BlockReader, lines: Lines, at: int, stop: int) -> tuple[int, Groups]:
    """Apply the runs of lines from a place on that a recogniser knows.

    Returns the place of the next line, and the groups of this line if it is before `stop`.
    """
    while at < stop:
        effect = lines.run(at, stop, reader.view)
        if effect.count:
            lost = reader.lost
            apply_effect(reader, effect)
            # blank lines and comments end no mistake: a block may begin or end there
            if lost and not any(any(lines.groups(place)) for place in range(at, at + effect.count)):
                reader.lost = lost
            at += effect.count
        if effect.stopped_at:
            return at, effect.stopped_at
    return at, ()


def _may_be_inline(reader: BlockReader, groups: Groups) -> bool:
    """Whether a line that no recogniser knows may begin inline assembly; `groups` are its groups of `LINE`."""
    is_begin = bool(groups[2]) or groups[-1].lstrip(BLANKS).startswith(_BEGINNINGS)
    return is_begin and len(reader.scopes) <= _DEEPEST_AROUND


class _InlineAssembly(NamedTuple):
    """Lines that are being read as one text, up to the line `end` (from 0, exclusive), and the counts before them."""

    text: str
    end: int
    scope: Scope
    trace: tuple[int, ...]
    mentions: int
    writes: int
    inner: int
    lines: int


def _begin_inline(reader: BlockReader, part: FunctionPart, text: str, end: int) -> _InlineAssembly:
    """Note the state before these lines are read."""
    counts = len(part.mentions), len(part.writes), len(part.inner), len(part.lines)
    return _InlineAssembly(text, end, reader.scopes[-1], _trace(reader, part), *counts)


def _end_inline(reader: BlockReader, inline: _InlineAssembly) -> None:
    """After these lines have been read, remember them if they are fine and have no other effects."""
    part = reader.part
    if part is None or reader.scopes[-1] is not inline.scope or _trace(reader, part) != inline.trace:
        return
    names, written, inner = part.mentions[inline.mentions :], part.writes[inline.writes :], part.inner[inline.inner :]
    for effect in part.lines[inline.lines :]:
        names += NAMES(effect)
        written += WRITTEN(effect)
        inner += DECLARED(effect)
    remembered = remember_inline(reader.known.lines, inline.text, reader.table, names, written, inner)
    if remembered is not None and "{" in inline.text:
        from ptx_lsp.quick.text_shapes import learn_inline  # not for short files

        learn_inline(inline.text, remembered, reader.table, reader.known)


def _trace(reader: BlockReader, part: FunctionPart) -> tuple[int, ...]:
    """Numbers that grow with every effect that a line can have, except the names that it mentions."""
    of_part = part.labels, part.label_uses, part.loads, part.results, part.undeclared_names
    lists = reader.parts, reader.reports, reader.declared, reader.needs or (), *of_part
    return reader.not_by_text, reader.buried, *map(len, lists)


def _read_line(reader: BlockReader, start: int, groups: Groups) -> Next:
    """Read the line at `start` with these groups, which no recogniser knows as a whole, statement by statement."""
    if start >= len(reader.source.text):
        return Next(start)
    other = groups[-1]
    if other == "}" and len(reader.scopes) == 2 and not reader.buried:  # most functions end so
        reader.lost = NO_MISTAKE
        reader.close_scope()
        reader.end_body(start)
        return Next(min(start + len("}\n"), len(reader.source.text)))
    if other.lstrip(BLANKS).startswith(SECTION) and (reader.part is None or reader.lost == NO_MISTAKE):
        return _read_section(reader, start)
    if other or groups[2] in INDEXED:
        start, ended = _recognise_statements(reader, start)
        if ended:
            return Next(start)
    return _parse(reader, start)


def _recognise_statements(reader: BlockReader, offset: int) -> tuple[int, bool]:
    """Apply the statements of one line from `offset` on that a recogniser knows; they may continue below the line.

    Returns the offset of the first one that it does not know and False, or the offset of the next line and True.
    """
    text = reader.source.text
    while True:
        after = _recognise_statement(reader, offset)
        if after < 0:
            return offset, False
        if text[after - 1] == "\n":
            return after, True  # the effect of a call ends at the end of its line
        offset = after
        end = END_OF_LINE.match(text, offset)
        if end is not None:
            return end.end(), True


def _recognise_statement(reader: BlockReader, offset: int) -> int:
    """Apply the statement or brace at `offset` if a recogniser knows it; returns the offset of its end, -1 if not."""
    text = reader.source.text
    if reader.part is not None:
        effect = buried_statement(text, offset) if reader.buried else statement(text, offset, reader.view)
        if effect is None:
            return -1
        apply_effect(reader, effect)
        return effect.end
    effect = module_statement(text, offset, reader.view, reader.at_end) if _has_header(reader) else None
    if effect is None:
        return -1
    if CHECKED not in reader.header:
        reader.header.append(CHECKED)
    apply_module_effect(reader, effect)
    if effect.body is not None:
        reader.header_start = offset
    return effect.end


def _read_section(reader: BlockReader, start: int) -> Next:
    """Read the section at `start` to its end, which may be in a later chunk."""
    from ptx_lsp.quick.debug_sections import section  # not for short files
    from ptx_lsp.syntax.section_rows import begun_rows

    source = reader.source
    rows = begun_rows(source.text, start) if CHECKED in reader.header else None
    if rows is None:
        return Next(_parse(reader, start).offset, grown=True)
    while rows.end == len(source.text) and reader.extend(start):
        rows.look(source.text)
    effect = section(source.text, start, rows, reader.view)
    if effect is None or reader.part is not None:
        from ptx_lsp.reading.places import cut_off_at_section, read_with_few_rows  # few sections need it

        if effect is None:
            few = read_with_few_rows(reader, start, rows) if has_plain(reader.profile) else None
            return Next(_parse(reader, start, few).offset, grown=True)
        cut_off_at_section(reader, source.text.index(SECTION, start))
    apply_module_effect(reader, effect)
    reader.sections += (PlainRows(source.line_at(rows.start), source.line_at(rows.end), reader.profile),)
    return Next(effect.end, grown=True)
