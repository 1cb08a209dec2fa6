"""Duties: the checks of an instruction that need more than its key (opcode text, operand kinds).

A row of `DUTIES` says which keys have a duty and how a statement is checked. It is the only way to add a check that
needs the statement, because the recognisers ask for the duties of a key: they discharge the duties that they know by
name, and leave a statement with any other duty to the parser and to `discharge`.
"""

from collections.abc import Callable
from typing import NamedTuple

from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.parameter_access import accesses_parameter, check_parameter_access
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.tree import Address, Guard, Instruction

UNGUARDED = "unguarded"
NOT_UNIFIED = "not unified"
WITHIN_PARAMETER = "within the parameter"

_NOT_UNIFIED_SPACES = ("shared", "local", "const", "param")
Kinds = tuple[str, ...]


class StatementDuty(NamedTuple):
    """A check of an instruction that needs its statement.

    `owed` is a pure function of the opcode text (`add.s32`) and the operand kinds: true if every statement with this
    key must be checked. `check` reports what is wrong with a statement; it is called only if the verdict has no
    complaints. `by_text` is true if the check depends only on the text of the statement and the kinds of its names:
    then a line that passed it is remembered as fine for every place where its names have the same kinds.
    """

    name: str
    owed: Callable[[str, Kinds], bool]
    check: Callable[[Instruction, Reading, Surroundings], None]
    by_text: bool = False


def duties_of(opcode: str, kinds: Kinds) -> tuple[StatementDuty, ...]:
    """The duties of every instruction with this opcode text and these operand kinds."""
    return tuple(duty for duty in DUTIES if duty.owed(opcode, kinds))


def is_predicate(symbol: Symbol) -> bool:
    """Whether a symbol is one `.pred` register."""
    return symbol.kind is SymbolKind.REGISTER and symbol.type == ".pred" and symbol.vector == 1


def _passes_arguments(opcode: str, kinds: Kinds) -> bool:
    """Whether an instruction reads or writes a `.param` variable of a call."""
    return opcode.partition(".")[0] in ("ld", "st") and any(kind.startswith("[.param.local:") for kind in kinds)


def _check_unguarded(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report a guard before a load or store of an argument or result of a call (observed: ptxas 13.5)."""
    guard = instruction.guard
    if guard is None or not _may_be_predicate(guard, surroundings):
        return
    index = next(i for i, kind in enumerate(reading.kinds) if kind.startswith("[.param.local:"))
    name = surroundings.source(reading.nodes[(index, 0)].start, reading.nodes[(index, 0)].end)
    message = f"`{instruction.text}` of `{name}`, which belongs to a call, cannot depend on a predicate"
    surroundings.report("bad-guard", guard.start, guard.end, message)


def _may_be_predicate(guard: Guard, surroundings: Surroundings) -> bool:
    """False if the guard has the wrong type, which is reported for every instruction."""
    symbol = surroundings.scope.lookup(guard.name.text)
    if symbol is not None:
        return is_predicate(symbol)
    special = special_register(guard.name.text)
    return special is None or special.type == ".pred"


def _has_other_address(opcode: str, kinds: Kinds) -> bool:
    """Whether an instruction writes to its address, or names a space that `.unified` is not for."""
    addresses = [index for index, kind in enumerate(kinds) if kind.startswith("[")]
    return bool(addresses) and (addresses[0] == 0 or _names_other_space(opcode))


def _names_other_space(opcode: str) -> bool:
    return any(word.startswith(_NOT_UNIFIED_SPACES) for word in opcode.split(".")[1:])


def _check_not_unified(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report `[a].unified` on anything except a global or generic address that is read (observed: ptxas 13.5)."""
    elsewhere = _names_other_space(instruction.text)
    for index, operand in enumerate(instruction.operands):
        if isinstance(operand, Address) and operand.attribute is not None and (index == 0 or elsewhere):
            word = operand.attribute
            message = f"`.unified` is for global and generic addresses that are read, and this is `{instruction.text}`"
            surroundings.report("attribute", word.start, word.end, message)


DUTIES: tuple[StatementDuty, ...] = (
    StatementDuty(UNGUARDED, _passes_arguments, _check_unguarded, by_text=True),
    StatementDuty(NOT_UNIFIED, _has_other_address, _check_not_unified, by_text=True),
    StatementDuty(WITHIN_PARAMETER, accesses_parameter, check_parameter_access),
)
