"""The types of PTX: those that a register can have, those that only an instruction can name, and their contents."""

from ptx_lsp.light_classes import NamedTuple


class Type(NamedTuple):
    """One type.

    `letter` is its class: b (untyped bits), s, u, f (integers and floats), h (`.f16x2`: packed halves that a register
    can have), x (packed or alternate format that only instructions name), p (predicate), o (opaque). `bits` is the
    width of one value; `storage` is the width of the bit-size register for it (0: no register can hold it).
    `declarable` is true if registers can have it, `initial` if its variables may have an initial value, `foreign` if no
    declaration can have it, not even one in a prototype. `single` is true if ptxas takes registers and variables of it
    although only instructions name it: they hold bits (observed: ptxas 13.5).
    """

    name: str
    letter: str
    bits: int
    storage: int
    declarable: bool
    initial: bool
    foreign: bool
    single: bool
    meaning: str


# r: a type of registers and variables; n: the same, but its variables have no initial value (PTX ISA, #initializers);
# v: a type of variables only; a: a type that only instructions name, and that ptxas takes in arrays and prototypes;
# s: the same, and `single`; -: a type that only instructions name
_ROWS = """
b1       x    1    0  -  single bits, in matrix fragments
b2       x    2    0  -  pairs of bits, in metadata
b4       x    4    0  -  four bits
u4       x    4    0  -  unsigned four-bit integers, in matrix fragments
s4       x    4    0  -  signed four-bit integers, in matrix fragments
u2       x    2    0  -  unsigned two-bit integers, in packed conversions
s2       x    2    0  -  signed two-bit integers, in packed conversions
b8       b    8    8  r  8 untyped bits
b16      b   16   16  r  16 untyped bits
b32      b   32   32  r  32 untyped bits
b64      b   64   64  r  64 untyped bits
b128     b  128  128  r  128 untyped bits
s8       s    8    8  r  signed 8-bit integer
s16      s   16   16  r  signed 16-bit integer
s32      s   32   32  r  signed 32-bit integer
s64      s   64   64  r  signed 64-bit integer
u8       u    8    8  r  unsigned 8-bit integer
u16      u   16   16  r  unsigned 16-bit integer
u32      u   32   32  r  unsigned 32-bit integer
u64      u   64   64  r  unsigned 64-bit integer
f16      f   16   16  n  half-precision float
f16x2    h   32   32  n  two half-precision floats
f32      f   32   32  r  single-precision float
f64      f   64   64  r  double-precision float
pred     p    1    0  n  predicate
bf16     x   16   16  -  float with an 8-bit exponent and a 7-bit mantissa, held in `.b16`
bf16x2   x   32   32  -  two `.bf16`, held in `.b32`
tf32     x   32   32  -  float with an 8-bit exponent and a 10-bit mantissa, held in `.b32`
e4m3     x    8    8  a  8-bit float, 4-bit exponent
e5m2     x    8    8  a  8-bit float, 5-bit exponent
e3m2     x    6    8  -  6-bit float, 3-bit exponent
e2m3     x    6    8  -  6-bit float, 2-bit exponent
e2m1     x    4    8  -  4-bit float, 2-bit exponent
ue8m0    x    8    8  -  8-bit unsigned exponent, a scale
ue4m3    x    7    8  -  7-bit unsigned float, a scale
e4m3x2   x   16   16  a  two `.e4m3`, held in `.b16`
e5m2x2   x   16   16  a  two `.e5m2`, held in `.b16`
e3m2x2   x   16   16  a  two `.e3m2`, held in `.b16`
e2m3x2   x   16   16  a  two `.e2m3`, held in `.b16`
e2m1x2   x    8    8  a  two `.e2m1`, held in `.b8`
ue8m0x2  x   16   16  a  two `.ue8m0`, held in `.b16`
ue5m3x2  x   16   16  -  two 8-bit unsigned floats with a 5-bit exponent, held in `.b16`
s2f6x2   x   16   16  a  two 8-bit fixed-point numbers with 6 fraction bits, held in `.b16`
e4m3x4   x   32   32  a  four `.e4m3`, held in `.b32`
e5m2x4   x   32   32  a  four `.e5m2`, held in `.b32`
e3m2x4   x   32   32  s  four `.e3m2`, held in `.b32`
e2m3x4   x   32   32  s  four `.e2m3`, held in `.b32`
e2m1x4   x   16   16  s  four `.e2m1`, held in `.b16`
u8x4     x   32   32  -  four unsigned 8-bit integers, held in `.b32`
s8x4     x   32   32  -  four signed 8-bit integers, held in `.b32`
u16x2    x   32   32  a  two unsigned 16-bit integers, held in `.b32`
s16x2    x   32   32  a  two signed 16-bit integers, held in `.b32`
f32x2    x   64   64  a  two single-precision floats, held in `.b64`
texref   o   64    0  v  a texture
samplerref o 64    0  v  a sampler
surfref  o   64    0  v  a surface
"""


def _read(row: str) -> Type:
    name, letter, bits, storage, declared, meaning = row.split(None, 5)
    declarations = declared in "rn", declared != "n", declared == "-", declared == "s"
    return Type("." + name, letter, int(bits), int(storage), *declarations, meaning)


TYPES: dict[str, Type] = {t.name: t for t in map(_read, _ROWS.strip().splitlines())}

TYPE_WORDS = frozenset(TYPES)
"""Every word that names a type, with its dot. These words keep their order in an opcode."""


def same_bits(one: str, other: str) -> bool:
    """Whether two types (with dots) differ only in signedness or in being untyped: `.s64`, `.u64` and `.b64` do."""
    first, second = TYPES.get(one), TYPES.get(other)
    if first is None or second is None or one == other:
        return False
    return first.letter in "bsu" and second.letter in "bsu" and first.bits == second.bits


OPAQUE_TYPES = frozenset(name for name, row in TYPES.items() if row.letter == "o")
"""The types of textures, samplers and surfaces. A register can hold the handle of such an object."""

INDEX_TYPES = frozenset((".b32", ".s32", ".u32"))
"""The types of a register that selects a target of an indexed branch (observed: ptxas 13.5)."""

CALLED_TYPES = frozenset((".b32", ".b64", ".s32", ".s64", ".u32", ".u64"))
"""The types of a register through which a function is called (observed: ptxas 13.5)."""

VECTORS = {".v2": 2, ".v4": 4}
"""The vectors that can be declared, with the numbers of their elements (PTX ISA, #vectors)."""

ELEMENTS = (".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a")
"""The elements of a vector register: the second four are other names of the first four (PTX ISA, #vectors)."""

TEXTURE, SAMPLER, SURFACE = ".texref", ".samplerref", ".surfref"
"""The opaque types of textures, and of samplers that are separate from them."""
