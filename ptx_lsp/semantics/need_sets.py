"""The versions and targets that a statement needs, in any module.

The gates (`gates.py`, `requirements.py`) report what the module does not have.
"""

from ptx_lsp.isa.forms import Needs
from ptx_lsp.isa.releases import OLDEST, RELEASES
from ptx_lsp.isa.targets import allows
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.fitting import fit_operands
from ptx_lsp.judgement.gates import gone, needed
from ptx_lsp.judgement.judge import JUDGED_ELSEWHERE, MOST_REMEMBERED
from ptx_lsp.judgement.matched_forms import matched_forms
from ptx_lsp.light_classes import Iterable, NamedTuple
from ptx_lsp.memo import Memo
from ptx_lsp.semantics.symbols import Mark

NeedSets = tuple[tuple[Needs, ...], ...]
"""Sets of needs: all needs of at least one set must be met. Without a set, nothing is needed."""

NOTHING: NeedSets = ()

_memory: Memo[tuple[str, tuple[str, ...]], NeedSets] = Memo(MOST_REMEMBERED)


class StatementNeeds(NamedTuple):
    """What a statement or a part of it needs, with its place and, for an instruction, its key.

    `opcode` and `kinds` are empty except for instructions. `name` is its name in messages, backquotes included.
    """

    name: str
    need_sets: NeedSets
    mark: Mark
    opcode: str = ""
    kinds: tuple[str, ...] = ()


def need_sets_of(opcode: str, kinds: tuple[str, ...]) -> NeedSets:
    """The needs of an instruction: one set of needs for each of the forms that fit these operands best.

    `opcode` is the opcode text (`add.s32`), `kinds` are the kinds of its operands. The answers are remembered.
    """
    key = (opcode, kinds)
    found = _memory.get(key)
    if found is None:
        found = _memory[key] = _need_sets(opcode, kinds)
    return found


def _need_sets(opcode: str, kinds: tuple[str, ...]) -> NeedSets:
    if opcode.split(".")[0] in JUDGED_ELSEWHERE:
        return one_of(tuple(what for what, _ in needed(each.match)) for each in matched_forms(opcode))
    fits = [fit_operands(each, kinds) for each in matched_forms(opcode)]
    least = min((fit.cost for fit in fits), default=0)
    sets = []
    for fit in fits:
        if fit.cost == least:
            given = fit.match.form.section.given
            sets.append((*(w for w, _ in needed(fit.match)), *(w for role, w in given if role in fit.given)))
    return one_of(sets)


def one_of(sets: Iterable[tuple[Needs, ...]]) -> NeedSets:
    """These sets, one of which must be met, without the needs that every module meets."""
    found: dict[tuple[Needs, ...], None] = {}
    for each in sets:
        found[tuple(dict.fromkeys(what for what in each if what.alternatives or what.removed))] = None
    return NOTHING if () in found else tuple(found)


def first_version(need_sets: NeedSets, target: Target) -> Version | None:
    """The first version in which a module for `target` meets one of the sets; None if no version does."""
    if not need_sets:
        return OLDEST
    found = [version for each in need_sets if (version := _first_of_all(each, target)) is not None]
    return min(found, default=None)


def met(need_sets: NeedSets, version: Version, target: Target) -> bool:
    """Whether a module of this version for this target meets one of the sets."""
    return not need_sets or any(all(_has(what, version, target) for what in each) for each in need_sets)


def _first_of_all(needs: tuple[Needs, ...], target: Target) -> Version | None:
    latest = OLDEST
    for what in needs:
        first = _first(what, target)
        if first is None:
            return None
        latest = max(latest, first)
    return None if any(gone(what, latest, target) for what in needs) else latest


def _first(what: Needs, target: Target) -> Version | None:
    if not what.alternatives:
        return OLDEST
    reachable = [a.version or OLDEST for a in what.alternatives if allows(target, a.targets)]
    first = min(reachable, default=None)
    # some features came with PTX 1.5, which ptxas accepts although no CUDA release introduced it
    return first if first is None or first in RELEASES else next(v for v in RELEASES if v > first)


def _has(what: Needs, version: Version, target: Target) -> bool:
    first = _first(what, target)
    return first is not None and first <= version and not gone(what, version, target)
