"""From the operands of a statement to their kinds (`kinds.py`), with the values of constants and the symbols of names.

Values and symbols are kept by path: the index of the operand (from 0), then the index of a part inside of it, and so
on.
"""

from ptx_lsp.constants.constant import Constant, ValueType
from ptx_lsp.constants.evaluation import Evaluation, evaluate
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.selectors import is_selector
from ptx_lsp.isa.special_registers import WARP_SIZE, special_register
from ptx_lsp.isa.types import ELEMENTS, OPAQUE_TYPES, TYPES
from ptx_lsp.judgement.kinds import ARRAY, ELEMENT, SINK, UNKNOWN, declared_type, integer_kind
from ptx_lsp.semantics.requirements import require_needs
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import (
    DIGITS,
    Scope,
    Symbol,
    SymbolKind,
    member_number,
    symbol_kind,
)
from ptx_lsp.syntax.tree import (
    Address,
    Arguments,
    Expression,
    Operand,
    Pair,
    Problem,
    Sink,
    Term,
    TermKind,
    Value,
    Vector,
    parts_of,
)

Path = tuple[int, ...]

_LARGEST_INDEX = 64  # bits
_FLOAT_LITERALS = (TermKind.FLOAT, TermKind.SINGLE, TermKind.DOUBLE)
_FLOATS = {ValueType.F64: "float", ValueType.F32: "single"}


class Reading:
    """The operands of one statement: their kinds, and by path their nodes, constants and symbols.

    All members of a register family have the same symbol: to compare two registers, compare their names.
    """

    __slots__ = ("broken", "constants", "kinds", "nodes", "symbols")

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.nodes: dict[Path, Operand] = {}
        self.constants: dict[Path, Constant] = {}
        self.symbols: dict[Path, Symbol] = {}
        # true if a mistake in an operand, or in the declarations of its name, has been reported
        self.broken = False


def is_symbol(term: Term) -> bool:
    """Whether a term is a name that a statement declares: any name but `WARP_SZ`, which is a constant."""
    return term.kind is TermKind.NAME and term.text != WARP_SIZE


def constant_kind(constant: Constant) -> str:
    """The kind of a constant by its type and, for an integer, its size."""
    return _FLOATS.get(constant.type) or integer_kind(constant.integer)


def read_operands(operands: tuple[Operand, ...], surroundings: Surroundings) -> Reading:
    """Classify every operand; report undeclared names and mistakes in constants."""
    reading = Reading()
    for index, operand in enumerate(operands):
        reading.kinds.append(_read(operand, (index,), reading, surroundings))
    return reading


_BRACKETS: dict[type, tuple[str, str]] = {Vector: ("{", "}"), Address: ("[", "]"), Arguments: ("(", ")")}


def _read(operand: Operand, path: Path, reading: Reading, surroundings: Surroundings) -> str:
    # an explicit stack, because `{{{{...` may be nested deeper than Python can recurse
    done: list[str] = []
    pending: list[tuple[Operand, Path, bool]] = [(operand, path, False)]
    while pending:
        node, place, opened = pending.pop()
        if isinstance(node, Value | Sink):
            reading.nodes[place] = node
            done.append(SINK if isinstance(node, Sink) else _value_kind(node, place, reading, surroundings))
            continue
        inner = parts_of(node)
        if not opened:
            reading.nodes[place] = node
            pending.append((node, place, True))
            pending.extend((part, (*place, i), False) for i, part in reversed(list(enumerate(inner))))
            continue
        kinds = done[len(done) - len(inner) :]
        del done[len(done) - len(inner) :]
        if isinstance(node, Pair):
            done.append("|".join(kinds))
        else:
            left, right = _BRACKETS[type(node)]
            nothing = UNKNOWN if isinstance(node, Address) else ""  # the parser has reported `[]`
            done.append(left + (",".join(kinds) or nothing) + right)
    return done[0]


def _value_kind(value: Value, path: Path, reading: Reading, surroundings: Surroundings) -> str:
    expression = value.expression
    root = expression.terms[-1]
    if len(expression.terms) == 1 and is_symbol(root):
        return _name_kind(root, path, reading, surroundings)
    if any(map(is_symbol, expression.terms)):
        return _named_kind(expression, path, reading, surroundings)
    return _constant(expression, path, reading, surroundings)


def _evaluated(expression: Expression, surroundings: Surroundings, *, is_integer: bool = False) -> Constant | None:
    outcome = evaluate(expression)
    if outcome.errors or outcome.warnings:
        report_problems(problems_of(outcome, expression, is_integer=is_integer), surroundings)
    return outcome.values[-1]


