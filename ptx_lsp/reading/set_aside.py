"""Copies of blocks, to be read without a change of the module, and where the state in a block is known for that."""

from __future__ import annotations

from itertools import chain, filterfalse

from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import Any, Iterator, KeysView, NamedTuple
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import NOTHING_BELOW, Body, State
from ptx_lsp.semantics.need_sets import StatementNeeds
from ptx_lsp.semantics.symbols import DIGITS, Mark, Scope, Symbol
from ptx_lsp.syntax.plain_text import HEADER_LINE, without_comments

_MOST_LINES = 64  # above an edited line, among which the state must be known
# the last line of a text after which another statement begins, unless that begins with a comma
_END = lazy_pattern(r"(?:[^/\n]*;|[ \t]*[{}]|[ \t]*[\w$]+:|[ \t]*\.loc\b[^/\n]*[^/,\s])[ \t]*(?://[^\n]*)?\s*", 0)
_COMMA = lazy_pattern(r"\s*,", 0)
_HIDDEN_BRACE = lazy_pattern(r"""(?://|")[^\n]*[{}]""", 0)
_HEADER = lazy_pattern(HEADER_LINE, re.M)


def copy_to_read(block: Block, state: State | None = None, first: int = 0) -> Block:
    """A copy of `block` to read for a request: with the same text, place and entry state.

    With a `state`, it is a copy of what follows in the block, from its line `first` on, where this is the state.
    Its scopes are copies, without the declarations that the block itself has from there on, and without labels if
    `first` is not 0. A declaration in the copies does not change the scopes of the module.
    """
    copy = Block(block.chunks, block.lines)
    copy.index, copy.line = block.index, block.line
    entry = state or block.entry
    assert entry is not None
    copy.entry = _without(entry, _Below(block, first))
    return copy


class _Below(NamedTuple):
    """The lines of a block from one on, which is counted from the first line of the block."""

    block: Block
    line: int

    def holds(self, mark: Mark) -> bool:
        """Whether a mark is in these lines."""
        return mark.holder is self.block and mark.range[0] >= self.line


def _without(entry: State, below: _Below) -> State:
    """A copy of the state, with copies of the scopes without the declarations in these lines.

    A declaration in the copies does not change the scopes of the module.
    """
    scopes: list[Scope] = []
    for scope in entry.scopes:
        scopes.append(_copy(scope, scopes[-1] if scopes else None, below))
    scopes[0].horizon.index = below.block.index
    body, closed = entry.body, entry.closed
    if body is not None:
        body = Body(body.symbol, scopes[entry.scopes.index(body.scope)])
    if closed is not None:
        closed = Body(closed.symbol, _CopiedLater(closed.scope, scopes[0], below))
    return entry._replace(scopes=tuple(scopes), body=body, closed=closed)


class _Copy(dict[str, list[Symbol]]):
    """A copy of a table of symbols, which has lists of its own only for the names that are requested or changed.

    The scope of a module may have 100,000 names: to copy all of them for a request takes 10 ms, and a search for
    garbage that looks at them 20 ms. The names are in the order that a real copy has.
    """

    __slots__ = ("_gone", "_table")

    def __init__(self, table: dict[str, list[Symbol]]) -> None:
        super().__init__()
        self._table = table
        self._gone: set[str] = set()  # the names of the table that were deleted; if declared again, they are the last

    def get(self, name: str, default: Any = None) -> Any:
        """The list of a name, which may be changed."""
        found = super().get(name)
        if found is None and name not in self._gone and (found := self._table.get(name)) is not None:
            found = self[name] = list(found)
        return default if found is None else found

    def __getitem__(self, name: str) -> list[Symbol]:
        found: list[Symbol] | None = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        # a class that is named takes a third of the time of `super`, and requests ask for a thousand names
        return dict.__contains__(self, name) or (name in self._table and name not in self._gone)

    def __iter__(self) -> Iterator[str]:
        # without a loop in Python, as there are many names
        kept = filterfalse(self._gone.__contains__, self._table) if self._gone else iter(self._table)
        return chain(kept, self._last())

    def _last(self) -> list[str]:
        return [name for name in super().__iter__() if name in self._gone or name not in self._table]

    def __len__(self) -> int:
        return len(self._table) - len(self._gone) + len(self._last())

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self.pop(name)

    def pop(self, name: str, default: Any = None) -> Any:
        """Delete a name; the list that it had, or `default`."""
        found = self.get(name, default)
        super().pop(name, None)
        if name in self._table:
            self._gone.add(name)
        return found

    def setdefault(self, name: str, default: Any = None) -> Any:
        """The list of a name, which may be changed; if it has none, the given one, which it then has."""
        found = self.get(name)
        if found is None:
            found = self[name] = default
        return found

    def keys(self) -> Any:
        """The names, in order."""
        return KeysView(self)

    def values(self) -> Any:
        """The lists, in order; they must not be changed."""
        return (found for _, found in self.items())

    def items(self) -> Any:
        """The names and their lists, in order; the lists must not be changed."""
        return ((name, self[name] if super(_Copy, self).__contains__(name) else self._table[name]) for name in self)


