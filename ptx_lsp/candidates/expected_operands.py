"""The slots that the operand being typed may fill, and whether a name or a value fits one of them."""

from functools import lru_cache
from typing import NamedTuple

from ptx_lsp.isa.forms import Access, Form, OperandShape, Slot
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.isa.vector_counts import arity
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.addresses import fit_address
from ptx_lsp.judgement.fit import Fit, Path, has_slot, may_be_left_out, resolve
from ptx_lsp.judgement.gates import gate
from ptx_lsp.judgement.matched_forms import matched_forms
from ptx_lsp.judgement.values import fit_value
from ptx_lsp.memo import forgettable

MOST_FORMS = 12  # of an opcode text that are looked at
_LONG = frozenset((".global", "generic"))


class Expected(NamedTuple):
    """A slot that the operand at the cursor may fill.

    `slot` is the slot of the value itself. `address` is the slot of the address around it, if it is its first part;
    None elsewhere. `element` is true in a vector. `vector` is the number of elements that the slot still needs, in
    braces that are not typed yet; 0 if it needs none. `bracket` is true if the slot is an address whose bracket is not
    typed yet.
    """

    match: Match
    slot: Slot
    address: Slot | None = None
    element: bool = False
    vector: int = 0
    bracket: bool = False

    @property
    def written(self) -> bool:
        """Whether the instruction writes the operand."""
        return self.slot.access is not Access.READ and self.address is None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The types, spaces and other kinds that the operand may have, with these modifiers."""
        return tuple(resolve(self.match, kind) for kind in self.slot.kinds)

    def takes(self, kind: str) -> bool:
        """Whether an operand of this kind (`judgement.kinds`) fits the slot, in braces or as a vector register."""
        vector = f".v{self.vector}"
        if self.vector and kind.startswith(vector + ".") and "each" not in self.slot.flags:
            return _takes(self, kind.removeprefix(vector))
        return _takes(self, kind)

    @property
    def is_long_address(self) -> bool:
        """Whether the operand is an address in global memory or a generic one: of the module's address size."""
        if self.address is None:
            return False
        return set(self.kinds) <= _LONG


@forgettable
@lru_cache(maxsize=20_000)
def _takes(expected: Expected, kind: str) -> bool:
    match, slot = expected.match, expected.slot
    fit = Fit(match, match.form.opcode, (slot,))
    if expected.address is not None:
        fit_address(fit, expected.address._replace(parts=expected.address.parts[:1]), f"[{kind}]", (0,))
    else:
        fit_value(fit, slot, kind, (0,), element=expected.element)
    return not fit.cost and not fit.complaints


@forgettable
@lru_cache(maxsize=4096)
def expected(opcode: str, path: Path, version: Version, target: Target, brackets: str = "") -> tuple[Expected, ...]:
    """The slots for the operand at `path` of an opcode text, `add.s32`; the forms that the module can use come first.

    `brackets` are those that are open. If the modifiers are not complete, they are the slots of the forms that have
    these modifiers.
    """
    found: dict[Expected, None] = {}
    for match in forms_of(opcode, version, target)[:MOST_FORMS]:
        slots = [slot for slot in match.form.slots if has_slot(match, slot)]
        found.update(dict.fromkeys(_slots_at(match, slots, path, brackets)))
    return tuple(found)


@forgettable
@lru_cache(maxsize=4096)
def forms_of(opcode: str, version: Version, target: Target) -> tuple[Match, ...]:
    """The forms of an opcode text, or those that it may become; those that the module can use come first."""
    known = tuple(each.match for each in matched_forms(opcode)) or _incomplete(opcode)
    usable = [m for m in known if not gate(Fit(m, opcode), (m.form,), version, target)]
    ordered = [*(m for m in usable if not m.form.lenient), *(m for m in usable if m.form.lenient)]
    return (*ordered, *(m for m in known if m not in usable))


