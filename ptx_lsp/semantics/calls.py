"""Calls: the function that they name, and their arguments and results.

Rules observed: ptxas 13.5, every type of argument with every type of parameter; the manual's section on `call`.
"""

from ptx_lsp.constants.constant import Constant, ValueType
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import CALL_TARGETS, OF_PARAMETERS
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.types import CALLED_TYPES, TYPES
from ptx_lsp.nearest_word import nearest
from ptx_lsp.semantics.memory import aligned_alike, alignment_of, size_of
from ptx_lsp.semantics.operands import is_symbol, report_problems
from ptx_lsp.semantics.signatures import accepts, written_type
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import ANY_CALLED, FUNCTION_KINDS, MEANT, Mark, Signature, Symbol, SymbolKind, place
from ptx_lsp.syntax.tree import Arguments, Instruction, Sink, TermKind, Value

_TABLES = frozenset((".u8", ".u32", ".u64"))
_SPACES_OF_TABLES = frozenset((".global", ".const"))
_RUNTIME = ("_optix_", "_rt_")  # functions that OptiX defines at run time; no module declares them


class _Parts:
    """The parts of a call: `(results), target, (arguments), prototype`. All but the target may be missing."""

    __slots__ = ("arguments", "prototype", "results", "target")

    def __init__(self) -> None:
        self.results: Arguments | None = None
        self.target: Value | None = None
        self.arguments: Arguments | None = None
        self.prototype: Value | None = None


def call(instruction: Instruction, surroundings: Surroundings) -> None:
    """Report what is wrong with a `call`, except with its guard, which `instructions.py` checks."""
    check_modifiers(instruction, (".uni",), surroundings)
    parts = _take_apart(instruction)
    if parts is None or parts.target is None:
        return
    target = parts.target = _widened(parts.target, instruction, surroundings)
    name = target.expression.root
    if name.kind is not TermKind.NAME or len(target.expression.terms) > 1:
        return  # the parser has reported it
    symbol = surroundings.scope.lookup(name.text)
    if symbol is None:
        _undeclared_target(target, name.text, surroundings)
    elif symbol.kind is SymbolKind.FUNCTION:
        _call_function(parts, symbol, surroundings)
    elif symbol.space == ".reg":
        _call_register(parts, symbol, surroundings)
    elif symbol.space or symbol.kind is not SymbolKind.VARIABLE:
        message = f"`{name.text}` is {_what(symbol)}: only functions (`.func`) can be called"
        related = ((symbol.mark, f"`{name.text}` is declared here"),)
        surroundings.report("call-target", target.start, target.end, message, related=related)


def check_modifiers(instruction: Instruction, known: tuple[str, ...], surroundings: Surroundings) -> None:
    """Report every modifier that is not one of `known`."""
    for word in instruction.modifiers:
        if word.text not in known:
            name = instruction.opcode.text
            message = f"`{word.text}` is not a modifier of `{name}`, which takes only `{'`, `'.join(known)}`"
            surroundings.report("unknown-modifier", word.start, word.end, message)


def _take_apart(instruction: Instruction) -> _Parts | None:
    """The parts of a call; None if their order is wrong, which the parser has reported."""
    parts = _Parts()
    for operand in instruction.operands:
        if isinstance(operand, Arguments):
            if parts.target is None and parts.results is None:
                parts.results = operand
            elif parts.target is not None and parts.arguments is None and parts.prototype is None:
                parts.arguments = operand
            else:
                return None
        elif not isinstance(operand, Value) or parts.prototype is not None:
            return None
        elif parts.target is None:
            parts.target = operand
        else:
            parts.prototype = operand
    return parts


def _widened(target: Value, instruction: Instruction, surroundings: Surroundings) -> Value:
    """The target; if it is on a line of its own, as compilers write it, with a range that begins at the opcode."""
    start = instruction.opcode.start
    if "\n" not in surroundings.source(start, target.start):
        return target
    return Value(target.expression, start, target.end)


