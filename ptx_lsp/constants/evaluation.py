"""From an expression to the value of each of its terms, with errors and warnings: one loop, no recursion.

Errors are what ptxas rejects (or crashes on). Warnings are what it accepts although the author probably meant
something else. Each mistake is reported once: a term above a mistake has no value and no report.
"""

from ptx_lsp.constants.arithmetic import COMPARISONS, INTEGERS, compare_doubles, compute_doubles
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.constant import MASK, SIGN, Constant, ValueType, truth
from ptx_lsp.constants.literals import Mistake, read_literal, shown_literal
from ptx_lsp.constants.operators import BINARY, CASTS, TERNARY, UNARY, Operands, OperatorRule, Result
from ptx_lsp.isa.special_registers import WARP_SIZE
from ptx_lsp.light_classes import NamedTuple, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.syntax.tree import Expression, Problem, Term, TermKind

LONGEST_REMEMBERED = 24  # the longest literal, in characters, whose value is remembered
ARITHMETIC = frozenset("+-*/")
DIVISIONS = frozenset("/%")
SHIFTS = frozenset(("<<", ">>"))


class Evaluation(NamedTuple):
    """The result of evaluating an expression.

    `values` is parallel to the expression's terms: None for a term with a mistake or a name that is not a constant.
    `errors` and `warnings` are in source order, with the offsets of the terms.
    """

    values: tuple[Constant | None, ...]
    errors: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def value(self) -> Constant | None:
        """The value of the whole expression."""
        return self.values[-1] if self.values else None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Errors and warnings together, in source order; a code's rule page says which it is."""
        return tuple(sorted(self.errors + self.warnings, key=lambda p: (p.start, p.end)))


class _Run:
    """An evaluation in progress: the values so far, by index of their terms."""

    __slots__ = ("authority", "errors", "terms", "values", "warnings")

    def __init__(self, terms: tuple[Term, ...], authority: Authority) -> None:
        self.terms = terms
        self.authority = authority
        self.values: list[Constant | None] = []
        self.errors: list[Problem] = []
        self.warnings: list[Problem] = []

    def error(self, code: str, term: Term, message: str, **data: str) -> None:
        self.errors.append(Problem(code, message, term.start, term.end, data=tuple(data.items())))

    def warn(self, code: str, term: Term, message: str) -> None:
        self.warnings.append(Problem(code, message, term.start, term.end))


def evaluate(expression: Expression, authority: Authority = Authority.PTXAS) -> Evaluation:
    """The value of every term by the rules of one authority.

    Names other than `WARP_SZ`, their members and addresses have no value and are not reported here. Malformed numbers
    have no value either: the parser has reported them. Never raises.
    """
    if len(expression.terms) == 1 and expression.terms[0].kind is not TermKind.MALFORMED:
        plain = _plain_literal(expression.terms[0].text)
        if plain is not None:
            return plain
    run = _Run(expression.terms, authority)
    for term in expression.terms:
        run.values.append(_value(run, term))
    return Evaluation(tuple(run.values), _in_order(run.errors), _in_order(run.warnings))


@forgettable
@lru_cache(maxsize=4096)
def _plain_literal(text: str) -> Evaluation | None:
    """The evaluation of a single literal without errors or warnings: nearly all constants that compilers write."""
    literal = read_literal(text) if len(text) <= LONGEST_REMEMBERED else None
    return None if literal is None or literal.constant is None or literal.wrapped else Evaluation((literal.constant,))


def _in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda p: (p.start, p.end)))


def _value(run: _Run, term: Term) -> Constant | None:
    match term.kind:
        case TermKind.INTEGER | TermKind.FLOAT | TermKind.SINGLE | TermKind.DOUBLE:
            return _literal(run, term)
        case TermKind.NAME:
            return read_literal(term.text).constant if term.text == WARP_SIZE else None
        case TermKind.PARENTHESES:
            return run.values[term.operands[0]]
        case TermKind.UNARY:
            return _unary(run, term)
        case TermKind.CAST:
            return _cast(run, term)
        case TermKind.BINARY:
            return _binary(run, term)
        case TermKind.TERNARY:
            return _ternary(run, term)
        case _:
            return None