def _incomplete(opcode: str) -> tuple[Match, ...]:
    """The forms that have the modifiers typed so far, with them in the first places that they may have."""
    head, *rest = opcode.split(".")
    known = instruction(head)
    words = tuple("." + word for word in rest)
    if known is None:
        return ()
    found = []
    for form in known.forms:
        if form.lenient or not form.vocabulary.issuperset(words):
            continue
        places = [-1] * len(form.elements)
        for number, word in enumerate(words):
            free = (i for i, e in enumerate(form.elements) if word in e.words and places[i] < 0)
            at = next(free, None)
            if at is not None:
                places[at] = number
        if _types_in_order(form, places):
            found.append(Match(form, words, tuple(places)))
    return tuple(found)


def _types_in_order(form: Form, places: list[int]) -> bool:
    """Whether the places of the types have the order in which the types are written: `.s32.f32` is not `.f32.s32`."""
    typed = [
        place for element, place in zip(form.elements, places, strict=True) if TYPE_WORDS.issuperset(element.words)
    ]
    typed = [place for place in typed if place >= 0]
    return typed == sorted(typed)


def _slots_at(match: Match, slots: list[Slot], path: Path, brackets: str) -> list[Expected]:
    """The slots for the operand with the index `path[0]`: earlier optional operands may have been left out."""
    index, inner = path[0], path[1:]
    found: list[Expected] = []
    for slot in _counted(slots, index) if index < len(slots) else ():
        # in `{d}|p` the braces are those of the first half
        in_half = bool(brackets) and slot.shape is OperandShape.PAIR
        found += _inside(match, slot, (0, *inner) if in_half else inner)
    return found


def _counted(slots: list[Slot], index: int) -> list[Slot]:
    """The slot with this index, and those that have it if optional ones up to it are left out."""
    skipped = [slot for slot in slots[: index + 1] if may_be_left_out(slot)]
    return slots[index : index + 1 + len(skipped)]


def _inside(match: Match, slot: Slot, path: Path) -> list[Expected]:
    """The slots of a part of an operand; none if the operand has no such part."""
    if slot.shape is OperandShape.PAIR:
        half, rest = (path[0], path[1:]) if path else (0, ())
        if half >= len(slot.parts):
            return []
        part = slot.parts[half]._replace(access=Access.WRITE)
        return _inside(match, part, rest) if rest else [Expected(match, part)]
    if slot.shape is OperandShape.ADDRESS:
        return _in_address(match, slot, path)
    if slot.shape is OperandShape.VECTOR:
        return _in_vector(match, slot, path)
    return [Expected(match, slot)] if not path else []


def _in_address(match: Match, slot: Slot, path: Path) -> list[Expected]:
    parts = [part for part in slot.parts if has_slot(match, part)]
    if not path:
        return [Expected(match, parts[0]._replace(access=Access.READ), slot, bracket=True)]
    if path[0] == 0:
        return [Expected(match, parts[0]._replace(access=Access.READ), slot)] if len(path) == 1 else []
    return [inner for part in _counted(parts, path[0]) for inner in _inside(match, part, path[1:])]


def _in_vector(match: Match, slot: Slot, path: Path) -> list[Expected]:
    if slot.parts:
        if not path:
            return [Expected(match, slot.parts[0], vector=len(slot.parts))]
        if path[0] >= len(slot.parts):
            return []
        inner = _inside(match, slot.parts[path[0]]._replace(access=slot.access), path[1:])
        return [each._replace(element=True) for each in inner]
    counts = arity(match, slot.arity)
    if counts == (0,):  # `{a}` is `a`
        return [Expected(match, slot._replace(shape=OperandShape.VALUE))] if not path or path == (0,) else []
    plain = slot._replace(shape=OperandShape.VALUE)
    if not path:
        return [Expected(match, plain, element=True, vector=max(counts))]
    return [Expected(match, plain, element=True)] if path[0] < max(counts) and len(path) == 1 else []
