"""The conversion of a constant to the type of the instruction or variable that uses it.

Sections `constants` and `initializers` of the PTX ISA; the rules were observed with ptxas 13.5, by reading back the
initialised data and the immediates of the generated code.
"""

from ptx_lsp.constants.constant import MASK, Constant, ValueType
from ptx_lsp.constants.spelling import bits_of_single, decimal_double, decimal_single
from ptx_lsp.light_classes import Enum, NamedTuple
from ptx_lsp.patterns import lazy_pattern

_TYPE = lazy_pattern(r"\.?(?:(?P<kind>[usbf])(?P<width>\d+)(?:x(?P<lanes>\d+))?|(?P<pred>pred))")
_INTEGRAL = frozenset("usb")


class Doubt(Enum):
    """A doubtful use of a constant that its author should know about."""

    BITS_LOST = "an integer that fits neither as signed nor as unsigned"
    LOW_BITS = "a float in 8 or 16 bits: the low bits of its pattern, not its value"
    INFINITE = "a finite double that is infinity as a single"
    SINGLE_AS_DOUBLE = "an exact single where 64 bits are expected"

    @property
    def code(self) -> str:
        """The code of the finding that reports it."""
        return "constant-single-as-double" if self is Doubt.SINGLE_AS_DOUBLE else "constant-truncated"


class Converted(NamedTuple):
    """A converted constant: `type` without a dot, `bits` of that type's width, and what is doubtful."""

    type: str
    bits: int
    doubt: Doubt | None = None

    @property
    def width(self) -> int:
        """The number of bits; 1 for a predicate."""
        return _shape(self.type)[1]

    @property
    def decimal(self) -> str:
        """The value in decimal, read by the type: signed for `.sN`, a float for `.fN`, unsigned otherwise."""
        kind, width = _shape(self.type)
        if kind == "f":
            return decimal_double(self.bits) if width == 64 else decimal_single(self.bits)
        return str(self.signed if kind == "s" else self.bits)

    @property
    def signed(self) -> int:
        """The bits read as a two's complement integer."""
        return self.bits - (1 << self.width) if self.bits >> (self.width - 1) else self.bits

    @property
    def hexadecimal(self) -> str:
        """The pattern with all its digits."""
        return f"0x{self.bits:0{(self.width + 3) // 4}x}"


def as_operand(constant: Constant, type_name: str) -> Converted | None:
    """The constant as an operand of an instruction of this type (`u32`, `.f64`, `pred`); None if the type refuses it.

    A predicate takes any integer, and anything but zero is true.
    """
    kind, width = _shape(type_name)
    name = type_name.lstrip(".")
    if not constant.is_float:
        return Converted(name, int(constant.bits != 0)) if kind == "pred" else _integer(constant, name, kind, width)
    if kind == "f" and width >= 32:
        return _real(constant, name, width)
    bit_sized = kind == "b" and width == (32 if constant.type is ValueType.F32 else 64)
    return Converted(name, constant.bits) if bit_sized else None


def as_initialiser(constant: Constant, type_name: str) -> Converted | None:
    """The constant as initial value of a variable of this type; None if the type refuses it."""
    kind, width = _shape(type_name)
    name = type_name.lstrip(".")
    if not constant.is_float:
        return _integer(constant, name, kind, width)
    if width < 32 and kind == "b":
        low = constant.bits & ((1 << width) - 1)
        return Converted(name, low, Doubt.LOW_BITS)
    if kind in ("f", "b") and width >= 32:
        return _real(constant, name, width)
    return None


def doubt_message(constant: Constant, converted: Converted) -> str:
    """One sentence about what is doubtful in a conversion; empty if nothing is."""
    slot = f"`.{converted.type}`"
    match converted.doubt:
        case Doubt.BITS_LOST:
            read = "" if converted.signed == converted.bits else f" ({converted.signed})"
            used = converted.hexadecimal + read
            return f"a {_needed(constant)}-bit value in {slot}: the assembler uses {used}"
        case Doubt.LOW_BITS:
            return f"a float in {slot} leaves the low {converted.width} bits of its pattern: {converted.hexadecimal}"
        case Doubt.INFINITE:
            return f"{decimal_double(constant.bits)} is beyond the range of {slot}: it becomes {converted.decimal}"
        case Doubt.SINGLE_AS_DOUBLE:
            single = decimal_single(constant.bits)
            return f"the 32 bits of this exact single ({single}) are read as the low bits of {slot}, not as its value"
    return ""


def _shape(type_name: str) -> tuple[str, int]:
    """A type's letter and width; an empty letter for types that take no constants."""
    match = _TYPE.fullmatch(type_name)
    if match is None or (match["lanes"] and match["kind"] == "f"):
        return "", 0
    if match["pred"]:
        return "pred", 1
    return match["kind"], int(match["width"]) * int(match["lanes"] or 1)


def _integer(constant: Constant, name: str, kind: str, width: int) -> Converted | None:
    if kind not in _INTEGRAL or width == 0:
        return None
    low = constant.bits & ((1 << width) - 1)
    if width >= 64:
        return Converted(name, low)
    extended = (low | (MASK ^ ((1 << width) - 1))) if low >> (width - 1) else low
    return Converted(name, low, None if constant.bits in (low, extended) else Doubt.BITS_LOST)


def _real(constant: Constant, name: str, width: int) -> Converted:
    if constant.type is ValueType.F32:
        return Converted(name, constant.bits, None if width == 32 else Doubt.SINGLE_AS_DOUBLE)
    if width >= 64:
        return Converted(name, constant.bits)
    single = bits_of_single(constant.real)
    infinite = single & 0x7FFFFFFF == 0x7F800000 and abs(constant.real) != float("inf")
    return Converted(name, single, Doubt.INFINITE if infinite else None)


def _needed(constant: Constant) -> int:
    """How many bits a signed or unsigned integer of this value has."""
    value = constant.integer
    return value.bit_length() if value >= 0 else (~value).bit_length() + 1
