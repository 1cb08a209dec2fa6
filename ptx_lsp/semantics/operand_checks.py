"""The operand checks of an instruction: of its constants, its registers, and the options that they need."""

from ptx_lsp.constants.constant import Constant, ValueType
from ptx_lsp.constants.conversion import as_operand, doubt_message
from ptx_lsp.isa.directive_names import SEPARATE_SAMPLERS
from ptx_lsp.isa.forms import OperandShape, Slot
from ptx_lsp.isa.opcode_sets import RIGHT_SHIFT
from ptx_lsp.isa.types import ELEMENTS
from ptx_lsp.judgement.gates import unmet_needs
from ptx_lsp.judgement.judge import form_of
from ptx_lsp.judgement.verdict import (
    OperandCheck,
    OperandCheckKind,
    Verdict,
    is_at_most,
    parameter_of_function,
    passes,
)
from ptx_lsp.semantics.operands import Path, Reading
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.syntax.tree import Instruction, Operand, Pair, TermKind, Value

_ONE = 0x3F800000  # the bits of 1.0 in single precision


def check_operand(check: OperandCheck, instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report a constant or register at the path of a check, or a module, that does not pass the check."""
    constant = reading.constants.get(check.path)
    node = reading.nodes.get(check.path)
    are_separate = SEPARATE_SAMPLERS in surroundings.profile.options
    if check.kind is OperandCheckKind.SAMPLER and node is not None and are_separate:
        message = f"`{instruction.text}` takes a sampler here: `.target` says `{SEPARATE_SAMPLERS}`"
        surroundings.report("operand-kind", node.start, node.end, message)
        return
    if check.kind is OperandCheckKind.SEPARATE and node is not None and not are_separate:
        message = f"`{instruction.text}` takes no sampler here: `.target` does not say `{SEPARATE_SAMPLERS}`"
        surroundings.report("operand-kind", node.start, node.end, message)
        return
    if check.kind is OperandCheckKind.DEVICE_FUNCTION and node is not None and _in_kernel(surroundings):
        message = parameter_of_function(instruction.text, surroundings.source(node.start, node.end))
        surroundings.report("state-space", node.start, node.end, message)
        return
    if check.kind is OperandCheckKind.WHOLE:
        _refuse_element(check, instruction, node, surroundings)
    if constant is None or node is None:
        return
    if check.kind is OperandCheckKind.FRACTION:
        single = as_operand(constant, "f32")  # the assembler compares the rounded value
        if single is None or not constant.is_float or not 0 < single.bits <= _ONE:
            of = f"`{check.role}` of `{instruction.text}`"
            message = f"{of} is a fraction above 0 and up to 1; this is {constant.real:g}"
            surroundings.report("immediate-range", node.start, node.end, message)
        return
    if check.kind is OperandCheckKind.AT_MOST:
        _compare(check, constant, instruction, reading, surroundings)
        return
    if check.kind is OperandCheckKind.FITS and constant.is_float:
        converted = as_operand(constant, f"f{check.bits}")
        if converted is not None and converted.doubt is not None:
            message = doubt_message(constant, converted)
            surroundings.report(converted.doubt.code, node.start, node.end, message)
        return
    if constant.type not in (ValueType.S64, ValueType.U64) or passes(check, constant.integer):
        return
    code, message, data = _complaint(check, instruction, constant)
    surroundings.report(code, node.start, node.end, message, data=data)


def _in_kernel(surroundings: Surroundings) -> bool:
    return surroundings.function is not None and surroundings.function.kind is SymbolKind.ENTRY


def _refuse_element(
    check: OperandCheck, instruction: Instruction, node: Operand | None, surroundings: Surroundings
) -> None:
    """Report an element of a vector, which instructions that ptxas expands do not take (observed: ptxas 13.5)."""
    if node is not None and _is_member(node):
        name = surroundings.source(node.start, node.end)
        where = f"`{check.role}` of `{instruction.text}`"
        is_element = isinstance(node, Value) and node.expression.root.text in ELEMENTS
        what = "an element of a vector" if is_element else "a part of a register"
        message = f"`{name}` is {what}, but {where} takes a register by itself: use a `mov`"
        surroundings.report("operand-kind", node.start, node.end, message)


def check_elements(instruction: Instruction, reading: Reading, verdict: Verdict, surroundings: Surroundings) -> None:
    """Report elements of vector registers that ptxas would pass to a function of its own (observed: ptxas 13.5)."""
    members = [path for path, node in reading.nodes.items() if _is_member(node)]
    form = form_of(instruction.text, verdict.form) if members else None
    if form is None:
        return
    profile = surroundings.profile
    unmet = unmet_needs(form.section.native, profile.version, profile.target)
    slots = {slot.role: slot for slot in form.slots}
    for path in members:
        part, node = _slot_of(path, slots[verdict.roles[path[0]]], reading), reading.nodes[path]
        if "apart" in part.flags:
            _refuse_element(OperandCheck(OperandCheckKind.WHOLE, path, part.role), instruction, node, surroundings)
        elif unmet is not None and "passed" in part.flags and _is_of_vector(path, reading):
            code, text, data = unmet
            message = f"`{part.role}` of `{instruction.text}` as an element of a vector {text}"
            surroundings.report(code, node.start, node.end, message, data=dict(data))


def _slot_of(path: Path, slot: Slot, reading: Reading) -> Slot:
    """The slot of an operand with this path, or of the destination that it is of two."""
    if slot.shape is not OperandShape.PAIR:
        return slot
    return slot.parts[path[1] if isinstance(reading.nodes.get(path[:1]), Pair) else 0]


def _is_of_vector(path: Path, reading: Reading) -> bool:
    symbol = reading.symbols.get(path)
    return symbol is not None and symbol.vector > 1


def _is_member(node: Operand) -> bool:
    return isinstance(node, Value) and any(term.kind is TermKind.MEMBER for term in node.expression.terms)


def _compare(
    check: OperandCheck, constant: Constant, instruction: Instruction, reading: Reading, surroundings: Surroundings
) -> None:
    """Report a constant that is greater than another one; both are unsigned."""
    other, node = reading.constants.get(check.other), reading.nodes[check.path]
    if other is None or constant.is_float or other.is_float:
        return
    if not is_at_most(check, constant.integer, other.integer):
        value = constant.integer % (check.modulo or 1 << 64)
        limit = surroundings.source(reading.nodes[check.other].start, reading.nodes[check.other].end)
        found = f"{constant.integer}" + (f", which is {value} without a sign" if constant.integer < 0 else "")
        message = f"`{check.role}` of `{instruction.text}` must not be above `{limit}`; this is {found}"
        surroundings.report("immediate-range", node.start, node.end, message)


def _complaint(check: OperandCheck, instruction: Instruction, constant: Constant) -> tuple[str, str, dict[str, str]]:
    value = constant.integer
    of = f"`{check.role}` of `{instruction.text}`"
    if check.kind is OperandCheckKind.FITS:
        kept = value & ((1 << check.bits) - 1)
        signed = kept - (1 << check.bits) if kept >> (check.bits - 1) else kept
        also = f" ({signed})" if signed != kept else ""
        return (
            "constant-truncated",
            f"{value.bit_length()}-bit value in a {check.bits}-bit slot: the assembler uses {kept:#x}{also}",
            {"value": hex(kept)},
        )
    if check.kind is OperandCheckKind.SHIFT_COUNT:
        return (
            "shift-count",
            _shift_message(instruction, value, check.bits),
            {},
        )
    if check.kind is OperandCheckKind.ONE_OF:
        expected = " or ".join(", ".join(map(str, check.values)).rsplit(", ", 1))
    elif check.kind is OperandCheckKind.MULTIPLE:
        expected = f"a multiple of {check.step} from {check.low} to {check.high}"
    elif check.kind is OperandCheckKind.POWER_OF_TWO:
        expected = f"a power of two from {check.low} to {check.high}"
    elif check.low == 0 and check.high >= 2**63 - 1:
        return "immediate-range", f"{of} must not be negative; this is {value}", {}
    else:
        expected = f"from {check.low} to {check.high}"
    return "immediate-range", f"{of} must be {expected}; this is {value}", {}


def _shift_message(instruction: Instruction, value: int, bits: int) -> str:
    signed = instruction.opcode.text == RIGHT_SHIFT and any(m.text.startswith(".s") for m in instruction.modifiers)
    always = "every bit of the result is the sign" if signed else "the result is always 0"
    return f"a shift by {value} of a {bits}-bit value: counts of {bits} and more clamp (they do not wrap), {always}"
