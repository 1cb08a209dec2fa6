"""Hints on integers whose bits have a meaning: Boolean functions, selected bytes, floats, masks, counts of threads.

Compilers write these numbers in decimal. A bit pattern is shown in hex only where the instruction works on bits and the
decimal digits say nothing; small and round numbers say enough.
"""

from typing import NamedTuple

from ptx_lsp.config.settings import Hints
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.constants.spelling import decimal_single
from ptx_lsp.explanations.byte_selection import byte_names
from ptx_lsp.explanations.lookup_table import short_name
from ptx_lsp.explanations.uses import Matched
from ptx_lsp.isa.opcode_sets import BYTE_SELECTOR, LOOKUP_TABLE, MOVE, NAMED_BARRIER, NUMBERS_BY_ROLE, ON_BITS
from ptx_lsp.isa.types import TYPES
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Expression, Instruction, Operand, TermKind, Value

_SMALLEST = 1_000  # smaller numbers are read as easily in decimal
_ROUND = 1_000  # the decimal digits of its multiples say enough
_SINGLE = ".f32"


class ImmediateHint(NamedTuple):
    """A hint on an integer; `before` is True if the label precedes it."""

    label: str
    before: bool = False


def has_immediate_hints(instruction: Instruction) -> bool:
    """Whether an instruction may have such hints: a cheap test of its opcode."""
    return instruction.opcode.text in _OPCODES


_OPCODES = frozenset((LOOKUP_TABLE[0], BYTE_SELECTOR[0], MOVE, *ON_BITS, *(opcode for opcode, _ in NUMBERS_BY_ROLE)))


def immediate_hint(
    instruction: Instruction, index: int, form: Matched, surroundings: Surroundings, hints: Hints
) -> ImmediateHint | None:
    """The hint on the operand at an index, if that is an integer literal and one of the shown kinds."""
    operand = instruction.operands[index]
    if not isinstance(operand, Value) or not is_integer_literal(operand):
        return None
    value = evaluate(operand.expression, Authority.PTXAS).value
    use = form.uses.get((index,))
    if value is None or use is None:
        return None
    place = form.match.form.opcode, use.role
    if place == LOOKUP_TABLE:
        label = short_name(value.bits) if hints.lookup_tables else ""
        return ImmediateHint(label) if label else None
    if place == BYTE_SELECTOR:
        return ImmediateHint(byte_names(form.match, value.bits)) if hints.byte_selectors else None
    if place in NUMBERS_BY_ROLE:
        is_alone = place[0] in NAMED_BARRIER and len(instruction.operands) == 1
        return ImmediateHint(f"{NUMBERS_BY_ROLE[place]}:", True) if hints.synchronization and not is_alone else None
    return _bits(instruction, operand.expression, value.bits, use.type, surroundings, hints)


def _bits(
    instruction: Instruction, expression: Expression, bits: int, type_: str, surroundings: Surroundings, hints: Hints
) -> ImmediateHint | None:
    moves = bits and instruction.opcode.text == MOVE  # 0 is 0.0
    if hints.float_bits and moves and _destination(instruction, surroundings) == _SINGLE:
        return ImmediateHint(decimal_single(bits & 0xFFFFFFFF))
    literal = expression.terms[0].text
    row = TYPES.get(type_)
    signed = bits - (1 << 64) if bits >> 63 else bits
    says_enough = abs(signed) < _SMALLEST or not signed % _ROUND
    if not hints.hex_immediates or row is None or not literal.isdecimal() or literal.startswith("0") or says_enough:
        return None
    return ImmediateHint(f"{bits & ((1 << row.bits) - 1):#x}")


def is_integer_literal(operand: Operand) -> bool:
    """Whether an operand is an integer as compilers write it, perhaps with a minus sign."""
    if not isinstance(operand, Value):
        return False
    first, *rest = operand.expression.terms
    return first.kind is TermKind.INTEGER and all(term.kind is TermKind.UNARY and term.text == "-" for term in rest)


def _destination(instruction: Instruction, surroundings: Surroundings) -> str:
    """The type of the register that the first operand names; empty if it names none."""
    first = instruction.operands[0]
    if not isinstance(first, Value) or len(first.expression.terms) != 1:
        return ""
    symbol = surroundings.scope.lookup(first.expression.root.text)
    return symbol.type if symbol is not None else ""