def _undeclared_target(target: Value, name: str, surroundings: Surroundings) -> None:
    if name.startswith(_RUNTIME):
        message = f"`{name}` is declared nowhere: OptiX defines it at run time, and ptxas alone does not know it"
        surroundings.report("optix-call", target.start, target.end, message, severity=Severity.INFORMATION)
        return
    if name.startswith("%"):
        surroundings.note_undeclared(name, target.expression.start, target.end)
        return
    nameless = surroundings.scope.lookup(ANY_CALLED)
    if nameless is not None and nameless.type == MEANT:
        return  # a header above without a name, which is reported, may be that of this function
    message = f"`{name}` is not declared above this call: declare it with `.func` above"
    surroundings.report("undeclared-function", target.start, target.end, message, data={"name": name})


def _call_function(parts: _Parts, symbol: Symbol, surroundings: Surroundings) -> None:
    if parts.prototype is not None:
        start, end = parts.prototype.start, parts.prototype.end
        word = surroundings.source(start, end)
        meant = surroundings.scope.lookup(parts.prototype.expression.root.text)
        message = f"`{symbol.name}` is called directly: a prototype is for calls through a register"
        if parts.arguments is None and meant is not None and meant.space:
            message = f"the arguments of a call are in parentheses: write `({word})`"
        surroundings.report("call-prototype", start, end, message)
    elif symbol.signature is not None:
        _check_signature(parts, symbol, symbol.signature, surroundings)


def _call_register(parts: _Parts, symbol: Symbol, surroundings: Surroundings) -> None:
    target, prototype = parts.target, parts.prototype
    assert target is not None
    if symbol.type and (symbol.type not in CALLED_TYPES or symbol.vector > 1):
        name = target.expression.root.text
        message = f"`{name}` is `{symbol.type}`, but a function's address is an integer of 32 or 64 bits"
        related = ((symbol.mark, f"`{symbol.name}` is declared here"),)
        surroundings.report("call-target", target.start, target.end, message, related=related)
        return
    if prototype is None:
        message = "a call through a register needs the label of a `.callprototype` or `.calltargets` at its end"
        surroundings.report("call-prototype", target.start, target.end, message)
        return
    name = prototype.expression.root.text
    found = surroundings.scope.lookup(name) if len(prototype.expression.terms) == 1 else None
    if found is not None and found.kind is SymbolKind.PROTOTYPE and found.signature is not None:
        _check_signature(parts, found, found.signature, surroundings)
    elif found is not None and found.kind is SymbolKind.TARGETS and found.type == CALL_TARGETS:
        _check_targets(parts, found.names if _gives_any(parts) else found.names[-1:], surroundings)
    elif found is None or not _is_table(found):
        _wrong_prototype(prototype, name, found, surroundings)
    else:
        _check_table(parts, found, surroundings)


def _gives_any(parts: _Parts) -> bool:
    """Whether a call has arguments or results: of one that has none, ptxas looks at a single function of a list."""
    return any(given is not None and given.items for given in (parts.results, parts.arguments))


def _is_table(symbol: Symbol) -> bool:
    """Whether the type of a variable lets it have the addresses of functions (observed: ptxas 13.5)."""
    is_array = symbol.type in _TABLES and symbol.vector == 1 and len(symbol.dimensions) == 1
    return is_array and symbol.space in _SPACES_OF_TABLES


def _check_table(parts: _Parts, table: Symbol, surroundings: Surroundings) -> None:
    """Check the functions of a table: the first one, and the others if the call has arguments or results."""
    first = surroundings.scope.lookup(table.names[0]) if table.names else None
    if first is None or first.kind not in FUNCTION_KINDS:
        prototype = parts.prototype
        assert prototype is not None
        message = f"`{table.name}` has no functions as initial values, which a call through it needs"
        related = ((table.mark, f"`{table.name}` is declared here"),)
        surroundings.report("call-prototype", prototype.start, prototype.end, message, related=related)
        return
    _check_targets(parts, table.names if _gives_any(parts) else table.names[:1], surroundings)


