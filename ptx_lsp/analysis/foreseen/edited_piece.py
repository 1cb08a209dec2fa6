"""The first look at an edited line of a long block, before what is above it in the block is read again.

A text is read in long blocks; the first edit in one divides it. The state above the edited line is mostly that of
before the edit: what its statement reports is shown with it, and what follows from a removed label or declaration.
Nothing else is kept: the pieces are read again from above. A long block that is not divided is looked at too.
"""

from __future__ import annotations

from ptx_lsp.analysis.block_map import BlockMap, Move
from ptx_lsp.analysis.foreseen.below_edit import all_parts, declared_in, first_use_below, removed_symbols
from ptx_lsp.analysis.foreseen.certain_reports import declares_for_certain, ends_as_known
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.isa.directive_names import HEADER
from ptx_lsp.light_classes import Callable, Iterable, NamedTuple
from ptx_lsp.outline.edited_braces import opens_scope
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.declarations import plain_registers
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.braces import BELONGS_INSIDE, brace_reports, brace_too_few, is_whole
from ptx_lsp.reading.copied_blocks import copy_to_read
from ptx_lsp.reading.known_places import (
    EditedText,
    KnownPlace,
    edited_text,
    ends_statement,
    is_plain,
    known_above,
    lines_below,
    scope_end,
)
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import NOTHING_BELOW, Body
from ptx_lsp.semantics.specifiers import SPACES
from ptx_lsp.semantics.surroundings import CODE, Report, ScopedUse
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.syntax.lexer import NEVER_CLOSED, UNTERMINATED
from ptx_lsp.syntax.plain_text import NAME_TEXT, without_comments
from ptx_lsp.text.lines import has_lone_return
from ptx_lsp.text.ranges import EditEffect, Range

_LONG, _LONGEST = 1 << 13, 1 << 17  # characters of a divided block with a table, and of one that is looked at
_MOST_LINES = 64  # of a text that is read
_LINES_BELOW = 3  # that are read with the edited line, in which its statement may end
_FEW_LABELS = 16  # and branches of a part: to look at them takes less time than to search its text
_ENDS = lazy_pattern(r"[;{}]", 0)
# a directive of the module, which a new one ends
_DIRECTIVES = lazy_pattern(rf"[ \t]*(?:{'|'.join(map(re.escape, HEADER))})\b[^\n/]*\n[ \t]*\.", 0)
_LABEL = lazy_pattern(rf"[ \t]*({NAME_TEXT})[ \t]*:[ \t]*", re.A)
_DECLARATION = lazy_pattern(rf'[ \t]*(?:{"|".join(map(re.escape, SPACES))})[ \t][^"/{{}};]*;[ \t]*', 0)


class _Reading(NamedTuple):
    """A copy of a part of the block that was read, its reader, and the number of scopes that are open at its begin."""

    copy: Block
    reader: BlockReader
    scopes: int

    @property
    def is_outside(self) -> bool:
        """Whether it begins outside of functions."""
        return self.scopes == 1


class _Divided(NamedTuple):
    """A divided block: its `pieces`, the first of which has the results of the whole block from before the edit.

    `source` has the text of all pieces and of the chunk below them. `line` is the edited line, counted from the first
    line of the block, and `begin` its offset. The edit has replaced the first of the `texts` by the second.
    """

    source: EditedText
    pieces: tuple[Block, ...]
    edit: EditEffect
    line: int
    begin: int
    texts: tuple[str, str]

    def line_before(self, line: str) -> str:
        """The edited `line`, without its comments, before the edit."""
        column, (removed, inserted) = self.edit.range.column, self.texts
        return line[:column] + removed + line[column + len(inserted) :]


def _divided(pieces: tuple[Block, ...], edit: EditEffect, texts: tuple[str, str], block_map: BlockMap) -> _Divided:
    """The pieces of a block that an edit has divided, which replaced the first of the `texts` by the second."""
    block, edited = pieces[0], edit.range.line
    last = pieces[-1].chunk + pieces[-1].chunks
    below = block_map.document.chunk(last) if last < block_map.document.chunk_count else ""
    each = [*map(block_map.text, pieces), below]
    at = sum(piece.line <= edited for piece in pieces) - 1
    text = "".join(each)
    begin = lines_below(text, sum(map(len, each[:at])), edited - pieces[at].line)
    source = edited_text(block, text, begin + edit.range.column, *texts)
    return _Divided(source, pieces, edit, edited - block.line, begin, texts)


def _in_pieces(reports: Iterable[Report], pieces: tuple[Block, ...], *readings: _Reading) -> list[Report]:
    """Reports with marks in the pieces."""
    return Move({reading.copy: reading.copy.line for reading in readings}, pieces, None).reports(reports)


