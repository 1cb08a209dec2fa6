"""The register type of an operand, by its constraint and the language; a row per letter.

Sources: NVIDIA's "Inline PTX Assembly in CUDA"; clang's `NVPTX.h`; LLVM's `NVPTXISelLowering.cpp`
(`getRegForInlineAsmConstraint`); rustc's `nvptx.rs`. Observed: NVRTC 13.5 for `b`.
"""

from typing import NamedTuple

from ptx_lsp.hosts.statement import AsmStatement, Dialect, Host, Operand, Role
from ptx_lsp.isa.register_families import FAMILY_NAMES
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.environment import OperandRole

LETTERS = {"h": ".b16", "r": ".b32", "l": ".b64", "q": ".b128", "f": ".f32", "d": ".f64", "b": ".pred"}
"""The constraint letters of CUDA C++, each with the type of its register."""
_OTHER_LETTERS = {"c": ".b16", "N": ".b64"}
"""Letters that only LLVM and clang take."""
LLVM_LETTERS = "bchrlNqfd"
"""The letters of registers in LLVM's NVPTX target."""
_OF_ANY_TARGET = "minpsX"
_CODE = lazy_pattern(r"\{[^{}]*\}|\d+|[A-Za-z<>]")
RUST_CLASSES = {"reg16": ".b16", "reg32": ".b32", "reg64": ".b64"}
"""The register classes of Rust for PTX, which no other target of Rust has, each with the type of its register."""
BITS = {".b16": 16, ".b32": 32, ".b64": 64, ".b128": 128}
AS_BITS = {".f32": ".b32", ".f64": ".b64"}
"""The registers of float operands for targets from sm_100 on (observed: NVRTC 13.5)."""
IMMEDIATES = frozenset("ni")
TEXT = "C"
"""The constraint of a string that is inserted."""
_SIGNS = "=+&"
_ROLES = {Role.OUT: OperandRole.OUTPUT, Role.INOUT: OperandRole.BOTH}


class OperandType(NamedTuple):
    """What is known of an operand: its register type (with its dot), empty if it is not known."""

    type: str
    role: OperandRole


def letters_of(operand: Operand) -> str:
    """The constraint without its signs; empty if it is not known."""
    return (operand.constraint or "").strip().lstrip(_SIGNS).strip()


def is_llvm_constraint(constraint: str) -> bool:
    """Whether LLVM takes one of the codes of a constraint, `=&r` or `rm|l`, for PTX."""
    codes = _CODE.findall(constraint.lstrip("=&*%"))
    return any(len(code) > 1 or code.isdecimal() or code in LLVM_LETTERS + _OF_ANY_TARGET for code in codes)


def is_immediate(operand: Operand) -> bool:
    """Whether the operand is the text of a number in the template."""
    return operand.role is Role.CONST or letters_of(operand) in IMMEDIATES


def is_text(operand: Operand) -> bool:
    """Whether the operand is some other text in the template."""
    return operand.role is Role.SYM or letters_of(operand) == TEXT


def tied(operand: Operand, statement: AsmStatement) -> Operand:
    """The output that has the same register by a constraint such as `0`; otherwise the operand itself."""
    letters = letters_of(operand)
    if letters.isdecimal() and len(letters) < 6 and int(letters) < len(statement.operands):
        return statement.operands[int(letters)]
    return operand


def compiler_stems(statement: AsmStatement) -> frozenset[str]:
    """The stems of the names that the compiler gives to the registers of a statement's operands."""
    letters = {letters_of(operand) for operand in statement.operands}
    stems = {FAMILY_NAMES[LETTERS[each]] for each in letters if each in LETTERS}
    return frozenset(stems | {"%r", "%rd"} if letters & {"f", "d"} else stems)


def operand_type(operand: Operand, statement: AsmStatement) -> OperandType:
    """The register type of an operand of a statement, and what the statement does with it."""
    letters = letters_of(tied(operand, statement))
    role = _ROLES.get(operand.role, OperandRole.INPUT)
    if statement.dialect is Dialect.BRACES:
        return OperandType(RUST_CLASSES.get(letters, ""), role)
    type_ = LETTERS.get(letters, "")
    if not type_ and statement.host is not Host.CUDA:
        type_ = _OTHER_LETTERS.get(letters, "")
    return OperandType(type_, role)


def constraint_for(type_: str, statement: AsmStatement) -> str:
    """The constraint for a register of this type, as the language writes it; empty if it has none."""
    table = RUST_CLASSES if statement.dialect is Dialect.BRACES else LETTERS
    return next((letters for letters, each in table.items() if each == type_), "")
