"""What executing an instruction reads and writes, and where it continues: from the operand roles of the matched row.

This is the unit on which a dataflow is built. It differs from `quick/effect.py`, which says what the text of a
statement does to the block that is read.
"""

from ptx_lsp.isa.instructions import instruction as row_of
from ptx_lsp.judgement.judge import form_of, judge
from ptx_lsp.judgement.verdict import Verdict
from ptx_lsp.light_classes import Enum, NamedTuple, Sequence, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.semantics.instructions import read_instruction
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import FUNCTION_KINDS, Symbol, SymbolKind
from ptx_lsp.syntax.names import Name, Where, names_in
from ptx_lsp.syntax.tree import Address, Instruction

_BRANCHES, _CALLS, _ENDS = "branches", "calls", "ends"
_NONE: frozenset[str] = frozenset()
_IN_MEMORY = (SymbolKind.VARIABLE, SymbolKind.PARAMETER)


class Role(Enum):
    """What a statement does with a name."""

    DECLARATION = "declares it"
    READ = "reads the register or variable, branches to the label, calls the function"
    WRITE = "writes the register or variable"
    BOTH = "reads and writes the register or variable"
    ADDRESS = "takes the address of a variable or function, or reads a register as the address of an access"


class NameAccess(NamedTuple):
    """A name in an instruction that has a declaration, and what the instruction does with it."""

    name: Name
    symbol: Symbol
    role: Role


class ExecutionEffect(NamedTuple):
    """The effect of the execution of one instruction.

    `opcode` has the modifiers. `guard` is the name of the guard predicate, empty without a guard; the instruction is
    executed if the predicate is true or, if `negated`, if it is false. `reads` and `writes` are the names of registers,
    each once, in the order of the text; the registers in addresses and the guard are in `reads` too. `targets` are the
    labels to which the instruction may branch. `callee` is the function that it calls, or the register with the
    address of the function; empty for all other instructions. `ends` is true if the thread leaves the function.
    `known` is false if no row has the opcode with these modifiers: then every register of the operands is in both
    lists.
    """

    opcode: str
    guard: str
    negated: bool
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    targets: tuple[str, ...] = ()
    callee: str = ""
    ends: bool = False
    known: bool = True

    @property
    def continues(self) -> bool:
        """Whether the next instruction in the text may be executed after this one."""
        return bool(self.guard) or not (self.targets or self.ends)


def accesses(instruction: Instruction, surroundings: Surroundings) -> list[NameAccess]:
    """What an instruction does with each name that is declared, in the order of the text. Reports nothing."""
    verdict, addresses = _verdict(instruction, surroundings), _addresses(instruction)
    found = []
    for name in names_in(instruction):
        symbol = meaning_in(instruction, name, surroundings)
        if symbol is not None:
            found.append(NameAccess(name, symbol, _role(name, symbol, instruction, verdict, addresses)))
    return found


def execution_effect(instruction: Instruction, surroundings: Surroundings) -> ExecutionEffect:
    """What executing an instruction does; `surroundings` hold the names declared above it, and all labels."""
    verdict = _verdict(instruction, surroundings)
    effects = _effects(instruction)
    addresses = _addresses(instruction)
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    targets: tuple[str, ...] = ()
    for name in names_in(instruction):
        symbol = meaning_in(instruction, name, surroundings)
        if symbol is None or symbol.kind is SymbolKind.LABEL:
            targets += (name.text,) if _BRANCHES in effects and name.where is Where.OPERAND else ()
        elif symbol.kind is SymbolKind.TARGETS and _BRANCHES in effects:
            targets += symbol.names
        elif symbol.space == ".reg":
            role = _role(name, symbol, instruction, verdict, addresses)
            if role is not Role.WRITE:
                reads[name.text] = None
            if role in (Role.WRITE, Role.BOTH):
                writes[name.text] = None
    guard = instruction.guard
    return ExecutionEffect(
        instruction.text,
        guard.name.text if guard is not None else "",
        guard is not None and guard.negated,
        tuple(reads),
        tuple(writes),
        targets,
        _callee(instruction) if _CALLS in effects else "",
        _ENDS in effects,
        _CALLS in effects or _is_known(verdict),
    )