def _literal(run: _Run, term: Term) -> Constant | None:
    literal = read_literal(term.text)
    if literal.mistake is Mistake.OVERFLOW:
        limit = "64 bits" if term.kind is TermKind.INTEGER else "`.f64`"
        run.error("constant-overflow", term, f"`{shown_literal(term.text)}` is too large for {limit}")
    elif literal.mistake is Mistake.UNDERFLOW:
        message = f"`{shown_literal(term.text)}` is too small for `.f64` to hold exactly, which the assembler refuses"
        run.error("constant-overflow", term, message)
    elif literal.wrapped and literal.constant:
        message = f"`{shown_literal(term.text)}` needs more than 64 bits: the assembler silently makes it "
        run.warn("constant-wraps", term, message + f"{literal.constant.integer}")
    if term.kind is TermKind.SINGLE and run.authority is not Authority.PTXAS and len(run.terms) > 1:
        message = f"the manual bars exact singles such as `{term.text}` from constant expressions"
        run.error("constant-single-as-double", term, message)
        return None
    return literal.constant


def _unary(run: _Run, term: Term) -> Constant | None:
    index = term.operands[0]
    operand, row = run.values[index], UNARY.get(term.text)
    if operand is None or row is None:
        return None
    rule = row.rule(run.authority)
    if operand.is_float and not rule.floats:
        _refuse_float(run, term, index)
        return None
    if term.text == "+":
        return operand
    if operand.is_float:
        return Constant(ValueType.F64, _as_double(run, index, operand).bits ^ SIGN)
    if term.text == "-":
        return Constant(operand.type, -operand.bits & MASK)
    if term.text == "!":
        return truth(operand.bits == 0)
    return Constant(ValueType.U64, operand.bits ^ MASK)


def _cast(run: _Run, term: Term) -> Constant | None:
    row, index = CASTS.get(term.text), term.operands[0]
    if row is None:
        end = run.terms[index].start
        message = f"a constant expression can be cast to `.s64` or `.u64` only, not to `{term.text}`"
        run.errors.append(Problem("constant-cast", message, term.start, end))
        return None
    operand = run.values[index]
    if operand is None:
        return None
    if operand.is_float:
        _refuse_float(run, term, index)
        return None
    return Constant(ValueType.S64 if row.rule(run.authority).result is Result.S64 else ValueType.U64, operand.bits)


def _binary(run: _Run, term: Term) -> Constant | None:
    first, second = term.operands
    left, right, row = run.values[first], run.values[second], BINARY.get(term.text)
    if left is None or right is None or row is None:
        return None
    rule = row.rule(run.authority)
    if _mismatched(run, term, rule, left, right):
        return None
    if term.text in DIVISIONS and _is_zero(right):
        run.error("constant-division-by-zero", run.terms[second], f"the divisor of `{term.text}` is zero")
        return None
    if left.is_float:
        return _combine_doubles(term.text, _as_double(run, first, left), _as_double(run, second, right))
    return _combine_integers(run, term, rule, left, right)


def _combine_doubles(symbol: str, left: Constant, right: Constant) -> Constant:
    if symbol in ARITHMETIC:
        return Constant(ValueType.F64, compute_doubles(symbol, left.bits, right.bits))
    return truth(compare_doubles(symbol, left.bits, right.bits))


def _combine_integers(run: _Run, term: Term, rule: OperatorRule, left: Constant, right: Constant) -> Constant | None:
    symbol = term.text
    if symbol in SHIFTS:
        _warn_about_count(run, term, right)
    elif symbol in COMPARISONS:
        _warn_about_comparison(run, term, left, right)
    kind = converted_type(rule, (left, right))
    if kind is not None:
        left, right = Constant(kind, left.bits), Constant(kind, right.bits)
    if symbol == "/" and right.integer == -1 and left.bits == SIGN:
        return _divide_most_negative(run, term, left)
    bits = INTEGERS[symbol](left.integer, right.integer) & MASK
    return Constant(_result_type(rule, left), bits)


def converted_type(rule: OperatorRule, operands: tuple[Constant, ...]) -> ValueType | None:
    """The type to which all operands, which are integers, are converted; None if each keeps its own."""
    if rule.operands is Operands.UNSIGNED:
        return ValueType.U64
    if rule.operands is Operands.USUAL:
        return ValueType.U64 if any(each.type is ValueType.U64 for each in operands) else ValueType.S64
    return None


def _result_type(rule: OperatorRule, left: Constant) -> ValueType:
    if rule.result is Result.S64:
        return ValueType.S64
    return ValueType.U64 if rule.result is Result.U64 else left.type


def _ternary(run: _Run, term: Term) -> Constant | None:
    condition, first, second = (run.values[k] for k in term.operands)
    if condition is None or first is None or second is None:
        return None
    if condition.is_float:
        _refuse_float(run, term, term.operands[0])
        return None
    rule = TERNARY.rule(run.authority)
    if _mismatched(run, term, rule, first, second):
        return None
    chosen = first if condition.bits else second
    if rule.result is Result.CHOSEN or first.is_float:
        return chosen
    kind = converted_type(rule, (first, second))
    return chosen if kind is None else Constant(kind, chosen.bits)


