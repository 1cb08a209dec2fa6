"""The reading of one block: what is open at the present statement, and the results of the statements before it.

The effects of recognisers are applied here and nowhere else.
"""

from __future__ import annotations

from ptx_lsp.isa.directive_names import SECTION
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, Iterable, Sequence
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.effect import MOST_INNER_BRACES, Effect
from ptx_lsp.quick.known import Formals, View, known_for
from ptx_lsp.quick.operand_kinds import KindTable, KindTables
from ptx_lsp.reading.block import Block, BlockText, FunctionPart, SplitText
from ptx_lsp.reading.braces import DEEPEST
from ptx_lsp.reading.state import CHECKED, EXCUSED, NO_MISTAKE, NOTHING_BELOW, Body, Declared, OpenComment, State
from ptx_lsp.semantics.surroundings import LabelSymbol, LabelUse, NamePlace, Profile, Report, Surroundings, Undeclared
from ptx_lsp.semantics.symbols import FUNCTION_KINDS, Scope, Symbol

if TYPE_CHECKING:
    from ptx_lsp.quick.line_runs import Lines
    from ptx_lsp.reading.block import ReadBody, WatchedBody
    from ptx_lsp.reading.state import PlainRows
    from ptx_lsp.semantics.instructions import Examined
    from ptx_lsp.semantics.need_sets import StatementNeeds
    from ptx_lsp.syntax.tree import Statement

END_OF_FILE = "a NUL character: the assembler reads it as the end of the file"
_NO_TOKENS = lazy_pattern(r"[^!-~]*(?:[\\'`$#][^!-~]*)*")  # blanks and characters without meaning
_NUL = lazy_pattern("\0+")  # in comments and strings too; observed: ptxas 13.5
_new = tuple.__new__  # the constructor of a named tuple takes three times as long
_LONG_STATEMENT = 32_768  # characters
_FEW = 64  # characters, with a word and the blanks before it
_FEW_PARSED = 32  # lines for each parsed statement; the parser takes some fifty times as long as a recogniser


