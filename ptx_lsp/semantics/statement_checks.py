"""Statement checks: the checks of an instruction that need more than its key (opcode text, operand kinds).

A row of `STATEMENT_CHECKS` says which keys need a check and how it is made. It is the only way to add a check that
needs the statement, because the recognisers ask for the checks of a key: they make those that they know by name, and
leave a statement with any other one to the parser. The checks of single operands, which a verdict asks for, are in
`operand_checks.py`.
"""

from __future__ import annotations

from ptx_lsp.isa.opcode_sets import PARAMETER_ACCESSES
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.types import ELEMENTS
from ptx_lsp.judgement.kinds import LOCAL_ADDRESS
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, Iterator, NamedTuple
from ptx_lsp.semantics.parameter_access import accesses_parameter, check_parameter_access
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol, SymbolKind

if TYPE_CHECKING:
    from ptx_lsp.semantics.operands import Reading
    from ptx_lsp.syntax.tree import Guard, Instruction, Word

UNGUARDED = "unguarded"
NOT_UNIFIED = "not unified"
OF_UNIFIED_VARIABLE = "of a unified variable"
WITHIN_PARAMETER = "within the parameter"
CONSTANT_IN_PAIR = "constant beside an element"

_NOT_UNIFIED_SPACES = ("shared", "local", "const", "param")
_GLOBAL_VARIABLE = "[.global:"  # the beginning of the kind of an address
_OTHER_VARIABLES = tuple(f"[.{space}" for space in _NOT_UNIFIED_SPACES)
_PAIR = 2
Kinds = tuple[str, ...]


class StatementCheck(NamedTuple):
    """A check of an instruction that needs its statement.

    `is_needed` is a pure function of the opcode text (`add.s32`) and the operand kinds: true if every statement with
    this key must be checked. `report` reports what is wrong with a statement; it is called only if the verdict has no
    complaints. `by_text` is true if the check depends only on the text of the statement and the kinds of its names:
    then a line that passed it is remembered as fine for every place where its names have the same kinds.
    """

    name: str
    is_needed: Callable[[str, Kinds], bool]
    report: Callable[[Instruction, Reading, Surroundings], None]
    by_text: bool = False


def statement_checks_of(opcode: str, kinds: Kinds) -> tuple[StatementCheck, ...]:
    """The statement checks of every instruction with this opcode text and these operand kinds."""
    return tuple(check for check in STATEMENT_CHECKS if check.is_needed(opcode, kinds))


def is_predicate(symbol: Symbol) -> bool:
    """Whether a symbol is one `.pred` register."""
    return symbol.kind is SymbolKind.REGISTER and symbol.type == ".pred" and symbol.vector == 1


def _passes_arguments(opcode: str, kinds: Kinds) -> bool:
    """Whether an instruction reads or writes a `.param` variable of a call."""
    return opcode.partition(".")[0] in PARAMETER_ACCESSES and any(kind.startswith(LOCAL_ADDRESS) for kind in kinds)


