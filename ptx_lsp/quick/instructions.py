"""Recognises plain instructions that are fine, or fine except for undeclared registers.

While the user types the count of a register family, all of its members are undeclared, in thousands of lines. The
parser is too slow for that.
"""

import re

from ptx_lsp.isa.opcode_sets import LOAD
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.judgement.kinds import UNKNOWN
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.instruction_outcomes import Known, Outcome, literals_fit, outcome_of
from ptx_lsp.quick.line_memory import LineEffect, remember
from ptx_lsp.quick.operand_kinds import KindTable
from ptx_lsp.quick.operand_text import Unclear, names_of, pieces, split
from ptx_lsp.semantics.parameter_access import ADDRESS as PARAMETER_ADDRESS
from ptx_lsp.semantics.parameter_access import accesses_parameter, is_plainly_within

LOCAL_ADDRESS = "[.param.local:"  # the beginning of the kind of an address in a `.param` variable of a body
_PREDICATE = ".pred"
_REGISTER = lazy_pattern(r"%[a-zA-Z_$][\w$]*", re.A)
_CONTINUES = lazy_pattern(r"[\w$]", re.A)


def is_local_load(opcode: str, last_kind: str) -> bool:
    """Whether an instruction with this opcode text and last kind loads from a `.param` variable of the body."""
    return last_kind.startswith(LOCAL_ADDRESS) and opcode.partition(".")[0] == LOAD


def instruction(
    guard: str, opcode: str, operands: str, table: KindTable, known: Known, line: str = ""
) -> tuple[LineEffect, str] | None:
    """The effect of a plain instruction that is fine, and the `.param` variable of a call that it loads, or "".

    `line` is the line of the instruction, which is then remembered; it is empty if the line has other statements too.
    None if the recogniser is not sure.
    """
    texts = pieces(operands)
    try:
        if guard and table[guard] != _PREDICATE:
            return None
        key = (opcode, *map(table.__getitem__, texts))
        outcome = known.outcomes.get(key)
        if outcome is None:
            whole = split(operands)
            outcome = known.outcomes[key] = outcome_of(opcode, whole, map(table.kind, whole), known.profile)
    except Unclear:
        return None
    if not _fits(outcome, guard, texts):
        return None
    names = names_of(operands)
    written = names[: outcome[0]]
    loaded = ""
    parameter = -1 if key[-1].startswith(PARAMETER_ADDRESS) else int(key[1].startswith(PARAMETER_ADDRESS))
    if parameter:
        if not is_plainly_within(opcode, texts[0 if parameter == 1 else -1], table.scope):
            return None
        if "[]" in key[parameter]:
            line = ""  # such a line is fine only for some sizes of the array
        if is_local_load(opcode, key[-1]):
            loaded = names[-1]  # a load of a call's result is fine only after such a call
    if guard:
        names.append(guard)
    if line and not loaded:
        return remember(known.lines, line, table, names, written), ""
    return LineEffect((), tuple(names), tuple(written), ()), loaded


def _fits(outcome: Outcome, guard: str, texts: list[str]) -> bool:
    _, literals, unguarded = outcome
    if guard and unguarded:
        return False
    return not literals or literals_fit(literals, texts)


def with_undeclared(
    guard: str, opcode: str, operands: str, table: KindTable, known: Known
) -> tuple[LineEffect, list[str]] | None:
    """The effect of a plain instruction that is fine except for undeclared registers, and these, in order.

    None if the recogniser is not sure.
    """
    undeclared: list[str] = []
    try:
        if guard and table[guard] != _PREDICATE:
            return None
        whole = split(operands)
        kinds = []
        for text in whole:
            unknown = _is_undeclared(text, table)
            kinds.append(UNKNOWN if unknown else table.kind(text))
            if unknown:
                undeclared.append(text)
        if not undeclared or accesses_parameter(opcode, tuple(kinds)):
            return None
        key = (UNKNOWN, opcode, *kinds)  # with the kinds of operands, not of pieces
        outcome = known.outcomes.get(key)
        if outcome is None:
            outcome = known.outcomes[key] = outcome_of(opcode, whole, kinds, known.profile)
    except Unclear:
        return None
    if not _fits(outcome, guard, pieces(operands)) or is_local_load(opcode, kinds[-1]):
        return None
    names = names_of(operands)
    written = tuple(names[: outcome[0]])
    if guard:
        names.append(guard)
    return LineEffect((), tuple(names), written, ()), undeclared


def _is_undeclared(text: str, table: KindTable) -> bool:
    if text in table.undeclared:
        return True
    if text in table or _REGISTER.fullmatch(text) is None:
        return False
    if table.scope.lookup(text) is not None or special_register(text) is not None:
        return False
    table.undeclared.add(text)
    return True


def offset_of_name(name: str, text: str, start: int) -> int:
    """The offset of the first whole occurrence of a name from `start` on; the text must contain one."""
    while True:
        start = text.index(name, start)
        if _CONTINUES.match(text, start + len(name)) is None:
            return start
        start += len(name)


def is_predicate(guard: str, table: KindTable) -> bool:
    """Whether a guard is a declared `.pred` register."""
    try:
        return table[guard] == _PREDICATE
    except Unclear:
        return False
