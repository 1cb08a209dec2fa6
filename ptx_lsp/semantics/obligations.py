"""The obligations of an instruction: checks of the values of its constant operands."""

from ptx_lsp.constants.constant import Constant, ValueType
from ptx_lsp.constants.conversion import as_operand, doubt_message
from ptx_lsp.isa.directive_names import SEPARATE_SAMPLERS
from ptx_lsp.isa.opcode_sets import RIGHT_SHIFT
from ptx_lsp.judgement.verdict import Obligation, ObligationKind, is_at_most, met, parameter_of_function
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.syntax.tree import Instruction, Operand, TermKind, Value

_ONE = 0x3F800000  # the bits of 1.0 in single precision


def discharge(obligation: Obligation, instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report a constant or register at the obligation's path, or a module, that does not satisfy the obligation."""
    constant = reading.constants.get(obligation.path)
    node = reading.nodes.get(obligation.path)
    are_separate = SEPARATE_SAMPLERS in surroundings.profile.options
    if obligation.kind is ObligationKind.SAMPLER and node is not None and are_separate:
        message = f"`{instruction.text}` takes a sampler here: `.target` says `{SEPARATE_SAMPLERS}`"
        surroundings.report("operand-kind", node.start, node.end, message)
        return
    if obligation.kind is ObligationKind.SEPARATE and node is not None and not are_separate:
        message = f"`{instruction.text}` takes no sampler here: `.target` does not say `{SEPARATE_SAMPLERS}`"
        surroundings.report("operand-kind", node.start, node.end, message)
        return
    if obligation.kind is ObligationKind.DEVICE_FUNCTION and node is not None and _in_kernel(surroundings):
        message = parameter_of_function(instruction.text, surroundings.source(node.start, node.end))
        surroundings.report("state-space", node.start, node.end, message)
        return
    if obligation.kind is ObligationKind.WHOLE:
        _refuse_element(obligation, instruction, node, surroundings)
    if constant is None or node is None:
        return
    if obligation.kind is ObligationKind.FRACTION:
        single = as_operand(constant, "f32")  # the assembler compares the rounded value
        if single is None or not constant.is_float or not 0 < single.bits <= _ONE:
            of = f"`{obligation.role}` of `{instruction.text}`"
            message = f"{of} is a fraction above 0 and up to 1; this is {constant.real:g}"
            surroundings.report("immediate-range", node.start, node.end, message)
        return
    if obligation.kind is ObligationKind.AT_MOST:
        _compare(obligation, constant, instruction, reading, surroundings)
        return
    if obligation.kind is ObligationKind.FITS and constant.is_float:
        converted = as_operand(constant, f"f{obligation.bits}")
        if converted is not None and converted.doubt is not None:
            message = doubt_message(constant, converted)
            surroundings.report(converted.doubt.code, node.start, node.end, message)
        return
    if constant.type not in (ValueType.S64, ValueType.U64) or met(obligation, constant.integer):
        return
    code, message, data = _complaint(obligation, instruction, constant)
    surroundings.report(code, node.start, node.end, message, data=data)


def _in_kernel(surroundings: Surroundings) -> bool:
    return surroundings.function is not None and surroundings.function.kind is SymbolKind.ENTRY


def _refuse_element(
    obligation: Obligation, instruction: Instruction, node: Operand | None, surroundings: Surroundings
) -> None:
    """Report an element of a vector, which instructions that ptxas expands do not take (observed: ptxas 13.5)."""
    if isinstance(node, Value) and any(term.kind is TermKind.MEMBER for term in node.expression.terms):
        name = surroundings.source(node.start, node.end)
        where = f"`{obligation.role}` of `{instruction.text}`"
        message = f"`{name}` is an element of a vector, but {where} takes a register by itself: use a `mov`"
        surroundings.report("operand-kind", node.start, node.end, message)


def _compare(
    obligation: Obligation, constant: Constant, instruction: Instruction, reading: Reading, surroundings: Surroundings
) -> None:
    """Report a constant that is greater than another one; both are unsigned."""
    other, node = reading.constants.get(obligation.other), reading.nodes[obligation.path]
    if other is None or constant.is_float or other.is_float:
        return
    if not is_at_most(obligation, constant.integer, other.integer):
        value = constant.integer % (obligation.modulo or 1 << 64)
        limit = surroundings.source(reading.nodes[obligation.other].start, reading.nodes[obligation.other].end)
        found = f"{constant.integer}" + (f", which is {value} without a sign" if constant.integer < 0 else "")
        message = f"`{obligation.role}` of `{instruction.text}` must not be above `{limit}`; this is {found}"
        surroundings.report("immediate-range", node.start, node.end, message)


def _complaint(obligation: Obligation, instruction: Instruction, constant: Constant) -> tuple[str, str, dict[str, str]]:
    value = constant.integer
    of = f"`{obligation.role}` of `{instruction.text}`"
    if obligation.kind is ObligationKind.FITS:
        kept = value & ((1 << obligation.bits) - 1)
        signed = kept - (1 << obligation.bits) if kept >> (obligation.bits - 1) else kept
        also = f" ({signed})" if signed != kept else ""
        return (
            "constant-truncated",
            f"{value.bit_length()}-bit value in a {obligation.bits}-bit slot: the assembler uses {kept:#x}{also}",
            {"value": hex(kept)},
        )
    if obligation.kind is ObligationKind.SHIFT_COUNT:
        return (
            "shift-count",
            _shift_message(instruction, value, obligation.bits),
            {},
        )
    if obligation.kind is ObligationKind.ONE_OF:
        expected = " or ".join(", ".join(map(str, obligation.values)).rsplit(", ", 1))
    elif obligation.kind is ObligationKind.MULTIPLE:
        expected = f"a multiple of {obligation.step} from {obligation.low} to {obligation.high}"
    elif obligation.kind is ObligationKind.POWER_OF_TWO:
        expected = f"a power of two from {obligation.low} to {obligation.high}"
    elif obligation.low == 0 and obligation.high >= 2**63 - 1:
        return "immediate-range", f"{of} must not be negative; this is {value}", {}
    else:
        expected = f"from {obligation.low} to {obligation.high}"
    return "immediate-range", f"{of} must be {expected}; this is {value}", {}


def _shift_message(instruction: Instruction, value: int, bits: int) -> str:
    signed = instruction.opcode.text == RIGHT_SHIFT and any(m.text.startswith(".s") for m in instruction.modifiers)
    always = "every bit of the result is the sign" if signed else "the result is always 0"
    return f"a shift by {value} of a {bits}-bit value: counts of {bits} and more clamp (they do not wrap), {always}"