def _wrong_prototype(prototype: Value, name: str, found: Symbol | None, surroundings: Surroundings) -> None:
    if found is None:
        message = f"no `.callprototype` or `.calltargets` named `{name}` is declared above this call in its scope"
    else:
        message = f"`{name}` is neither a `.callprototype` nor a `.calltargets`"
    related: tuple[tuple[Mark, str], ...] = ()
    data: dict[str, str] = {}
    near = _nearest_prototype(name, surroundings) if found is None else None
    if near is not None:
        message += f"; did you mean `{near.name}`?"
        related = ((near.mark, f"`{near.name}` is declared here"),)
        data = {"replacement": near.name}
    surroundings.report("call-prototype", prototype.start, prototype.end, message, related=related, data=data)


def _nearest_prototype(name: str, surroundings: Surroundings) -> Symbol | None:
    """The prototype or list of functions that is in scope and spelt most like `name`."""
    known: dict[str, Symbol] = {}
    *scopes, _ = surroundings.scope.outward()  # a prototype is inside a function
    for scope in scopes:
        visible = [symbols[0] for symbols in scope.members.values() if scope.sees(symbols[0])]
        for symbol in sorted(visible, key=lambda each: place(each.mark)):
            if symbol.kind is SymbolKind.PROTOTYPE or symbol.type == CALL_TARGETS:
                known.setdefault(symbol.name, symbol)
    return known.get(nearest(name, known))


def _check_targets(parts: _Parts, functions: tuple[str, ...], surroundings: Surroundings) -> None:
    """Check the arguments for every function of a list; report the first function that does not take them."""
    before = len(surroundings.reports)
    for name in dict.fromkeys(functions):
        symbol = surroundings.scope.lookup(name)
        if symbol is None or symbol.signature is None or symbol.kind not in FUNCTION_KINDS:
            continue
        _check_signature(parts, symbol, symbol.signature, surroundings)
        if len(surroundings.reports) > before:
            return


def _check_signature(parts: _Parts, callee: Symbol, signature: Signature, surroundings: Surroundings) -> None:
    if signature.unknown or parts.target is None:
        return
    target = parts.target
    place = (target.start, target.end)
    if _check_number(parts.results, signature.returns, "result", callee, place, surroundings):
        _check_each(parts.results, signature.returns, callee, surroundings, are_results=True)
    elif parts.arguments is None:
        return  # the call has one list only, which the author most likely meant as the arguments
    if _check_number(parts.arguments, signature.parameters, "argument", callee, place, surroundings):
        _check_each(parts.arguments, signature.parameters, callee, surroundings)


def _check_number(
    given: Arguments | None,
    formals: tuple[Symbol, ...],
    what: str,
    callee: Symbol,
    place: tuple[int, int],
    surroundings: Surroundings,
) -> bool:
    """Whether the list has as many values as the function has parameters; an unsized last one may be missing."""
    count = len(given.items) if given is not None else 0
    least = len(formals)
    if given is not None and formals and formals[-1].dimensions[:1] == (0,):
        least -= 1
    if least <= count <= len(formals):
        return True
    start, end = place
    if given is not None and "\n" not in surroundings.source(min(place[0], given.start), max(place[1], given.end)):
        start, end = given.start, given.end
    name = callee.name
    verb = "returns" if what == "result" else "takes"
    message = f"`{name}` {verb} {_number(len(formals), what)}, and the call gives {count or 'none'}"
    if what == "result":
        message = f"`{name}` {verb} {_number(len(formals), what)}, and the call has room for {count or 'none'}"
    related = ((callee.mark, f"`{name}` is declared here"),)
    surroundings.report("call-arguments", start, end, message, related=related)
    return False


def _number(count: int, what: str) -> str:
    return f"no {what}" if not count else f"1 {what}" if count == 1 else f"{count} {what}s"


