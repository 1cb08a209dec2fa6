"""The verdict on an instruction: a pure function of its opcode text, operand kinds, version and target."""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.forms import Access, Form, OperandShape
from ptx_lsp.isa.instructions import Opcode, instruction
from ptx_lsp.isa.matching import Match, matches
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.fit import Fit
from ptx_lsp.judgement.fitting import fit_operands
from ptx_lsp.judgement.gates import gate, gone
from ptx_lsp.judgement.verdict import Complaint, OperandCheckKind, Part, Verdict
from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable

MOST_REMEMBERED = 200_000  # verdicts

JUDGED_ELSEWHERE = frozenset((CALL,))
"""Opcodes whose operands have their own checks in `semantics`: the verdict is about their modifiers only."""


@forgettable
@lru_cache(maxsize=MOST_REMEMBERED)
def judge(opcode: str, kinds: tuple[str, ...], version: Version, target: Target, known: bool = True) -> Verdict:
    """The verdict for every statement with this opcode text (`add.s32`) and these operand kinds.

    `known` is false if the module's version is newer than the newest known one: then unknown words are information.
    """
    head = opcode.partition(".")[0]
    what = instruction(head)
    severity = Severity.ERROR if known else Severity.INFORMATION
    if what is None:
        from ptx_lsp.isa.intended_words import unknown_instruction

        return _unknown(*unknown_instruction(head), severity)
    spelled = _present(spellings(opcode), version, target)
    if not spelled:
        from ptx_lsp.judgement.misfit_messages import explain

        left = tuple(f for f in what.forms if not gone(f.needs, version, target))
        return _only(explain(left or what.forms, _modifiers(opcode), severity))
    fits = [_fit(match, opcode, kinds) for match in spelled]
    judged = [(fit, gate(fit, what.forms, version, target)) for fit in fits]
    fit, gated = min(judged, key=_rank) if len(judged) > 1 else judged[0]
    # operands that fit none of the module's forms may fit a form that needs another version or target
    always = all(g for _, g in judged)
    needs = gated if always or not fit.complaints else ()
    complaints = (*_noise(fit.match), *_ignored_signs(fit), *needs, *fit.complaints)
    if not known:
        complaints = tuple(c for c in complaints if c.code != "requires-version")
    return _verdict(what, fit, complaints)


def _present(spelled: tuple[Match, ...], version: Version, target: Target) -> tuple[Match, ...]:
    """The forms without undocumented ones that ptxas has removed in this version.

    If no other is left, these are those that it has removed on some targets only.
    """
    if not any(m.form.lenient and gone(m.form.needs, version, target) for m in spelled):
        return spelled
    left = tuple(m for m in spelled if not (m.form.lenient and gone(m.form.needs, version, target)))
    return left or tuple(m for m in spelled if all(r.target is not None for r in m.form.needs.removed))


def _rank(judged: tuple[Fit, tuple[Complaint, ...]]) -> tuple[int, int, int, bool, bool]:
    """A sort key, the best form first.

    It compares how badly the operands fit, whether the module has the form, the number of modifiers without a meaning,
    whether the form needs separate samplers, and last whether the manual lacks the form.
    """
    fit, gated = judged
    separate = any(o.kind is OperandCheckKind.SEPARATE for o in fit.operand_checks)
    return fit.cost, len(gated), len(fit.match.noise), separate, fit.match.form.lenient


@forgettable
@lru_cache(maxsize=MOST_REMEMBERED)
def spellings(opcode: str) -> tuple[Match, ...]:
    """The forms that an opcode text matches; empty if its modifiers are wrong."""
    what = instruction(opcode.partition(".")[0])
    return tuple(matches(what.forms, _modifiers(opcode))) if what else ()


def _modifiers(opcode: str) -> tuple[str, ...]:
    """The modifiers of an opcode text, with their dots."""
    return tuple(["." + word for word in opcode.split(".")[1:]])


def _fit(match: Match, opcode: str, kinds: tuple[str, ...]) -> Fit:
    if match.form.opcode in JUDGED_ELSEWHERE:
        return Fit(match, opcode)
    return fit_operands(match, opcode, kinds)


def _unknown(message: str, near: str, severity: Severity) -> Verdict:
    """The verdict on a word that is not an opcode; `near` is the opcode that was probably meant, empty if unknown."""
    data = (("nearest", near),) if near else ()
    # the names in single braces are replaced in every message
    text = message.replace("{", "{{").replace("}", "}}")
    return _only(Complaint("unknown-opcode", text, Part.OPCODE, (), severity, data))


def _only(complaint: Complaint) -> Verdict:
    return Verdict((complaint,), (), (), (), (), -1)


def _verdict(what: Opcode, fit: Fit, complaints: tuple[Complaint, ...]) -> Verdict:
    written, both, assigned = [], [], []
    for index, slot in enumerate(fit.slots):
        if slot.access is Access.READ:
            continue
        written.append(index)
        if slot.access is Access.BOTH:
            both.append(index)
        if slot.shape is not OperandShape.ADDRESS:
            assigned.append(index)
    roles = tuple([slot.role for slot in fit.slots])
    operand_checks = () if fit.complaints else tuple(fit.operand_checks)
    form = what.forms.index(fit.match.form)
    return Verdict(complaints, operand_checks, tuple(written), tuple(both), roles, form, tuple(assigned))


def _ignored_signs(fit: Fit) -> tuple[Complaint, ...]:
    text = f"both minus signs have no effect: the assembler ignores them in `{fit.opcode}`"
    return (Complaint("negation", text, Part.OPERANDS, (1, 2), Severity.WARNING),) if fit.ignores_signs else ()


def _noise(match: Match) -> tuple[Complaint, ...]:
    if not match.noise:
        return ()
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


def form_of(opcode: str, index: int) -> Form | None:
    """The form with the index `Verdict.form`."""
    what = instruction(opcode.split(".")[0])
    return what.forms[index] if what and 0 <= index < len(what.forms) else None
