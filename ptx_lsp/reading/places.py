"""Which statements can be outside of functions."""

from ptx_lsp.isa.directive_names import HEADER, PROTOTYPE
from ptx_lsp.isa.types import TYPE_WORDS
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
