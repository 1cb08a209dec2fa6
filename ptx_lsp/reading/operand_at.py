"""Whether a text is an operand of an instruction, where no pattern knows it: the statements around it are parsed."""

from ptx_lsp.reading.parsed_statements import HARMLESS
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Instruction


def is_operand(offset: int, text: str, start: int) -> bool:
    """Whether the text at an offset is part of the operands or guard of a complete instruction.

    `start` is an offset between two statements.
    """
    for statement, problems in parse_statements(text, start):
        if statement.end > offset:
            if not isinstance(statement, Instruction) or not HARMLESS.issuperset(p.code for p in problems):
                return False
            nodes = (statement.guard, *statement.operands)
            return any(node.start <= offset < node.end for node in nodes if node is not None)
    return False
