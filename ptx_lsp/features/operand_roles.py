"""What an instruction does with the names in its operands, by its opcode text alone: for every line of a long file."""

from typing import NamedTuple

from ptx_lsp.features.token_types import TokenModifier
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.judgement.judge import form_of, judge
from ptx_lsp.judgement.kinds import UNKNOWN
from ptx_lsp.memo import Memo
from ptx_lsp.semantics.execution import Role, role_in_memory, role_of_register
from ptx_lsp.semantics.surroundings import Profile

_READ, _WRITE = TokenModifier.READ.value, TokenModifier.WRITE.value
_BITS = {Role.READ: _READ, Role.WRITE: _WRITE, Role.BOTH: _READ | _WRITE}

Key = tuple[str, int, tuple[int, ...], bool, Profile]


class OperandRoles(NamedTuple):
    """The role of a name by the index of its operand, as bits of `TokenModifier`.

    `registers` are those of registers outside of brackets, `memory` those of variables and parameters in brackets.
    `deprecated` is True if the instruction is deprecated in the module's version. `branches` is True if its operands
    are labels, `passes` if they are the results and arguments of a call. `known` is False if no form has this opcode
    text: then every register of the operands counts as read and written.
    """

    registers: tuple[int, ...]
    memory: tuple[int, ...]
    deprecated: bool
    branches: bool
    passes: bool = False
    known: bool = True


_roles: Memo[Key, OperandRoles] = Memo(20_000)


def operand_roles(
    opcode: str, operands: int, addresses: tuple[int, ...], has_results: bool, profile: Profile
) -> OperandRoles:
    """The roles of this number of operands; `addresses` are the indices of those in brackets.

    `has_results` is True if the first operand of a call are its results.
    """
    key = opcode, operands, addresses, has_results, profile
    found = _roles.get(key)
    if found is None:
        found = _roles[key] = _find(*key)
    return found


def _find(opcode: str, operands: int, addresses: tuple[int, ...], has_results: bool, profile: Profile) -> OperandRoles:
    head = opcode.partition(".")[0]
    row = instruction(head)
    if row is None:
        return _unknown(operands, False)
    branches = any("branches" in section.effects for section in row.sections)
    if head == CALL:
        results = tuple(_WRITE if has_results and not index else _READ for index in range(operands))
        return OperandRoles(results, results, False, branches, passes=True)
    verdict = judge(opcode, (UNKNOWN,) * operands, profile.version, profile.target, profile.known)
    if verdict.form < 0:
        return _unknown(operands, branches)
    form = form_of(opcode, verdict.form)
    since = form.needs.deprecated if form is not None else None
    return OperandRoles(
        tuple(_BITS[role_of_register(index, verdict)] for index in range(operands)),
        tuple(_BITS[role_in_memory(index, opcode, verdict, addresses)] for index in range(operands)),
        since is not None and profile.version >= since,
        branches,
    )


def _unknown(operands: int, branches: bool) -> OperandRoles:
    return OperandRoles((_READ | _WRITE,) * operands, (_READ,) * operands, False, branches, known=False)
