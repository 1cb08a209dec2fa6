"""Which types compute the same bits in an instruction, so that one can be replaced by the other safely."""

from ptx_lsp.isa.types import TYPES

_SIGN_FREE = """
add          but sat
sub          but sat
addc
subc
neg
mul          with lo
mad          with lo but sat
madc         with lo
atom         with add|and|or|xor|exch|cas but popc
red          with add|and|or|xor but popc
and
or
xor
not
cnot
lop3
shl
popc
clz
brev
bfi
prmt
shf
selp
slct
mov
cvta
st
match
"""
"""Instructions in which `.s`, `.u` and `.b` of one width compute the same bits: "add" without `.sat`, "mul" with `.lo`.

Source: two's complement arithmetic modulo 2**n; the ISA sections of the instructions. `ld` is not among them: `.s8`
and `.u8` extend differently. `st` only stores the low bits. `cvta` takes addresses, which have no sign.
"""

ONLY_BITS = frozenset(("and", "or", "xor", "not", "shl", "prmt"))
"""Instructions that have types of untyped bits only: an author who writes `.fN` can only mean `.bN`."""

ANY_BITS = ONLY_BITS | {"mov", "st", "selp", "shfl"}
"""Instructions that compute the same bits for `.fN` and `.bN`."""


def _read() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    table = {}
    for row in _SIGN_FREE.strip().splitlines():
        opcode, *rest = row.split()
        wanted = rest[rest.index("with") + 1] if "with" in rest else ""
        excluded = rest[rest.index("but") + 1] if "but" in rest else ""
        table[opcode] = (_words(wanted), _words(excluded))
    return table


def _words(joined: str) -> frozenset[str]:
    return frozenset("." + word for word in joined.split("|") if word)


_TABLE = _read()


def sign_free(opcode: str, modifiers: tuple[str, ...]) -> bool:
    """Whether the instruction computes the same bits for signed, unsigned and untyped operands of one width."""
    if opcode not in _TABLE:
        return False
    wanted, excluded = _TABLE[opcode]
    return (not wanted or not wanted.isdisjoint(modifiers)) and excluded.isdisjoint(modifiers)


def same_result(opcode: str, modifiers: tuple[str, ...], one: str, other: str) -> bool:
    """Whether the instruction computes the same bits with type `one` (`.s32`) as with `other` in the same place."""
    first, second = TYPES.get(one), TYPES.get(other)
    if first is None or second is None or first.bits != second.bits:
        return False
    letters = {first.letter, second.letter}
    if letters <= set("bsu"):
        return sign_free(opcode, modifiers)
    return letters <= set("bsuf") and opcode in ANY_BITS and sign_free(opcode, modifiers)


def same_destination(modifiers: tuple[str, ...], place: int, other: str) -> bool:
    """Whether `cvt` with these modifiers writes the same bits if the one at `place` (from 0) is `other`.

    It does for the type of the destination between integers: the type of the source says how to extend it. With `.sat`
    the type of the destination says where to clamp.
    """
    types = [number for number, word in enumerate(modifiers) if word in TYPES]
    if len(types) != 2 or place != types[0] or ".sat" in modifiers:
        return False
    one, source, new = TYPES[modifiers[types[0]]], TYPES[modifiers[types[1]]], TYPES.get(other)
    integers = new is not None and {one.letter, new.letter} <= set("bsu") and source.letter in "su"
    return integers and new is not None and one.bits == new.bits