class BlockReader:
    """The reading of one block, from its entry state on. It holds the state after the last statement that was applied.

    `source` is the text. `part` is the part of the function around, None outside of functions. `reports` and
    `declared` are the results of the statements so far. `examined` is the result of the check of the last statement,
    if it was an instruction. `parsed` is the number of runs of statements that the parser has read, `not_by_text` the
    number of statements that may not be fine in another place where their names have the same kinds, and `not_by_body`
    the number of those that may not be fine in another body with the same text, where all names mean the same. `exit`
    is the state at the end of the block, None before. `cut_or_resumed` is true if a function ended without its brace
    or continued after it. `watched` is the body that will be remembered if it is fine. `first_bodies` are fine bodies
    of this block and of those that were read directly before it, by their measures. `in_whole_body` is true if the
    body around seems to be in this block from its begin to its end, `at_end` if the last statement ends in the block.
    `sections` are those that a recogniser knew, `row_runs` the lines of rows that were left out of others, `runs` the
    lines that were offered to recognisers. If `needs` is given, what the statements need of versions and targets are
    added to it. `looks_below` is the text below that has been looked at. `broken` is the number of statements with a
    problem of the parser. If it `may_end_early`, the block may end before its text: then it has `ended_early`.
    `enough_at` is the offset from which on it need not have more. The block does not end above `no_end_above`.
    `fresh_starts` are the ends of the statements before those that the parser has read and before which nothing on
    their line is reported. If it `only_reports`, what a broken header declares does not matter.
    """

    looks_below = ""
    broken = 0
    may_end_early = ended_early = only_reports = False
    enough_at = 1 << 62
    no_end_above = 0
    sections: tuple[PlainRows, ...] = ()
    row_runs: tuple[tuple[int, int], ...] = ()
    at_end = cut_or_resumed = in_whole_body = False
    watched: WatchedBody | None = None
    part: FunctionPart | None = None
    exit: State | None = None
    examined: Examined | None = None
    parsed = not_by_text = not_by_body = 0
    below = NOTHING_BELOW
    make_closed_names: Callable[[], list[Declared]] | None = None  # if the last function is known: makes its names
    # requests set it: the end of the last statement that has problems, or follows one that has, in its line
    reported_end = -1
    header_start = -1  # the offset of the header of the function, if a recogniser has read it
    _view: View | None = None

    def __init__(
        self,
        block: Block,
        text: str,
        needs: list[StatementNeeds] | None = None,
        before: BlockReader | None = None,
        split: SplitText | None = None,
        kept: Sequence[int] | None = None,
    ) -> None:
        """`before` is the reading of the block above, if its last state is the entry state of this block.

        `split` are the lines of the text, if they are known. `kept` are the begins of its lines, if it lacks some.
        """
        entry = block.entry
        assert entry is not None, "a block is read after the block above it"
        self.block = block
        self.source = BlockText(text, block, split, kept)
        self.profile = entry.profile
        self.known = known_for(entry.profile)
        self.needs = needs
        self._entry = entry
        self.scopes = list(entry.scopes)
        self.buried, self.lost = entry.buried, entry.lost
        self.body, self.closed, self.nested = entry.body, entry.closed, entry.nested
        self.after_end, self.stray_reported = entry.after_end, entry.stray_reported
        self.header, self.comment = list(entry.header), entry.comment
        self.reports: list[Report] = []
        self.declared: list[Declared] = []
        self.parts: list[FunctionPart] = []
        self.first_bodies: dict[int, ReadBody] = before.first_bodies if before is not None else {}
        self.fresh_starts: list[int] = []
        tables = before._tables if before is not None else None
        self.runs: list[Lines] = []
        self._formals: dict[Symbol, Formals] = {}
        self._tables: KindTables = KindTables(self.scopes, entry.profile, tables)
        self._opened_here: list[int] = []  # for each scope opened in this block, the number of declarations before it
        self.closed_names: list[Declared] = []  # declarations of the last closed scope, whose function may continue
        # the same of a function with another one inside
        self.outer_names: tuple[list[Declared], Callable[[], list[Declared]] | None] = [], None
        if self.body is not None:
            self.begin_part(self.body)

    def set_profile(self, profile: Profile) -> None:
        """Take over the version and target for the statements that follow."""
        self._tables.set_profile(profile)
        self.profile = profile
        self.known = known_for(profile)
        self._view = None

    @property
    def table(self) -> KindTable:
        """The kinds of operands in the innermost scope."""
        return self._tables.innermost(self.body.symbol.name if self.body is not None else "")

    @property
    def view(self) -> View:
        """The view of a recogniser at the present statement."""
        if self._view is None:
            shallow = len(self.scopes) <= DEEPEST - MOST_INNER_BRACES
            mark = self.source.mark
            self._view = _new(View, (self.scopes[-1], self.table, self.known, mark, self._formals, shallow))
        return self._view

    @property
    def is_plain(self) -> bool:
        """Whether the parser has read only a small part of this block."""
        return not self.parsed or self.parsed * _FEW_PARSED <= self.block.lines + 1

    def _state(self) -> State:
        """The present state, between two statements."""
        scopes = tuple(self.scopes)
        return State(
            # one object for all blocks that open and close nothing: there may be many scopes
            self._entry.scopes if scopes == self._entry.scopes else scopes,
            self.body,
            self.closed,
            self.after_end,
            self.stray_reported,
            tuple(self.header),
            self.profile,
            self.comment,
            self.buried,
            self.lost,
            self.nested,
        )

    def begin(self) -> int:
        """The offset of the first statement: after the end of the comment around, if there is one."""
        if self.comment is None:
            return 0
        end = self.source.text.find("*/")
        if end < 0:
            return len(self.source.text)
        self.comment = None
        self.source.begin = end + len("*/")
        return self.source.begin

    def end_in_comment(self, start: int, assumed_endless: bool) -> None:
        """Note that the block ends inside of a comment that begins at the offset `start`: see `OpenComment`."""
        self.comment = OpenComment(self.source.mark(start, start + len("/*")), assumed_endless)

    def is_first_on_line(self, offset: int) -> bool:
        """Whether only blanks and characters without meaning are before an offset on its line."""
        above = self.source.text[self.source.starts[self.source.line_at(offset)] : offset]
        return not above.strip() or _NO_TOKENS.fullmatch(above) is not None

    def is_before_section(self, offset: int) -> bool:
        """Whether a section outside of functions begins at an offset, after blanks."""
        return self.body is None and self.source.text[offset : offset + _FEW].lstrip(" \t").startswith(SECTION)

    def extend(self, offset: int, until: str = "") -> bool:
        """Take text from below the block, because the statement at `offset` continues there.

        False at the end of the text. The text from `offset` on grows by a quarter, a long one is doubled, so that the
        work is linear in the length of the statement. It may become four times as long to have the text `until`.
        """
        text = self.source.text
        wanted = len(text) - offset
        most = 3 * wanted
        if wanted < _LONG_STATEMENT:
            wanted = -(-wanted // 4)
        commented = _ends_in_line_comment(text)
        pieces: list[str] = []
        while (wanted > 0 or commented or (pieces and most > 0 and until not in pieces[-1])) and (
            piece := self.below.take(wanted)
        ) is not None:
            pieces.append(piece)
            wanted -= len(piece)
            most -= len(piece)
            commented = _ends_in_line_comment(piece) or (commented and "\n" not in piece)
        self.at_end = wanted > 0
        if pieces:
            self.source.grow(more := "".join(pieces))
            self.looks_below = self.looks_below[len(more) :]
            self._view = None
        return bool(pieces)

    def finish(self) -> None:
        """End the reading: report NUL characters, seal the parts of functions, and set `exit` to the present state."""
        text = self.source.text
        nothing = _NUL.search(text) if "\0" in text else None
        if nothing is not None:
            self.surroundings().report("invalid-character", *nothing.span(), END_OF_FILE)
        for part in self.parts:
            part.seal()
        self.exit = self._state()

    def surroundings(self) -> Surroundings:
        """The surroundings of the present statement, for its check."""
        part = self.part
        return Surroundings(
            self.profile,
            self.scopes[-1],
            self.body.symbol if self.body is not None else None,
            len(self.scopes) - 1,
            self.source.text,
            self.source.mark,
            self.reports,
            part.undeclared_names if part is not None else [],
            part.label_uses if part is not None else [],
            self.needs,
        )

    # --- scopes and names -------------------------------------------------------------------------------------------

    def require_header(self, statement: Statement) -> None:
        """Report the missing directives of the header at the first statement after it."""
        if CHECKED not in self.header:
            if EXCUSED not in self.header:
                from ptx_lsp.semantics.structure import missing_header  # the recognisers do not need it

                missing_header(tuple(self.header), statement.start, statement.end, self.surroundings())
            self.header.append(CHECKED)

    def declare(self, symbols: tuple[Symbol, ...]) -> None:
        """Declare these names in the innermost scope."""
        scope = self.scopes[-1]
        for symbol in symbols:
            scope.declare(symbol)
            self.declared.append(_new(Declared, (scope, symbol)))
        if len(self.scopes) > 2 and self.part is not None:
            self.part.inner += [symbol.name for symbol in symbols]
        self._tables.declared(symbols)
        self._view = self._view if len(self.scopes) == 1 else None  # outside of functions, no lines are confirmed

    def declare_labels(self, places: Iterable[NamePlace], part: FunctionPart) -> None:
        """Declare labels in the innermost scope."""
        scope, block = self.scopes[-1], self.block
        labels, members = scope.labels, scope.members
        symbols = [LabelSymbol(block, place) for place in (() if self.buried else places)]
        for symbol in symbols:
            if (name := symbol.name) in labels or name in members:
                from ptx_lsp.semantics.redeclarations import repeated_label  # few texts have such labels

                named = (*labels.get(name, ())[:1], *members.get(name, ())[:1])
                above = [one for one in named if one.mark.holder.index <= block.index]  # others may be below an edit
                self.reports += repeated_label(symbol, above, self.reports)
                scope.declare(symbol)
            else:
                labels[name] = [symbol]  # files with debug data have a label every few lines
        part.labels += symbols
        self.declared += [_new(Declared, (scope, symbol)) for symbol in symbols]

    def open_scope(self, start: int) -> None:
        """Open a nested scope at the brace at the offset `start`."""
        if len(self.scopes) > DEEPEST:
            self.buried += 1
            if self.part is not None and self.part.too_deep is None:
                self.part.too_deep = self.source.mark(start, start + 1)
            return
        self.enter(Scope(self.scopes[-1], self.source.mark(start, start + 1)))

    def enter(self, scope: Scope, resumed: bool = False) -> None:
        """Take a scope for the innermost one; `resumed` is true if it has been closed before."""
        self._opened_here.append(-1 if resumed else len(self.declared))
        scope.continued |= resumed
        self._tables.opened(scope)
        self.scopes.append(scope)
        self._view = None

    def close_scope(self) -> None:
        """Close the innermost scope."""
        if self.buried:
            self.buried -= 1
            return
        self.scopes.pop()
        self._tables.closed()
        self._view = None
        if self._opened_here and (first := self._opened_here.pop()) >= 0:
            # no block below can see what was declared between braces of this block
            self.closed_names, self.make_closed_names = self.declared[first:], None
            del self.declared[first:]

    def report_undeclared(self, surroundings: Surroundings) -> None:
        """Report the undeclared names of a statement at module level; those of a function are reported at its end."""
        if self.part is None and surroundings.undeclared:
            from ptx_lsp.reading.undeclared import undeclared_name  # few texts have such names

            for use in surroundings.undeclared:
                self.reports.append(undeclared_name(use))

    # --- functions --------------------------------------------------------------------------------------------------

    def begin_body(self, symbol: Symbol, parameters: tuple[Symbol, ...], brace: int, *, missing: bool = False) -> None:
        """Begin the body of a function with the brace at the offset `brace`, or after it if its brace is `missing`."""
        scope = Scope(self.scopes[0], self.source.mark(brace + missing, brace + 1))
        self.body = body = Body(symbol, scope)
        self.in_whole_body = False
        self.header_start = -1
        self.after_end = False
        self.enter(scope)
        self.begin_part(body, brace)
        self.declare(parameters)

    def begin_part(self, body: Body, start: int = 0) -> None:
        """Begin the part of a function that is in this block, at the offset `start`."""
        self.part = FunctionPart(body, self.block, start=start)
        self.parts.append(self.part)

    def end_body(self, brace: int) -> None:
        """End the function with the brace at the offset `brace`, or before it."""
        assert self.part is not None, "only a function that is open can end"
        self.part.ends = True
        self.part.stop = brace
        if self.nested:
            self.closed_names, self.make_closed_names = self.outer_names
        else:
            self.closed = self.part.body
        self.after_end = True
        self.part.closing = self.source.mark(brace, brace + 1)
        self.body = self.part = None


def _ends_in_line_comment(text: str) -> bool:
    # a lone \r ends a line, but not a comment
    return text.endswith("\r") and "//" in text[text.rfind("\n") + 1 :]


# --- the effects of recognisers ---------------------------------------------------------------------------------------


def apply_effect(reader: BlockReader, effect: Effect) -> None:
    """Apply the effect of a run of lines, or of one statement of a function."""
    part = reader.part
    assert part is not None, "an effect inside of functions has a function"
    reader.lost = NO_MISTAKE
    part.lines += effect.lines
    _apply_places(reader, part, effect)
    if effect.declares:
        reader.declare(effect.declares)
    if effect.opens >= 0:
        reader.open_scope(effect.opens)
    elif effect.closes >= 0:
        reader.close_scope()
        if len(reader.scopes) == 1:
            reader.end_body(effect.closes)


def _apply_places(reader: BlockReader, part: FunctionPart, effect: Effect) -> None:
    mark, scope, block = reader.source.name_mark, reader.scopes[-1], reader.block
    part.label_uses += [LabelUse(scope, block, place) for place in effect.branches]
    if effect.labels:
        reader.declare_labels(effect.labels, part)
    part.labels += [LabelSymbol(block, place) for place in effect.inner_labels]
    for place in effect.undeclared:
        part.undeclared_names.append(Undeclared(scope, place.name, mark(*place)))
    if effect.loads or effect.results:
        from ptx_lsp.reading.call_sequences import note_load, note_results  # few texts have calls with results

        for place in effect.loads:
            note_load(part, scope, place.name, mark(*place))
        if effect.results and effect.callee is not None:
            note_results(part, scope, effect.results, effect.callee)


def apply_module_effect(reader: BlockReader, effect: Effect) -> None:
    """Apply the effect of a declaration or header outside of functions."""
    reader.lost = NO_MISTAKE
    reader.declare(effect.declares)
    if effect.body is not None:
        reader.begin_body(*effect.body)
    if any(symbol.kind in FUNCTION_KINDS for symbol in effect.declares):
        reader.closed, reader.nested, reader.stray_reported = None, False, False