def look_ahead(
    pieces: tuple[Block, ...], edit: EditEffect, texts: tuple[str, str], had_reports: bool, block_map: BlockMap
) -> list[Report] | None:
    """Give the edited one of the `pieces` of a block the reports of its statement, if new ones are known.

    The first piece has the results of the whole block from before the edit, which replaced the first of the `texts`.
    Returns the reports of what follows: from a removed label, declaration or brace, or of a comment that begins. None
    if nothing new is known. If the edited lines `had_reports`, it is new that the statement has none. Only tables are
    read in the longest texts.
    """
    if edit.range.line != edit.range.end_line or not is_plain(pieces[0]):
        return None
    is_list = block_map.document.line(edit.range.line).endswith(",")
    size = sum(map(len, map(block_map.text, pieces)))
    if size > (_LONG if is_list else _LONGEST):
        from ptx_lsp.analysis.long_sections import reports_of_values  # few texts have such blocks

        values = reports_of_values(pieces, edit, texts, had_reports, block_map)
        if values is not None:
            block_map.at_line(edit.range.line).reports += values
            return [] if values or had_reports else None
    has_brace = any(brace in text for brace in "{}" for text in texts)
    if (size > _LONGEST and not has_brace) or (has_brace and "{" not in texts[1] and "}" not in "".join(texts)):
        return None
    divided = _divided(pieces, edit, texts, block_map)
    text = divided.source.text
    if has_lone_return(text):
        return None
    if "/*" in text:
        return _endless(divided, block_map)
    line = "" if edit.lines else without_comments(text[divided.begin : lines_below(text, divided.begin, 1)]).rstrip()
    if has_brace:
        closes = "{" not in texts[1] and "}" not in texts[0]
        return _too_early(divided, block_map) if closes else _unclosed(divided, line, block_map)
    return _look_at_statement(divided, line, had_reports, block_map)


def _endless(divided: _Divided, block_map: BlockMap) -> list[Report] | None:
    """The report of a comment that begins in the edit, and that nothing below ends."""
    text, begin, edit = divided.source.text, divided.begin, divided.edit
    start = text.find("/*") - begin
    is_edited = -len("/*") < start - edit.range.column < len(divided.texts[1])
    before = text[begin : max(begin, begin + start)]
    if edit.lines or not is_edited or start < 0 or '"' in before or "//" in before:
        return None
    if "*/" in text or block_map.comment_ends_below(divided.pieces[-1]):
        return None
    line = edit.range.line
    mark = block_map.mark(Range(line, start, line, start + len("/*")))
    return [Report(UNTERMINATED, mark, NEVER_CLOSED, default_severity(UNTERMINATED))]


def _look_at_statement(divided: _Divided, line: str, had_reports: bool, block_map: BlockMap) -> list[Report] | None:
    """What `look_ahead` gives for an edit without a brace; `line` is the edited line, without comments."""
    piece = block_map.at_line(divided.edit.range.line)
    label = _LABEL.fullmatch(line)
    if label is not None:
        old = _LABEL.fullmatch(divided.line_before(line))
        return (old is not None and _missing_label(divided, old[1], label[1], block_map)) or None
    declares = _DECLARATION.fullmatch(line) is not None
    if declares and not had_reports and (names := _plain_names(divided, line)):
        return _undeclared(divided, names, block_map) or None
    reading = _read_line(divided, piece, not declares, block_map)
    if reading is None or (reading.is_outside and ";" in "".join(divided.texts)):
        return None  # the parser looks further below a header with a `;` in it
    found = _of_piece(divided, reading, piece)
    piece.reports += found
    if found:
        return []
    names = _names_now(divided, reading) if declares else []
    more = _undeclared(divided, names, block_map) if declares else _missing_targets(divided, reading, block_map)
    return more if more or had_reports else None


# --- the edited statement ---------------------------------------------------------------------------------------------


def _read_line(
    divided: _Divided, piece: Block, is_open: bool, block_map: BlockMap, *, closes: bool = False
) -> _Reading | None:
    """Read the edited line, in a piece, with what is above it up to a place where the state is known; None without one.

    Its statement may end below the line if it `is_open`. If it `closes` a scope, the text is read to where the scopes
    of the function end now.
    """
    text, begin = divided.source.text, divided.begin
    place, stop = known_above(divided.source, begin), lines_below(text, begin, 1)
    # the statement may end at the first one below the line; one in the line itself may be new
    end = _ENDS.search(text, stop)
    if place is None or end is None:
        return None
    first, edited = place, divided.edit.range.line
    if closes:
        inner = text.count("{", place.offset, begin) - text.count("}", place.offset, begin)
        stop = scope_end(text, stop, max(0, inner + len(place.state.scopes) - 2))
        place = _above_end(divided, stop) or place
        edited += text.count("\n", begin, place.offset)
    if is_open and not _DIRECTIVES.match(text, begin):
        stop = max(lines_below(text, stop if closes else begin, _LINES_BELOW), lines_below(text, end.end(), 2))
    if text.count("\n", max(begin, place.offset), stop) > _MOST_LINES:
        return None
    if _follows_mistake(divided, first, block_map, edited):
        return None
    return _read(divided.source, piece.index, place, stop)


