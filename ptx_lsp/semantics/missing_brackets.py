"""The brackets that are missing around parts of an address, or around the elements of a vector."""

from itertools import chain

from ptx_lsp.judgement.fit import split_kind
from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.verdict import Complaint, Part
from ptx_lsp.light_classes import Collection, Iterator
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.surroundings import Profile

_COUNT, _KIND, _TYPE = "operand-count", "operand-kind", "operand-type"
OF_OPERANDS = frozenset((_COUNT, _KIND, _TYPE))
"""The codes of complaints about a statement in which brackets may be missing."""

_MOST_OPERANDS = 16

Candidates = Iterator[tuple[tuple[str, ...], Complaint]]
"""The kinds of the operands with one more pair of brackets, and the complaint if they are right."""


def missing_brackets(codes: Collection[str], opcode: str, reading: Reading, profile: Profile) -> Complaint | None:
    """The complaint that brackets are missing around operands that follow one another; None without one.

    `codes` are those of the complaints about the statement. With the brackets the statement must be right:
    `[tex, {x, y}]` for `tex, {x, y}`, `{a, b}` for `a, b`.
    """
    kinds = tuple(reading.kinds)
    if len(kinds) > _MOST_OPERANDS:
        return None
    candidates: list[Candidates] = []
    if _COUNT in codes or _KIND in codes:
        candidates.append(_addresses(kinds, opcode))
    if _COUNT in codes:
        candidates.append(_vectors(kinds, opcode))
    if _KIND in codes or _TYPE in codes:
        candidates.append(_vectors_in_addresses(kinds, opcode))
    for joined, complaint in chain.from_iterable(candidates):
        if not judge(opcode, joined, profile.version, profile.target, profile.known).complaints:
            return complaint
    return None


def _addresses(kinds: tuple[str, ...], opcode: str) -> Candidates:
    text = f"`{opcode}` takes an address here: write `[` before `{{first}}`, and `]` after `{{second}}`"
    for last in range(1, len(kinds)):
        for first in (last - 1, last - 2)[:last] if kinds[last][:1] == "{" else ():
            yield _joined(kinds, first, last, "[]"), Complaint(_KIND, text, Part.OPERANDS, (first, last))


def _vectors(kinds: tuple[str, ...], opcode: str) -> Candidates:
    text = f"`{opcode}` takes a vector here: write `{{{{` before `{{first}}`, and `}}}}` after `{{second}}`"
    for last in range(1, len(kinds)):
        for first in range(last):
            yield _joined(kinds, first, last, "{}"), Complaint(_KIND, text, Part.OPERANDS, (first, last))


def _vectors_in_addresses(kinds: tuple[str, ...], opcode: str) -> Candidates:
    text = f"`{opcode}` takes a vector in this address: write `{{{{` before `{{operand}}`, and `}}}}` at the end"
    for index, kind in enumerate(kinds):
        parts = tuple(split_kind(kind[1:-1])) if kind[:1] == "[" and "," in kind else ()
        for first in range(1, len(parts)):
            address = f"[{','.join(_joined(parts, first, len(parts) - 1, '{}'))}]"
            complaint = Complaint(_KIND, text, Part.OPERAND, (index, first))
            yield (*kinds[:index], address, *kinds[index + 1 :]), complaint


def _joined(kinds: tuple[str, ...], first: int, last: int, brackets: str) -> tuple[str, ...]:
    inside = ",".join(kinds[first : last + 1])
    return (*kinds[:first], brackets[0] + inside + brackets[1], *kinds[last + 1 :])
