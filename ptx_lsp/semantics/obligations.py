"""The obligations of an instruction: checks of the values of its constant operands."""

from ptx_lsp.constants.constant import Constant, ValueType
from ptx_lsp.constants.conversion import as_operand, doubt_message
from ptx_lsp.isa.opcode_sets import RIGHT_SHIFT
from ptx_lsp.judgement.verdict import Duty, Obligation
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Instruction, Operand, TermKind, Value

SEPARATE_SAMPLERS = "texmode_independent"


def met(duty: Obligation, value: int) -> bool:
    """Whether an integer (of either sign) satisfies an obligation on integers."""
    if duty.modulo:
        value %= duty.modulo
    if duty.duty is Duty.RANGE:
        return duty.low <= value <= duty.high
    if duty.duty is Duty.MULTIPLE:
        return duty.low <= value <= duty.high and value % duty.step == 0
    if duty.duty is Duty.ONE_OF:
        return value in duty.values
    if duty.duty is Duty.POWER_OF_TWO:
        return duty.low <= value <= duty.high and value & (value - 1) == 0
    if duty.duty is Duty.SHIFT_COUNT:
        return 0 <= value < duty.bits
    if value >= 1 << 63:
        value -= 1 << 64  # a sign-extended narrower value, such as `~0xff`
    return -(1 << (duty.bits - 1)) <= value < (1 << duty.bits)


def is_at_most(duty: Obligation, value: int, most: int) -> bool:
    """Whether an integer is not above another one for an obligation that compares two; both are unsigned."""
    modulo = duty.modulo or 1 << 64
    return value % modulo <= most % modulo


def discharge(duty: Obligation, instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report a constant at the obligation's path, or a module, that does not satisfy the obligation."""
    constant = reading.constants.get(duty.path)
    node = reading.nodes.get(duty.path)
    if duty.duty is Duty.SAMPLER and node is not None and SEPARATE_SAMPLERS in surroundings.profile.options:
        message = f"`{instruction.text}` takes a sampler here: `.target` says `{SEPARATE_SAMPLERS}`"
        surroundings.report("operand-kind", node.start, node.end, message)
        return
    if duty.duty is Duty.SEPARATE and node is not None and SEPARATE_SAMPLERS not in surroundings.profile.options:
        message = f"`{instruction.text}` takes no sampler here: `.target` does not say `{SEPARATE_SAMPLERS}`"
        surroundings.report("operand-kind", node.start, node.end, message)
        return
    if duty.duty is Duty.WHOLE:
        _refuse_element(duty, instruction, node, surroundings)
    if constant is None or node is None:
        return
    if duty.duty is Duty.FRACTION:
        if constant.type not in (ValueType.F32, ValueType.F64) or not 0.0 < constant.real <= 1.0:
            surroundings.report(
                "immediate-range",
                node.start,
                node.end,
                f"`{duty.role}` of `{instruction.text}` is a fraction above 0 and up to 1; this is {constant.real:g}",
            )
        return
    if duty.duty is Duty.AT_MOST:
        _compare(duty, constant, instruction, reading, surroundings)
        return
    if duty.duty is Duty.FITS and constant.is_float:
        converted = as_operand(constant, f"f{duty.bits}")
        if converted is not None and converted.doubt is not None:
            message = doubt_message(constant, converted)
            surroundings.report(converted.doubt.code, node.start, node.end, message)
        return
    if constant.type not in (ValueType.S64, ValueType.U64) or met(duty, constant.integer):
        return
    code, message, data = _complaint(duty, instruction, constant)
    surroundings.report(code, node.start, node.end, message, data=data)


def _refuse_element(
    duty: Obligation, instruction: Instruction, node: Operand | None, surroundings: Surroundings
) -> None:
    """Report an element of a vector, which instructions that ptxas expands do not take (observed: ptxas 13.5)."""
    if isinstance(node, Value) and any(term.kind is TermKind.MEMBER for term in node.expression.terms):
        name = surroundings.source(node.start, node.end)
        where = f"`{duty.role}` of `{instruction.text}`"
        message = f"`{name}` is an element of a vector, but {where} takes a register by itself: use a `mov`"
        surroundings.report("operand-kind", node.start, node.end, message)


def _compare(
    duty: Obligation, constant: Constant, instruction: Instruction, reading: Reading, surroundings: Surroundings
) -> None:
    """Report a constant that is greater than another one; both are unsigned."""
    other, node = reading.constants.get(duty.other), reading.nodes[duty.path]
    if other is None or constant.is_float or other.is_float:
        return
    if not is_at_most(duty, constant.integer, other.integer):
        value = constant.integer % (duty.modulo or 1 << 64)
        limit = surroundings.source(reading.nodes[duty.other].start, reading.nodes[duty.other].end)
        message = f"`{duty.role}` of `{instruction.text}` must not be above `{limit}`; this is {value}"
        surroundings.report("immediate-range", node.start, node.end, message)


def _complaint(duty: Obligation, instruction: Instruction, constant: Constant) -> tuple[str, str, dict[str, str]]:
    value = constant.integer
    of = f"`{duty.role}` of `{instruction.text}`"
    if duty.duty is Duty.FITS:
        kept = value & ((1 << duty.bits) - 1)
        signed = kept - (1 << duty.bits) if kept >> (duty.bits - 1) else kept
        also = f" ({signed})" if signed != kept else ""
        return (
            "constant-truncated",
            f"{value.bit_length()}-bit value in a {duty.bits}-bit slot: the assembler uses {kept:#x}{also}",
            {"value": hex(kept)},
        )
    if duty.duty is Duty.SHIFT_COUNT:
        return (
            "shift-count",
            _shift_message(instruction, value, duty.bits),
            {},
        )
    if duty.duty is Duty.ONE_OF:
        expected = " or ".join(", ".join(map(str, duty.values)).rsplit(", ", 1))
    elif duty.duty is Duty.MULTIPLE:
        expected = f"a multiple of {duty.step} from {duty.low} to {duty.high}"
    elif duty.duty is Duty.POWER_OF_TWO:
        expected = f"a power of two from {duty.low} to {duty.high}"
    elif duty.low == 0 and duty.high >= 2**63 - 1:
        return "immediate-range", f"{of} must not be negative; this is {value}", {}
    else:
        expected = f"from {duty.low} to {duty.high}"
    return "immediate-range", f"{of} must be {expected}; this is {value}", {}


def _shift_message(instruction: Instruction, value: int, bits: int) -> str:
    signed = instruction.opcode.text == RIGHT_SHIFT and any(m.text.startswith(".s") for m in instruction.modifiers)
    always = "every bit of the result is the sign" if signed else "the result is always 0"
    return f"a shift by {value} of a {bits}-bit value: counts of {bits} and more clamp (they do not wrap), {always}"
