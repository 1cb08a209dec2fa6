"""The places between two statements of an edited block where the state is known without a reading of the block."""

from __future__ import annotations

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.state import CHECKED, State
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.syntax.plain_text import HEADER_LINE, without_comments

_MOST_LINES = 64  # above an edited line, among which the state must be known
# the last line of a text after which another statement begins, unless that begins with a comma
_END = lazy_pattern(r"(?:[^/\n]*;|[ \t]*[{}]|[ \t]*[\w$]+:|[ \t]*\.loc\b[^/\n]*[^/,\s])[ \t]*(?://[^\n]*)?\s*", 0)
_COMMA = lazy_pattern(r"\s*,", 0)
_HIDDEN_BRACE = lazy_pattern(r"""(?://|")[^\n]*[{}]""", 0)
_BRACE = lazy_pattern(r"[{}]", 0)
_HEADER = lazy_pattern(HEADER_LINE, re.M)


class KnownPlace(NamedTuple):
    """A place between two statements of a block: its offset, and the state there."""

    offset: int
    state: State


class EditedText(NamedTuple):
    """The text of a block that was read before an edit in it, at the offset `changed`, by which it has `grown`."""

    block: Block
    text: str
    grown: int = 0
    changed: int = 0

    def before(self, offset: int) -> int:
        """The offset before the edit."""
        return offset - self.grown if offset > self.changed else offset

    def now(self, offset: int) -> int:
        """The offset now of one from before the edit."""
        return offset + self.grown if offset > self.changed else offset

    def part(self, offset: int) -> FunctionPart | None:
        """The first part of a function that does not end above an offset."""
        old = self.before(offset)
        return next((part for part in self.block.parts if part.stop is None or part.stop >= old), None)


def edited_text(block: Block, text: str, changed: int, removed: str, inserted: str) -> EditedText:
    """The text of a block after an edit at the offset `changed`, which replaced `removed` by `inserted`.

    It has blanks for its comments if it has block comments and the edit changes none of them.
    """
    around = removed + text[max(changed - 1, 0) : changed + len(inserted) + 1]
    if "/*" in text and not any(mark in around for mark in '/*"'):
        text = without_comments(text)
    return EditedText(block, text, len(inserted) - len(removed), changed)


def is_plain(block: Block) -> bool:
    """Whether what is found in the statements of a block depends on the names above them alone."""
    entry, now = block.entry, block.exit
    if entry is None or now is None or block.suppressions or CHECKED not in now.header:
        return False
    is_usual = entry.comment is None and not (entry.buried or entry.nested or now.nested)
    return is_usual and (entry.profile is now.profile or not entry.header)


def lines_below(text: str, offset: int, lines: int) -> int:
    """The offset of the line that is this number of lines below the one of an offset, or the end of the text."""
    for _ in range(lines):
        offset = text.find("\n", offset) + 1
        if not offset:
            return len(text)
    return offset


def is_inside(text: str, place: int, offset: int) -> bool:
    """Whether a statement begins at an offset, in scopes that begin below a place between two statements."""
    code = _code_between(text, place, offset)
    if code is None or not ends_statement(text, offset):
        return False
    depth = 0
    for brace in _BRACE.findall(code):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth > 0


def scope_end(text: str, offset: int, scopes: int) -> int:
    """The offset at which this number of scopes, open at an offset, have ended; the end of the text if one does not."""
    depth = scopes
    while depth:
        found = _BRACE.search(text, offset)
        if found is None:
            return len(text)
        depth += 1 if found[0] == "{" else -1
        offset = found.end()
    return offset


def known_above(text: EditedText, begin: int) -> KnownPlace | None:
    """The last place above the line that begins at an offset, or at it, where the state is known; None without one."""
    offset, tried = begin, 0
    for _ in range(_MOST_LINES):
        if not offset:
            entry = text.block.entry
            return KnownPlace(0, entry) if entry is not None else None
        # without a brace between two places, the state is known at both of them or at none
        is_other = not tried or _BRACE.search(text.text, offset, tried) is not None
        if is_other and ends_statement(text.text, offset):
            if (state := _state_at(text, offset)) is not None:
                return KnownPlace(offset, state)
            tried = offset
        offset = text.text.rfind("\n", 0, offset - 1) + 1
    return None


def ends_statement(text: str, offset: int) -> bool:
    """Whether a statement ends in the last line above an offset that is not a comment."""
    end = offset
    while end > 0:
        begin = text.rfind("\n", 0, end - 1) + 1
        line = text[begin:end].strip()
        if line and not line.startswith("//"):
            return _END.fullmatch(text, begin, end) is not None and _COMMA.match(text, offset) is None
        end = begin
    return False


def _state_at(text: EditedText, offset: int) -> State | None:
    """The state at an offset between two statements of the text of a divided block; None if it is not known."""
    block, part = text.block, text.part(offset)
    entry, now = block.entry, block.exit
    assert entry is not None, "the block was read"
    assert now is not None, "the block was read"
    if part is None or part.start >= text.before(offset):
        return _state_outside(text, part, offset)
    if not _is_simple(part):
        return None
    begins_above = part.body is entry.body
    code = _code_between(text.text, text.now(part.start), offset)
    if code is None:
        return None
    if begins_above:
        scopes = _left_open(entry.scopes, code)
        return entry._replace(scopes=scopes, lost=0) if scopes else None
    if code.count("{") != code.count("}") + 1:
        return None
    scopes = (entry.scopes[0], part.body.scope)
    return State(scopes, part.body, None, False, False, now.header, now.profile)


def _code_between(text: str, start: int, end: int) -> str | None:
    """The text between two offsets, without what has a brace in a comment; None if a string may have one."""
    code = text[start:end]
    if _HIDDEN_BRACE.search(code) is None:
        return code
    hidden = _HIDDEN_BRACE.findall(code)
    return None if any(each[0] == '"' for each in hidden) else _HIDDEN_BRACE.sub("", code)


def _left_open(scopes: tuple[Scope, ...], code: str) -> tuple[Scope, ...]:
    """Those of the scopes that are open above a code which are open below it; none if it has opened others."""
    depth = code.count("{") - code.count("}")
    if len(scopes) == 2 and not depth:
        return scopes
    now = lowest = 0
    for brace in _BRACE.findall(code):
        now += 1 if brace == "{" else -1
        lowest = min(lowest, now)
    return scopes[: len(scopes) + depth] if depth == lowest else ()


def _state_outside(text: EditedText, following: FunctionPart | None, offset: int) -> State | None:
    """The state at an offset between two functions, or above the first one; None if it is not known."""
    block = text.block
    entry, now = block.entry, block.exit
    assert entry is not None, "the block was read"
    assert now is not None, "the block was read"
    above = block.parts[: block.parts.index(following)] if following is not None else block.parts
    closed, start = entry.closed, 0
    if above:
        if not all(map(_is_simple, above)) or above[-1].closing is None or above[-1].stop is None:
            return None
        closed, start = above[-1].body, text.now(above[-1].stop)
    elif entry.body is not None or entry.stray_reported:
        return None
    between = _code_between(text.text, start + text.text.startswith("}", start), offset)
    if between is None or between.count("{") != between.count("}"):
        return None
    if ".alias" in between or _HEADER.search(between) is not None:
        closed = None
    after_end = entry.after_end or bool(above)
    return State(entry.scopes[:1], None, closed, after_end, False, now.header, now.profile)


def _is_simple(part: FunctionPart) -> bool:
    """Whether a part of a function has no mistake that changes its braces or may hide names."""
    return not (part.cut or part.resumed_at or part.too_deep or part.doubtful or part.lost_labels)
