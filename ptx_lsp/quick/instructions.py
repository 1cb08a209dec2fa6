"""Recognises plain instructions that are fine, or fine except for undeclared registers.

The outcome of an instruction depends on its key: opcode text and the kinds of its pieces. It is computed from the
verdict and the statement checks of the key, once for each version and target. If something in the outcome of a line
cannot be checked here, the line is `Unclear`, and the parser reads it.

While the user types the count of a register family, all of its members are undeclared, in thousands of lines. The
parser is too slow for that.
"""

from __future__ import annotations

from itertools import accumulate

from ptx_lsp.isa.directive_names import SEPARATE_SAMPLERS
from ptx_lsp.isa.opcode_sets import LOAD, NAMING_CODE
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.judgement.kinds import LOCAL_ADDRESS, UNKNOWN
from ptx_lsp.late_modules import late_module
from ptx_lsp.light_classes import TYPE_CHECKING, Iterable, Iterator, bisect_left, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.effect import LineEffect, remember
from ptx_lsp.quick.known import Known, Literals, Outcome
from ptx_lsp.quick.operand_kinds import KindTable
from ptx_lsp.quick.operand_text import NAMES, Unclear, decimal_float, integer, pieces, shape_of, split
from ptx_lsp.semantics.parameter_access import ADDRESS as PARAMETER_ADDRESS
from ptx_lsp.semantics.parameter_access import accesses_parameter, is_plainly_within
from ptx_lsp.semantics.shipped_outcomes import has_one_of, shipped, shipped_rows
from ptx_lsp.semantics.statement_checks import (
    CONSTANT_IN_PAIR,
    NOT_UNIFIED,
    OF_UNIFIED_VARIABLE,
    UNGUARDED,
    WITHIN_PARAMETER,
    statement_checks_of,
)
from ptx_lsp.semantics.surroundings import WIDE, Profile

if TYPE_CHECKING:
    from ptx_lsp.judgement import compilation, judge
    from ptx_lsp.judgement import verdict as verdicts
    from ptx_lsp.judgement.verdict import OperandCheck
else:
    # for most short files the outcomes that are shipped are enough
    compilation = late_module("ptx_lsp.judgement.compilation")
    judge = late_module("ptx_lsp.judgement.judge")
    verdicts = late_module("ptx_lsp.judgement.verdict")

# The statement checks that a recogniser makes: a plain line has no `.unified`, and the recogniser checks the guard and
# the bounds of an access to a parameter. The parser reads a line with any other one.
CHECKED_BY_RECOGNISERS = frozenset((CONSTANT_IN_PAIR, NOT_UNIFIED, OF_UNIFIED_VARIABLE, UNGUARDED, WITHIN_PARAMETER))

_FEW_ZEROS = lazy_pattern("-?0{1,9}")
_MOST_LITERALS = 10_000  # remembered for one check


def known_outcome(key: tuple[str, ...], known: Known) -> Outcome | None:
    """The outcome of a key that was met before or that is shipped; None for any other key, which must be judged."""
    outcome = known.outcomes.get(key)
    if outcome is not None:
        return outcome
    group = group_of(key) if known.has_shipped else None
    if group is None:
        return None
    if group in known.groups:
        outcome = known.groups[group]
    else:
        answer = shipped(group, known.profile.version, known.profile.target)
        if answer is not None:
            literals = tuple((at, check, set[str]()) for at, check in answer.literals)
            outcome = answer.written, literals, answer.unguarded
        known.groups[group] = outcome
    if outcome is not None:
        known.outcomes[key] = outcome
    return outcome


def group_of(key: tuple[str, ...]) -> str | None:
    """The text of the group of a key; None for a key that is not in the file, or has a check that is newer than it."""
    data, starts, heads, new = shipped_rows()
    # the file does not have the empty piece of a key without operands
    begin = f"\n{' '.join(key) if key[1:] != ('',) else key[0]}\t".encode()
    part = bisect_left(heads, begin[1:] + b"~")  # the row itself may be a head; no group begins with `~`
    end = starts[part] if part < len(starts) else len(data)
    row = data.find(begin, max(starts[part - 1] - 1, 0), end) if part else -1
    if row < 0 or (new and has_one_of(key, new)):
        return None
    return data[row + len(begin) : data.index(b"\n", row + 1)].decode("ascii").rstrip("\r")


