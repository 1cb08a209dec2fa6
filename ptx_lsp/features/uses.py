"""As what an operand is used: the slot of the form that it stands in, and the type that the slot has here."""

from dataclasses import dataclass

from ptx_lsp.features.cursor import Path
from ptx_lsp.isa.forms import Access, Shape, Slot
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.judgement.fit import resolve
from ptx_lsp.judgement.fitting import fit_operands
from ptx_lsp.judgement.judge import spellings
from ptx_lsp.semantics.instructions import read_instruction
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Instruction

_INTEGERS = {".i16": ".b16", ".i32": ".b32", ".i64": ".b64"}


@dataclass(frozen=True, slots=True)
class Use:
    """One operand's use: `type` with its dot, empty where the slot has none (addresses, labels, bare immediates)."""

    opcode: str
    role: str
    type: str
    access: Access
    relaxed: bool
    address: bool = False


@dataclass(frozen=True, slots=True)
class Matched:
    """An instruction with the form that it matched best, and its operands' uses by path."""

    match: Match
    uses: dict[Path, Use]


def matched(instruction: Instruction, surroundings: Surroundings) -> Matched | None:
    """The form that an instruction spells and what each of its operands is in it; None where it spells none.

    Reports nothing: what is wrong has been told elsewhere.
    """
    quiet = surroundings._replace(reports=[], undeclared=[], label_uses=[])
    reading = read_instruction(instruction, quiet)
    fits = [fit_operands(match, instruction.text, tuple(reading.kinds)) for match in spellings(instruction.text)]
    if not fits:
        return None
    fit = min(fits, key=lambda f: (f.cost, len(f.match.noise)))
    uses: dict[Path, Use] = {}
    for path in reading.nodes:
        use = _use(fit.match, fit.slots, path, instruction.text)
        if use is not None:
            uses[path] = use
    return Matched(fit.match, uses)


def _use(match: Match, slots: tuple[Slot, ...], path: Path, opcode: str) -> Use | None:
    if path[0] >= len(slots):
        return None
    slot = slots[path[0]]
    address = False
    for index in path[1:]:
        address |= slot.shape is Shape.ADDRESS and index == 0
        if slot.parts:
            parts = [part for part in slot.parts if not part.when or match.holds(part.when)]
            if index >= len(parts):
                return None
            slot = parts[index]._replace(access=_stronger(slot.access, parts[index].access))
    if slot.shape is Shape.PAIR:  # of two destinations only the first is written
        slot = slot.parts[0]._replace(access=_stronger(slot.access, slot.parts[0].access))
    address |= slot.shape is Shape.ADDRESS
    type_ = "" if address else _type(match, slot)
    access = Access.READ if address else slot.access
    return Use(opcode, slot.role, type_, access, slot.relaxed, address)


def _stronger(outer: Access, inner: Access) -> Access:
    return outer if inner is Access.READ else inner


def _type(match: Match, slot: Slot) -> str:
    for kind in slot.kinds:
        word = resolve(match, kind)
        if word in TYPE_WORDS:
            return word
        if word in _INTEGERS:
            return _INTEGERS[word]
        if word == "pred":
            return ".pred"
    return ""
