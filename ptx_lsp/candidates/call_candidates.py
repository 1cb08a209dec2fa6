"""The parts of a `call`: functions with their parameters, and the variables and registers for results and arguments."""

from collections.abc import Iterable

from ptx_lsp.candidates.completion_items import Item, ItemKind
from ptx_lsp.candidates.declared_order import in_order, last_declared
from ptx_lsp.candidates.half_typed import Typed
from ptx_lsp.candidates.nearby_names import NAME, Mentions
from ptx_lsp.candidates.operand_series import series
from ptx_lsp.candidates.register_candidates import Wanted, registers
from ptx_lsp.candidates.variable_candidates import variables
from ptx_lsp.isa.types import TYPES, Type
from ptx_lsp.judgement.kinds import LOCAL_PARAMETER
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.semantics.symbols import Scope, Signature, Symbol, SymbolKind

MOST_ITEMS = 60  # of one answer
MOST_FUNCTIONS = 600
"""The last functions above a call that are compared with what it passes."""

MOST_PARAMETERS = 200
"""A scope with more names is not that of one call."""

_IN_BRACKETS = lazy_pattern(r"\([^()]*\)|\([^()]*\Z")
MOST_NAMES = 2_000
"""Names of a scope among which prototypes and lists of targets are searched for."""

Sizes = list[tuple[str, tuple[int, ...]]]
"""The types and dimensions of parameters, in order."""

_LISTS = (SymbolKind.PROTOTYPE, SymbolKind.TARGETS)


def call_items(context: PositionContext, near: Mentions, typed: Typed) -> tuple[list[Item], bool]:
    """What can be written at a place of a `call`: `call (result), function, (arguments), prototype`."""
    if typed.brackets:
        return _passed(context, near, typed), True
    has_results = typed.operands.lstrip().startswith("(")
    place = typed.path[0] - (1 if has_results else 0)
    if place == 0:
        return [*_functions(context, near, typed, has_results), *_pointers(context, near, typed)], False
    return lists_in(context), False


def _passed(context: PositionContext, near: Mentions, typed: Typed) -> list[Item]:
    """The variables for parameters of calls, which are declared in the scope around the call, and registers."""
    scope = context.scope
    result = typed.path[0] == 0
    names = variables(context, near, lambda kind: kind.startswith(LOCAL_PARAMETER), typed.word)
    passed = set(NAME.findall(typed.operands))
    names = [each for each in names if each.name not in passed]
    if result:
        names.sort(key=lambda each: not each.name.startswith("ret"))
    found = [Item(each.name, ItemKind.PARAMETER, f".param {each.symbol.type}") for each in names]
    passed_to = _parameter(scope, typed)
    continued = tuple(series(near.statements, typed.opcode_text, typed.operands, True))
    wanted = Wanted(lambda kind: kind in TYPES and _can_be_passed(TYPES[kind], passed_to), result, continued)
    candidates = registers(scope, near, wanted, typed.word)
    return [*found, *(Item(each.name, ItemKind.REGISTER, each.symbol.type) for each in candidates)][:MOST_ITEMS]


def _parameter(scope: Scope, typed: Typed) -> Symbol | None:
    """The parameter that the argument at the cursor is for; None for a result, or if the function is not known."""
    names = NAME.findall(_IN_BRACKETS.sub("", typed.operands))
    symbol = scope.lookup(names[-1]) if names and typed.path[0] else None
    if symbol is None or symbol.signature is None or typed.path[-1] >= len(symbol.signature.parameters):
        return None
    return symbol.signature.parameters[typed.path[-1]]


def _can_be_passed(register: Type, parameter: Symbol | None) -> bool:
    """Whether a register of a type can be an argument for a parameter; None is one that is not known."""
    if parameter is None or parameter.type not in TYPES or parameter.dimensions:
        return register.name != ".pred"
    return register.bits == TYPES[parameter.type].bits