def problems_of(outcome: Evaluation, expression: Expression, *, is_integer: bool) -> tuple[Problem, ...]:
    """The problems of a constant expression. If it `is_integer`, a float in it is wrong, and no integer beside it."""
    float_ = next((term for term in expression.terms if term.kind in _FLOAT_LITERALS), None)
    if not is_integer or float_ is None:
        return outcome.problems
    message = f"`{float_.text}` is a float, but an integer is expected here"
    instead = Problem("constant-integer-expected", message, float_.start, float_.end)
    return tuple(instead if problem.code == "constant-type-mismatch" else problem for problem in outcome.problems)


def _constant(expression: Expression, path: Path, reading: Reading, surroundings: Surroundings) -> str:
    is_address = isinstance(reading.nodes.get(path[:-1]), Address)
    constant = _evaluated(expression, surroundings, is_integer=is_address)
    if constant is None:
        reading.broken = True
        return UNKNOWN
    reading.constants[path] = constant
    if constant.type is ValueType.F64 and expression.root.kind is TermKind.DOUBLE:
        return "double"
    return constant_kind(constant)


def report_problems(problems: tuple[Problem, ...], surroundings: Surroundings) -> None:
    """Turn the problems of the parser or the evaluator into reports."""
    for found in problems:
        p = found
        if p.code == "unknown-opcode":
            from ptx_lsp.semantics.habits_of_c import reworded  # few texts have such statements

            p = reworded(p, surroundings)
        related = tuple((surroundings.mark(start, end), text) for start, end, text in p.related)
        # a module of a version newer than the newest known one may have words that are unknown here
        newer = p.code.startswith("unknown-") and not surroundings.profile.known
        severity = Severity.INFORMATION if newer else None
        surroundings.report(p.code, p.start, p.end, p.message, related=related, severity=severity, data=dict(p.data))


def _name_kind(term: Term, path: Path, reading: Reading, surroundings: Surroundings) -> str:
    symbol = surroundings.scope.lookup(term.text)
    if symbol is not None:
        reading.symbols[path] = symbol
        if not is_ambiguous(term.text, surroundings.scope):
            return symbol_kind(symbol)
        reading.broken = True  # its second declaration has been reported
        return UNKNOWN
    special = special_register(term.text)
    if special is not None:
        require_needs(f"`{special.name}`", special.needs, term.start, term.end, surroundings)
        return special.kind
    surroundings.note_undeclared(term.text, term.start, term.end)
    reading.broken = True
    return UNKNOWN


def is_ambiguous(name: str, scope: Scope) -> bool:
    """Whether the innermost scope that declares `name` does so twice, with different kinds: it is unknown which."""
    around = scope.owner(name)
    if around is None:
        return False
    found = list(around.members.get(name, ()))
    stem = name.rstrip(DIGITS)
    if stem != name:
        number = member_number(name[len(stem) :])
        found += [family for family in around.families.get(stem, ()) if number < (family.count or 0)]
    return len({symbol_kind(symbol) for symbol in found if around.sees(symbol)}) > 1


def _named_kind(expression: Expression, path: Path, reading: Reading, surroundings: Surroundings) -> str:
    root, terms = expression.root, expression.terms
    if root.kind is TermKind.UNARY:
        inner = Expression(terms[:-1], terms[-2].start, terms[-2].end)
        kind = _value_kind(Value(inner, inner.start, inner.end), path, reading, surroundings)
        return kind if kind == UNKNOWN else root.text + kind
    if root.kind is TermKind.MEMBER:
        return _member_kind(root, terms[root.operands[0]], path, reading, surroundings)
    if root.kind is TermKind.INDEX:
        return _element_kind(expression, path, reading, surroundings)
    if root.kind is TermKind.BINARY and terms[0].kind is TermKind.NAME and terms[0].start == expression.start:
        kind = _name_kind(terms[0], path, reading, surroundings)
        _offset(expression, reading, surroundings)
        return kind if kind == UNKNOWN else kind + "+"
    # names under other operators: the parser has reported them
    reading.broken = True
    return UNKNOWN


