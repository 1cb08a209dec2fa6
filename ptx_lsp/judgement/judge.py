"""The verdict on an instruction: a pure function of its opcode text, operand kinds, version and target."""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.forms import Form
from ptx_lsp.isa.instructions import instruction, opcodes
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.isa.types import TEXTURE
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.fit import Fit, Path, split_kind
from ptx_lsp.judgement.fitting import fit_operands
from ptx_lsp.judgement.gates import REQUIRES_VERSION, gate_modifiers, gate_operands, gone
from ptx_lsp.judgement.matched_forms import MOST_TEXTS, MatchedForm, matched_forms, modifiers
from ptx_lsp.judgement.vectors import CONSTANTS
from ptx_lsp.judgement.verdict import NOTHING_KNOWN, Complaint, OperandCheckKind, Part, Verdict
from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable

MOST_REMEMBERED = 200_000  # verdicts

_Gated = tuple[MatchedForm, tuple[Complaint, ...]]
"""A matched form, with what the module's version or target lacks for its modifiers."""

_Judged = tuple[MatchedForm, Fit, tuple[Complaint, ...]]
"""The same for a statement, with the comparison of its operands; the complaints are also about what operands need."""

_BEST_RANK = (0, 0, 0, False, False)

JUDGED_ELSEWHERE = frozenset((CALL,))
"""Opcodes whose operands have their own checks in `semantics`: the verdict is about their modifiers only."""


@forgettable
@lru_cache(maxsize=MOST_REMEMBERED)
def judge(opcode: str, kinds: tuple[str, ...], version: Version, target: Target, known: bool = True) -> Verdict:
    """The verdict for every statement with this opcode text (`add.s32`) and these operand kinds.

    `known` is false if the module's version is newer than the newest known one: then unknown words are information.
    """
    spelled = _spelled(opcode, version, target)
    if not spelled:
        return _misspelt(opcode, kinds, version, target, known)
    matched, fit, gated = _best(spelled, kinds, version, target)
    if not (gated or fit.complaints or fit.operand_checks or fit.ignores_signs or matched.noise):
        return fit.verdict
    if fit.complaints and (spread := _spread_address(fit, opcode, kinds, version, target)) is not None:
        return spread
    complaints = (*matched.noise, *_ignored_signs(fit), *gated, *fit.complaints)
    if not known:
        complaints = tuple(c for c in complaints if c.code != REQUIRES_VERSION)
    operand_checks = () if fit.complaints else tuple(fit.operand_checks)
    return fit.verdict._replace(complaints=complaints, operand_checks=operand_checks)


def _spread_address(fit: Fit, opcode: str, kinds: tuple[str, ...], version: Version, target: Target) -> Verdict | None:
    """The verdict on `[a, b], c` for the address `[a, b, c]` of a texture, if there is no complaint about it.

    Observed: to ptxas 13.5 both are the same, so that a value in the place of a sampler is a coordinate.
    """
    index = next((i for i, slot in enumerate(fit.slots) if any(TEXTURE in part.kinds for part in slot.parts)), -1)
    parts = split_kind(kinds[index][1:-1]) if 0 <= index < len(kinds) and kinds[index][:1] == "[" else []
    if len(parts) != 3 or parts[1][:1] == "{" or not CONSTANTS.keys().isdisjoint(parts[1:]):
        return None  # the grammar has names in these places, and a vector in the last one
    first, second, third = parts
    verdict = judge(opcode, (*kinds[:index], f"[{first},{second}]", third, *kinds[index + 1 :]), version, target)
    if verdict.complaints:
        return None
    checks = [check._replace(path=_nested(check.path, index)) for check in verdict.operand_checks]
    return verdict._replace(operand_checks=tuple(checks))


def _nested(path: Path, index: int) -> Path:
    """The path in a statement with `[a, b, c]`, the operand number `index`, for that in the one with `[a, b], c`."""
    if path[0] <= index:
        return path
    return (index, 2, *path[1:]) if path[0] == index + 1 else (path[0] - 1, *path[1:])


