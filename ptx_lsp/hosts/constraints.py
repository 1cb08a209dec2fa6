"""LLVM's constraint strings, `=r,=r,l,0,~{memory}`: the operands and clobbers of a statement.

Source: LLVM's language reference, "Inline Asm Constraint String". Also Triton, Gluon, CuTe, MLIR and Julia.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ptx_lsp.hosts.nested import inner_text
from ptx_lsp.hosts.source_map import Span, source_range
from ptx_lsp.hosts.statement import Operand, Role, Template, Word

_CONSTRAINT = re.compile(r"(?:[^,{]|\{[^{}]*+\}?|(?!))++")


class Constraint(NamedTuple):
    """One constraint, decoded and without blanks around it, and its source. `text` is None if it is not known."""

    text: str | None
    where: Span


class Bound(NamedTuple):
    """The operands and clobbers of a statement. `whole` is True if every constraint is known."""

    operands: tuple[Operand, ...]
    clobbers: tuple[Word, ...]
    whole: bool


def split_constraints(template: Template) -> list[Constraint]:
    """The constraints of a string, which may have holes."""
    inner = inner_text(template.pieces)
    found: list[Constraint] = []
    for match in _CONSTRAINT.finditer(inner.text):
        word = match[0].strip()
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        if word:
            known = bisect_left(inner.holes, start) == bisect_left(inner.holes, start + len(word))
            where = source_range(inner.runs, start, start + len(word))
            found.append(Constraint(word if known else None, where))
    return found


def bind(constraints: Iterable[Constraint], expressions: Sequence[Span]) -> Bound:
    """The operands of `constraints`; `expressions` are the inputs' expressions in their order.

    An output gets no expression, as the call returns its value, except an indirect one (`=*m`).
    """
    operands: list[Operand] = []
    clobbers: list[Word] = []
    whole = True
    waiting = iter(expressions)
    for text, where in constraints:
        if text is None:
            whole = False
            operands.append(Operand(len(operands), Role.IN, None, where, None, next(waiting, None)))
        elif text.startswith("~"):
            clobbers.append(Word(text[1:].strip("{}"), where))
        elif text.startswith("!"):
            whole = False
        elif text.startswith(("=", "+")):
            role = Role.OUT if text[0] == "=" else Role.INOUT
            takes = role is Role.INOUT or "*" in text
            operands.append(Operand(len(operands), role, text, where, None, next(waiting, None) if takes else None))
        else:
            operands.append(Operand(len(operands), Role.IN, text, where, None, next(waiting, None)))
    return Bound(tuple(operands), tuple(clobbers), whole)