def _check_each(
    given: Arguments | None,
    formals: tuple[Symbol, ...],
    callee: Symbol,
    surroundings: Surroundings,
    *,
    are_results: bool = False,
) -> None:
    for item, formal in zip(given.items if given is not None else (), formals, strict=False):
        if isinstance(item, Sink):
            if not are_results:
                message = "`_` discards a result, and this is an argument"
                surroundings.report("call-argument", item.start, item.end, message)
        elif isinstance(item, Value):
            _check_value(item, formal, callee, surroundings)


def _check_value(item: Value, formal: Symbol, callee: Symbol, surroundings: Surroundings) -> None:
    terms = item.expression.terms
    root = item.expression.root
    names = list(filter(is_symbol, terms))
    if root.kind is TermKind.NAME and names:
        _check_name(item, root.text, formal, callee, surroundings)
    elif not names:  # otherwise the parser has reported it
        outcome = evaluate(item.expression)
        report_problems(outcome.problems, surroundings)
        if outcome.value is not None:
            _check_constant(item, outcome.value, formal, callee, surroundings)


def _check_name(item: Value, name: str, formal: Symbol, callee: Symbol, surroundings: Surroundings) -> None:
    symbol = surroundings.scope.lookup(name)
    if symbol is None:
        if special_register(name) is None:
            surroundings.note_undeclared(name, item.start, item.end)
        else:
            message = f"`{name}` is a special register: move it to a register and hand that over"
            surroundings.report("call-argument", item.start, item.end, message)
        return
    related = ((symbol.mark, f"`{symbol.name}` is declared here"),)
    if symbol.kind is SymbolKind.PARAMETER and symbol.space == ".param":
        message = f"`{name}` is a parameter of this function itself: copy it to a `.param` variable of the body first"
        surroundings.report("call-argument", item.start, item.end, message, related=related)
        return
    if symbol.space not in OF_PARAMETERS:
        if symbol.space or symbol.kind is not SymbolKind.VARIABLE:
            message = f"`{name}` is {_what(symbol)}: arguments are registers, `.param` variables or constants"
            surroundings.report("call-argument", item.start, item.end, message, related=related)
        return
    if not symbol.type or not formal.type:
        return
    wanted = f"parameter {_named(formal)} of `{callee.name}`"
    if not accepts(formal, symbol):
        message = f"`{name}` is {_described(symbol)}, but {wanted} is {_described(formal)}"
    elif not aligned_alike(formal, symbol):
        message = f"`{name}` is aligned to {alignment_of(symbol)} bytes, but {wanted} to {alignment_of(formal)}"
    else:
        return
    declared = ((callee.mark, f"`{callee.name}` is declared here"), *related)
    surroundings.report("call-argument", item.start, item.end, message, related=declared)


def _named(formal: Symbol) -> str:
    return f"`{formal.name}`" if formal.name else "`_`"


def _described(symbol: Symbol) -> str:
    return f"`{symbol.space} {written_type(symbol)}`"


def _what(symbol: Symbol) -> str:
    return f"a `{symbol.space}` variable" if symbol.space else f"a {symbol.kind.value}"


def _check_constant(
    item: Value, constant: Constant, formal: Symbol, callee: Symbol, surroundings: Surroundings
) -> None:
    row = TYPES.get(formal.type)
    if row is None or _takes_constant(formal, constant):
        return
    kind = "a float" if constant.is_float else "an integer"
    written = surroundings.source(item.start, item.end)
    message = f"`{written}` is {kind}, but parameter {_named(formal)} of `{callee.name}` is {_described(formal)}"
    surroundings.report("call-argument", item.start, item.end, message)


def _takes_constant(formal: Symbol, constant: Constant) -> bool:
    letter = TYPES[formal.type].letter
    if formal.dimensions:
        return False
    if formal.vector > 1:
        # observed: a two-element vector of 64 bits counts as `.b64`, wider ones take no constant
        return size_of(formal) == 8 and constant.type is not ValueType.F32
    if letter == "b":
        return True
    if letter in "su":
        return not constant.is_float
    if letter == "f":
        return constant.is_float
    return letter == "h" and constant.type is ValueType.F32
