"""The value of a constant expression: 64 bits, or 32 for an exact single, and how to read them."""

import struct

from ptx_lsp.light_classes import Enum, NamedTuple

MASK = (1 << 64) - 1
SIGN = 1 << 63


class ValueType(Enum):
    """The types of a constant before it is converted to the type of its use."""

    S64 = "s64"
    U64 = "u64"
    F64 = "f64"
    F32 = "f32"  # only `0f` with 8 hex digits has this type; every operator but a unary `+` removes it

    @property
    def is_float(self) -> bool:
        """Whether this is a floating-point type."""
        return self is ValueType.F64 or self is ValueType.F32


class Constant(NamedTuple):
    """A value with its type. `bits` is the pattern: 64 bits, of an F32 the low 32 with zeros above."""

    type: ValueType
    bits: int

    @property
    def is_float(self) -> bool:
        """Whether this is a floating-point value."""
        return self.type.is_float

    @property
    def integer(self) -> int:
        """The bits as an integer: signed where the type is `.s64`, unsigned otherwise."""
        if self.type is ValueType.S64 and self.bits & SIGN:
            return self.bits - (1 << 64)
        return self.bits

    @property
    def real(self) -> float:
        """The number that a float represents; an integer is converted."""
        if self.type is ValueType.F64:
            return double_from_bits(self.bits)
        if self.type is ValueType.F32:
            return single_from_bits(self.bits)
        return float(self.integer)


def signed(value: int) -> Constant:
    """An `.s64`, from any integer, modulo 2**64."""
    return Constant(ValueType.S64, value & MASK)


def truth(value: bool) -> Constant:
    """The `.s64` 1 or 0 that comparisons and logical operators give."""
    return Constant(ValueType.S64, int(value))


def double(value: float) -> Constant:
    """An `.f64` from a Python float."""
    return Constant(ValueType.F64, bits_of_double(value))


def double_from_bits(bits: int) -> float:
    """The double with this pattern."""
    result: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return result


def single_from_bits(bits: int) -> float:
    """The single with this pattern, as a Python float (exact)."""
    result: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return result


def bits_of_double(value: float) -> int:
    """The pattern of a double."""
    result: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return result
