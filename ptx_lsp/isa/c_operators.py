"""The operators of C, with the instruction of PTX that computes the same."""

from ptx_lsp.light_classes import NamedTuple


class CInstruction(NamedTuple):
    """The instruction for an operator of C: `integer` for integers of 32 bits, `opcode` for predicates.

    `floating` is the instruction for floats, without its type.
    """

    opcode: str
    integer: str
    floating: str

    def of_type(self, type_: str) -> str:
        """The instruction for operands of a type, `.s64`: `mul.lo.s64`."""
        if type_ == ".pred":
            return self.opcode + type_
        head, _, example = self.integer.rpartition(".")
        if example == "b32":
            return f"{head}.b{type_[2:]}"
        return (self.floating if type_.startswith(".f") else head) + type_


_ROWS = (
    ("+", "add", "add.s32", "add"),
    ("-", "sub", "sub.s32", "sub"),
    ("*", "mul", "mul.lo.s32", "mul"),
    ("/", "div", "div.s32", "div.rn"),
    ("%", "rem", "rem.s32", "rem"),
    ("&", "and", "and.b32", "and"),
    ("|", "or", "or.b32", "or"),
    ("^", "xor", "xor.b32", "xor"),
    ("<<", "shl", "shl.b32", "shl"),
    (">>", "shr", "shr.s32", "shr"),
)
C_INSTRUCTIONS = {operator: CInstruction(*row) for operator, *row in _ROWS}
"""The instruction of every operator that computes with two operands."""
