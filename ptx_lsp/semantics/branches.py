"""Branches through a table: the index and the list of targets of `brx.idx` (observed: ptxas 13.5)."""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import CALL_TARGETS
from ptx_lsp.isa.opcode_sets import BRANCH, INDEXED_BRANCH, MOST_TARGETS
from ptx_lsp.isa.types import INDEX_TYPES, OPAQUE_TYPES
from ptx_lsp.isa.versions import Version
from ptx_lsp.judgement.kinds import UNKNOWN
from ptx_lsp.judgement.vectors import counted_bits
from ptx_lsp.semantics.calls import check_modifiers
from ptx_lsp.semantics.operands import read_operands
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.syntax.tree import Instruction, Operand, TermKind, Value, Word

_INDEX = ".idx"
_UNIFORM = ".uni"
ALWAYS_LIMITED = Version(9, 5)  # older toolkits compile more


def is_branch_index(instruction: Instruction) -> bool:
    """Whether a branch to one label was meant to be one through a table, with an index and a list."""
    return len(instruction.operands) == 2 and any(word.text == _INDEX for word in instruction.modifiers)


def branch_index(instruction: Instruction, surroundings: Surroundings) -> None:
    """Report what is wrong with a `brx.idx`: it takes a 32-bit index and the label of a `.branchtargets` above it."""
    opcode = instruction.opcode
    if opcode.text == BRANCH:
        message = f"a branch through a table is `{INDEXED_BRANCH}.idx`: `{BRANCH}` takes one label"
        surroundings.report("unknown-opcode", opcode.start, opcode.end, message, data={"replacement": INDEXED_BRANCH})
        return
    if not instruction.modifiers or instruction.modifiers[0].text != _INDEX:
        _report_other_form(instruction, surroundings)
        return
    check_modifiers(instruction, (_INDEX, _UNIFORM), surroundings)
    for word in instruction.modifiers[1:]:
        if word.text == _INDEX:
            surroundings.report("duplicate-modifier", word.start, word.end, "`.idx` occurs twice")
    operands = instruction.operands
    if len(operands) != 2:
        place: Operand | Word = operands[2] if len(operands) > 2 else instruction.opcode
        message = "`brx.idx` takes an index and the label of a `.branchtargets`"
        surroundings.report("operand-count", place.start, place.end, message)
        return
    _check_index(operands[0], surroundings)
    _check_list(operands[1], surroundings)


def _report_other_form(instruction: Instruction, surroundings: Surroundings) -> None:
    """Report a `brx` without `.idx` as its first modifier; another word is in its place, or it is missing."""
    opcode, modifiers = instruction.opcode, instruction.modifiers
    texts = [word.text for word in modifiers]
    if not texts or texts[0] == _UNIFORM or _INDEX in texts:
        message = "the instruction is `brx.idx`: there is no `brx` alone"
        surroundings.report("unknown-opcode", opcode.start, opcode.end, message, data={"replacement": "brx.idx"})
        return
    word = modifiers[0]
    message = f"`{word.text}` is in the place of `{_INDEX}`: the instruction is `brx.idx`"
    surroundings.report("unknown-modifier", word.start, word.end, message, data={"replacement": _INDEX})


def _check_index(operand: Operand, surroundings: Surroundings) -> None:
    kind = read_operands((operand,), surroundings).kinds[0]
    base = kind.removesuffix("+")
    in_sum = base != kind and (":" in kind or base in OPAQUE_TYPES or counted_bits(base) in INDEX_TYPES)
    if kind == UNKNOWN or base in INDEX_TYPES or kind.startswith("int") or in_sum:
        return
    message = "the index of `brx.idx` is a 32-bit integer register or a constant"
    surroundings.report("operand-type", operand.start, operand.end, message)


def _check_list(operand: Operand, surroundings: Surroundings) -> None:
    root = operand.expression.root if isinstance(operand, Value) else None
    if root is not None and root.kind is TermKind.MEMBER:
        message = f"the label of a `.branchtargets` has no element `{root.text}`"
        surroundings.report("vector-element", root.at, root.end, message)
        return
    name = "" if root is None else root.text
    symbol = surroundings.scope.lookup(name) if name else None
    if symbol is not None and symbol.kind is SymbolKind.TARGETS and symbol.type != CALL_TARGETS:
        _check_length(operand, len(symbol.names), surroundings)
        return
    if symbol is None and name:
        message = f"no `.branchtargets` named `{name}` is declared above this branch in its scope"
    else:
        message = "the second operand of `brx.idx` is the label of a `.branchtargets`"
    surroundings.report("target-list", operand.start, operand.end, message)


def _check_length(operand: Operand, count: int, surroundings: Surroundings) -> None:
    if count <= MOST_TARGETS:
        return
    message = f"this list has {count} targets, but `ptxas` 13.5 compiles {MOST_TARGETS} at most"
    severity = Severity.ERROR if surroundings.profile.version >= ALWAYS_LIMITED else Severity.WARNING
    surroundings.report("target-list", operand.start, operand.end, message, severity=severity)
