"""Plain instructions of which nothing is known but that registers are not declared.

While somebody types the number of a family, all of its members are undeclared, in thousands of lines: these must not
go the full way.
"""

import re

from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.pieces import Unclear, names_of, pieces
from ptx_lsp.analysis.scan import outcome_of, split, values_fit
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.judgement.kinds import UNKNOWN
from ptx_lsp.semantics.parameter_access import accesses_parameter

_REGISTER = re.compile(r"%[a-zA-Z_$][\w$]*", re.A)
_GOES_ON = re.compile(r"[\w$]", re.A)


def undeclared_only(fold: Fold, guard: str, opcode: str, operands: str, start: int) -> bool:
    """Take a plain instruction if it is fine but for undeclared registers, and note these; False where it is not.

    Its text begins at the offset `start`, or behind it.
    """
    part, kinds = fold.part, fold.table
    assert part is not None, "an instruction outside of functions is not plain"
    missing: list[str] = []
    try:
        if guard and kinds[guard] != ".pred":
            return False
        whole = split(operands)
        found = []
        for text in whole:
            unknown = _is_undeclared(text, fold)
            found.append(UNKNOWN if unknown else kinds.kind(text))
            if unknown:
                missing.append(text)
        if not missing or accesses_parameter(opcode, tuple(found)):
            return False
        key = (UNKNOWN, opcode, *found)  # of operands, not of pieces
        outcome = fold.outcomes.get(key)
        if outcome is None:
            outcome = fold.outcomes[key] = outcome_of(opcode, whole, found, fold.profile)
    except Unclear:
        return False
    written, literals, unguarded = outcome
    if guard and unguarded:
        return False
    if literals and not values_fit(literals, pieces(operands)):
        return False
    names = names_of(operands)
    part.mentions += names
    part.writes += names[:written]
    if guard:
        part.mentions.append(guard)
    for name in missing:
        start = _place(name, fold.text, start)
        part.noted.append((name, fold.mark(start, start + len(name))))
        start += len(name)
    return True


def _is_undeclared(text: str, fold: Fold) -> bool:
    kinds = fold.table
    if text in kinds.undeclared:
        return True
    if text in kinds or _REGISTER.fullmatch(text) is None:
        return False
    if fold.scopes[-1].lookup(text) is not None or special_register(text) is not None:
        return False
    kinds.undeclared.add(text)
    return True


def _place(name: str, text: str, start: int) -> int:
    while True:
        start = text.index(name, start)
        if _GOES_ON.match(text, start + len(name)) is None:
            return start
        start += len(name)
