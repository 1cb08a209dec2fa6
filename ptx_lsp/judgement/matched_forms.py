"""What is known of an opcode text whatever its operands are: the forms that it matches, prepared for verdicts.

Statements with the same text have different operands, versions and targets. What depends on the text alone is worked
out once for all of them, and what depends on one slot and one kind once for all texts (`FittingKinds`).
"""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.forms import Access, OperandShape, Slot
from ptx_lsp.isa.instructions import forms_having, instruction
from ptx_lsp.isa.matching import Match, exact_match, noisy_matches
from ptx_lsp.isa.vector_counts import arity
from ptx_lsp.judgement.fit import Path, has_slot, may_be_left_out, resolve
from ptx_lsp.judgement.verdict import Complaint, Part, Verdict
from ptx_lsp.light_classes import NamedTuple, lru_cache
from ptx_lsp.memo import Memo, forgettable

MOST_TEXTS = 20_000
MOST_SLOTS, MOST_KINDS = 4_096, 1_024  # slots that are remembered, and the kinds for each of them

FittingKinds = dict[str, tuple[tuple[str, Path], ...]]
"""The kinds that are known to fit a slot, if no check is left to the statement.

For each kind there are the names in `Fit.given` apart from the role of the slot, with their paths inside of the
operand. Slots for one value share them if they differ in their roles only.
"""

_fitting: Memo[tuple[object, ...], FittingKinds] = Memo(MOST_SLOTS)


class Layout(NamedTuple):
    """One choice of slots for the operands of a statement.

    `fitting` has the known kinds of each slot; `verdict` is that on operands about which there is nothing to say.
    """

    slots: tuple[Slot, ...]
    fitting: tuple[FittingKinds, ...]
    verdict: Verdict


class MatchedForm:
    """An opcode text and a form that it matches; `index` is that of the form among all forms of the opcode.

    `noise` are the complaints about modifiers that mean nothing. `may_be_gone` is true for an undocumented form that
    ptxas has removed somewhere.
    """

    __slots__ = ("_layouts", "index", "match", "may_be_gone", "noise", "opcode")

    def __init__(self, opcode: str, match: Match, index: int) -> None:
        form = match.form
        self.opcode, self.match, self.index = opcode, match, index
        self.noise = _noise(match) if match.noise else ()
        self.may_be_gone = form.lenient and bool(form.needs.removed)
        self._layouts: dict[int, tuple[Layout, ...]] = {}

    def layouts(self, count: int) -> tuple[Layout, ...]:
        """Every choice of as many slots as there are operands; empty if that number is wrong."""
        found = self._layouts.get(count)
        if found is None:
            found = tuple([self._layout(slots) for slots in _choices(self.match, count)])
            self._layouts[count] = found
        return found

    def _layout(self, slots: tuple[Slot, ...]) -> Layout:
        return Layout(slots, tuple([fitting_kinds(self.match, slot) for slot in slots]), self.verdict(slots))

    def verdict(self, slots: tuple[Slot, ...]) -> Verdict:
        """The verdict on a statement about whose operands, one for each of these slots, there is nothing to say."""
        written, both, assigned = [], [], []
        for index, slot in enumerate(slots):
            if slot.access is Access.READ:
                continue
            written.append(index)
            if slot.access is Access.BOTH:
                both.append(index)
            if slot.shape is not OperandShape.ADDRESS:
                assigned.append(index)
        roles = tuple([slot.role for slot in slots])
        return Verdict((), (), tuple(written), tuple(both), roles, self.index, tuple(assigned))


@forgettable
@lru_cache(maxsize=MOST_TEXTS)
def matched_forms(opcode: str) -> tuple[MatchedForm, ...]:
    """The forms that an opcode text matches; empty if its modifiers are wrong."""
    head, words = opcode.partition(".")[0], modifiers(opcode)
    exact = [(index, match) for index, form in forms_having(head, words) if (match := exact_match(form, words))]
    if exact:
        return tuple([MatchedForm(opcode, match, index) for index, match in exact])
    what = instruction(head)
    if what is None:
        return ()
    return tuple([MatchedForm(opcode, m, what.forms.index(m.form)) for m in noisy_matches(what.forms, words)])


def modifiers(opcode: str) -> tuple[str, ...]:
    """The modifiers of an opcode text, with their dots."""
    return tuple(["." + word for word in opcode.split(".")[1:]])


def _choices(match: Match, count: int) -> list[tuple[Slot, ...]]:
    slots = tuple([slot for slot in match.form.slots if not slot.when or has_slot(match, slot)])
    missing = len(slots) - count
    if not missing:
        return [slots]
    free = [i for i, s in enumerate(slots) if may_be_left_out(s)]
    if not 0 < missing <= len(free):
        return []
    from itertools import combinations

    # a choice without later optional slots comes first, because people omit those
    left_out = combinations(reversed(free), missing)
    return [tuple(s for i, s in enumerate(slots) if i not in without) for without in left_out]


def fitting_kinds(match: Match, slot: Slot) -> FittingKinds:
    """The known kinds of a slot. Slots share them if they are equal and mean the same with their modifiers."""
    key: tuple[object, ...]
    if slot.shape is OperandShape.VALUE and not slot.parts:
        # all that matters of the kinds of a value is what they mean, and not whether it may be left out
        key = (slot.access, slot.relaxed, slot.limit, slot.flags, *[resolve(match, kind) for kind in slot.kinds])
    else:
        key = (slot, match.form.section.addresses, stated_count(match) if match.noise else 0, *_meaning(match, slot))
    found = _fitting.get(key)
    if found is None:
        found = _fitting[key] = Memo(MOST_KINDS, nested=True)
    return found


def _meaning(match: Match, slot: Slot) -> list[object]:
    """All that the modifiers say of a slot: its types and spaces, its number of elements, and which parts it has."""
    said: list[object] = [resolve(match, kind) for kind in slot.kinds]
    if slot.arity:
        said.append(arity(match, slot.arity))
    for part in slot.parts:
        if part.when:
            said.append(has_slot(match, part))
        said += _meaning(match, part)
    return said


def stated_count(match: Match) -> int:
    """The number in a word such as `.v4` that has no other effect: ptxas compares all vectors with it; 0 without it."""
    counts = (match.words[i][2:] for i in match.noise if match.words[i].startswith(".v"))
    return next((int(count) for count in counts if count.isdecimal()), 0)


def _noise(match: Match) -> tuple[Complaint, ...]:
    name = match.form.opcode
    return tuple(
        Complaint(
            "noise-modifier",
            f"`{match.words[i]}` has no effect in `{name}`: the assembler ignores it",
            Part.MODIFIER,
            (i,),
            Severity.WARNING,
        )
        for i in match.noise
    )


def element_counts(parts: tuple[Slot, ...]) -> tuple[int, ...]:
    """The numbers of elements that a vector of different parts may have, some optional: 1, 2, 4 or 8."""
    least = sum(not p.optional for p in parts)
    return tuple(n for n in (1, 2, 4, 8) if least <= n <= len(parts)) or (len(parts),)