def meaning_in(instruction: Instruction, name: Name, surroundings: Surroundings) -> Symbol | None:
    """The symbol that a name in an instruction means; None if nothing declares it.

    The operand of a branch is a label, whatever else has its name; any other name is a label only if nothing else is.
    """
    scope = surroundings.scope
    declared, label = scope.lookup(name.text), scope.label(name.text)
    if name.where is not Where.OPERAND or len(instruction.operands) > 1:
        return declared or label
    return label if declared is None or _BRANCHES in _effects(instruction) else declared


def _verdict(instruction: Instruction, surroundings: Surroundings) -> Verdict | None:
    if _CALLS in _effects(instruction):
        return None
    quiet = surroundings._replace(reports=[], undeclared=[], label_uses=[], needs=None)
    kinds = tuple(read_instruction(instruction, quiet).kinds)
    profile = surroundings.profile
    return judge(instruction.text, kinds, profile.version, profile.target, profile.known)


def _is_known(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.form >= 0


@forgettable
@lru_cache(maxsize=1024)
def _effects_of(opcode: str) -> frozenset[str]:
    row = row_of(opcode)
    return frozenset(effect for section in row.sections for effect in section.effects) if row is not None else _NONE


def _effects(instruction: Instruction) -> frozenset[str]:
    return _effects_of(instruction.opcode.text)


def _callee(instruction: Instruction) -> str:
    named = [name.text for name in names_in(instruction) if name.path == (int(instruction.has_results),)]
    return named[0] if named else ""


def _addresses(instruction: Instruction) -> list[int]:
    """The indexes of the operands that are addresses."""
    return [index for index, operand in enumerate(instruction.operands) if isinstance(operand, Address)]


def _role(name: Name, symbol: Symbol, instruction: Instruction, verdict: Verdict | None, addresses: list[int]) -> Role:
    if name.where is not Where.OPERAND:
        return Role.READ
    index = name.path[0]
    if verdict is None:
        return Role.WRITE if instruction.has_results and index == 0 else Role.READ
    if not _is_known(verdict):
        return Role.BOTH if symbol.space == ".reg" else Role.READ
    if symbol.space == ".reg" and name.bracketed:
        return Role.ADDRESS
    if symbol.kind in FUNCTION_KINDS or (symbol.kind in _IN_MEMORY and not name.bracketed and symbol.space != ".reg"):
        return Role.ADDRESS
    if symbol.kind is SymbolKind.LABEL:
        return Role.READ
    if symbol.space != ".reg":
        return role_in_memory(index, instruction.text, verdict, addresses)
    return role_of_register(index, verdict)


def role_of_register(index: int, verdict: Verdict) -> Role:
    """What an instruction with this verdict does with a register that is its operand `index`, outside of brackets."""
    if index not in verdict.assigned:
        return Role.READ
    return Role.BOTH if index in verdict.read_too else Role.WRITE


def role_in_memory(index: int, opcode_text: str, verdict: Verdict, addresses: Sequence[int]) -> Role:
    """What an instruction does with the variable that its operand `index` addresses.

    `addresses` are the indices of all its operands in brackets, ascending: the first of several is the destination.
    """
    form = form_of(opcode_text, verdict.form)
    effects = form.section.effects if form is not None and index in addresses[:1] else ()
    writes = any(effect.startswith("writes") for effect in effects) or index in verdict.written
    reads = any(effect.startswith("reads") for effect in effects) and len(addresses) == 1
    if not writes:
        return Role.READ
    return Role.BOTH if reads or index in verdict.read_too else Role.WRITE
