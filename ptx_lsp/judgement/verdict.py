"""The verdict on an instruction: complaints, and the checks of operands that each statement needs."""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.light_classes import Enum, NamedTuple

MOST_LISTED = 8  # words of a list in a message


class Part(Enum):
    """The part of an instruction that a complaint is about."""

    OPCODE = "the opcode without its modifiers"
    MODIFIERS = "the opcode with all its modifiers"
    MODIFIER = "one modifier: the path's only number is its index in the statement"
    OPERAND = "one operand: the path is its index, then the index of a part inside it, and so on"
    OPERANDS = "all operands, or the place of a missing one; from one operand to another if the path has their indices"


class Complaint(NamedTuple):
    """One mistake in an instruction, for every statement with the same key.

    `message` may contain `{operand}` (the text of the operand at `path`) and `{declared}` (its declaration, such as
    "`.f32`"), or `{first}` and `{second}` if the path is the indices of two operands; literal braces are doubled.
    `data` is for the fix of this code; its values may contain the same names.
    """

    code: str
    message: str
    part: Part
    path: tuple[int, ...] = ()
    severity: Severity = Severity.ERROR
    data: tuple[tuple[str, str], ...] = ()


class OperandCheckKind(Enum):
    """The kinds of checks of an operand: what must be true of a constant, of a register or of the module."""

    RANGE = "an integer from `low` to `high`"
    MULTIPLE = "an integer from `low` to `high` that is a multiple of `step`"
    ONE_OF = "one of `values`"
    POWER_OF_TWO = "a power of two from `low` to `high`"
    FITS = "a value that fits s`bits` or u`bits`; otherwise there is a warning"
    SHIFT_COUNT = "a count below `bits`; otherwise there is a warning"
    FRACTION = "a float above 0 and up to 1"
    AT_MOST = "an unsigned integer up to the constant at the path `other`, if there is a constant"
    WHOLE = "a register, not an element of a vector register"
    SAMPLER = "a module without `texmode_independent`, where no sampler is: `path` is that of the texture or surface"
    SEPARATE = "a module with `texmode_independent`: `path` is that of the sampler"
    DEVICE_FUNCTION = "a device function around the statement, and no kernel: `path` is that of a register"


class OperandCheck(NamedTuple):
    """A condition on the statement that its key does not show: the value of a constant, an operand, or an option.

    `kind` says what must be true, and which of the other fields count. `path` is that of the constant or operand,
    `role` its name in the manual. `modulo` is 2**32 or 2**64 if ptxas takes the value modulo that number first, else 0.
    """

    kind: OperandCheckKind
    path: tuple[int, ...]
    role: str
    low: int = 0
    high: int = 0
    step: int = 1
    bits: int = 0
    values: tuple[int, ...] = ()
    modulo: int = 0
    other: tuple[int, ...] = ()


class Verdict(NamedTuple):
    """The verdict on every statement with the same opcode text and operand kinds, for one version and target.

    `written` are the indices (from 0) of the operands that the instruction writes, `read_too` those of them that it
    also reads. `roles` are the names of the operands in the manual. `form` is the index of the matched form, -1 if no
    form matched. `assigned` are the operands among `written` that are registers: a store writes memory, and reads its
    address.
    """

    complaints: tuple[Complaint, ...]
    operand_checks: tuple[OperandCheck, ...]
    written: tuple[int, ...]
    read_too: tuple[int, ...]
    roles: tuple[str, ...]
    form: int
    assigned: tuple[int, ...] = ()


NOTHING_KNOWN = Verdict((), (), (), (), (), -1)
"""The verdict on an instruction that matches no form, without its complaint."""


def listed(words: tuple[str, ...]) -> str:
    """A list of words for a message: "`.a`, `.b` or `.c`"."""
    shown = [f"`{w}`" for w in words[:MOST_LISTED]]
    if len(words) > MOST_LISTED:
        return ", ".join(shown) + " ..."
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]


def parameter_of_function(opcode: str, operand: str) -> str:
    """The message for a `.param::func` address that a kernel does not have: a register or a parameter of the kernel."""
    return f"`{opcode}` takes the name of a parameter of this function or of a call here, not `{operand}`"


def passes(check: OperandCheck, value: int) -> bool:
    """Whether an integer (of either sign) passes a check of integers."""
    if check.modulo:
        if check.kind is OperandCheckKind.ONE_OF and check.modulo <= value < 1 << 63:
            return False  # "Constant overflow"; a negative value is taken modulo 2**32 (observed: ptxas 13.5)
        value %= check.modulo
    if check.kind is OperandCheckKind.RANGE:
        return check.low <= value <= check.high
    if check.kind is OperandCheckKind.MULTIPLE:
        return check.low <= value <= check.high and value % check.step == 0
    if check.kind is OperandCheckKind.ONE_OF:
        return value in check.values or value - (1 << 64) in check.values  # `~0` is -1 (observed: ptxas 13.5)
    if check.kind is OperandCheckKind.POWER_OF_TWO:
        return check.low <= value <= check.high and value & (value - 1) == 0
    if check.kind is OperandCheckKind.SHIFT_COUNT:
        return 0 <= value < check.bits
    if value >= 1 << 63:
        value -= 1 << 64  # a sign-extended narrower value, such as `~0xff`
    return -(1 << (check.bits - 1)) <= value < (1 << check.bits)


def is_at_most(check: OperandCheck, value: int, most: int) -> bool:
    """Whether an integer is not above another one for a check that compares two; both are unsigned."""
    modulo = check.modulo or 1 << 64
    return value % modulo <= most % modulo
