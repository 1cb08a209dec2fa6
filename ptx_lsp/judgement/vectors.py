"""The kind of a whole vector: ptxas compares the vector with a slot, not each of its elements.

Observed with ptxas 13.5: every element is compared with the one before it. Untyped bits match every element of their
width, and so do special registers, whatever their type; integers, floats, packed halves and predicates match only their
own class. The kind of the vector is that of its first untyped element; it is untyped if signed and unsigned integers
are mixed; otherwise it is that of the first element.
"""

from itertools import pairwise

from ptx_lsp.isa.forms import Access, Slot
from ptx_lsp.isa.types import TYPES
from ptx_lsp.judgement.kinds import LOCAL_PARAMETER, declared_type
from ptx_lsp.light_classes import NamedTuple, lru_cache
from ptx_lsp.memo import forgettable

NATURE = {"s": "integers", "u": "integers", "f": "floats", "h": "packed halves", "p": "predicates"}
CONSTANTS = {"float": "f", "single": "f", "double": "f", "int8": "s", "int16": "s", "int32": "s", "int64": "s"}
_TYPE_OF_CONSTANT = {"float": ".f64", "double": ".f64", "single": ".f32"}
PREDICATE_WIDTH = 32
"""A predicate counts as 32 bits among other elements (observed: ptxas 13.5)."""

_SELECTABLE = 32
"""The width of the registers of which ptxas takes a part as an element of a vector."""

SPECIAL = "%"
"""The first character of the kind of a special register."""

DECIMAL = frozenset(("float", "double"))
FLOATS = frozenset(("float", "single", "double"))
WIDE = CONSTANTS.keys() - {"single"}
"""The kinds of constants that count as 64 bits in a vector."""


class VectorKind(NamedTuple):
    """The kind of a whole vector, with the index of the element that has this kind.

    `other_width` is the index of an element of another width, `other_nature` of an element of another class (-1: none).
    """

    kind: str
    decider: int
    other_width: int = -1
    other_nature: int = -1


def counted_as(kind: str) -> str:
    """The kind that an element of a vector is checked as: for a variable with one value, a register of its type.

    Observed with ptxas 13.5, in every state space; arrays and vector variables are refused.
    """
    space, colon, type_ = kind.partition(":")
    return type_ if colon and space.startswith(".") and type_ in TYPES else kind


def all_counted(kinds: list[str], slot: Slot) -> list[str]:
    """The kinds that the elements of a vector in this slot are checked as.

    Observed with ptxas 13.5: of a vector that ptxas passes to a function of its own, only `.param` variables for calls
    count as registers.
    """
    if "each" in slot.flags and "sreg" not in slot.flags:
        return kinds
    passed = LOCAL_PARAMETER if "called" in slot.flags else ""
    return [counted_as(kind) if kind.startswith(passed) else kind for kind in kinds]


def counted_bits(kind: str) -> str:
    """The type of a register; that of a special register that is no predicate counts as bits."""
    declared = declared_type(kind)
    if kind.startswith(SPECIAL) and (type_ := TYPES.get(declared)) is not None and type_.letter != "p":
        return f".b{type_.bits}"
    return declared


def is_element(kind: str) -> bool:
    """Whether a kind is that of a register, a special register or a constant."""
    return _letter(kind) != ""


def vector_kind(kinds: list[str]) -> VectorKind | None:
    """The kind of a vector, by those of its elements for which `is_element` is true; None if there are none."""
    if len(set(kinds)) == 1:
        return VectorKind(_bare(kinds[0]), 0) if is_element(kinds[0]) else None
    found = [(i, _bare(k), _letter(k)) for i, k in enumerate(kinds) if is_element(k)]
    if not found:
        return None
    registers = [f for f in found if f[1] not in CONSTANTS]
    bits = [f for f in registers if f[2] == "b"]
    index, kind, _ = (bits or registers or found)[0]
    width = _width(kind)
    other_width = next((i for i, k, _ in registers if _width(k) != width), -1)
    if {"s", "u"} <= {letter for _, _, letter in registers}:
        kind = f".b{width}"
    return VectorKind(kind, index, other_width, first_mismatch(kinds))