def outcome_of(opcode: str, texts: list[str], kinds: Iterable[str], profile: Profile) -> Outcome:
    """The outcome of a plain line with operands of these texts and kinds.

    It is the same for every line whose pieces have the same kinds. Raises `Unclear` if more must be checked of the line
    than the checks of its literals and its guard.
    """
    if opcode.partition(".")[0] in NAMING_CODE:
        raise Unclear
    key = (opcode, *kinds)
    verdict = judge.judge(key[0], key[1:], profile.version, profile.target, profile.known)
    if verdict.complaints or verdict.assigned not in ((), (0,)) or _may_be_above(key, profile):
        raise Unclear
    if profile.address_size == WIDE and compilation.refused_by_compiling(key[0], key[1:], profile.version):
        raise Unclear
    operand_checks = verdict.operand_checks
    if SEPARATE_SAMPLERS not in profile.options:
        operand_checks = tuple(o for o in operand_checks if o.kind is not verdicts.OperandCheckKind.SAMPLER)
    if any(len(o.path) != 1 or len(o.other) > 1 for o in operand_checks):
        raise Unclear
    names = {check.name for check in statement_checks_of(key[0], key[1:])}
    if not names <= CHECKED_BY_RECOGNISERS:
        raise Unclear
    begins = list(accumulate((text.count(",") + 1 for text in texts), initial=0))
    written = len(NAMES.findall(texts[0])) if verdict.assigned else 0
    literals = tuple(
        (begins[o.path[0]], o._replace(other=tuple(begins[i] for i in o.other)), set[str]()) for o in operand_checks
    )
    return written, literals, UNGUARDED in names


def _may_be_above(key: tuple[str, ...], profile: Profile) -> bool:
    """Whether an instruction may need a version above the one that is set as the maximum."""
    if profile.maximum is None:
        return False
    from ptx_lsp.semantics.need_sets import NOTHING, first_version, need_sets_of

    need_sets = need_sets_of(key[0], key[1:])
    first = first_version(need_sets, profile.target)
    return need_sets != NOTHING and (first is None or first > profile.maximum)


def literals_fit(literals: Literals, parts: list[str]) -> bool:
    """Whether the literals and registers of a line pass their checks.

    False if a literal is not plain, or a register may be an element of a vector.
    """
    for index, check, satisfying in literals:
        text = parts[index]
        if text in satisfying:
            continue
        if not _passes(text, check, parts):
            return False
        if not check.other and len(satisfying) < _MOST_LITERALS:
            satisfying.add(text)
    return True


def always_fits(literal: tuple[int, OperandCheck, set[str]], parts: list[str]) -> bool:
    """Whether every integer with the digits of its piece passes a check; each digit is a zero in these pieces."""
    at, check, _ = literal
    kinds = verdicts.OperandCheckKind
    intervals = kinds.RANGE, kinds.FITS, kinds.SHIFT_COUNT
    if check.kind not in intervals or check.modulo or _FEW_ZEROS.fullmatch(parts[at]) is None:
        return False
    return verdicts.passes(check, 0) and verdicts.passes(check, int(parts[at].replace("0", "9")))


def _passes(text: str, check: OperandCheck, parts: list[str]) -> bool:
    kinds = verdicts.OperandCheckKind
    if check.kind is kinds.WHOLE:
        return "." not in text
    if check.kind is kinds.FRACTION:
        fraction = decimal_float(text)
        return fraction is not None and 0.0 < fraction <= 1.0
    value = integer(text)
    if check.kind is kinds.AT_MOST:
        most = integer(parts[check.other[0]])
        return value is not None and most is not None and verdicts.is_at_most(check, value, most)
    return value is not None and verdicts.passes(check, value)


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
        outcome = known.outcomes.get(key) or known_outcome(key, known)
        if outcome is None:
            whole = split(operands)
            outcome = known.outcomes[key] = outcome_of(opcode, whole, map(table.kind, whole), known.profile)
    except Unclear:
        return None
    if not _fits(outcome, guard, texts):
        return None
    names = NAMES.findall(operands)
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
    guard: str, opcode: str, operands: str, table: KindTable, known: Known, line: str
) -> tuple[LineEffect, list[tuple[str, int]]] | None:
    """The effect of a plain instruction that is fine except for undeclared registers, and these, in order.

    Each one has its column in the line. None if the recogniser is not sure.
    """
    names = NAMES.findall(operands)
    if all(name in table for name in names):
        return None  # every name is declared: the mistake is another one
    undeclared: list[str] = []
    try:
        if guard and table[guard] != _PREDICATE:
            return None
        whole = split(operands)
        kinds = [_kind(text, table, undeclared) for text in whole]
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
    written = tuple(names[: outcome[0]])
    if guard:
        names.append(guard)
    return LineEffect((), tuple(names), written, ()), list(_columns(undeclared, line))


