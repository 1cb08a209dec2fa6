"""The names that a broken statement was meant to declare, so that their uses are no mistakes of their own."""

from __future__ import annotations

from itertools import islice

from ptx_lsp.light_classes import TYPE_CHECKING
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.operand_text import NAMES
from ptx_lsp.reading.block import MEMBERS, PARAMETERS, FunctionPart
from ptx_lsp.semantics import functions
from ptx_lsp.semantics.symbols import DIGITS, Symbol, SymbolKind
from ptx_lsp.syntax.tree import Broken, Declaration, Directive, FunctionHeader, Statement

if TYPE_CHECKING:
    from ptx_lsp.reading.block_reader import BlockReader

MOST_NAMES_TRIED = 8  # of a broken declaration
_BEFORE_LIST = lazy_pattern(r"(?<![.\w$%])([A-Za-z_$%][\w$]*+)[ \t\r\n]*+\(", re.A)


def note_doubt(part: FunctionPart, statement: Statement, reader: BlockReader) -> None:
    """Note the names that a broken statement may have been meant to declare; `MEMBERS` if there are none.

    A header with a parameter without a name may declare all that are not registers: `PARAMETERS`.
    """
    if not isinstance(statement, Broken | Directive | Declaration | FunctionHeader):
        return
    mark = reader.source.mark(statement.start, statement.start + 1)
    names = NAMES.findall(reader.source.text, statement.start, statement.end)
    if isinstance(statement, Declaration) and not statement.declarators:
        names.append(MEMBERS)
    elif isinstance(statement, FunctionHeader) and functions.is_nameless(statement):
        names.append(PARAMETERS)
    for name in names:
        part.doubtful.setdefault(name.rstrip(DIGITS), mark)


def meant_names(reader: BlockReader, statement: Declaration) -> tuple[Symbol, ...]:
    """What a declaration without a name in its place was meant to declare: a name in it that means nothing else."""
    if called := functions_meant(reader, statement):
        return called
    text, start = reader.source.text, statement.specifiers[0].end if statement.specifiers else statement.start
    for found in islice(NAMES.finditer(text, start, statement.end), MOST_NAMES_TRIED):
        name = found[0]
        if text.count('"', start, found.start()) % 2 == 0 and reader.scopes[-1].lookup(name) is None:
            return (Symbol(name, SymbolKind.VARIABLE, reader.source.mark(*found.span())),)
    return ()


def functions_meant(reader: BlockReader, statement: Statement) -> tuple[Symbol, ...]:
    """The functions that a broken header was meant to declare: names before a `(` that mean nothing else."""
    found = islice(_BEFORE_LIST.finditer(reader.source.text, statement.start, statement.end), MOST_NAMES_TRIED)
    return tuple(
        Symbol(name[1], SymbolKind.FUNCTION, reader.source.mark(*name.span(1)), defined=False)
        for name in found
        if reader.scopes[0].lookup(name[1]) is None
    )