def _misspelt(opcode: str, kinds: tuple[str, ...], version: Version, target: Target, known: bool) -> Verdict:
    """The verdict on an opcode text that matches no form."""
    head = opcode.partition(".")[0]
    what = instruction(head)
    severity = Severity.ERROR if known else Severity.INFORMATION
    if what is None:
        from ptx_lsp.isa.intended_words import unknown_instruction

        return _unknown(*unknown_instruction(head), severity)
    from ptx_lsp.judgement.misfit_messages import explain

    left = tuple(f for f in what.forms if not gone(f.needs, version, target))
    return _only(explain(left or what.forms, modifiers(opcode), severity, kinds))


@forgettable
@lru_cache(maxsize=MOST_TEXTS)
def _spelled(opcode: str, version: Version, target: Target) -> tuple[_Gated, ...]:
    """The forms that an opcode text matches; empty if it matches none, or only forms that ptxas has removed."""
    if opcode.partition(".")[0] not in opcodes():
        return ()
    present = _present(matched_forms(opcode), version, target)
    return tuple([(each, gate_modifiers(each.match, None, version, target)) for each in present])


def _present(spelled: tuple[MatchedForm, ...], version: Version, target: Target) -> tuple[MatchedForm, ...]:
    """The forms without undocumented ones that ptxas has removed in this version.

    If no other is left, these are those that it has removed on some targets only.
    """
    if not any(s.may_be_gone for s in spelled):
        return spelled
    left = tuple(s for s in spelled if not (s.may_be_gone and gone(s.match.form.needs, version, target)))
    return left or tuple(s for s in spelled if all(r.target is not None for r in s.match.form.needs.removed))


def _best(spelled: tuple[_Gated, ...], kinds: tuple[str, ...], version: Version, target: Target) -> _Judged:
    """The form that fits the operands best."""
    judged: list[_Judged] = []
    for matched, lacking in spelled:
        if matched.match.form.opcode in JUDGED_ELSEWHERE:
            fit = Fit(matched.match, matched.opcode, (), matched.verdict(()))
        else:
            fit = fit_operands(matched, kinds)
        one = matched, fit, lacking or gate_operands(fit, version, target)
        if len(spelled) == 1 or _rank(one) == _BEST_RANK:
            return one
        judged.append(one)
    matched, fit, gated = min(judged, key=_rank)
    # operands that fit none of the module's forms may fit a form that needs another version or target
    always = all(each for _, _, each in judged)
    return matched, fit, gated if always or not fit.complaints else ()


def _rank(judged: _Judged) -> tuple[int, int, int, bool, bool]:
    """A sort key, the best form first.

    It compares how badly the operands fit, whether the module has the form, the number of modifiers without a meaning,
    whether the form needs separate samplers, and last whether the manual lacks the form. A form that ptxas has
    removed elsewhere counts as one of the manual: the order of the rows decides.
    """
    matched, fit, gated = judged
    separate = any(o.kind is OperandCheckKind.SEPARATE for o in fit.operand_checks)
    return fit.cost, len(gated), len(matched.noise), separate, fit.match.form.lenient and not matched.may_be_gone


def _unknown(message: str, near: str, severity: Severity) -> Verdict:
    """The verdict on a word that is not an opcode; `near` is the opcode that was probably meant, empty if unknown."""
    data = (("nearest", near),) if near else ()
    # the names in single braces are replaced in every message
    text = message.replace("{", "{{").replace("}", "}}")
    return _only(Complaint("unknown-opcode", text, Part.OPCODE, (), severity, data))


def _only(complaint: Complaint) -> Verdict:
    return NOTHING_KNOWN._replace(complaints=(complaint,))


def _ignored_signs(fit: Fit) -> tuple[Complaint, ...]:
    text = f"both minus signs have no effect: the assembler ignores them in `{fit.opcode}`"
    return (Complaint("negation", text, Part.OPERANDS, (1, 2), Severity.WARNING),) if fit.ignores_signs else ()


def form_of(opcode: str, index: int) -> Form | None:
    """The form with the index `Verdict.form`."""
    what = instruction(opcode.split(".")[0])
    return what.forms[index] if what and 0 <= index < len(what.forms) else None
