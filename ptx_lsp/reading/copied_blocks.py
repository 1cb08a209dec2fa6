"""Copies of blocks, which requests read without a change of the module.

A copy lacks the declarations that the reading of it makes, and the labels, of which `KnownLabels` adds those that are
needed. Statements above the place of a request are applied only so far as they change the state.
"""

from __future__ import annotations

from itertools import takewhile

from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import TYPE_CHECKING, Iterator
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.declarations import EMPTY_LINES
from ptx_lsp.quick.statements import module_statement, statement
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.block_reader import BlockReader, apply_effect, apply_module_effect
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import CHECKED, NOTHING_BELOW, Body, State
from ptx_lsp.semantics.scope_copies import CopiedLater, HiddenLines, copied
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.syntax.statements import Parsed, parse_statements
from ptx_lsp.syntax.tree import Declaration, Directive, Instruction, Label, Problem, Statement
from ptx_lsp.text.ranges import Range

if TYPE_CHECKING:
    from ptx_lsp.semantics.need_sets import StatementNeeds

LONGEST_REMEMBERED = 262_144
"""Characters of a text whose statements are remembered. Blocks are not longer, unless their lines are."""
_MOST_AT_ONCE = 32  # statements
_STATEMENT_ENDS = ";{}"
_RECOGNISED = lazy_pattern(r"[ \t]*+[.{}]")


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
    above = block.entry.scopes if block.entry is not None else ()
    copy.entry = _without(entry, HiddenLines(block, first, block.declared, above), block.index)
    return copy


def _without(entry: State, hidden: HiddenLines, index: int) -> State:
    """A copy of the state, with copies of the scopes without the declarations in these lines.

    A declaration in the copies does not change the scopes of the module.
    """
    scopes: list[Scope] = []
    for scope in entry.scopes:
        scopes.append(copied(scope, scopes[-1] if scopes else None, hidden))
    scopes[0].horizon.index = index
    body, closed = entry.body, entry.closed
    if body is not None:
        body = Body(body.symbol, scopes[entry.scopes.index(body.scope)])
    if closed is not None:
        closed = Body(closed.symbol, CopiedLater(closed.scope, scopes[0], hidden))
    return entry._replace(scopes=tuple(scopes), body=body, closed=closed)


def collect_needs(block: Block, text: str) -> list[StatementNeeds]:
    """What the statements of a block need of versions and targets. The state of the module does not change."""
    found: list[StatementNeeds] = []
    copy = copy_to_read(block)
    assert copy.entry is not None
    # a statement with needs has some above this maximum, so that no recogniser knows it
    copy.entry = copy.entry._replace(profile=copy.entry.profile._replace(maximum=Version(0, 0)))
    read(BlockReader(copy, text, found), NOTHING_BELOW._replace(look=lambda _: block.looks_below))
    return found


class KnownLabels:
    """The labels that the module has for the functions and scopes of a block, also from the blocks below.

    They are valid until the next edit, and are added to the copies that a request reads.
    """

    __slots__ = ("_block", "_nested")

    def __init__(self, block: Block) -> None:
        self._block = block
        self._nested: dict[Range, Scope] | None = None

    def add_to_open(self, reader: BlockReader) -> None:
        """Add all labels of the open function and scopes that begin in the block: not those of the functions above."""
        body = reader.body
        if body is not None and body.opening.holder is reader.block:
            self.add_to_function(body)
        self.add_to_scopes(reader, 2)

    def add_to_opened(self, reader: BlockReader, body: Body | None, depth: int) -> None:
        """Add all labels of what a statement has opened: before it, `body` and `depth` scopes were open."""
        if reader.body is not None and reader.body is not body:
            self.add_to_function(reader.body)
        self.add_to_scopes(reader, depth)  # a brace that is too late opens a scope in a function that it continues

    def add_to_scopes(self, reader: BlockReader, depth: int) -> None:
        """Add all labels of the open nested scopes that begin in the block, beyond the first `depth` open scopes."""
        for scope in reader.scopes[max(depth, 2) :]:
            if scope.opening is not None and scope.opening.holder is reader.block:
                self._add_to_scope(scope.opening.range, scope)

    def add_to_function(self, body: Body) -> None:
        """Add the labels of a function that begins in the block."""
        block = self._block
        for known in (part.body for part in block.parts):
            begins_here = known.opening.holder is block and known.opening.range == body.opening.range
            if begins_here and known.symbol == body.symbol:
                body.scope.labels.update({name: list(labels) for name, labels in known.scope.labels.items()})

    def _add_to_scope(self, brace: Range, scope: Scope) -> None:
        """Add the labels of a nested scope that begins in the block: those that its branches and operands see."""
        if self._block.stale:
            return
        if self._nested is None:
            self._nested = _nested_scopes(self._block)
        known = self._nested.get(brace)
        if known is not None:
            scope.labels.update({name: list(labels) for name, labels in known.labels.items()})