class _CopiedLater(Scope):
    """A copy of a scope that is made at the first request: almost no block continues the function that ended above it.

    Measured: a fifth of the time of all hints of a text with many small functions.
    """

    __slots__ = ("_below", "_scope")

    def __init__(self, scope: Scope, parent: Scope, below: _Below) -> None:
        # not the constructor of the class above, which makes the tables
        self.parent = parent
        self.opening = scope.opening
        self.horizon = parent.horizon
        self._scope = scope
        self._below = below

    def __getattr__(self, name: str) -> Any:
        if name not in _TABLES:
            raise AttributeError(name)
        copy = _copy(self._scope, self.parent, self._below)
        for table in _TABLES:
            setattr(self, table, getattr(copy, table))
        return getattr(self, name)


_TABLES = tuple(name for name in Scope.__slots__ if name not in ("horizon", "opening", "parent"))


def _copy(scope: Scope, parent: Scope | None, below: _Below) -> Scope:
    copy = Scope(parent, scope.opening)
    copy.families = _filtered(scope.families, below)
    copy.limited = _filtered(scope.limited, below)
    copy.labels = {} if below.line else _Copy(scope.labels)
    copy.numbered = dict(scope.numbered)
    if parent is None:
        # the scope of the module is never closed, so the block knows all that it has declared there
        copy.members = _Copy(scope.members)
        declared = below.block.declared
        names = {one.symbol.name for one in declared if one.scope is scope} & scope.members.keys()
        for name in names:
            kept = [symbol for symbol in scope.members[name] if not below.holds(symbol.mark)]
            if kept:
                copy.members[name] = kept
            else:
                del copy.members[name]
    else:
        copy.members = _filtered(scope.members, below)
        names = set(scope.members)
    for name in names:
        stem = name.rstrip(DIGITS)
        if stem != name:
            copy.numbered[stem] -= len(scope.members[name]) - len(copy.members.get(name, ()))
    return copy


def _filtered(table: dict[str, list[Symbol]], below: _Below) -> dict[str, list[Symbol]]:
    block, holds = below.block, below.holds
    found = {n: [s for s in ss if s.mark.holder is not block or not holds(s.mark)] for n, ss in table.items()}
    return {name: symbols for name, symbols in found.items() if symbols}


# --- where the state is known after an edit ---------------------------------------------------------------------------


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


def lines_below(text: str, offset: int, lines: int) -> int:
    """The offset of the line that is this number of lines below the one of an offset, or the end of the text."""
    for _ in range(lines):
        offset = text.find("\n", offset) + 1
        if not offset:
            return len(text)
    return offset


def known_above(text: EditedText, begin: int) -> KnownPlace | None:
    """The last place above the line that begins at an offset, or at it, where the state is known; None without one."""
    offset = begin
    for _ in range(_MOST_LINES):
        if not offset:
            entry = text.block.entry
            return KnownPlace(0, entry) if entry is not None else None
        if _ends_statement(text.text, offset) and (state := _state_at(text, offset)) is not None:
            return KnownPlace(offset, state)
        offset = text.text.rfind("\n", 0, offset - 1) + 1
    return None


def _ends_statement(text: str, offset: int) -> bool:
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
    if not is_simple(part):
        return None
    begins_above = part.body is entry.body
    start = text.now(part.start)
    depth = text.text.count("{", start, offset) - text.text.count("}", start, offset)
    if depth != (not begins_above) or _HIDDEN_BRACE.search(text.text, start, offset) is not None:
        return None
    if begins_above:
        return entry._replace(lost=0) if len(entry.scopes) == 2 else None
    scopes = (entry.scopes[0], part.body.scope)
    return State(scopes, part.body, None, False, False, now.header, now.profile)


def _state_outside(text: EditedText, following: FunctionPart | None, offset: int) -> State | None:
    """The state at an offset between two functions, or above the first one; None if it is not known."""
    block = text.block
    entry, now = block.entry, block.exit
    assert entry is not None, "the block was read"
    assert now is not None, "the block was read"
    above = block.parts[: block.parts.index(following)] if following is not None else block.parts
    closed, start = entry.closed, 0
    if above:
        if not all(map(is_simple, above)) or above[-1].closing is None or above[-1].stop is None:
            return None
        closed, start = above[-1].body, text.now(above[-1].stop)
    elif entry.body is not None or entry.stray_reported:
        return None
    between = text.text[start + text.text.startswith("}", start) : offset]
    if between.count("{") != between.count("}") or _HIDDEN_BRACE.search(between) is not None:
        return None
    if ".alias" in between or _HEADER.search(between) is not None:
        closed = None
    after_end = entry.after_end or bool(above)
    return State(entry.scopes[:1], None, closed, after_end, False, now.header, now.profile)


def is_simple(part: FunctionPart) -> bool:
    """Whether a part of a function has no mistake that changes its braces or may hide names."""
    return not (part.cut or part.resumed_at or part.too_deep or part.doubtful or part.lost_labels)


def collect_needs(block: Block, text: str) -> list[StatementNeeds]:
    """What the statements of a block need of versions and targets. The state of the module does not change."""
    found: list[StatementNeeds] = []
    copy = copy_to_read(block)
    assert copy.entry is not None
    # a statement with needs has some above this maximum, so that no recogniser knows it
    copy.entry = copy.entry._replace(profile=copy.entry.profile._replace(maximum=Version(0, 0)))
    read(BlockReader(copy, text, found), NOTHING_BELOW)
    return found
