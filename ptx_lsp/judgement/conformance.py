"""Whether an operand fits a slot: Table 26 of the PTX ISA and the exceptions that ptxas makes, as data.

Source: PTX ISA, #type-information-for-instructions-and-operands and #operand-size-exceeding-instruction-type-size;
if ptxas differs from them, the behaviour of ptxas (observed: ptxas 13.5).
"""

from ptx_lsp.isa.types import TYPES, Type
from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable

STRICT = {".i16": 16, ".i32": 32, ".i64": 64}
"""Slots of a fixed integer width in bits (shift counts, masks, barrier numbers), which take no packed halves."""

EXACT: dict[str, str] = {"b": "bsufh", "s": "bsuh", "u": "bsuh", "h": "bh", "f": "b", "x": "b", "p": "p"}
"""For the class of an instruction type, the classes of registers that fit it at the same width.

A register of the instruction type itself always fits.
"""

RELAXED: dict[str, str] = {"b": "bsufh", "s": "bsuh", "u": "bsuh", "h": "b", "f": "b", "x": ""}
"""The same for registers that are wider than the slot, in slots that take wider ones (ld, st, cvt)."""

ALSO: dict[str, tuple[str, ...]] = {
    ".pred": (".f16x2",),
    ".u16x2": (".f16x2",),
    ".s16x2": (".f16x2",),
    ".u8x4": (".f16x2",),
    ".s8x4": (".f16x2",),
}
"""Registers that fit although no rule says so (observed: ptxas 13.5)."""

ALSO_IN_SUMS = {".f32x2": (".f16x2",)}
"""The same for registers plus a constant."""

CONSTANTS: dict[str, tuple[str, ...]] = {
    "b": ("int",),
    "s": ("int",),
    "u": ("int",),
    "p": ("int",),
    "f": ("float", "single", "double"),
    "h": (),
    "x": (),
}
"""For the class of an instruction type, the kinds of constants that fit it."""

MORE_CONSTANTS: dict[str, tuple[str, ...]] = {".b32": ("single",), ".b64": ("float", "double"), ".f16": ()}
"""For single types, further kinds of constants that fit; an empty tuple means that no constant fits the type."""


@forgettable
@lru_cache(maxsize=4096)
def register_fits(slot: str, register: str, relaxed: bool = False, element: bool = False) -> bool:
    """Whether a register of type `register` fits a slot of type `slot` (both with dots).

    `slot` is a type word, one of STRICT, or `pred`. `relaxed` is true if the slot takes wider registers. `element` is
    true for an element of a vector of ld, st or tex, where an integer register of the same width also fits a float.
    """
    if slot == "pred":
        return register == ".pred"
    have = TYPES.get(register)
    if have is None:
        return False
    if slot in STRICT:
        return have.letter in "bsu" and have.bits == STRICT[slot]
    want = TYPES.get(slot)
    if want is None:
        return False
    if slot == register or register in ALSO.get(slot, ()):
        return True
    if have.bits == want.storage and _same_width_fits(want, have, element):
        return True
    return relaxed and have.bits > want.bits and have.letter in RELAXED.get(want.letter, "")


def _same_width_fits(want: Type, have: Type, element: bool) -> bool:
    if have.letter in EXACT.get(want.letter, ""):
        return True
    return element and want.letter == "f" and have.letter in "su"


@forgettable
@lru_cache(maxsize=4096)
def sum_fits(slot: str, register: str) -> bool:
    """Whether a register of type `register` plus a constant fits a slot of type `slot`.

    ptxas compares the class of such a register, but not its width (observed: ptxas 13.5).
    """
    if slot in ("pred", ".pred"):
        return register_fits(slot, register)
    have, want = TYPES.get(register), TYPES.get(slot)
    if have is None or want is None or "p" in (have.letter, want.letter):
        return slot in STRICT and register_fits(slot, register)
    if have.letter == want.letter == "f" or register in ALSO.get(slot, ALSO_IN_SUMS.get(slot, ())):
        return True
    return have.letter in EXACT.get(want.letter, "")


@forgettable
@lru_cache(maxsize=4096)
def constant_fits(slot: str, constant: str) -> bool:
    """Whether a constant of a kind (`int`, `float`, `single`, `double`) fits a slot of type `slot`."""
    if slot in STRICT or slot == "pred":
        return constant == "int"
    want = TYPES.get(slot)
    if want is None:
        return False
    more = MORE_CONSTANTS.get(slot)
    if more == ():
        return False
    return constant in CONSTANTS.get(want.letter, ()) or constant in (more or ())


def slot_width(slot: str) -> int:
    """The width in bits of a slot of that type; 0 if the type has no width."""
    if slot in STRICT:
        return STRICT[slot]
    want = TYPES.get(slot)
    return want.storage if want else 0


def describe_slot(slot: str, constants: bool = True, relaxed: bool = False) -> str:
    """The operands that a slot of that type takes, in words for a message.

    Example: "a 32-bit integer or bit-size register or an integer constant". `constants` is true if the slot takes
    constants, `relaxed` if it takes wider registers.
    """
    if slot == "pred":
        return "a predicate"
    width = slot_width(slot)
    more = " or wider" if relaxed else ""
    want = TYPES.get(slot)
    if slot in STRICT or (want and want.letter in "su"):
        text, constant = f"{_a_width(width)}{more} integer or bit-size register", "an integer constant"
    elif want is None:
        return f"`{slot}`"
    elif want.letter == "b":
        text, constant = f"{_a_width(width)}{more} register", "an integer constant"
    elif want.letter == "p":
        text, constant = "a predicate", "an integer constant"
    elif want.letter in "fh":
        text, constant = f"a `{slot}` or `.b{width}`{more} register", "a float constant"
    else:
        text, constant = f"a `.b{width}` register holding `{slot}`", ""
    takes_constants = constants and (constant_fits(slot, "int") or constant_fits(slot, "float"))
    return f"{text} or {constant}" if takes_constants else text


def _a_width(bits: int) -> str:
    return f"{'an' if bits == 8 else 'a'} {bits}-bit"