def _check_unguarded(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report a guard before a load or store of an argument or result of a call (observed: ptxas 13.5)."""
    guard = instruction.guard
    if guard is None or not _may_be_predicate(guard, surroundings):
        return
    index = next(i for i, kind in enumerate(reading.kinds) if kind.startswith(LOCAL_ADDRESS))
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
    """Whether an instruction writes to its address, or has an address in a space that `.unified` is not for."""
    addresses = [index for index, kind in enumerate(kinds) if kind.startswith("[")]
    elsewhere = _names_other_space(opcode) or any(kinds[index].startswith(_OTHER_VARIABLES) for index in addresses)
    return bool(addresses) and (addresses[0] == 0 or elsewhere)


def _names_other_space(opcode: str) -> bool:
    return any(word.startswith(_NOT_UNIFIED_SPACES) for word in opcode.split(".")[1:])


def _check_not_unified(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report `[a].unified` on anything except a global or generic address that is read (observed: ptxas 13.5)."""
    elsewhere = _names_other_space(instruction.text)
    for index, word in _unified_addresses(instruction):
        if index == 0 or elsewhere:
            message = f"`.unified` is for global and generic addresses that are read, and this is `{instruction.text}`"
            surroundings.report("attribute", word.start, word.end, message)
        elif reading.kinds[index].startswith(_OTHER_VARIABLES):
            variable = reading.symbols[index, 0]
            message = f"`.unified` is for variables in `.global` space, and `{variable.name}` is in `{variable.space}`"
            _report_variable(word, variable, message, surroundings)


def _unified_addresses(instruction: Instruction) -> list[tuple[int, Word]]:
    """The index of each operand that is an address with an attribute, and the attribute."""
    from ptx_lsp.syntax.tree import Address  # a recogniser asks for the names of checks only

    operands = enumerate(instruction.operands)
    return [(i, o.attribute) for i, o in operands if isinstance(o, Address) and o.attribute is not None]


def _report_variable(word: Word, variable: Symbol, message: str, surroundings: Surroundings) -> None:
    related = ((variable.mark, f"`{variable.name}` is declared here"),)
    surroundings.report("attribute", word.start, word.end, message, related=related)


def _has_global_variable(opcode: str, kinds: Kinds) -> bool:
    """Whether an instruction reads at the address of a `.global` variable."""
    return any(kind.startswith(_GLOBAL_VARIABLE) for kind in kinds[1:])


def _check_unified_variable(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report `[a].unified` if the first declaration of `a` has no such attribute (observed: ptxas 13.5)."""
    if _names_other_space(instruction.text):
        return  # reported by the other check
    for index, word in _unified_addresses(instruction):
        if index > 0 and reading.kinds[index].startswith(_GLOBAL_VARIABLE):
            variable = reading.symbols[index, 0]
            if not variable.unified:
                message = f"`.unified` is for variables with `.attribute(.unified(...))`, which `{variable.name}` lacks"
                _report_variable(word, variable, message, surroundings)


def _mixes_in_pairs(opcode: str, kinds: Kinds) -> bool:
    """Whether an instruction has two values in braces one of which is a constant, and no more than two."""
    return max(_mixed(kinds), default=0) == _PAIR


def _mixes_in_longer(opcode: str, kinds: Kinds) -> bool:
    """Whether an instruction has more than two values in braces, some of which are constants."""
    return max(_mixed(kinds), default=0) > _PAIR


def _mixed(kinds: Kinds) -> Iterator[int]:
    """The number of values of each pair of braces that has constants and other values."""
    for kind in kinds:
        if "{" in kind:
            from ptx_lsp.judgement.vectors import CONSTANTS  # most short files have no braces

            for inside in kind.split("{")[1:]:
                constant = [item in CONSTANTS for item in inside.partition("}")[0].split(",")]
                if any(constant) and not all(constant):
                    yield len(constant)


def _check_elements(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report an element of a vector register that has a constant beside it in braces (observed: ptxas 13.5)."""
    from ptx_lsp.syntax.tree import TermKind, Value, Vector  # a recogniser asks for the names of checks only

    vectors = [node for path, node in reading.nodes.items() if isinstance(node, Vector) and path in _around(reading)]
    for item in [element for vector in vectors for element in vector.elements]:
        root = item.expression.root if isinstance(item, Value) else None
        if root is not None and root.kind is TermKind.MEMBER and root.text in ELEMENTS:
            name = surroundings.source(item.start, item.end)
            message = (
                f"`{name}` is an element of a vector: with a constant in the braces, the others are whole registers"
            )
            surroundings.report("operand-kind", item.start, item.end, message)
            return


def _around(reading: Reading) -> set[tuple[int, ...]]:
    """The paths of the operands that have constants inside."""
    return {path[:-1] for path in reading.constants}


STATEMENT_CHECKS: tuple[StatementCheck, ...] = (
    StatementCheck(UNGUARDED, _passes_arguments, _check_unguarded, by_text=True),
    StatementCheck(NOT_UNIFIED, _has_other_address, _check_not_unified, by_text=True),
    StatementCheck(OF_UNIFIED_VARIABLE, _has_global_variable, _check_unified_variable),
    StatementCheck(WITHIN_PARAMETER, accesses_parameter, check_parameter_access),
    StatementCheck(CONSTANT_IN_PAIR, _mixes_in_pairs, _check_elements, by_text=True),
    StatementCheck("constant beside elements", _mixes_in_longer, _check_elements, by_text=True),
)
