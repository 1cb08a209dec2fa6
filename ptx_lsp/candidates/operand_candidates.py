"""The operands that completion offers: registers, names, special registers, numbers, labels and functions by slot."""

from collections.abc import Generator
from functools import partial

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.call_candidates import call_items, lists_in
from ptx_lsp.candidates.completion_items import Found, FoundInSteps, Item, ItemKind
from ptx_lsp.candidates.expected_operands import Expected, expected
from ptx_lsp.candidates.half_typed import Typed
from ptx_lsp.candidates.label_candidates import branch_label_steps
from ptx_lsp.candidates.named_numbers import has_own_meaning, numbers
from ptx_lsp.candidates.nearby_names import Mentions, mention_steps
from ptx_lsp.candidates.operand_series import following_members, series
from ptx_lsp.candidates.register_candidates import RegisterCandidate, Wanted, register_steps
from ptx_lsp.candidates.repeated_patterns import alike, with_same_history
from ptx_lsp.candidates.special_candidates import special_items
from ptx_lsp.candidates.variable_candidates import VariableCandidate, variables
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.types import ELEMENTS, TYPES
from ptx_lsp.judgement.kinds import SINK
from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.semantics.symbols import NAMELESS, Scope, Symbol, SymbolKind, symbol_kind
from ptx_lsp.text.ranges import Position

MOST_ITEMS = 80  # of one answer
MOST_ELEMENTS = 16
"""The elements of a vector that is offered as a whole."""

_REGISTERS_FIRST = 8
"""Registers that come before special registers where both fit."""

_NAMES_FIRST = 4
"""Variables that come before special registers and the other registers."""

_FLOATS = ("f", "h")
_FUNCTIONS = frozenset((NAMELESS[SymbolKind.FUNCTION], NAMELESS[SymbolKind.ENTRY]))


def operand_steps(module: Module, position: Position, context: PositionContext, typed: Typed) -> FoundInSteps:
    """The operands that can be written, those that fit one of the forms first, in steps."""
    if typed.opcode == CALL:
        return call_items(context, (yield from mention_steps(module.document, position, context.prefix)), typed)
    profile = context.profile
    slots = expected(typed.opcode_text, typed.path, profile.version, profile.target, typed.brackets)
    if not slots:
        return [], False
    if any("label" in slot.kinds for slot in slots):
        labels = yield from branch_label_steps(module, position, context.scope, typed.word)
        return [Item(name, ItemKind.LABEL) for name in labels if name.startswith(typed.word)][:MOST_ITEMS], False
    if any({"targets", "prototype"} & set(slot.kinds) for slot in slots):
        return lists_in(context), False
    near = yield from mention_steps(module.document, position, context.prefix, slots[0].written)
    yield
    return (yield from _values(context, near, slots, typed)), True


