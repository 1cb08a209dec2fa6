"""What an instruction does with the names in its operands, by its opcode text alone: for every line of a long file."""

from typing import NamedTuple

from ptx_lsp.features.token_types import TokenModifier
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.judgement.judge import form_of, judge
from ptx_lsp.judgement.verdict import Verdict
from ptx_lsp.memo import Memo
from ptx_lsp.semantics.surroundings import Profile

_READ, _WRITE, _NONE = TokenModifier.READ.value, TokenModifier.WRITE.value, TokenModifier.NONE.value
_UNKNOWN = "?"  # the kind of an operand that fits everywhere
_CALL = "call"

Key = tuple[str, int, tuple[int, ...], Profile]


class OperandRoles(NamedTuple):
    """The role of a name by the index of its operand, as bits of `TokenModifier`.

    `registers` are those of registers outside of brackets, `memory` those of variables and parameters in brackets.
    `deprecated` is True if the instruction is deprecated in the module's version. `branches` is True if its operands
    are labels, `passes` if they are the results and arguments of a call.
    """

    registers: tuple[int, ...]
    memory: tuple[int, ...]
    deprecated: bool
    branches: bool
    passes: bool = False


_roles: Memo[Key, OperandRoles] = Memo(20_000)


def operand_roles(opcode: str, operands: int, addresses: tuple[int, ...], profile: Profile) -> OperandRoles:
    """The roles of so many operands of an instruction; `addresses` are the indices of those in brackets."""
    key = opcode, operands, addresses, profile
    found = _roles.get(key)
    if found is None:
        found = _roles[key] = _find(*key)
    return found


def _find(opcode: str, operands: int, addresses: tuple[int, ...], profile: Profile) -> OperandRoles:
    head = opcode.partition(".")[0]
    row = instruction(head)
    if row is None:
        return OperandRoles((_NONE,) * operands, (_NONE,) * operands, False, False)
    branches = any("branches" in section.effects for section in row.sections)
    if head == _CALL:
        results = tuple(_WRITE if operands > 1 and not index else _READ for index in range(operands))
        return OperandRoles(results, results, False, branches, passes=True)
    verdict = judge(opcode, (_UNKNOWN,) * operands, profile.version, profile.target, profile.known)
    if verdict.form < 0:
        return OperandRoles((_READ | _WRITE,) * operands, (_READ,) * operands, False, branches)
    form = form_of(opcode, verdict.form)
    since = form.needs.deprecated if form is not None else None
    return OperandRoles(
        tuple(_of_register(index, verdict) for index in range(operands)),
        tuple(_of_memory(index, opcode, addresses, verdict) for index in range(operands)),
        since is not None and profile.version >= since,
        branches,
    )


def _of_register(index: int, verdict: Verdict) -> int:
    if index not in verdict.assigned:
        return _READ
    return _READ | _WRITE if index in verdict.read_too else _WRITE


def _of_memory(index: int, opcode: str, addresses: tuple[int, ...], verdict: Verdict) -> int:
    """What is done to the variable in brackets. Of several addresses, the first one is the destination."""
    form = form_of(opcode, verdict.form)
    effects = form.section.effects if form is not None and index in addresses[:1] else ()
    writes = any(effect.startswith("writes") for effect in effects) or index in verdict.written
    reads = any(effect.startswith("reads") for effect in effects) and len(addresses) == 1
    if not writes:
        return _READ
    return _READ | _WRITE if reads or index in verdict.read_too else _WRITE
