"""Folding statements: from the state before one to the state after it, reporting on the way."""

from __future__ import annotations

import re
from bisect import bisect_right

from ptx_lsp.analysis.blocks import Block, Body, Cut, Declared, OpenComment, Part, State
from ptx_lsp.analysis.braces import DEEPEST
from ptx_lsp.analysis.known import facts
from ptx_lsp.analysis.pieces import Kinds
from ptx_lsp.analysis.scan import outcomes
from ptx_lsp.analysis.undeclared import undeclared_name
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.semantics import structure
from ptx_lsp.semantics.demands import Demanding
from ptx_lsp.semantics.instructions import Examined
from ptx_lsp.semantics.operands import report_problems
from ptx_lsp.semantics.reports import Mark, Report
from ptx_lsp.semantics.surroundings import Profile, Surroundings
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.syntax.tree import Problem, Statement
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

_NUL = re.compile("\0+")  # also in comments and strings; observed: ptxas 13.5
END_OF_FILE = "a NUL character: the assembler takes it for the end of the file"
FEW = 32  # of so many lines, one may go the full way, which takes some fifty times as long
MOST_HANDED_ON = 50_000  # kinds of pieces: beyond, a table is made anew
CHECKED = "checked"  # in State.header: whether the header is complete has been looked at


class Fold:
    """The reading of one block: what is open, and what has been found so far."""

    def __init__(
        self, block: Block, text: str, demands: list[Demanding] | None = None, before: Fold | None = None
    ) -> None:
        assert block.entry is not None
        entry = block.entry
        self.block = block
        self.text = text
        self.demands = demands  # where to note what statements demand of versions and targets
        self.lines = text.split("\n")
        self.starts = line_starts(text, self.lines)
        self._entry_scopes = entry.scopes
        self.scopes = list(entry.scopes)
        self.buried = entry.buried  # open braces beyond the deepest; nothing between them is looked at
        self.body = entry.body
        self.closed = entry.closed
        self.closed_at = entry.closed_at
        self.astray = entry.astray
        self.header = list(entry.header)
        self.entry_profile = entry.profile
        self.set_profile(entry.profile)
        self.comment = entry.comment
        self.reports: list[Report] = []
        self.declared: list[Declared] = []
        self.parts: list[Part] = []
        self._cursor: Cursor | None = None
        self.full = 0  # how often statements have gone the full way
        self.apart = 0  # how many of these may mean something else where all names are alike
        self.fresh = True  # nothing before the next statement on its line has been reported, as in the cursor
        # by depth, as they are needed
        self._tables: dict[int, Kinds] = before.tables_for(self.scopes) if before is not None else {}
        # by depth, the innermost scope that declares anything: a scope without names sees what is around it
        self._sight: list[int] = []
        for depth, scope in enumerate(self.scopes):
            self._sight.append(self._sight[-1] if depth > 1 and scope.is_empty else depth)
        self.part: Part | None = None
        self.examined: Examined | None = None  # of the last statement, where that was an instruction
        self._opened_here: list[int] = []  # for each scope opened in this block, how much had been declared before
        self.odd = False  # whether a function ended where it should not
        self._put_aside: list[Declared] = []  # by the scope closed last: a function may go on behind its end
        if self.body is not None:
            self._begin_part(self.body)

    def set_profile(self, profile: Profile) -> None:
        """What follows is written for this version and target."""
        self.profile = profile
        self.outcomes = outcomes(profile)
        self.known = facts(profile)

    @property
    def table(self) -> Kinds:
        """The kinds of operands as the innermost scope sees them."""
        depth = self._sight[-1]
        table = self._tables.get(depth)
        return self._make_table(depth) if table is None else table

    def _make_table(self, depth: int) -> Kinds:
        tables = self._tables
        wanted = [depth]
        while wanted[-1] > 1 and wanted[-1] not in tables:
            wanted.append(self._sight[wanted[-1] - 1])
        for depth in reversed(wanted):
            if depth not in tables:
                around = tables[self._sight[depth - 1]] if depth > 1 else None
                function = self.body.symbol.name if self.body is not None else ""
                tables[depth] = Kinds(self.scopes[depth], around, function)
        return tables[depth]

    @property
    def is_plain(self) -> bool:
        """Whether next to nothing in this block has gone the full way."""
        return self.full * FEW <= len(self.starts)

    def tables_for(self, scopes: list[Scope]) -> dict[int, Kinds]:
        """The tables that hold for these open scopes, if the next block begins with them."""
        found: dict[int, Kinds] = {}
        for depth, scope in enumerate(scopes):
            table = self._tables.get(depth)
            if table is not None and len(table) < MOST_HANDED_ON and table.sees(scope, found.values()):
                found[depth] = table
        return found

    def state(self) -> State:
        """What holds now, between two statements."""
        scopes = tuple(self.scopes)
        return State(
            # one object for all blocks that open and close nothing: there may be many scopes
            self._entry_scopes if scopes == self._entry_scopes else scopes,
            self.body,
            self.closed,
            self.closed_at,
            self.astray,
            tuple(self.header),
            self.profile,
            self.comment,
            self.buried,
        )

    def cursor_at(self, offset: int) -> Cursor:
        """A cursor at the first token from `offset` on, where no token has begun before.

        What has been read ahead is not read again: there may be no `;` for a long time.
        """
        if self._cursor is None or not self._cursor.seek(offset):
            self._cursor = Cursor(self.text, offset)
        return self._cursor

    def begin(self) -> int:
        """The offset of the first statement: behind the end of the comment around, if there is one."""
        if self.comment is None:
            return 0
        end = self.text.find("*/")
        if end < 0:
            return len(self.text)
        self.comment = None
        return end + len("*/")

    def end_in_comment(self, start: int, leaning: bool) -> None:
        """The block ends inside of a comment that begins at the offset `start`."""
        self.comment = OpenComment(self.mark(start, start + len("/*")), leaning)

    def grow(self, text: str) -> None:
        """The block is longer than was thought."""
        before = len(self.text)
        if self.text.endswith("\r") and text.startswith("\n"):
            self.starts.pop()  # one line end, not two
        self.text += text
        if self._cursor is not None:
            self.fresh = self._cursor.fresh
            self._cursor = None
        self.starts += (before + start for start in line_starts(text)[1:])
        # only what is new: a block may grow a thousand times
        self.lines += (self.lines.pop() + text).split("\n")

    def finish(self) -> None:
        """The block has been read to its end."""
        nothing = _NUL.search(self.text) if "\0" in self.text else None
        if nothing is not None:
            self.surroundings().report("invalid-character", *nothing.span(), END_OF_FILE)

    def tell(self, problems: tuple[Problem, ...]) -> None:
        """Report what the parser found wrong."""
        if problems:
            report_problems(problems, self.surroundings())

    def surroundings(self) -> Surroundings:
        """What a check of the statement at hand sees."""
        part = self.part
        return Surroundings(
            self.profile,
            self.scopes[-1],
            self.body.symbol if self.body is not None else None,
            len(self.scopes) - 1,
            self.text,
            self.mark,
            self.reports,
            part.noted if part is not None else [],
            part.label_uses if part is not None else [],
            self.demands,
        )

    def mark(self, start: int, end: int) -> Mark:
        """The place of a stretch of this block's text."""
        starts = self.starts
        first = bisect_right(starts, start) - 1
        column = start - starts[first]
        if first + 1 == len(starts) or end < starts[first + 1]:
            return Mark(self.block, Range(first, column, first, column + end - start))
        last = bisect_right(starts, end) - 1
        return Mark(self.block, Range(first, column, last, end - starts[last]))

    # --- scopes, names and functions --------------------------------------------------------------------------------

    def require_header(self, statement: Statement) -> None:
        """Report at the first statement behind the header what the header lacks."""
        if CHECKED not in self.header:
            structure.missing_header(tuple(self.header), statement.start, statement.end, self.surroundings())
            self.header.append(CHECKED)

    def declare(self, symbols: tuple[Symbol, ...]) -> None:
        """The innermost scope declares these names."""
        scope = self.scopes[-1]
        table = self._tables.get(len(self.scopes) - 1)
        for symbol in symbols:
            scope.declare(symbol)
            self.declared.append(Declared(scope, symbol))
            if len(self.scopes) > 2 and self.part is not None:
                self.part.inner.append(symbol.name)
            if table is not None:
                table.declared(symbol.name)
        if symbols:
            self._sight[-1] = len(self.scopes) - 1

    def declare_label(self, name: str, mark: Mark, part: Part) -> None:
        """A label stands at this place."""
        if self.buried:
            return
        scope = self.scopes[-1]
        symbol = Symbol(name, SymbolKind.LABEL, mark)
        earlier = scope.labels.get(name) or scope.members.get(name)
        if earlier and earlier[0].mark.holder.index <= self.block.index:  # after an edit, they may stand below
            message, first = f"`{name}` is already defined in this scope", f"`{name}` is defined here first"
            severity = default_severity("duplicate-label")
            related = ((earlier[0].mark, first),)
            self.reports.append(Report("duplicate-label", mark, message, severity, related))
        scope.declare(symbol)
        part.labels.append(symbol)
        self.declared.append(Declared(scope, symbol))

    def open_scope(self, start: int) -> None:
        """A brace at the offset `start` opens a nested scope."""
        if len(self.scopes) > DEEPEST:
            self.buried += 1
            if self.part is not None and self.part.too_deep is None:
                self.part.too_deep = self.mark(start, start + 1)
            return
        self._open_scope(Scope(self.scopes[-1], self.mark(start, start + 1)))

    def _open_scope(self, scope: Scope, anew: bool = True) -> None:
        self._opened_here.append(len(self.declared) if anew else -1)
        self._sight.append(self._sight[-1] if len(self.scopes) > 1 and scope.is_empty else len(self.scopes))
        self.scopes.append(scope)

    def close_scope(self) -> None:
        """The innermost scope ends."""
        if self.buried:
            self.buried -= 1
            return
        self.scopes.pop()
        self._sight.pop()
        self._tables.pop(len(self.scopes), None)
        if self._opened_here and (first := self._opened_here.pop()) >= 0:
            # what was declared between braces of this block is nothing to the blocks below
            self._put_aside = self.declared[first:]
            del self.declared[first:]

    def begin_body(self, symbol: Symbol, parameters: tuple[Symbol, ...], brace: int) -> None:
        """The body of a function begins with a brace at the offset `brace`."""
        scope = Scope(self.scopes[0], self.mark(brace, brace + 1))
        self.body = body = Body(symbol, scope)
        self.closed_at = None
        self._open_scope(scope)
        self._begin_part(body, brace)
        self.declare(parameters)

    def _begin_part(self, body: Body, start: int = 0) -> None:
        self.part = Part(body, self.block, start=start)
        self.parts.append(self.part)

    def end_body(self, brace: int) -> None:
        """The function ends with a brace at the offset `brace`, or in front of it."""
        assert self.part is not None
        self.part.ends = True
        self.part.stop = brace
        self.closed = self.part.body
        self.closed_at = self.part.closing = self.mark(brace, brace + 1)
        self.body = self.part = None

    def cut_off(self, start: int, end: int) -> None:
        """A function begins inside another: the open brace before it was never closed."""
        self.odd = True
        self.buried = 0
        cut = Cut(self.scopes[-1].opening, self.mark(start, end), self.text[start:end])
        while len(self.scopes) > 1:
            self.close_scope()
        if self.part is not None:
            self.part.cut = cut
        self.end_body(start)

    def reopen(self, statement: Statement, at_brace: bool = False) -> bool:
        """A statement of a function after the function's end: its closing brace came too early.

        False where there is no such function: then it stands outside of any, which is reported.
        """
        body = self.closed
        self.require_header(statement)
        if body is None:
            if not self.astray:
                self.surroundings().report(
                    "outside-function", statement.start, statement.end, "this instruction is outside of any function"
                )
            self.astray = True
            return False
        self.odd = True
        self._open_scope(body.scope, anew=False)
        self.declared += self._put_aside
        self._put_aside = []
        self.body, self.closed = body, None
        self._begin_part(body, statement.start)
        if self.part is not None:
            self.part.again, self.part.at_brace = self.mark(statement.start, statement.end), at_brace
        return True

    def tell_undeclared(self, surroundings: Surroundings) -> None:
        """Report the undeclared names of a statement at module level."""
        # inside a function they are told once, when the function is whole
        if self.part is None:
            for name, mark in surroundings.undeclared:
                self.reports.append(undeclared_name(name, mark))
