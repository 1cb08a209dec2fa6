"""Which statements can be outside of functions, and what is done where one is on the wrong side of a closing brace."""

from ptx_lsp.isa.directive_names import HEADER, PROTOTYPE
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.state import Cut
from ptx_lsp.syntax.tree import Declaration, Directive, FunctionHeader, Section, Statement

_DIRECTIVES = frozenset((*HEADER, ".file", ".pragma", ".alias"))
_INSIDE = TYPE_WORDS | {".param", ".reg", ".align", ".ptr"}  # begin a part of a list of parameters, or of a body


def may_be_outside(statement: Statement) -> bool:
    """Whether a statement begins like one that can be outside of functions."""
    if isinstance(statement, Declaration):
        return statement.specifiers[0].word.text not in _INSIDE
    if isinstance(statement, Directive):
        return statement.name.text in _DIRECTIVES
    return isinstance(statement, Section) or (
        isinstance(statement, FunctionHeader) and statement.kind.text != PROTOTYPE
    )


def cut_off(reader: BlockReader, start: int, end: int) -> None:
    """End the function without its brace, at a directive (from `start` to `end`) that belongs outside of it."""
    reader.cut_or_resumed = True
    reader.buried = 0
    opening, directive = reader.scopes[-1].opening, reader.source.text[start:end]
    cut = Cut(opening, reader.source.mark(start, end), directive, explained=reader.lost > 1)
    while len(reader.scopes) > 1:
        reader.close_scope()
    if reader.part is not None:
        reader.part.cut = cut
    reader.end_body(start)


def resume(reader: BlockReader, statement: Statement, at_brace: bool = False) -> bool:
    """Continue the last function, because a statement of a function follows its closing brace.

    False if there is no such function: then the statement is reported as outside of any function, unless an earlier one
    has been.
    """
    body = reader.closed
    if body is None:
        if not reader.stray_reported:
            message = "an instruction has to be in the body of a function"
            reader.surroundings().report("outside-function", statement.start, statement.end, message)
        reader.stray_reported = True
        return False
    reader.cut_or_resumed = True
    reader.first_bodies.clear()  # this function may be one of them
    reader.enter(body.scope, resumed=True)
    reader.declared += reader.closed_names if reader.make_closed_names is None else reader.make_closed_names()
    reader.closed_names, reader.make_closed_names = [], None
    reader.body, reader.closed = body, None
    reader.begin_part(body, statement.start)
    if reader.part is not None:
        reader.part.resumed_at = reader.source.mark(statement.start, statement.end)
        reader.part.resumed_by_brace = at_brace
    return True
