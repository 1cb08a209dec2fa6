"""Operands as text, chosen at random: operands that fit a slot of a form, and any operands that the frame declares."""

import random
from collections.abc import Callable
from functools import cache

from ptx_lsp.isa.forms import Access, Bound, Limit, OperandShape, Slot
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.special_registers import special_registers
from ptx_lsp.isa.types import TYPES
from ptx_lsp.isa.vector_counts import arity
from ptx_lsp.judgement.conformance import STRICT
from ptx_lsp.judgement.fit import resolve
from tests.oracle.frames import REGISTERS, Frame, names, register_types

_INTEGERS = """
0 1 2 3 4 5 6 7 8 15 16 17 24 31 32 33 48 63 64 65 96 100 127 128 129 255 256 257 511 512 1000 1024 4096 65535
65536 100000 0x7fffffff 0x80000000 0xffffffff 0x100000000 -1 -2 -3 -4 -8 -16 -128 -129 -32769 -2147483648
0x7fffffffffffffff 0xffffffffffffffff 3U 0b101 017 WARP_SZ
"""
_FLOATS = "0.0 1.0 0.5 2.5 -1.0 1e10 0f3F800000 0fBF800000 0f00000000 0d3FF0000000000000 0dBFF0000000000000"
INTEGERS = tuple(_INTEGERS.split())
FLOATS = tuple(_FLOATS.split())
OFFSETS = ("+4", "+8", "+16", "-4", "+1")
SELECTORS = ("b0", "b1", "b2", "b3", "h0", "h1", "b10", "b32", "b3210", "b7654", "h10", "h32")
VARIABLES = {
    ".global": ("gv", "gd", "gf", "ga", "gq"),
    ".shared": ("sm", "sa", "sd"),
    ".const": ("cv", "ca"),
    ".local": ("lv", "la"),
    ".param": ("kp4", "kp8", "kpa", "cp4", "cp8", "cpa"),
}
OBJECTS = {".texref": "tex0", ".samplerref": "smp0", ".surfref": "srf0"}
NAMED = {"func": "fn", "label": "start", "prototype": "proto", "targets": "branches", "_": "_", "nothing": "_"}


@cache
def _special(type_: str) -> tuple[str, ...]:
    """The special registers of this type; of those that are vectors, an element."""
    rows = special_registers().values()
    return tuple(r.name + (".x" if r.vector else "") for r in rows if r.type == type_) or ("%laneid",)


