"""The use of an operand: its slot in the form, and the type that the slot has with these modifiers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from ptx_lsp.isa.forms import Access, OperandShape, Slot
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.judgement.fit import Fit, Path, has_slot, resolve
from ptx_lsp.judgement.fitting import fit_operands
from ptx_lsp.judgement.judge import JUDGED_ELSEWHERE, judge
from ptx_lsp.judgement.matched_forms import matched_forms
from ptx_lsp.memo import forgettable
from ptx_lsp.reading.statement_context import is_too_long
from ptx_lsp.semantics.instructions import read_instruction
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Instruction

REMEMBERED = 4_096
"""The number of matched forms that are remembered: compilers write the same instructions many times."""

_INTEGERS = {".i16": ".b16", ".i32": ".b32", ".i64": ".b64"}


@dataclass(frozen=True, slots=True)
class OperandUse:
    """The use of one operand: `type` with its dot, empty if the slot has none (addresses, labels, bare immediates).

    `match` is the form, `slot` the operand's slot in it.
    """

    opcode: str
    role: str
    type: str
    access: Access
    relaxed: bool
    address: bool
    match: Match
    slot: Slot


@dataclass(frozen=True, slots=True)
class Matched:
    """An instruction with the form that its verdict matched, the slots of its operands, and their uses by path."""

    match: Match
    slots: tuple[Slot, ...]
    uses: Mapping[Path, OperandUse]


def matched(instruction: Instruction, surroundings: Surroundings) -> Matched | None:
    """The form that matches an instruction, and the use of each operand in it; None if no form matches.

    Also None for an instruction that is too long. The form is that of the verdict, so that the features agree with
    the findings. Reports nothing.
    """
    if is_too_long(instruction):
        return None
    quiet = surroundings._replace(reports=[], undeclared=[], label_uses=[], needs=None)
    reading = read_instruction(instruction, quiet)
    kinds, profile = tuple(reading.kinds), surroundings.profile
    verdict = judge(instruction.text, kinds, profile.version, profile.target, profile.known)
    return _form_with_uses(instruction.text, kinds, verdict.form, tuple(reading.nodes))


@forgettable
@lru_cache(REMEMBERED)
def _form_with_uses(text: str, kinds: tuple[str, ...], index: int, paths: tuple[Path, ...]) -> Matched | None:
    """The form at the index `Verdict.form` for operands of these kinds, and the uses of their parts at these paths."""
    form = next((each for each in matched_forms(text) if each.index == index), None)
    if form is None:
        return None
    match = form.match
    fit = Fit(match, text) if match.form.opcode in JUDGED_ELSEWHERE else fit_operands(form, kinds)
    uses: dict[Path, OperandUse] = {}
    for path in paths:
        use = _use(match, fit.slots, path, text)
        if use is not None:
            uses[path] = use
    return Matched(match, fit.slots, MappingProxyType(uses))


def _use(match: Match, slots: tuple[Slot, ...], path: Path, opcode: str) -> OperandUse | None:
    if path[0] >= len(slots):
        return None
    slot = slots[path[0]]
    address = False
    for index in path[1:]:
        address |= slot.shape is OperandShape.ADDRESS and index == 0
        if slot.parts:
            parts = [part for part in slot.parts if has_slot(match, part)]
            if index >= len(parts):
                return None
            slot = parts[index]._replace(access=_stronger(slot.access, parts[index].access))
    if slot.shape is OperandShape.PAIR:  # of two destinations only the first is written
        slot = slot.parts[0]._replace(access=_stronger(slot.access, slot.parts[0].access))
    address |= slot.shape is OperandShape.ADDRESS
    type_ = "" if address else _type(match, slot)
    access = Access.READ if address else slot.access
    return OperandUse(opcode, slot.role, type_, access, slot.relaxed, address, match, slot)


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
