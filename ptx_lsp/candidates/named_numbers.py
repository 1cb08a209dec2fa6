"""The constants that an operand usually is, with their meanings: one row each."""

from functools import cache
from typing import NamedTuple

from ptx_lsp.candidates.completion_items import Item, ItemKind
from ptx_lsp.candidates.expected_operands import Expected
from ptx_lsp.candidates.half_typed import Typed
from ptx_lsp.isa.forms import Bound, Limit
from ptx_lsp.isa.special_registers import THREADS_PER_WARP, WARP_SIZE

MOST_VALUES = 16
"""Values of a limit that are listed one by one."""

_ROWS = """
lop3        immLut         0xe8         majority: (a & b) | (a & c) | (b & c)
lop3        immLut         0x96         a ^ b ^ c
lop3        immLut         0xca         a ? b : c, for each bit
lop3        immLut         0x80         a & b & c
lop3        immLut         0xfe         a | b | c
lop3        immLut         0xea         (a & b) | c
lop3        immLut         0xf8         a | (b & c)
lop3        immLut         0x6a         (a & b) ^ c
lop3        immLut         0x78         a ^ (b & c)
prmt        c              0x0123       the bytes of a in reverse order
prmt        c              0x5410       the low halves of a and b
prmt        c              0x7632       the high halves of a and b
prmt        c              0x3254       the high half of a and the low half of b
*           membermask     0xffffffff   all lanes of the warp
shfl.up     c              0            the whole warp is one segment
shfl        c              31           the whole warp is one segment
bar         a              0            the barrier that `__syncthreads` uses
barrier     a              0            the barrier that `__syncthreads` uses
wgmma       imm-scale-a    1            A is kept
wgmma       imm-scale-a    -1           A is negated
wgmma       imm-scale-b    1            B is kept
wgmma       imm-scale-b    -1           B is negated
wgmma       imm-trans-a    0            A is not transposed
wgmma       imm-trans-a    1            A is transposed
wgmma       imm-trans-b    0            B is not transposed
wgmma       imm-trans-b    1            B is transposed
cp          N              0            no group may stay pending
cp          N              1            one group may stay pending
wgmma       N              0            no group may stay pending
*           .f32           0f00000000   0
*           .f32           0f3F800000   1
*           .f32           0fBF800000   -1
*           .f32           0f3F000000   0.5
*           .f32           0f40000000   2
*           .f32           0f3FB8AA3B   log2(e)
*           .f32           0f3F317218   ln(2)
*           .f32           0f40490FDB   pi
*           .f32           0f7F800000   infinity
*           .f32           0fFF800000   minus infinity
*           .f32           0f7FFFFFFF   NaN
*           .f64           0d0000000000000000   0
*           .f64           0d3FF0000000000000   1
*           .f64           0dBFF0000000000000   -1
*           .f64           0d3FE0000000000000   0.5
*           .f64           0d4000000000000000   2
*           .f64           0d3FF71547652B82FE   log2(e)
*           .f64           0d3FE62E42FEFA39EF   ln(2)
*           .f64           0d400921FB54442D18   pi
*           .f64           0d7FF0000000000000   infinity
"""


class _Row(NamedTuple):
    opcode: str
    role: str  # or a type
    value: str
    meaning: str


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(_Row(*line.split(None, 3)) for line in _ROWS.strip().splitlines())


def numbers(slots: tuple[Expected, ...], typed: Typed) -> list[Item]:
    """The constants that fit an operand: those with a meaning in its role, and all values of a short limit."""
    if slots[0].written:
        return []
    found: dict[str, Item] = {}
    for slot in slots:
        words = {slot.slot.role, *slot.kinds}
        for row in _rows():
            fits = row.role in words and _applies(row.opcode, typed.opcode_text)
            if fits and slot.takes(_kind(row.value)):
                found.setdefault(row.value, Item(row.value, ItemKind.NUMBER, row.meaning))
        for value in _values(slot.slot.limit):
            found.setdefault(str(value), Item(str(value), ItemKind.NUMBER))
    if typed.word and slots[0].address is None and any(slot.takes(_kind(WARP_SIZE)) for slot in slots):
        found[WARP_SIZE] = Item(WARP_SIZE, ItemKind.NUMBER, f"{THREADS_PER_WARP}, the number of threads in a warp")
    return list(found.values())


def has_own_meaning(opcode: str, role: str, value: str) -> bool:
    """Whether a number has a meaning in an operand with this role, and not only in its type."""
    return any(row.role == role and row.value == value and _applies(row.opcode, opcode) for row in _rows())


def _applies(row: str, opcode: str) -> bool:
    if row == "*":
        return True
    head, *words = row.split(".")
    have = opcode.split(".")
    return have[0] == head and set(words) <= set(have)


def _kind(value: str) -> str:
    if value.startswith("0f"):
        return "single"
    return "double" if value.startswith("0d") else "int32"


def _values(limit: Limit | None) -> list[int]:
    if limit is None:
        return []
    if limit.bound is Bound.ONE_OF:
        return list(limit.values)
    if limit.bound is Bound.POWER_OF_TWO:
        return [1 << bit for bit in range(64) if limit.low <= 1 << bit <= limit.high]
    if limit.bound in (Bound.RANGE, Bound.MULTIPLE):
        step = limit.step if limit.bound is Bound.MULTIPLE else 1
        values = range(limit.low, limit.high + 1, step or 1)
        return list(values) if not values[MOST_VALUES:] else []  # `len` fails above 63 bits
    return []