class Operands:
    """Chooses operands for one statement; it has each register once, until the frame has no more registers."""

    def __init__(self, frame: Frame, chance: random.Random) -> None:
        self.frame = frame
        self.chance = chance
        self.used = chance.randrange(REGISTERS)

    def register(self, type_: str) -> str:
        """A register of that type, or of `.b32` if the frame has no such registers."""
        self.used += 1
        known = type_ if type_ in register_types(self.frame) else ".b32"
        return f"{known[1:]}_{self.used % REGISTERS}"

    # --- operands that fit ------------------------------------------------------------------------------------------

    def fitting(self, match: Match, slot: Slot) -> str:
        """An operand that fits the row of a form."""
        if slot.shape is OperandShape.ADDRESS:
            return self._address(match, slot)
        if slot.shape is OperandShape.PAIR:
            first, second = slot.parts
            alone = second.optional and self.chance.random() < 0.5
            return self.fitting(match, first) + ("" if alone else "|" + self.fitting(match, second))
        if slot.shape is OperandShape.VECTOR:
            return self._vector(match, slot)
        return self._value(match, slot)

    def _vector(self, match: Match, slot: Slot) -> str:
        if slot.parts:
            return "{" + ", ".join(self.fitting(match, part) for part in slot.parts) + "}"
        count = self.chance.choice(arity(match, slot.arity))
        if not count:
            return self._value(match, slot)
        type_ = self._type(match, slot)
        elements = [self._typed(type_) for _ in range(count)]
        if self.chance.random() < 0.1:
            elements[self.chance.randrange(count)] = self._value(match, slot)
        return "{" + ", ".join(elements) + "}"

    def _address(self, match: Match, slot: Slot) -> str:
        parts = [p for p in slot.parts if not p.when or match.holds(p.when)]
        if not self.frame.independent and not self._maybe(0.03):
            parts = [p for p in parts if ".samplerref" not in p.kinds or not p.optional]  # else ptxas misreads the rest
        parts = [p for p in parts if not p.optional or (p.when and "only_with" not in p.flags) or self._maybe()]
        rest = [self.fitting(match, part) for part in parts[1:]]
        return "[" + ", ".join([self._location(match, parts[0], bool(rest)), *rest]) + "]"

    def _location(self, match: Match, first: Slot, bare: bool) -> str:
        kind = resolve(match, self.chance.choice(first.kinds))
        if kind in OBJECTS:
            return self._object(kind) if self._maybe(0.8) else self.register(".b64")
        if kind in STRICT or kind in TYPES:
            return self.fitting(match, first)
        base = SPACES[kind].base if kind in SPACES else ".global"
        if base == ".param" or self._maybe(0.3):
            place = self.chance.choice(VARIABLES.get(base, ("gv",)))
        else:
            place = self.register(
                self.chance.choice((".b64", ".u64") if base == ".global" else (".b32", ".u32", ".b64"))
            )
        return place + (self.chance.choice(OFFSETS) if not bare and self._maybe(0.2) else "")

    def _type(self, match: Match, slot: Slot) -> str:
        kind = resolve(match, self.chance.choice([k for k in slot.kinds if k not in ("_", "_!")] or ["nothing"]))
        return "." + {"pred": "pred", "any": "b32"}.get(kind, kind.removeprefix("."))

    def _value(self, match: Match, slot: Slot) -> str:
        type_ = self._type(match, slot)
        name = type_[1:]
        if slot.limit and slot.limit.bound is not Bound.SHIFT and self._maybe(0.9 if name == "imm" else 0.5):
            return self._limited(slot.limit)
        if name in NAMED or type_ in OBJECTS:
            return self._named(name)
        if name in ("imm", "fimm"):
            return self.chance.choice(INTEGERS[:8] if name == "imm" else FLOATS)
        if type_ in SPACES:
            return self.chance.choice(VARIABLES.get(SPACES[type_].base, ("gv",)))
        if "minus" in slot.flags:
            return "-" + self._typed(type_)
        if slot.access is Access.READ and "reg" not in slot.flags and self._maybe(0.15):
            return self._constant(type_)
        return self._typed(type_)

    def _named(self, name: str) -> str:
        if "." + name in OBJECTS:
            return self._object("." + name)
        return NAMED[name] if NAMED[name] in ("_", *names(self.frame)) else "start"

    def _object(self, kind: str) -> str:
        """The texture, sampler or surface; a handle if the frame does not have that sampler."""
        return OBJECTS[kind] if OBJECTS[kind] in names(self.frame) else self.register(".b64")

    def _typed(self, type_: str) -> str:
        """A register that fits an instruction of this type."""
        if type_ in STRICT:
            return self.register(self.chance.choice("bsu") and "." + self.chance.choice("bsu") + type_[2:])
        known = TYPES.get(type_)
        if known is None or not known.storage or known.letter == "p":
            return self.register(type_ if known is None or known.letter == "p" else ".b32")
        if known.declarable and self._maybe(0.6):
            return self.register(type_)
        return self.register(f".b{known.storage}")

    def _constant(self, type_: str) -> str:
        known = TYPES.get(type_)
        floating = known is not None and known.letter == "f"
        return self.chance.choice(FLOATS if floating else INTEGERS)

    def _limited(self, limit: Limit) -> str:
        if limit.bound is Bound.FRACTION:
            return self.chance.choice(("0.5", "1.0", "0f3F000000"))
        if limit.bound is Bound.ONE_OF:
            return str(self.chance.choice(limit.values))
        if limit.bound is Bound.POWER_OF_TWO:
            return str(self.chance.choice([1 << n for n in range(64) if limit.low <= 1 << n <= limit.high]))
        high = min(limit.high, limit.low + 100 * limit.step)
        return str(-(-self.chance.randint(limit.low, high) // limit.step) * limit.step)

    def _maybe(self, share: float = 0.5) -> bool:
        return self.chance.random() < share

    # --- any operands -----------------------------------------------------------------------------------------------

    def anything(self) -> str:
        """Any operand."""
        return self.chance.choice(_MAKERS)(self)

    def any_register(self) -> str:
        return self.register(self.chance.choice(register_types(self.frame)))

    def any_integer(self) -> str:
        return self.chance.choice(INTEGERS)

    def any_float(self) -> str:
        return self.chance.choice(FLOATS)

    def any_special(self) -> str:
        rows = tuple(special_registers().values())
        row = self.chance.choice(rows)
        return row.name + (self.chance.choice((".x", ".y", ".z", ".w", "")) if row.vector else "")

    def any_name(self) -> str:
        return self.chance.choice(names(self.frame))

    def any_sum(self) -> str:
        what = self.any_register() if self._maybe() else self.any_name()
        return what + self.chance.choice(OFFSETS)

    def any_address(self) -> str:
        inside = self.chance.choice(
            (self.any_register, self.any_name, self.any_sum, self.any_integer, self.any_special)
        )
        first = self.register(self.chance.choice((".b64", ".b32"))) if self._maybe(0.3) else inside()
        more = [self.any_vector(), self.any_register(), self.any_name()]
        rest = self.chance.sample(more, self.chance.choice((0, 0, 0, 0, 1, 1, 2)))
        return "[" + ", ".join([first, *rest]) + "]"

    def any_vector(self) -> str:
        count = self.chance.choice((1, 2, 2, 3, 4, 4, 4, 8))
        type_ = self.chance.choice(register_types(self.frame))
        elements = [self.register(type_) for _ in range(count)]
        for _ in range(self.chance.choice((0, 0, 1, 1, 2))):
            elements[self.chance.randrange(count)] = self.any_element()
        return "{" + ", ".join(elements) + "}"

    def any_element(self) -> str:
        """Text to try as an element of a vector."""
        makers = (self.any_register,) * 5 + (self.any_integer, self.any_float, self.any_special, self.any_sum)
        return self.chance.choice((*makers, self.any_name, lambda: "_", self.any_member))()

    def any_member(self) -> str:
        return self.chance.choice(("v2", "v4", "vu", "vh")) + self.chance.choice((".x", ".y", ".z", ".w", ".r"))

    def any_signed(self) -> str:
        return self.chance.choice(("-", "!", "~", "!")) + self.chance.choice((self.any_register, self.any_predicate))()

    def any_predicate(self) -> str:
        return self.register(".pred")

    def any_pair(self) -> str:
        first = self.any_register() if self._maybe() else self.any_predicate()
        return first + "|" + (self.any_predicate() if self._maybe() else self.any_register())

    def any_selector(self) -> str:
        return self.any_register() + "." + self.chance.choice(SELECTORS)

    def any_sink(self) -> str:
        return "_"


_MAKERS: tuple[Callable[[Operands], str], ...] = (
    *6 * (Operands.any_register,),
    *3 * (Operands.any_integer,),
    *2 * (Operands.any_name, Operands.any_special, Operands.any_address, Operands.any_vector),
    Operands.any_float,
    Operands.any_sum,
    Operands.any_member,
    Operands.any_signed,
    Operands.any_predicate,
    Operands.any_pair,
    Operands.any_selector,
    Operands.any_sink,
)
