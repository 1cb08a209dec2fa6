"""Parameters as compilers write them, `.param .u64 name,`: a list of them may be long, and is read several times."""

from ptx_lsp.isa.directive_names import OF_PARAMETERS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.syntax.declarations import take_word
from ptx_lsp.syntax.lexer import DOTTED, NAME, Cursor
from ptx_lsp.syntax.tree import Declaration, Declarator, Specifier

_TOKENS = [DOTTED, DOTTED, NAME, ","]


def plain_parameter(cursor: Cursor) -> Declaration | None:
    """The parameter at the cursor, if it is a space, a type and a name before a comma; None for any other one."""
    at = cursor.at
    if cursor.kinds[at : at + 4] != _TOKENS:
        return None
    if cursor.word(at) not in OF_PARAMETERS or cursor.word(at + 1) not in TYPE_WORDS:
        return None
    space, type_, name = take_word(cursor), take_word(cursor), take_word(cursor)
    specifiers = Specifier(space, (), space.start, space.end), Specifier(type_, (), type_.start, type_.end)
    declarator = Declarator(name, None, (), None, name.start, name.end)
    return Declaration(specifiers, (declarator,), space.start, name.end)