def _above_end(divided: _Divided, stop: int) -> KnownPlace | None:
    """The line above `stop` that is a brace, if a brace between statements in the edited line is all that is new."""
    text, begin = divided.source.text, divided.begin
    brace = text.rfind("\n", 0, stop - 1) + 1
    is_between = not text[begin : begin + divided.edit.range.column].strip() and ends_statement(text, begin)
    if divided.texts != ("", "}") or not is_between or brace <= begin or text[brace:stop].strip() != "}":
        return None
    place = known_above(divided.source, brace)
    return place if place is not None and place.offset == brace else None


def _of_piece(divided: _Divided, reading: _Reading, piece: Block) -> list[Report]:
    """The reports on the edited lines, in a piece of the block."""
    first = divided.edit.range.line - piece.line
    last = first + max(0, divided.edit.lines)
    found = _in_pieces(reading.reader.reports, divided.pieces, reading)
    found = [one for one in found if one.mark.holder is piece and first <= one.mark.range.line <= last]
    # a statement outside may be inside of a function that continues
    return [] if reading.is_outside and not BELONGS_INSIDE.isdisjoint(map(CODE, found)) else found


def _follows_mistake(divided: _Divided, place: KnownPlace, block_map: BlockMap, line: int) -> bool:
    """Whether there is a report between a place and a line below it, to which its statement may belong."""
    above = place.offset if place.state.body is not None else 0  # outside, the last function may be lost by a mistake
    first = divided.source.block.line + divided.source.text.count("\n", 0, above)
    blocks = block_map.blocks[max(block_map.place(block_map.at_line(first)) - 1, 0) :]
    for block in blocks:
        if block.line > line:
            break
        if any(block.line + report.mark.range.line < line for report in block.reports):
            return True
    return False


def _read(text: EditedText, index: int, place: KnownPlace, stop: int) -> _Reading:
    """Read a copy of the text from a place to `stop`, as a part of the block with this index."""
    block, above = text.block, text.text.count("\n", 0, place.offset)
    copy = copy_to_read(block, place.state, above)
    copy.line = block.line + above
    copy.index = index
    assert copy.entry is not None, "it has a state"
    scopes = copy.entry.scopes
    for scope in scopes:
        scope.labels = {}  # that of the edited line is one of them
    reader = BlockReader(copy, text.text[place.offset : stop])
    reader.only_reports = True
    scopes[0].horizon.index = copy.index
    read(reader, NOTHING_BELOW)
    return _Reading(copy, reader, len(scopes))


# --- the function around it -------------------------------------------------------------------------------------------


def _part_around(divided: _Divided, has_end: Callable[[Body], bool] = is_whole) -> FunctionPart | None:
    """The part of the function around the edited line, if that `has_end`; otherwise None."""
    part = divided.source.part(divided.begin)
    return part if part is not None and part.start < divided.begin and has_end(part.body) else None


def _unclosed(divided: _Divided, line: str, block_map: BlockMap) -> list[Report] | None:
    """The report of a brace of the function around, if the edited line has a `}` less, or a `{` more."""
    part, before, edit = _part_around(divided), divided.line_before(line), divided.edit
    if part is None or edit.lines or not opens_scope(before, line):
        return None
    if not ends_statement(divided.source.text, divided.begin):
        return None
    assert part.body.closing is not None, "the function is whole"
    move = Move({divided.source.block: divided.source.block.line}, divided.pieces, divided.edit)
    opening, closing = move.mark(part.body.opening), move.mark(part.body.closing)
    if opening is None:
        return None
    closing = closing or block_map.mark(Range(*edit.range.start, *edit.range.start))  # it was on the edited line
    return brace_too_few(opening, closing, block_map.document, block_map.mark) or None


def _too_early(divided: _Divided, block_map: BlockMap) -> list[Report] | None:
    """The report of a new `}` in the edited line that ends the function around, if a statement of that follows."""
    if divided.edit.lines or _part_around(divided) is None:
        return None
    piece = block_map.at_line(divided.edit.range.line)
    reading = _read_line(divided, piece, True, block_map, closes=True)
    if reading is None or len(reading.reader.parts) != 2:
        return None
    part, below = reading.reader.parts
    if part.cut is not None or below.body is not part.body or below.resumed_by_brace:
        return None
    found = brace_reports(part.body, [part, below], block_map.text)
    return _in_pieces(found, divided.pieces, reading) or None


