"""The result of comparing operands with the slots of a form, and the parts of slots and kinds."""

from ptx_lsp.isa.forms import Slot
from ptx_lsp.isa.matching import MOST_MODIFIERS, Match
from ptx_lsp.judgement.verdict import NOTHING_KNOWN, Complaint, OperandCheck, Part, Verdict

Path = tuple[int, ...]
"""Where an operand is: the index of the operand of the instruction, then those of the parts in it that lead there."""

_PLACES = {f"@{place}": place for place in range(MOST_MODIFIERS)}
"""The kinds that mean the word in one place of the form."""


class Fit:
    """The result of comparing operands with the slots of one form.

    `given` has the path of each operand that is there, by its role, `results` those of results of the function as
    values, `passed` those of sums and names in operands with that flag, each with what it is. `ignores_signs`: true if
    the first two sources have minus signs without an effect. The form with the least `cost` fits best. `verdict` is
    the one on operands of these slots about which there is nothing to say.
    """

    __slots__ = (
        *("complaints", "cost", "given", "ignores_signs", "match", "operand_checks", "opcode", "passed", "results"),
        *("slots", "verdict"),
    )

    def __init__(
        self, match: Match, opcode: str, slots: tuple[Slot, ...] = (), verdict: Verdict = NOTHING_KNOWN, cost: int = 0
    ) -> None:
        self.match = match
        self.opcode = opcode
        self.slots = slots
        self.verdict = verdict
        self.complaints: list[Complaint] = []
        self.operand_checks: list[OperandCheck] = []
        self.cost = cost
        self.ignores_signs = False
        self.given: dict[str, Path] = {}
        self.results: list[Path] = []
        self.passed: list[tuple[Path, str]] = []

    def complain(
        self, code: str, message: str, path: Path, cost: int = 1, data: tuple[tuple[str, str], ...] = ()
    ) -> None:
        """Report that an operand or a part of one does not fit the form.

        `cost` is above 1 if it is likely that the author meant another form; `data` is for the fix.
        """
        self.complaints.append(Complaint(code, message, Part.OPERAND, path, data=data))
        self.cost += cost


def has_slot(match: Match, slot: Slot) -> bool:
    """Whether the form has this operand with these modifiers."""
    return not slot.when or match.holds(slot.when)


def may_be_left_out(slot: Slot) -> bool:
    """Whether the operand may be left out where the form has it: not one that is present if and only if a word is."""
    return slot.optional and (not slot.when or "only_with" in slot.flags)


def resolve(match: Match, kind: str) -> str:
    """The type or space that a kind of a slot means with these modifiers; empty if the modifier for it is missing."""
    place = _PLACES.get(kind)
    if place is not None:
        at = match.places[place]
        return match.words[at] if at >= 0 else ""
    if kind[:1] != ".":
        return kind
    meaning = kind
    for element, at in zip(match.form.elements, match.places, strict=True):
        if element.name == kind:
            if at >= 0:
                return match.words[at]
            meaning = ""
    return meaning


def split_kind(text: str, separator: str = ",") -> list[str]:
    """The parts of a kind at its top level: `.f32,{.f32,.f32}` gives two."""
    if "{" not in text and "[" not in text and "(" not in text:
        return text.split(separator)  # a vector may have 128 elements
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "[{(":
            depth += 1
        elif char in "]})":
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]
