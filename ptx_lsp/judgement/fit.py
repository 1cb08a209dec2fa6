"""The result of comparing operands with the slots of a form, and the parts of slots and kinds."""

from ptx_lsp.isa.forms import Slot
from ptx_lsp.isa.matching import Match
from ptx_lsp.judgement.verdict import Complaint, OperandCheck, Part

Path = tuple[int, ...]


class Fit:
    """The result of comparing operands with the slots of one form.

    `given` has the path of each operand that is there, by its role, `results` those of results of the function as
    values, `passed` those of sums and names in operands with that flag, each with what it is. `ignores_signs`: true if
    the first two sources have minus signs without an effect. The form with the least `cost` fits best.
    """

    __slots__ = (
        *("complaints", "cost", "given", "ignores_signs", "match", "operand_checks", "opcode", "passed", "results"),
        "slots",
    )

    def __init__(self, match: Match, opcode: str, slots: tuple[Slot, ...] = (), cost: int = 0) -> None:
        self.match = match
        self.opcode = opcode
        self.slots = slots
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
    if kind.startswith("@"):
        return match.word(int(kind[1:]))
    if kind.startswith(".") and match.has_group(kind):
        return match.group(kind)
    return kind


def split_kind(text: str, separator: str = ",") -> list[str]:
    """The parts of a kind at its top level: `.f32,{.f32,.f32}` gives two."""
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
