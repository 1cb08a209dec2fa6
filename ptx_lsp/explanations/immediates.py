"""The meaning of constant operands of an instruction: a lookup table as a formula, a byte selector as bytes."""

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.explanations.byte_selection import selected_bytes
from ptx_lsp.explanations.lookup_table import table_text
from ptx_lsp.explanations.uses import Matched, OperandUse
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.opcode_sets import BYTE_SELECTOR, LOOKUP_TABLE
from ptx_lsp.syntax.tree import Instruction, Value


def immediate_notes(form: Matched, instruction: Instruction) -> tuple[str, ...]:
    """A line for each constant operand whose bits have a meaning: "`immLut` 0xe8: `(a & b) | ...`, majority"."""
    notes = []
    for index, operand in enumerate(instruction.operands):
        use = form.uses.get((index,))
        if use is None or not isinstance(operand, Value):
            continue
        value = evaluate(operand.expression, Authority.PTXAS).value
        if value is None or value.is_float:
            continue
        if text := decoded(form.match, use, value.bits):
            notes.append(f"`{use.role}` {value.bits & 0xFFFFFFFF:#x}: {text}")
    return tuple(notes)


def decoded(match: Match, use: OperandUse, bits: int) -> str:
    """The meaning of the bits of a constant in its role; empty if they are only a number."""
    if (match.form.opcode, use.role) == LOOKUP_TABLE:
        return table_text(bits)
    if (match.form.opcode, use.role) == BYTE_SELECTOR:
        return selected_bytes(match, bits)
    return ""