def _nested_scopes(block: Block) -> dict[Range, Scope]:
    """The scopes that begin in a block and are around a use of a label, by the ranges of their braces.

    A label that is an operand is a name that nothing above it declares.
    """
    found: dict[Range, Scope] = {}
    seen: set[Scope] = set()
    for part in block.parts:
        for innermost in [use.scope for use in part.label_uses] + [use.scope for use in part.undeclared_uses()]:
            for around in innermost.outward():
                if around.opening is None or around in seen:
                    break
                seen.add(around)
                if around.opening.holder is block:
                    found.setdefault(around.opening.range, around)
    return found


def apply_recognised(reader: BlockReader, text: str, start: int, stop: int, known: KnownLabels | None) -> int:
    """Apply some declarations, headers and braces from an offset on that a recogniser knows, and that end by `stop`.

    Returns the offset after them. What follows a mistake may belong to it: it is left to the parser. `known` gives the
    labels of what they open, None if no labels are needed.
    """
    for _ in range(_MOST_AT_ONCE):
        at = EMPTY_LINES.match(text, start).end()  # type: ignore[union-attr]  # it matches the empty text
        if at >= stop or reader.buried or reader.lost or CHECKED not in reader.header:
            return start
        if _RECOGNISED.match(text, at) is None:
            return start
        around, depth = reader.body, len(reader.scopes)
        recognise = module_statement if reader.part is None else statement
        effect = recognise(text, at, reader.view)
        if effect is None or effect.end > stop:
            return start
        if reader.part is None:
            apply_module_effect(reader, effect)
            reader.header_start = at if effect.body is not None else reader.header_start
        else:
            apply_effect(reader, effect)
        if known is not None:
            known.add_to_opened(reader, around, depth)
        start = effect.end
    return start


def is_complete(statement: Statement, problems: tuple[Problem, ...], text: str) -> bool:
    """Whether a statement has its end before the end of the text. A directive may end with its line."""
    if isinstance(statement, Directive) and text.find("\n", statement.end) >= 0:
        return True
    if isinstance(statement, Label) and not problems:
        return True
    # a brace at the end of an instruction or declaration is that of a vector or an initial value
    ends = ";" if isinstance(statement, Instruction | Declaration) else _STATEMENT_ENDS
    return text[statement.end - 1] in ends


class ParsedText:
    """The statements of a text from an offset on. Each is parsed when it is requested for the first time."""

    __slots__ = ("_known", "_left")

    def __init__(self, text: str, start: int) -> None:
        self._known: list[Parsed] = []
        self._left = parse_statements(text, start)

    def __iter__(self) -> Iterator[Parsed]:
        known = self._known
        index = 0
        while True:
            if index == len(known):
                if (following := next(self._left, None)) is None:
                    return
                known.append(following)
            yield known[index]
            index += 1


_parsed_texts: Memo[tuple[str, int], ParsedText] = Memo(1)
"""The statements of the text that was asked about last: each fix of a block's findings asks for one of them."""


def statements_in(block: Block, text: str, start: int, *, remembered: bool) -> Iterator[Parsed]:
    """The statements of the text of a block from an offset on, perhaps with blanks in place of some.

    If it is `remembered`, another request for the same text does not parse it again.
    """
    below = "" if block.stale else block.looks_below
    whole = text + below
    if remembered and len(whole) <= LONGEST_REMEMBERED:
        known = _parsed_texts.get((whole, start))
        if known is None:
            known = _parsed_texts[whole, start] = ParsedText(whole, start)
        found = iter(known)
    else:
        found = parse_statements(whole, start)
    return takewhile(lambda each: each[0].start < len(text), found) if below else found