def _columns(names: list[str], line: str) -> Iterator[tuple[str, int]]:
    """These names with their columns in a line, which has them in this order."""
    column = 0
    for name in names:
        column = offset_of_name(name, line, column)
        yield name, column
        column += len(name)


def _kind(operand: str, table: KindTable, undeclared: list[str]) -> str:
    """The kind of an operand. The undeclared registers in it are added to `undeclared`, in order."""
    if not operand:
        raise Unclear  # between a comma and a brace
    if _is_undeclared(operand, table):
        undeclared.append(operand)
        return UNKNOWN
    if operand[:1] == "{" and "|" not in operand and "." not in operand:
        return "{" + ",".join([_kind(part.strip(" \t"), table, undeclared) for part in operand[1:-1].split(",")]) + "}"
    if operand[:1] == "[" and "," not in operand:
        before, name, _ = shape_of(operand)
        if before == "[" and _is_undeclared(name, table):
            undeclared.append(name)
            return f"[{UNKNOWN}]"
    return table.kind(operand)


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


# --- the outcomes of lines that differ in their integers --------------------------------------------------------------

WIDTHS = (8, 16, 32)  # of all plain literals except those with as many digits as the largest one
_INTEGER = lazy_pattern(r"int(?:8|16|32|64)")
_WIDTH = "width"  # in place of the role of an operand: of the check of the widest integer whose outcome is known


class NotYet(Exception):
    """A verdict is missing."""


def is_width(literal: tuple[int, OperandCheck, set[str]]) -> bool:
    """Whether a check is that of the widest integer whose outcome is known: lines with wider ones may be fine too."""
    return literal[1].role == _WIDTH


def outcome_of_widths(
    opcode: str, operands: str, table: dict[str, str], known: Known, judging: KindTable | None = None
) -> Outcome | None:
    """The outcome of all lines with these kinds and integers up to a width, with a check of that width.

    None if their outcomes differ. `table` has the kinds of their pieces. Raises `NotYet` if a verdict is missing, or
    makes it with the table `judging`: that takes as long as many lines.
    """
    kinds = [table[text] for text in pieces(operands)]
    integers = [index for index, kind in enumerate(kinds) if "int" in kind and _INTEGER.search(kind)]
    if not integers or (len(integers) == 1 and kinds[integers[0]] == "int64"):
        outcome = known_outcome((opcode, *kinds), known)
        if outcome is None and judging is None:
            raise NotYet
        return outcome
    found: list[Outcome] = []
    for bits in WIDTHS:
        key = (opcode, *(_INTEGER.sub(f"int{bits}", kind) for kind in kinds))
        outcome = known_outcome(key, known) or (_judged(key, operands, judging, known, bits) if judging else None)
        if outcome is None:
            break
        found.append(outcome)
    if not found and judging is None:
        raise NotYet
    if not found or not all(_is_covered(outcome, found[-1]) for outcome in found):
        return None
    written, literals, unguarded = found[-1]
    if len(found) < len(WIDTHS):
        width = _width_check(WIDTHS[len(found) - 1])
        literals += tuple([(index, width, set[str]()) for index in integers])
    return written, literals, unguarded


@forgettable
@lru_cache(maxsize=len(WIDTHS))
def _width_check(bits: int) -> OperandCheck:
    return verdicts.OperandCheck(verdicts.OperandCheckKind.FITS, (), _WIDTH, bits=bits)


def _judged(key: tuple[str, ...], operands: str, table: KindTable, known: Known, bits: int) -> Outcome | None:
    """The outcome of a line with these operands if its integers have this width, remembered; None if it is not fine."""
    try:
        texts = split(operands)
        kinds = [_INTEGER.sub(f"int{bits}", table.kind(text)) for text in texts]
        known.outcomes[key] = outcome = outcome_of(key[0], texts, kinds, known.profile)
    except Unclear:
        return None
    return outcome


def _is_covered(outcome: Outcome, widest: Outcome) -> bool:
    """Whether an outcome is another one, with some of its checks at most."""
    if outcome is widest:
        return True  # most are those of one group
    written, literals, unguarded = outcome
    same = written == widest[0] and unguarded == widest[2]
    return same and all(map({_bare(each) for each in widest[1]}.__contains__, map(_bare, literals)))


def _bare(literal: tuple[int, OperandCheck, set[str]]) -> tuple[int, OperandCheck]:
    return literal[0], literal[1]._replace(path=(), role="")
