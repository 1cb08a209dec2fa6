"""What is said of an instruction: fine, problems, and obligations that only the statement can meet."""

from enum import Enum
from typing import NamedTuple

from ptx_lsp.findings.finding import Severity

MOST_LISTED = 8


class Part(Enum):
    """Which part of an instruction a problem is about."""

    OPCODE = "the opcode without its modifiers"
    MODIFIERS = "opcode and modifiers, whole"
    MODIFIER = "one modifier: the path's only number is its index in the statement"
    OPERAND = "one operand: the path is its index, then the index of a part inside it, and so on"
    OPERANDS = "all operands, or the place where one is missing; two of them where the path has their indices"


class Complaint(NamedTuple):
    """One mistake in an instruction, for every statement with the same key.

    `message` may hold `{operand}` (the text of the operand at `path`) and `{declared}` (its declaration, such as
    "`.f32`"), or `{first}` and `{second}` where the path has two indices of operands; literal braces are doubled.
    `data` feeds the fix of this code; its values may hold the same names.
    """

    code: str
    message: str
    part: Part
    path: tuple[int, ...] = ()
    severity: Severity = Severity.ERROR
    data: tuple[tuple[str, str], ...] = ()


class Duty(Enum):
    """What a statement must still show about the value of a constant operand."""

    RANGE = "an integer from `low` to `high`"
    MULTIPLE = "an integer from `low` to `high` that is a multiple of `step`"
    ONE_OF = "one of `values`"
    POWER_OF_TWO = "a power of two from `low` to `high`"
    FITS = "a value that fits s`bits` or u`bits`; a warning where it does not"
    SHIFT_COUNT = "a count below `bits`; a warning where it is not"
    FRACTION = "a float above 0 and up to 1"
    AT_MOST = "an unsigned integer up to that at the path `other`, if a constant stands there"
    WHOLE = "a register, and no element of a vector register"
    SAMPLER = "a module without `texmode_independent`, as no sampler is named: `path` is that of the texture"


class Obligation(NamedTuple):
    """A condition on the value of the constant at `path`; `modulo` 2**32 where ptxas truncates first."""

    duty: Duty
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
    """What holds for every statement with the same opcode text and operand kinds, at one version and target.

    `written` are the indices of the operands that the instruction writes, `read_too` those of them that it also
    reads. `roles` name each operand as the manual does. `form` is the index of the matched form, -1 where none did.
    `assigned` are the operands among `written` that are registers: a store writes memory, and reads its address.
    """

    complaints: tuple[Complaint, ...]
    obligations: tuple[Obligation, ...]
    written: tuple[int, ...]
    read_too: tuple[int, ...]
    roles: tuple[str, ...]
    form: int
    assigned: tuple[int, ...] = ()


def listed(words: tuple[str, ...]) -> str:
    """Words as people list them: "`.a`, `.b` or `.c`"."""
    shown = [f"`{w}`" for w in words[:MOST_LISTED]]
    if len(words) > MOST_LISTED:
        return ", ".join(shown) + " ..."
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]