def _element_kind(expression: Expression, path: Path, reading: Reading, surroundings: Surroundings) -> str:
    """The kind of `a[9]` or `a[%r1+4]`; report an index of a name that is no array, and an index of a wrong type."""
    terms = expression.terms
    name, base = terms[0], expression.root.operands[0]
    noted = len(surroundings.undeclared)
    kind = _name_kind(name, path, reading, surroundings)
    for use in surroundings.undeclared[noted:]:
        use.as_label = f"`{name.text}` is a label, not an array: it has no index"
    fine = _check_index(terms_from(terms, base + 1), path, reading, surroundings)
    if kind == UNKNOWN:
        return kind
    if base or not kind.endswith(ARRAY) or len(reading.symbols[path].dimensions) > 1:
        what = "has several dimensions" if kind.endswith(ARRAY) else "is not an array"
        message = f"`{name.text}` {what}: only an array of one dimension can have an index"
        symbol = reading.symbols.get(path)  # a special register has none
        if symbol is not None and symbol.kind is SymbolKind.REGISTER:
            message = f"`{name.text}` {what}: a comma is missing before `[` if this is two operands"
        surroundings.report("array-index", expression.start, expression.end, message)
        fine = False
    reading.broken |= not fine
    return kind.removesuffix(ARRAY) + ELEMENT if fine else UNKNOWN


def _check_index(terms: tuple[Term, ...], path: Path, reading: Reading, surroundings: Surroundings) -> bool:
    """Whether an index is an integer constant, or the name of an integer with or without an addend; report others."""
    start, end = terms[0].start, terms[-1].end
    if terms[0].kind is not TermKind.NAME:
        constant = _evaluated(Expression(terms, start, end), surroundings, is_integer=True)
        if constant is None or not constant.is_float:
            return constant is not None
        surroundings.report("constant-integer-expected", start, end, "an index is an integer; this is a float")
        return False
    symbols = dict(reading.symbols)
    kind = _name_kind(terms[0], path, reading, surroundings)
    reading.symbols = symbols  # the operand is the array
    if kind != UNKNOWN and not _is_index(kind):
        message = f"`{terms[0].text}` cannot be an index: that is an integer of up to 64 bits"
        surroundings.report("array-index", terms[0].start, terms[0].end, message)
        return False
    if len(terms) > 1:
        _offset(Expression(terms, start, end), reading, surroundings)
    return not reading.broken


def _is_index(kind: str) -> bool:
    """Whether a name of this kind may be an index. Every variable may: its address is used (observed: ptxas 13.5)."""
    if ":" in kind or kind in OPAQUE_TYPES:
        return True
    type_ = TYPES.get(declared_type(kind))
    return type_ is not None and type_.letter in "bsu" and type_.bits <= _LARGEST_INDEX


def _offset(expression: Expression, reading: Reading, surroundings: Surroundings) -> None:
    # in `name + a + b << c`, everything after the first plus is one constant expression, the addend
    terms = expression.terms
    if expression.root.operands != (0, len(terms) - 2):
        return
    addend = Expression(terms_from(terms, 1), terms[1].start, expression.end)
    value = _evaluated(addend, surroundings, is_integer=True)
    reading.broken |= value is None
    if value is not None and value.is_float:
        message = f"what is added to `{terms[0].text}` is an integer constant; this is a float"
        surroundings.report("constant-integer-expected", addend.start, addend.end, message)


def terms_from(terms: tuple[Term, ...], first: int) -> tuple[Term, ...]:
    """The terms of the right operand of a root, which is the last term; `first` is the index of its first term."""
    return tuple(
        Term(t.kind, t.text, t.at, t.start, t.end, tuple(i - first for i in t.operands)) for t in terms[first:-1]
    )


def _member_kind(root: Term, name: Term, path: Path, reading: Reading, surroundings: Surroundings) -> str:
    noted = len(surroundings.undeclared)
    kind = _name_kind(name, path, reading, surroundings)
    for use in surroundings.undeclared[noted:]:
        use.as_label = f"`{name.text}` is a label: it has no element `{root.text}`"
    if kind == UNKNOWN:
        return kind
    special = kind.startswith("%")
    element = kind.lstrip("%").removeprefix(".v2").removeprefix(".v4").removeprefix(".v8")
    whole_vector = element != kind.lstrip("%")
    if root.text in ELEMENTS and whole_vector:
        return "%" + element if special else element
    if is_selector(root.text[1:]) and not whole_vector and kind.startswith("."):
        return f"{kind}@{root.text[1:]}"
    if root.text in ELEMENTS:
        message = f"`{name.text}` is not a vector: it has no element `{root.text}`"
    else:
        message = f"`{root.text}` is not an element of a vector: the elements are `.x`, `.y`, `.z` and `.w`"
    surroundings.report("vector-element", root.at, root.end, message)
    reading.broken = True
    return UNKNOWN
