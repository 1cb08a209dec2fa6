"""The operators of constant expressions: one row for each operator, one column for each authority.

Sections `integer-constant-expression-evaluation` and `summary-of-constant-expression-evaluation-rules` of the PTX ISA;
the column `ptxas` was observed with ptxas 12.0 to 13.5. The column is None if the manual's prose says nothing.
"""

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.light_classes import Enum, NamedTuple
from ptx_lsp.syntax.tree import Term, TermKind


class Operands(Enum):
    """The conversion of the operands before the operator is applied."""

    OWN = "each in its own type"
    USUAL = "both .u64 if either is"
    UNSIGNED = "as .u64"
    INTEGER = "an integer of either type"


class Result(Enum):
    """The type of the result."""

    CONVERTED = "the operands' type, after conversion"
    LEFT = "the left (or only) operand's type"
    CHOSEN = "the chosen arm's own type"
    S64 = ".s64"
    U64 = ".u64"


class OperatorRule(NamedTuple):
    """What one authority says about one operator. `floats`: true if `.f64` operands are allowed."""

    operands: Operands
    result: Result
    floats: bool


class Operator(NamedTuple):
    """One row. `symbol` is as in a term's text, for a cast the type with its dot."""

    symbol: str
    meaning: str
    ptxas: OperatorRule
    table: OperatorRule
    prose: OperatorRule | None

    def rule(self, authority: Authority) -> OperatorRule:
        """The rule of one authority. If the prose says nothing, Table 5 decides."""
        if authority is Authority.PTXAS:
            return self.ptxas
        if authority is Authority.TABLE or self.prose is None:
            return self.table
        return self.prose


_SAME = OperatorRule(Operands.OWN, Result.LEFT, True)
_BITS = OperatorRule(Operands.UNSIGNED, Result.U64, False)
_SIGNED = OperatorRule(Operands.INTEGER, Result.S64, False)
_ARITHMETIC = OperatorRule(Operands.USUAL, Result.CONVERTED, True)
_SHIFT = OperatorRule(Operands.OWN, Result.LEFT, False)
_COMPARE = OperatorRule(Operands.USUAL, Result.S64, True)
_LOGIC = OperatorRule(Operands.INTEGER, Result.S64, False)
_USUAL_BITS = OperatorRule(Operands.USUAL, Result.CONVERTED, False)
_MIXED_SIGN = OperatorRule(Operands.UNSIGNED, Result.S64, False)
_CHOOSE = OperatorRule(Operands.OWN, Result.CHOSEN, False)
_CHOOSE_CONVERTED = OperatorRule(Operands.USUAL, Result.CONVERTED, True)

# fmt: off
UNARY: dict[str, Operator] = {
    row.symbol: row
    for row in (
        #        symbol  meaning                            ptxas         Table 5       prose
        Operator("+",    "the operand as it is",            _SAME,        _SAME,        _SAME),
        Operator("-",    "negation, modulo 2**64",          _SAME,        _SAME,        _SAME),
        Operator("!",    "1 where the operand is 0, else 0", _LOGIC,      _LOGIC,       _LOGIC),
        Operator("~",    "every bit flipped",               _BITS,        _BITS,        _BITS),
    )
}

CASTS: dict[str, Operator] = {
    row.symbol: row
    for row in (
        Operator(".s64", "the same bits as `.s64`",         _SIGNED,      _SIGNED,      _SIGNED),
        Operator(".u64", "the same bits as `.u64`",         _BITS,        _BITS,        _BITS),
    )
}

BINARY: dict[str, Operator] = {
    row.symbol: row
    for row in (
        Operator("*",    "product, modulo 2**64",           _ARITHMETIC,  _ARITHMETIC,  _ARITHMETIC),
        Operator("/",    "quotient, truncated toward zero", _ARITHMETIC,  _ARITHMETIC,  _ARITHMETIC),
        Operator("%",    "remainder of unsigned division",  _BITS,        _MIXED_SIGN,  None),
        Operator("+",    "sum, modulo 2**64",               _ARITHMETIC,  _ARITHMETIC,  _ARITHMETIC),
        Operator("-",    "difference, modulo 2**64",        _ARITHMETIC,  _ARITHMETIC,  _ARITHMETIC),
        Operator("<<",   "shift left, the count modulo 64", _SHIFT,       _SHIFT,       _SHIFT),
        Operator(">>",   "shift right, the count modulo 64, copying the sign of an `.s64`",
                                                            _SHIFT,       _SHIFT,       _SHIFT),
        Operator("<",    "less than",                       _COMPARE,     _COMPARE,     _COMPARE),
        Operator(">",    "greater than",                    _COMPARE,     _COMPARE,     _COMPARE),
        Operator("<=",   "less than or equal",              _COMPARE,     _COMPARE,     _COMPARE),
        Operator(">=",   "greater than or equal",           _COMPARE,     _COMPARE,     _COMPARE),
        Operator("==",   "equal",                           _COMPARE,     _COMPARE,     _COMPARE),
        Operator("!=",   "not equal",                       _COMPARE,     _COMPARE,     _COMPARE),
        Operator("&",    "bits set on both sides",          _USUAL_BITS,  _BITS,        _USUAL_BITS),
        Operator("^",    "bits set on one side only",       _USUAL_BITS,  _BITS,        _USUAL_BITS),
        Operator("|",    "bits set on either side",         _USUAL_BITS,  _BITS,        _USUAL_BITS),
        Operator("&&",   "1 where neither side is 0; both are evaluated",
                                                            _LOGIC,       _LOGIC,       _LOGIC),
        Operator("||",   "1 where either side is not 0; both are evaluated",
                                                            _LOGIC,       _LOGIC,       _LOGIC),
    )
}

TERNARY = Operator("?:", "one of two arms; both are evaluated", _CHOOSE, _CHOOSE_CONVERTED, _CHOOSE_CONVERTED)
# fmt: on


def operator_of(term: Term) -> Operator | None:
    """The row of the operator that a term applies, or None if it applies no operator."""
    match term.kind:
        case TermKind.UNARY:
            return UNARY.get(term.text)
        case TermKind.CAST:
            return CASTS.get(term.text)
        case TermKind.BINARY:
            return BINARY.get(term.text)
        case TermKind.TERNARY:
            return TERNARY
        case _:
            return None