def begun_kind(kinds: list[str]) -> tuple[str, int]:
    """The kind of a vector that begins with a constant, and the index of the element that has this kind.

    Observed with ptxas 13.5: the constant counts as a value of 64 bits, `0f...` as one of 32. It has another width than
    the elements after it without a mistake; the last one of another width decides, and makes the vector untyped.
    """
    first = _TYPE_OF_CONSTANT.get(kinds[0], ".s64")
    width, kind, index = _width(first), first, 0
    for place, element in enumerate(kinds[1:], 1):
        bare = _bare(element)
        type_ = _TYPE_OF_CONSTANT.get(bare, ".s64") if bare in CONSTANTS else bare
        if (bits := _width(type_)) not in (0, width):
            kind, index = f".b{bits}", place
        elif bits and kind == first != type_:
            kind, index = f".b{width}", place
    return kind, index


def is_refused_alone(slot: Slot, element: str) -> bool:
    """Whether a flag of the slot excludes this element, independent of the other ones (observed: ptxas 13.5)."""
    if "called" in slot.flags and (element == ".pred" or element.startswith("%")):
        return True
    if "identical" in slot.flags and element not in slot.kinds and (element in TYPES or element in CONSTANTS):
        return True
    return element in (DECIMAL if "integral" in slot.flags else WIDE if "literal" in slot.flags else ())


def is_refused_first(slot: Slot, element: str) -> bool:
    """Whether a flag of the slot excludes this constant as the first element (observed: ptxas 13.5)."""
    return element in (FLOATS if "lead" in slot.flags else CONSTANTS if "headed" in slot.flags else ())


def beside_constant(kinds: list[str]) -> bool:
    """Whether one element is a part of a register and another one a constant: ptxas 13.5 takes no such vector."""
    return any("@" in kind for kind in kinds) and not CONSTANTS.keys().isdisjoint(kinds)


def first_mismatch(kinds: list[str]) -> int:
    """The index of the first element of another class than the one before it; -1 without one.

    Only elements for which `is_element` is true are compared.
    """
    letters = [(index, letter) for index, kind in enumerate(kinds) if (letter := _letter(kind))]
    for (_, before), (index, letter) in pairwise(letters):
        if "b" not in (before, letter) and NATURE[before] != NATURE[letter]:
            return index
    return -1


def of_width(kind: str, bits: int) -> str:
    """The kind of an element after a constant, where its width does not matter: that of these bits, for integers."""
    type_ = TYPES.get(counted_bits(kind))
    return f".{type_.letter}{bits}" if type_ and type_.letter in "bsu" and not kind.endswith("+") else kind


def takes_sum(slot: Slot, kind: str, wanted: tuple[int, ...]) -> bool:
    """Whether a slot for that number of elements takes a vector register plus a constant, whatever its type.

    Observed with ptxas 13.5. Slots for one value that may be in braces without a modifier take it too.
    """
    if kind[-1] != "+" or slot.access is not Access.READ or slot.flags & {"each", "braced"}:
        return False
    is_fixed = "scalar" in slot.flags or not any(word.startswith(".") for word in slot.arity)
    return int(kind[2]) in wanted or (wanted in ((0,), (1,)) and is_fixed)


def without_selector(element: str) -> str:
    """The kind of an element, without a selector that ptxas takes: that of a register of 32 bits."""
    return element.partition("@")[0] if "@" in element and is_selectable(element) else element


def is_selectable(element: str) -> bool:
    """Whether an element with a selector is one whose part ptxas takes: a register of 32 bits, and no variable."""
    type_ = TYPES.get(element.partition("@")[0])
    return type_ is not None and type_.bits == _SELECTABLE


def alike(have: list[str]) -> list[str]:
    """The kinds of elements of 16 bits: a float counts as bits beside bits, and a constant beside a register.

    Observed with ptxas 13.5, where two float registers, two float constants, and a float beside an integer are refused.
    """
    if have[0].startswith("int"):
        return [element if element.startswith(SPECIAL) else of_width(element, 16) for element in have]
    constants = sum(element in FLOATS for element in have)
    if constants == len(have) or have == [".f16"] * len(have) or first_mismatch(have) >= 0:
        return have
    return [".b16" if element in FLOATS or element == ".f16" else element for element in have]


def _bare(kind: str) -> str:
    return counted_bits(kind.partition("@")[0])


@forgettable
@lru_cache(maxsize=4096)
def _letter(kind: str) -> str:
    bare = _bare(kind)
    letter = CONSTANTS.get(bare) or (TYPES[bare].letter if bare in TYPES else "")
    return letter if letter == "b" or letter in NATURE else ""


@forgettable
@lru_cache(maxsize=4096)
def _width(kind: str) -> int:
    return PREDICATE_WIDTH if kind == ".pred" else TYPES[kind].bits if kind in TYPES else 0
