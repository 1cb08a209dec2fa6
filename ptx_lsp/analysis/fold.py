"""Folding statements: from the state before one to the state after it, reporting on the way."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from ptx_lsp.analysis import declarations, directives, functions, structure
from ptx_lsp.analysis.blocks import Block, Body, Cut, Declared, Part, State
from ptx_lsp.analysis.braces import unmatched_brace
from ptx_lsp.analysis.conclusion import stems, undeclared_name
from ptx_lsp.analysis.demands import Demanding
from ptx_lsp.analysis.operands import report_problems
from ptx_lsp.analysis.reports import Mark, Report
from ptx_lsp.analysis.scan import REGISTERS, Kinds
from ptx_lsp.analysis.statements import Examined, check_instruction
from ptx_lsp.analysis.surroundings import Surroundings
from ptx_lsp.analysis.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.syntax.tree import (
    Broken,
    CloseBrace,
    Declaration,
    Directive,
    FunctionHeader,
    Instruction,
    Label,
    NameList,
    OpenBrace,
    Problem,
    Section,
    Statement,
)
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

HEADER = frozenset((".version", ".target", ".address_size"))
SECTION = ".section"
FILE = ".file"  # stands outside of functions only, as sections do
LOCAL = frozenset((".reg", ".param"))  # what is declared in these spaces belongs in a function
POSITIONS = frozenset((".loc", ".loc_intermediate"))
_NUL = re.compile("\0+")  # also in comments and strings; observed: ptxas 13.5
PLAIN_SINCE = 20  # the first architecture that has all the types of plain registers
CHECKED = "checked"  # in State.header: whether the header is complete has been looked at


class Fold:
    """The reading of one block: what is open, and what has been found so far."""

    def __init__(self, block: Block, text: str, demands: list[Demanding] | None = None) -> None:
        assert block.entry is not None
        entry = block.entry
        self.block = block
        self.text = text
        self.demands = demands  # where to note what statements demand of versions and targets
        self.starts = line_starts(text)
        self.scopes = list(entry.scopes)
        self.body = entry.body
        self.closed = entry.closed
        self.closed_at = entry.closed_at
        self.astray = entry.astray
        self.header = list(entry.header)
        self.profile = self.entry_profile = entry.profile
        self.reports: list[Report] = []
        self.declared: list[Declared] = []
        self.parts: list[Part] = []
        self._tables: dict[int, Kinds] = {}  # by depth, as they are needed
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

    @property
    def table(self) -> Kinds:
        """The kinds of operands as the innermost scope sees them."""
        depth = self._sight[-1]
        if depth not in self._tables:
            self._tables[depth] = Kinds(self.scopes[depth])
        return self._tables[depth]

    def state(self) -> State:
        """What holds now, between two statements."""
        return State(
            tuple(self.scopes),
            self.body,
            self.closed,
            self.closed_at,
            self.astray,
            tuple(self.header),
            self.profile,
        )

    def grow(self, text: str) -> None:
        """The block is longer than was thought."""
        self.text += text
        self.starts = line_starts(self.text)

    def finish(self) -> None:
        """The block has been read to its end."""
        for table in self._tables.values():
            self._keep_used(table)
        nothing = _NUL.search(self.text)
        if nothing is not None:
            message = "a NUL character: the assembler takes it for the end of the file"
            self.surroundings().report("invalid-character", *nothing.span(), message)

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
            part.undeclared if part is not None else [],
            part.label_uses if part is not None else [],
            self.demands,
        )

    def mark(self, start: int, end: int) -> Mark:
        """The place of a stretch of this block's text."""
        starts = self.starts
        first = bisect_right(starts, start) - 1
        last = first if first + 1 == len(starts) or end < starts[first + 1] else bisect_right(starts, end) - 1
        return Mark(self.block, Range(first, start - starts[first], last, end - starts[last]))

    def take(self, statement: Statement, broken: bool = False) -> None:
        """Check a statement and let it change what is open; a `broken` instruction has been reported already."""
        self.examined = None
        if broken and isinstance(statement, Instruction) and self.part is not None:
            self._keep_operands(statement, None, self.part)
            return
        _TAKE[type(statement)](self, statement)

    def _take_instruction(self, statement: Instruction) -> None:
        if self.part is None and not self._reopen(statement):
            return
        assert self.part is not None
        self.examined = check_instruction(statement, self.surroundings())
        self._keep_operands(statement, self.examined, self.part)

    def _keep_operands(self, statement: Instruction, examined: Examined | None, part: Part) -> None:
        if part.used is None or part.written is None or part.families is None:
            return
        texts = [self.text[o.start : o.end] for o in statement.operands]
        part.used.update(texts)
        if statement.guard is not None:
            part.used.add(statement.guard.name.text)
        part.families.update(stems(" ".join(texts)))
        if statement.guard is not None:
            part.families.update(stems(statement.guard.name.text))
        if examined is None or examined.verdict.complaints:
            part.written.update(texts)  # nothing is known of what it writes: it may be all
        else:
            part.written.update(texts[i] for i in examined.verdict.written if i < len(texts))

    def _take_label(self, statement: Label) -> None:
        if self.part is None and not self._reopen(statement):
            return
        assert self.part is not None
        self.declare_label(statement.name.text, statement.name.start, self.part)

    def _take_declaration(self, statement: Declaration) -> None:
        self._require_header(statement)
        local = any(specifier.word.text in LOCAL for specifier in statement.specifiers)
        if local and self.part is None and self.closed is not None:
            self._reopen(statement)
        surroundings = self.surroundings()
        self._declare(declarations.declare(statement, surroundings))
        self._tell_undeclared(surroundings)

    def _take_directive(self, statement: Directive) -> None:
        name = statement.name.text
        if name in HEADER:
            seen = tuple(self.header)
            self.profile = structure.header_directive(statement, self.profile, seen, self.surroundings())
            self.header.append(name)
            return
        self._require_header(statement)
        if name == FILE and self.body is not None:
            self._unclosed(statement.start, statement.name.end)
        if name in POSITIONS and self.part is None and self.closed is not None:
            self._reopen(statement)
        surroundings = self.surroundings()
        self._declare(directives.directive(statement, surroundings))
        self._tell_undeclared(surroundings)

    def _take_list(self, statement: NameList | Section) -> None:
        self._require_header(statement)
        if isinstance(statement, Section) and self.body is not None and statement.name.text[0] != "@":
            # sections follow the last function: its brace is missing
            self._unclosed(statement.start, statement.start + len(SECTION))
        surroundings = self.surroundings()
        self._declare(directives.directive(statement, surroundings))
        self._tell_undeclared(surroundings)

    def _take_header(self, statement: FunctionHeader) -> None:
        self._require_header(statement)
        prototype = statement.kind.text == ".callprototype"
        if statement.body and self.body is not None:
            self._unclosed(statement.start, statement.kind.end)
        surroundings = self.surroundings()
        symbol, parameters = functions.header(statement, surroundings)
        if symbol.name:
            self._declare((symbol,))
        if statement.body:
            self._begin_body(symbol, parameters, statement.end - 1)
        if not prototype:
            self.closed, self.astray = None, False

    def _take_open(self, statement: OpenBrace) -> None:
        if self.body is None and (self.closed is None or not self._reopen(statement, at_brace=True)):
            if not self.astray:
                self.reports.append(unmatched_brace(self.mark(statement.start, statement.end)))
            self.astray = True
            return
        self.open_scope(statement.start)

    def _take_close(self, statement: CloseBrace) -> None:
        if self.body is None:
            if not self.astray:
                message = "this `}` closes nothing"
                self.surroundings().report("unmatched-brace", statement.start, statement.end, message)
            self.astray = False
            return
        self.close_scope()
        if len(self.scopes) == 1:
            self._end_body(statement.start)

    def _take_broken(self, statement: Broken) -> None:
        if self.body is not None:
            return
        if not self.header:
            self._require_header(statement)
        self.closed, self.astray = None, True

    # --- scopes, names and functions --------------------------------------------------------------------------------

    def _require_header(self, statement: Statement) -> None:
        if CHECKED not in self.header:
            structure.missing_header(tuple(self.header), statement.start, statement.end, self.surroundings())
            self.header.append(CHECKED)

    def _declare(self, symbols: tuple[Symbol, ...]) -> None:
        scope = self.scopes[-1]
        for symbol in symbols:
            scope.declare(symbol)
            self.declared.append(Declared(scope, symbol))
            if len(self.scopes) > 2 and self.part is not None:
                self.part.inner.add(symbol.name)
        if symbols:
            self._sight[-1] = len(self.scopes) - 1
            self._keep_used(self.table)
            self.table.forget()

    def declare_registers(self, line: str, start: int) -> bool:
        """Declare the registers of a line that begins at `start`, as `declare` would; False if it is not so plain."""
        match = REGISTERS.fullmatch(line)
        if match is None or self.profile.target.number < PLAIN_SINCE or self.profile.maximum is not None:
            return False
        type_, name, count = match.groups()
        scope = self.scopes[-1]
        taken = scope.own(name) or scope.labels.get(name) or scope.families.get(name) or scope.numbered.get(name)
        if taken or name in declarations.RESERVED or special_register(name) is not None:
            return False
        mark = self.mark(start + match.start(2), start + match.end(2))
        number = int(count) if count else None
        self._declare((Symbol(name, SymbolKind.REGISTER, mark, ".reg", type_, count=number),))
        return True

    def declare_label(self, name: str, start: int, part: Part) -> None:
        """A label stands at the offset `start`."""
        scope = self.scopes[-1]
        symbol = Symbol(name, SymbolKind.LABEL, self.mark(start, start + len(name)))
        earlier = scope.labels.get(name) or scope.members.get(name)
        if earlier:
            self.surroundings().report(
                "duplicate-label",
                start,
                start + len(name),
                f"`{name}` already stands in this scope",
                related=((earlier[0].mark, f"`{name}` stands here first"),),
            )
        scope.declare(symbol)
        part.labels.append(symbol)
        self.declared.append(Declared(scope, symbol))

    def open_scope(self, start: int) -> None:
        """A brace at the offset `start` opens a nested scope."""
        self._open_scope(Scope(self.scopes[-1], self.mark(start, start + 1)))

    def _open_scope(self, scope: Scope, anew: bool = True) -> None:
        self._opened_here.append(len(self.declared) if anew else -1)
        self._sight.append(self._sight[-1] if len(self.scopes) > 1 and scope.is_empty else len(self.scopes))
        self.scopes.append(scope)

    def close_scope(self) -> None:
        """The innermost scope ends."""
        self.scopes.pop()
        self._sight.pop()
        if (table := self._tables.pop(len(self.scopes), None)) is not None:
            self._keep_used(table)
        if self._opened_here and (first := self._opened_here.pop()) >= 0:
            # what was declared between braces of this block is nothing to the blocks below
            self._put_aside = self.declared[first:]
            del self.declared[first:]

    def _keep_used(self, table: Kinds) -> None:
        part = self.part
        if part is not None and part.used is not None and part.families is not None:
            part.used.update(table)
            part.families.update(table.families)

    def _begin_body(self, symbol: Symbol, parameters: tuple[Symbol, ...], brace: int) -> None:
        scope = Scope(self.scopes[0], self.mark(brace, brace + 1))
        self.body = body = Body(symbol, scope)
        self.closed_at = None
        self._open_scope(scope)
        self._begin_part(body, brace)
        self._declare(parameters)

    def _begin_part(self, body: Body, start: int = 0) -> None:
        self.part = Part(body, self.block, start=start)
        self.parts.append(self.part)

    def _end_body(self, brace: int) -> None:
        assert self.part is not None
        self.part.ends = True
        self.part.stop = brace
        self.closed = self.part.body
        self.closed_at = self.part.closing = self.mark(brace, brace + 1)
        self.body = self.part = None

    def _unclosed(self, start: int, end: int) -> None:
        """A function begins inside another: the open brace before it was never closed."""
        self.odd = True
        cut = Cut(self.scopes[-1].opening, self.mark(start, end), self.text[start:end])
        while len(self.scopes) > 1:
            self.close_scope()
        if self.part is not None:
            self.part.cut = cut
        self._end_body(start)

    def _reopen(self, statement: Statement, at_brace: bool = False) -> bool:
        """A statement of a function after the function's end: its closing brace came too early."""
        body = self.closed
        self._require_header(statement)
        if body is None:
            if not self.astray:
                self.surroundings().report(
                    "outside-function", statement.start, statement.end, "an instruction stands outside of any function"
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

    def _tell_undeclared(self, surroundings: Surroundings) -> None:
        # inside a function they are told once, when the function is whole
        if self.part is None:
            for name, mark in surroundings.undeclared:
                self.reports.append(undeclared_name(name, mark))


_TAKE: dict[type[Statement], Callable[[Fold, Any], None]] = {
    Instruction: Fold._take_instruction,
    Label: Fold._take_label,
    Declaration: Fold._take_declaration,
    Directive: Fold._take_directive,
    NameList: Fold._take_list,
    Section: Fold._take_list,
    FunctionHeader: Fold._take_header,
    OpenBrace: Fold._take_open,
    CloseBrace: Fold._take_close,
    Broken: Fold._take_broken,
}