def _pointers(context: PositionContext, near: Mentions, typed: Typed) -> list[Item]:
    """The registers that may have the address of a function."""
    bits = context.profile.address_size
    found = registers(
        context.scope, near, Wanted(lambda kind: kind in TYPES and TYPES[kind].bits == bits, False), typed.word
    )
    return [Item(each.name, ItemKind.REGISTER, each.symbol.type) for each in found if each.fits][:MOST_ITEMS]


def _functions(context: PositionContext, near: Mentions, typed: Typed, has_results: bool) -> list[Item]:
    """The functions: first those that fit the variables for parameters that the scope around the call declares."""
    *_, scope = context.scope.outward()  # functions are declared in that of the module
    names = dict.fromkeys(name for name in near.read if name in scope.members)
    nearest = last_declared(context, scope, typed.word, MOST_FUNCTIONS, _is_function)
    names.update(dict.fromkeys(symbol.name for symbol in reversed(nearest)))
    found = [symbol for name in names if name.startswith(typed.word) and (symbol := scope.own(name)) is not None]
    found = list(filter(_is_function, found))
    passed = _passed_by(context.scope, typed)
    if passed is not None:
        found.sort(key=lambda symbol: _taken_by(symbol.signature) != passed)
    return [_function(symbol, has_results) for symbol in found[:MOST_ITEMS]]


def _is_function(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.FUNCTION


def _passed_by(scope: Scope, typed: Typed) -> tuple[Sizes, Sizes] | None:
    """What a call passes: the variables for parameters that its scope declares, and which of them are its results.

    None if the scope is the body of the function and declares none: such a call may pass registers.
    """
    if scope.parent is None or len(scope.members) > MOST_PARAMETERS:
        return None
    declared = [symbols[0] for symbols in scope.members.values()]
    declared = in_order(symbol for symbol in declared if symbol.space == ".param" and scope.sees(symbol))
    if scope.parent.parent is None and not declared:
        return None
    results = set(NAME.findall(typed.operands))
    return (
        _sizes(symbol for symbol in declared if symbol.name in results),
        _sizes(symbol for symbol in declared if symbol.name not in results),
    )


def _taken_by(signature: Signature | None) -> tuple[Sizes, Sizes] | None:
    """The results and parameters of a function, as `_passed_by` gives those of a call."""
    return None if signature is None else (_sizes(signature.returns), _sizes(signature.parameters))


def _sizes(parameters: Iterable[Symbol]) -> Sizes:
    return [(parameter.type, parameter.dimensions) for parameter in parameters]


def _function(symbol: Symbol, has_results: bool) -> Item:
    """A function with its arguments as tab stops, and its results if they are not typed yet."""
    signature = symbol.signature
    if signature is None:
        return Item(symbol.name, ItemKind.FUNCTION)
    stops = [parameter.name for parameter in signature.parameters]
    results = [] if has_results else [result.name for result in signature.returns]
    number = 0
    parts: list[str] = []
    for group in (results, stops):
        texts = []
        for name in group:
            number += 1
            texts.append(f"${{{number}:{name.replace('$', '')}}}")
        parts.append(f"({', '.join(texts)})" if texts else "")
    name = symbol.name.replace("$", "\\$")
    text = f"{parts[0]}, {name}" if parts[0] else name
    text += f", {parts[1]}" if parts[1] else ""
    types = ", ".join(parameter.type for parameter in signature.parameters)
    return Item(
        symbol.name, ItemKind.FUNCTION, f"({types})", text if text != symbol.name else "", bool(stops or results)
    )


def lists_in(context: PositionContext) -> list[Item]:
    """The prototypes and lists of targets that a position sees, the innermost and last ones first."""
    found: list[Item] = []
    for around in context.scope.outward():
        symbols = reversed(last_declared(context, around, "", MOST_NAMES, _is_list))
        found += [Item(each.name, ItemKind.LABEL, each.kind.value) for each in symbols]
    return found


def _is_list(symbol: Symbol) -> bool:
    return symbol.kind in _LISTS