def _missing_label(divided: _Divided, name: str, new: str, block_map: BlockMap) -> list[Report]:
    """The reports of the branches to the label `name` that was in the edited line, where the label `new` is now."""
    part, block = _part_around(divided) if name != new else None, divided.source.block
    here = part.body.scope.labels.get(name, ()) if part is not None else ()
    if part is None or len(here) != 1 or here[0].mark.holder is not block or here[0].mark.range.line != divided.line:
        return []
    parts = list(all_parts(part.body, divided.pieces, block_map))
    # a function may have ten thousand labels, but few parts with many mention this one
    mention = [
        one
        for one in parts
        if len(one.labels) + len(one.label_uses) <= _FEW_LABELS
        or one.block is block
        or block_map.document.chunk_with(name, one.block.chunk, one.block.chunk + one.block.chunks) is not None
    ]
    labels = [label for one in mention for label in one.labels if label.name == name]
    uses = dict[Scope, list[ScopedUse]]()
    for use in (use for one in mention for use in one.label_uses if use.name == name):
        uses.setdefault(use.scope, []).append(use)
    is_seen_elsewhere = any(scope.label(name) is not here[0] for scope in uses)
    if len(labels) != 1 or is_seen_elsewhere or not uses:
        return []
    from ptx_lsp.semantics.missing_labels import missing_label  # few edits are those of labels

    found = missing_label(list(uses.values()), parts, part.body.scope, also=new)
    return Move({block: block.line}, divided.pieces, divided.edit).reports(found)


def _missing_targets(divided: _Divided, reading: _Reading, block_map: BlockMap) -> list[Report]:
    """The reports of the labels to which the edited line branches and that its function surely lacks."""
    part, entry = _part_around(divided), reading.copy.entry
    if part is None or entry is None or reading.scopes != 2 or not reading.reader.parts:
        return []
    body, first = part.body, divided.edit.range.line - reading.copy.line
    lines = range(first, first + max(0, divided.edit.lines) + 1)
    uses = dict[str, list[ScopedUse]]()
    for use in reading.reader.parts[-1].label_uses:
        # between braces of the function, labels are seen that are not in its scope
        if use.scope is entry.scopes[-1] and use.mark.range.line in lines and use.scope.label(use.name) is None:
            uses.setdefault(use.name, []).append(use)
    found: list[Report] = []
    for name in uses:
        is_reported = any(f"`{name}`" in report.message for report in body.names)
        if not (body.scope.label(name) or body.scope.lookup(name) or is_reported):
            from ptx_lsp.semantics.missing_labels import missing_label

            found += missing_label([uses[name]], list(all_parts(body, divided.pieces, block_map)), body.scope)
    return _in_pieces(found, divided.pieces, reading)


def _plain_names(divided: _Divided, line: str) -> list[str]:
    """The names of registers that the edited line declares, if it surely did so before and does now; otherwise none."""
    part, now = _part_around(divided, ends_as_known), divided.source.block.exit
    if part is None or now is None:
        return []
    if plain_registers(divided.line_before(line), Scope(), now.profile) is None:
        return []
    registers = plain_registers(line, part.body.scope, now.profile)
    return [name for name, _ in registers.names] if registers is not None else []


def _names_now(divided: _Divided, reading: _Reading) -> list[str]:
    """The names that the edited line declares in its function, after it has been read."""
    parts, line = reading.reader.parts, divided.edit.range.line - reading.copy.line
    return [one.name for one in declared_in(parts[-1].body.scope, reading.copy, line)] if parts else []


def _undeclared(divided: _Divided, names: list[str], block_map: BlockMap) -> list[Report]:
    """The report of the first use of what the edited line has declared; it declares these names now."""
    part = _part_around(divided, ends_as_known)
    if part is None or not declares_for_certain(part.body, all_parts(part.body, divided.pieces, block_map)):
        return []
    gone = removed_symbols(part.body, declared_in(part.body.scope, divided.source.block, divided.line), names)
    start = divided.source.text.find("\n", divided.begin)
    from ptx_lsp.reading.undeclared import first_mention, reported_use  # here and below: few edits are of declarations

    use = first_mention(divided.source.text, start, gone.values())
    if use is not None:
        return reported_use(divided.source, use, part.body, gone, block_map.at_line)
    return first_use_below(divided.pieces[-1], part.body, gone, block_map)