def _values(
    context: PositionContext, near: Mentions, slots: tuple[Expected, ...], typed: Typed
) -> Generator[None, None, list[Item]]:
    scope, bits = context.scope, context.profile.address_size
    opcode, operands = typed.opcode_text, typed.operands
    names_so_far = tuple(series(near.statements, opcode, operands, typed.brackets.endswith("{")))
    before_below = tuple(series(near.below, opcode, operands, False))
    yield
    takes, prefers = partial(_takes, slots, bits), partial(_prefers, slots)
    given = _given(context.surroundings.function, slots[0].written)
    written = slots[0].written
    repeated = () if written else tuple(alike(near.statements, opcode, operands))
    same_history = () if written else tuple(with_same_history(near, opcode, operands))
    yield
    wanted = Wanted(takes, written, names_so_far, prefers, given, repeated, before_below, same_history)
    found = yield from register_steps(scope, near, wanted, typed.word)
    if slots[0].vector:
        found.sort(key=lambda each: each.symbol.vector != slots[0].vector)
    fitting = [_register(each, slots) for each in found if each.fits]
    others = [_register(each, slots) for each in found if not each.fits]
    yield
    named = variables(context, near, wanted.takes, typed.word)
    yield
    if slots[0].address is not None:
        named.sort(key=lambda each: not _is_as_wide(each.symbol, typed.modifiers))
    names = [_variable(each, slots) for each in named]
    special = [] if slots[0].written or slots[0].address else special_items(wanted.takes, typed.word)
    constants = [item for item in numbers(slots, typed) if item.label.startswith(typed.word)]
    sink = [Item(SINK, ItemKind.NUMBER, "the result is discarded")] if wanted.takes(SINK) and not typed.word else []
    if slots[0].address is not None and names:
        ordered = [*names, *fitting]
    elif _only_constants(slots):
        return constants
    else:
        fitting = [*_whole_vector(scope, near, slots[0], typed.word, fitting), *fitting]
        first, rest = fitting[:_REGISTERS_FIRST], fitting[_REGISTERS_FIRST:]
        ordered = [*first, *names[:_NAMES_FIRST], *special, *rest, *names[_NAMES_FIRST:]]
    meant = [item for item in constants if has_own_meaning(typed.opcode_text, slots[0].slot.role, item.label)]
    constants = [item for item in constants if item not in meant]
    few = [*meant, *ordered[: MOST_ITEMS // 2], *sink, *constants, *ordered[MOST_ITEMS // 2 :], *others]
    return few[:MOST_ITEMS]


def _is_as_wide(symbol: Symbol, modifiers: tuple[str, ...]) -> bool:
    """Whether a variable is an array, or as wide as what an instruction with these modifiers loads or stores."""
    type_ = next((word for word in reversed(modifiers) if word in TYPES), "")
    if symbol.dimensions or not type_ or symbol.type not in TYPES:
        return True
    return TYPES[symbol.type].bits == TYPES[type_].bits


def _whole_vector(scope: Scope, near: Mentions, slot: Expected, word: str, fitting: list[Item]) -> list[Item]:
    """A vector in braces where one is needed: the last one written of its size, or for a result, unused registers."""
    count = slot.vector
    if not 1 < count <= MOST_ELEMENTS or word:
        return []
    if slot.written:
        first = next((item.label for item in fitting if item.label not in near.read), "")
        names = following_members(first, count)
    else:
        names = next((each.results for each in near.statements if len(each.results) == count), ())
    symbols = [scope.lookup(name) for name in names]
    if not names or not all(symbol is not None and slot.takes(symbol_kind(symbol)) for symbol in symbols):
        return []
    return [Item(f"{{{', '.join(names)}}}", ItemKind.REGISTER, f"{count} registers")]


def _given(function: Symbol | None, written: bool) -> tuple[str, ...]:
    """The parameters of a function that are registers, or its results, such as the operands of inline assembly."""
    signature = function.signature if function is not None else None
    if signature is None:
        return ()
    symbols = signature.returns if written else signature.parameters
    return tuple(symbol.name for symbol in symbols if symbol.kind is SymbolKind.REGISTER)


def _takes(slots: tuple[Expected, ...], bits: int, kind: str) -> bool:
    """Whether a kind fits one of the slots.

    A register with a global address, and a slot for the address of a function, must have the module's address size.
    """
    register = TYPES.get(kind)
    if kind in _FUNCTIONS and all(each in TYPES and TYPES[each].bits != bits for each in slots[0].kinds):
        return False
    if register is not None and slots[0].is_long_address and register.bits != bits:
        return False
    return any(slot.takes(kind) for slot in slots)


def _prefers(slots: tuple[Expected, ...], kind: str) -> bool:
    """Whether a register of this kind comes before others that fit: for a float, one that is not just bits."""
    return _is_float(kind) or not any(_is_float(each) for each in slots[0].kinds)


def _is_float(kind: str) -> bool:
    return kind in TYPES and TYPES[kind].letter in _FLOATS


def _only_constants(slots: tuple[Expected, ...]) -> bool:
    return all(set(slot.kinds) <= {"imm", "fimm"} for slot in slots)


def _register(each: RegisterCandidate, slots: tuple[Expected, ...]) -> Item:
    text = _bracketed(each.name, slots)
    return Item(text, ItemKind.REGISTER, each.symbol.type)


def _bracketed(name: str, slots: tuple[Expected, ...]) -> str:
    """The name as an operand: in brackets where these are not typed yet."""
    return f"[{name}]" if slots[0].bracket else name


def _variable(each: VariableCandidate, slots: tuple[Expected, ...]) -> Item:
    symbol = each.symbol
    kind = ItemKind.PARAMETER if symbol.space == ".param" else ItemKind.VARIABLE
    size = "".join(f"[{count or ''}]" for count in symbol.dimensions)
    return Item(_bracketed(each.name, slots), kind, f"{symbol.space} {symbol.type}{size}".strip())


def guard_steps(module: Module, position: Position, context: PositionContext, typed: Typed) -> FoundInSteps:
    """The predicates of a guard, in steps."""
    near = yield from mention_steps(module.document, position, context.prefix, results_below=False)
    wanted = Wanted(lambda kind: kind == ".pred", False)
    registers = yield from register_steps(context.scope, near, wanted, typed.word)
    found = [each for each in registers if each.fits]
    return [Item(each.name, ItemKind.REGISTER, each.symbol.type) for each in found], True


def member_items(module: Module, position: Position, context: PositionContext, typed: Typed) -> Found:
    """The elements of a vector after its dot: of a special register, or of a vector register."""
    name = typed.follows
    special = special_register(name)
    symbol = context.scope.lookup(name)
    if name == "]":
        return [Item(".unified", ItemKind.MODIFIER)], False
    if special is not None and special.vector and symbol is None:
        return [Item(word, ItemKind.ELEMENT, special.type, about=name) for word in ELEMENTS[:3]], False
    if symbol is not None and symbol.vector > 1:
        words = (*ELEMENTS[: symbol.vector], *ELEMENTS[4 : 4 + symbol.vector])
        return [Item(word, ItemKind.ELEMENT, symbol.type) for word in words], False
    profile = context.profile
    slots = expected(typed.opcode_text, typed.path, profile.version, profile.target, typed.brackets)
    kind = symbol.type if symbol is not None else ""
    selectors = (f".{letter}{number}" for letter, most in (("b", 4), ("h", 2)) for number in range(most))
    found = [word for word in selectors if any(slot.takes(f"{kind}@{word[1:]}") for slot in slots)] if kind else []
    return [Item(word, ItemKind.ELEMENT) for word in found], False
