"""The number of statements that write and read a register, or branch to a label, in the scope that declares it."""

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.semantics.execution import Role, accesses
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.plain_text import places_of_name
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Declaration, Instruction, NameList
from ptx_lsp.text.ranges import Position, Range

MOST_CHARACTERS = 2_000_000
"""The maximum length of a scope in which uses are counted: a hover must be fast."""

MOST_STATEMENTS = 400
"""If more statements contain the name, they are counted without an analysis of reads and writes."""

_SKIPPED = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"[^"\n]*"', re.S)


class Counts(NamedTuple):
    """The number of statements that write a name and that read it (or branch to it).

    `mentions` counts all statements with the name. `exact`: true if `written` and `read` were determined. `writer` is
    the text of the only instruction that writes it, in one line; empty if there are none or several.
    """

    written: int
    read: int
    mentions: int
    exact: bool
    writer: str = ""


def count_uses(
    name: str, symbol: Symbol, module: Module, surroundings: Surroundings
) -> Generator[None, None, Counts | None]:
    """The uses of a register or label; None if counting takes too long or an inner scope declares the name again.

    They are found in steps; the module must not be edited before the second one.
    """
    text = yield from _scope_text(symbol, module, surroundings)
    if text is None:
        return None
    statements = list(_statements_with(name, text))
    yield
    if len(statements) > MOST_STATEMENTS:
        return Counts(0, 0, len(statements), exact=False)
    quiet = surroundings._replace(
        reports=[], undeclared=[], label_uses=[], needs=None, mark=lambda start, end: symbol.mark
    )
    written = read = 0
    writer = ""
    for statement in statements:
        yield
        for parsed, _ in parse_statements(statement):
            if isinstance(parsed, Declaration):
                if any(d.name.text == name for d in parsed.declarators):
                    return None  # an inner scope declares the name again
            elif isinstance(parsed, Instruction):
                writes, reads = _accesses(name, parsed, quiet._replace(text=statement))
                written, read = written + writes, read + reads
                if writes:
                    writer = " ".join(statement[parsed.start : parsed.end].split())
            elif isinstance(parsed, NameList):
                read += any(word.text == name for word in parsed.names)
    return Counts(written, read, written + read, exact=True, writer=writer if written == 1 else "")


def _scope_text(symbol: Symbol, module: Module, surroundings: Surroundings) -> Generator[None, None, str | None]:
    """The text of the scope in which a name is visible, without comments and strings; None if it is too long.

    It begins after the declaration of a register, and at the start of the scope for a label.
    """
    # an equal declaration of an inner scope may be below the use
    scope = next((scope for scope in surroundings.scope.outward() if scope.declares(symbol)), None)
    opening = scope.opening if scope is not None else None
    if opening is None:
        return None
    start = (opening if symbol.kind is SymbolKind.LABEL else symbol.mark).resolved().end
    body = module.last_body_before(opening.resolved().end)
    # a function may have braces that are too early: once it has been checked, its last one is known
    is_known = body is not None and body.opening.resolved() == opening.resolved() and module.settled and body.concluded
    closing = body.closing if body is not None and is_known else None
    end = closing.resolved().start if closing is not None else Position(_line_of_next_body(module, start.line), 0)
    if end.line - start.line > MOST_CHARACTERS // 20:
        return None
    text = module.document.text(Range(*start, *end))
    if len(text) > MOST_CHARACTERS:
        return None
    yield
    text = _SKIPPED.sub(" ", text)
    yield
    if symbol.kind is not SymbolKind.LABEL:
        text = text[text.find(";") + 1 :]
    return text if is_known else text[: _end_of_scope(text)]


def _line_of_next_body(module: Module, line: int) -> int:
    """The line with the brace of the first body that begins below a line, or the number of lines without one."""
    blocks = module.block_map
    for block in blocks.blocks[blocks.place(blocks.at_line(line)) :]:
        below = [at for part in block.parts if (at := part.body.opening.resolved().line) > line]
        if below:
            return below[0]
    return module.document.line_count


def _end_of_scope(text: str) -> int:
    depth, at = 1, -1
    opening, closing = text.find("{"), text.find("}")
    while closing >= 0:
        if 0 <= opening < closing:
            at, depth, opening = opening, depth + 1, text.find("{", opening + 1)
        else:
            at, depth, closing = closing, depth - 1, text.find("}", closing + 1)
        if not depth:
            return at
    return len(text)


def _statements_with(name: str, text: str) -> Iterator[str]:
    """The text between two semicolons, for each such text that contains the name."""
    end = 0
    while (found := next(places_of_name(text, name, end, len(text)), -1)) >= 0:
        start = text.rfind(";", 0, found) + 1
        end = text.find(";", found + len(name)) + 1 or len(text)
        yield text[start:end]


def _accesses(name: str, instruction: Instruction, quiet: Surroundings) -> tuple[bool, bool]:
    """Whether an instruction writes the name, and whether it reads it (or branches to it)."""
    roles = {access.role for access in accesses(instruction, quiet) if access.name.text == name}
    return not roles.isdisjoint((Role.WRITE, Role.BOTH)), not roles <= {Role.WRITE}
