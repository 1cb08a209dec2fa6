"""The quick scan: lines that are plain instructions are judged by their key alone, without a tree.

It is a cache in front of the full way and never a second set of rules: whatever is not plain, not known or not fine
is `Unclear` and goes the full way.
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import accumulate

from ptx_lsp.analysis.foregone import foregone
from ptx_lsp.analysis.pieces import NAME, Unclear, integer, names_of
from ptx_lsp.judgement.compilation import refused_by_compiling
from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.verdict import Duty, Obligation
from ptx_lsp.semantics.address_size import WIDE
from ptx_lsp.semantics.demands import NOTHING, demand_of, first_version
from ptx_lsp.semantics.duties import NOT_UNIFIED, UNGUARDED, WITHIN_PARAMETER, duties_of
from ptx_lsp.semantics.obligations import SEPARATE_SAMPLERS, met
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.syntax.lexer import PASSED_OVER

_NUMBERS = r"[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]*+"
# One match a line. Groups: guard, target of a branch, opcode, operands, label, `.loc`, the comma before `function_name`
# in it, and what is none of these. Comments and blank lines leave every group empty.
_NAME = r"(?:[a-zA-Z]|[%_$](?=[\w$]))[\w$]*+"
LINE = re.compile(
    rf"""^[ \t]*+
    (?: (?:@[ \t]*+!?[ \t]*+([%$\w]++)[ \t]++)?
        (?: bra(?:\.uni)?[ \t]++({_NAME})
          | ([a-z][\w.:]*+)(?:[ \t]++([^;"/\n\r\f()@]*+))?
        )[ \t]*+;
      | ({NAME}):
      | (\.loc)[ \t]++{_NUMBERS}
        (?:(,)[ \t]*+function_name[ \t]++{NAME}[ \t]*+,[ \t]*+inlined_at[ \t]++{_NUMBERS})?
      | (?!)
    )?+(?:$|[ \t]*+(?://[^\r\n]*+)?\r?$)
    | ^(.*)$
    """,
    re.M | re.X | re.A,
)
# What may stand with others in one line, as inline assembly has it: a brace of a nested scope, or a plain instruction.
# Groups: the brace that opens, the one that closes, the dot of a directive, guard, opcode, operands.
PIECE = re.compile(
    r"""[ \t]*+(?:(\{)|(\})|(\.)
    | (?:@[ \t]*+!?[ \t]*+([%$\w]++)[ \t]++)?([a-z][\w.:]*+)(?:[ \t]++([^;"/\n\r\f()@]*+))?[ \t]*+;)""",
    re.X | re.A,
)
BLANKS = " \t"
END_OF_LINE = re.compile(r"[ \t]*+(?://[^\r\n]*+)?\r?(?:\n|\Z)")
# Lines that neither carry on a `.loc` nor belong to the label before them, as most do not.
APART = re.compile(r"[ \t]*+(?:[a-eg-hj-zA-Z$%@{}]|\.(?:loc|reg)\b)")
# a list or prototype, which may be misspelt; these begin a statement of their own
LIST_MAY_FOLLOW = re.compile(PASSED_OVER + r"(?:\Z|\.(?!(?:loc|reg|param|local|shared|pragma)\b))")
LINE_CARRIED_ON = re.compile(PASSED_OVER + r"(?:\Z|[,0-9]|function_name|inlined_at)")

# operands parted by commas; those in braces or brackets, and names with brackets behind them, are one each
_PART = r"(?:\{[^{}\[\]]*+\}|\[[^\[\]]*+\]|[^,{}\[\] \t][^,{}\[\]]*+(?:\[[^\[\]]*+\]|(?!))?+)"
_PARTS = re.compile(_PART)
_PARTED = re.compile(rf"[ \t]*+{_PART}[ \t]*+(?:,[ \t]*+{_PART}[ \t]*+|(?!))*+")
_APART = frozenset(("bra", "brx", "call"))  # judged by those who know labels and functions
_MOST_KNOWN = 10_000

Groups = tuple[str, ...]  # of `LINE`
# What the literals of a line must show: which piece (`pieces`), the obligation, and the literals that are known to
# satisfy it.
Literals = tuple[tuple[int, Obligation, set[str]], ...]
# How many of the names in a line, from the first, the instruction writes; what its literals must show; and whether it
# may have no guard.
Outcome = tuple[int, Literals, bool]
# The duties that a plain line can discharge: it has no `.unified`, and whether it has a guard is looked at. A line that
# owes any other duty goes the full way.
DISCHARGED = frozenset((NOT_UNIFIED, UNGUARDED, WITHIN_PARAMETER))
Outcomes = dict[tuple[str, ...], Outcome]


@cache
def outcomes(profile: Profile) -> Outcomes:
    """The outcomes known so far for one version and target, by key: shared by all documents of the process."""
    known: Outcomes = {}
    unified = SEPARATE_SAMPLERS not in profile.options
    if profile.known and profile.maximum is None and unified:
        for _, _, (written, literals, unguarded), keys in foregone(profile.version, profile.target):
            outcome = written, tuple((at, duty, set[str]()) for at, duty in literals), unguarded
            known.update(dict.fromkeys(keys, outcome))
    return known


def outcome_of(opcode: str, texts: list[str], kinds: Iterable[str], profile: Profile) -> Outcome:
    """What the verdict of a plain line says: raises `Unclear` unless it is fine or asks for plain values only.

    `texts` are its operands, `kinds` theirs.
    It holds for every line whose pieces are of the same kinds.
    """
    if opcode.partition(".")[0] in _APART:
        raise Unclear
    key = (opcode, *kinds)
    verdict = judge(key[0], key[1:], profile.version, profile.target, profile.known)
    if verdict.complaints or verdict.assigned not in ((), (0,)) or _is_above(key, profile):
        raise Unclear
    if profile.address_size == WIDE and refused_by_compiling(key[0], key[1:], profile.version):
        raise Unclear
    begins = list(accumulate((text.count(",") + 1 for text in texts), initial=0))
    asked = verdict.obligations
    if SEPARATE_SAMPLERS not in profile.options:
        asked = tuple(o for o in asked if o.duty is not Duty.SAMPLER)
    if any(len(o.path) != 1 or o.duty is Duty.FRACTION for o in asked):
        raise Unclear
    duties = {duty.name for duty in duties_of(key[0], key[1:])}
    if not duties <= DISCHARGED:
        raise Unclear
    written = len(names_of(texts[0])) if verdict.assigned else 0
    literals = tuple((begins[o.path[0]], o, set[str]()) for o in asked)
    return written, literals, UNGUARDED in duties


def split(operands: str) -> list[str]:
    """The operands of a plain instruction, as texts; raises `Unclear` where they are not so plain."""
    if not operands:
        return []
    # nothing may stand between two commas, in a vector neither
    if _PARTED.fullmatch(operands) is None or not all(map(str.strip, operands.split(","))):
        raise Unclear
    return [part.strip(" \t") for part in _PARTS.findall(operands)]


def _is_above(key: tuple[str, ...], profile: Profile) -> bool:
    # whether an instruction may need more than the highest version that the user's tools take
    if profile.maximum is None:
        return False
    demand = demand_of(key[0], key[1:])
    first = first_version(demand, profile.target)
    return demand != NOTHING and (first is None or first > profile.maximum)


def is_plain_instruction(text: str, before: int, start: int) -> bool:
    """Whether the line that begins at the offset `start` is an instruction, by itself and the line at `before`."""
    first, second = LINE.match(text, before), LINE.match(text, start)
    return first is not None and second is not None and bool(first[2] or first[3] or first[5]) and bool(second[3])


def values_fit(literals: Literals, parts: list[str]) -> bool:
    """Whether plain literals satisfy what is asked of them; False where one of them is not so plain."""
    for index, obligation, known in literals:
        text = parts[index]
        if text in known:
            continue
        value = integer(text)
        if value is None or not met(obligation, value):
            return False
        if len(known) < _MOST_KNOWN:
            known.add(text)
    return True