def _is_zero(constant: Constant) -> bool:
    return constant.bits & (SIGN - 1 if constant.is_float else MASK) == 0


def _as_double(run: _Run, index: int, operand: Constant) -> Constant:
    """The operand as operators read it: the 32 bits of an exact single become the low bits of a double."""
    if operand.type is ValueType.F64:
        return operand
    message = f"under an operator the 32 bits of this exact single ({operand.real!r}) are read as a double's: "
    run.warn("constant-single-as-double", run.terms[index], message + "write it as a `0d` or decimal constant")
    return Constant(ValueType.F64, operand.bits)


def _mismatched(run: _Run, term: Term, rule: OperatorRule, left: Constant, right: Constant) -> bool:
    """Report a float where an integer is expected, or a float combined with an integer."""
    first, second = term.operands[-2:]
    if not rule.floats and (left.is_float or right.is_float):
        _refuse_float(run, term, first if left.is_float else second)
    elif left.is_float != right.is_float:
        _refuse_mixture(run, term, left, right)
    else:
        return False
    return True


def _refuse_float(run: _Run, term: Term, index: int) -> None:
    """Report a float operand of an operator that takes integers."""
    what = f"the cast to `{term.text}`" if term.kind is TermKind.CAST else f"`{term.text}`"
    operand = run.terms[index]
    name = f"`{shown_literal(operand.text)}`" if not operand.operands else "this operand"
    if term.kind is TermKind.TERNARY and index != term.operands[0]:
        message = f"the arms of `?:` are integers for the assembler, but {name} is a float (the manual allows floats)"
    else:
        message = f"{what} takes integers in a constant expression, but {name} is a float"
    run.error("constant-integer-expected", operand, message)


def _refuse_mixture(run: _Run, term: Term, left: Constant, right: Constant) -> None:
    """Report an integer combined with a float: PTX does not convert between them."""
    first, second = term.operands[-2:]
    operand = run.terms[second if left.is_float else first]
    integer = right if left.is_float else left
    other = "left" if left.is_float else "right"
    name = f"`{shown_literal(operand.text)}`" if not operand.operands else f"this operand, {integer.integer},"
    message = f"{name} is an integer, but the {other} side of `{term.text}` is a float: the two do not mix"
    plain = operand.kind is TermKind.INTEGER and operand.text.isdecimal() and not operand.text.startswith("0")
    data = {"replacement": operand.text + ".0"} if plain else {}
    run.error("constant-type-mismatch", operand, message, **data)


def _divide_most_negative(run: _Run, term: Term, left: Constant) -> Constant | None:
    if run.authority is Authority.PTXAS:
        message = "-9223372036854775808 / -1 does not fit `.s64`, and the assembler crashes on it"
        run.error("constant-division-overflow", term, message)
        return None
    run.warn("constant-division-overflow", term, "-9223372036854775808 / -1 wraps to itself, and crashes the assembler")
    return left


def _warn_about_count(run: _Run, term: Term, count: Constant) -> None:
    if count.bits < 64:
        return
    used, negative = count.bits & 63, count.integer < 0
    what = "negative" if negative else "64 or more"
    message = f"a shift count of {count.integer} is {what}: counts are taken modulo 64, so this shifts by {used}"
    run.warn("constant-shift-count", run.terms[term.operands[1]], message)


def _warn_about_comparison(run: _Run, term: Term, left: Constant, right: Constant) -> None:
    """Warn if the conversion to `.u64` decides a comparison: `-1 < 1U` is false, and so is `x < 0` for every `.u64`."""
    if left.type is right.type:
        return
    signed_side, other = (left, right) if left.type is ValueType.S64 else (right, left)
    compare = INTEGERS[term.text]
    true_to_numbers, as_computed = compare(left.integer, right.integer), compare(left.bits, right.bits)
    verdict = "true" if as_computed else "false"
    against_zero = term.text in (("<", ">=") if signed_side is right else (">", "<="))
    if true_to_numbers != as_computed:
        message = f"{signed_side.integer} becomes {signed_side.bits} beside a `.u64`, so `{term.text}` is {verdict}"
    elif signed_side.bits == 0 and against_zero:
        message = f"{other.integer} is a `.u64`, which is never negative, so `{term.text}` is always {verdict}"
    else:
        return
    run.warn("constant-comparison", term, message)
