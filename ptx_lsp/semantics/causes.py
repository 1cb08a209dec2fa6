"""Complaints about operands that have one cause: one mistake is told once."""

from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.verdict import Complaint, Part
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.surroundings import Profile

Group = tuple[Complaint, ...]


def by_cause(complaints: Group, opcode: str, reading: Reading, profile: Profile) -> list[Group]:
    """The complaints of one verdict in groups of one cause each, in order.

    Two operands that would both fit the other way round are swapped: one complaint about both takes the place of
    theirs. Operands of one kind that all do not fit are right, most likely, and the instruction type is wrong; and so
    it is where most operands do not fit.
    """
    about = tuple(c for c in complaints if c.part is Part.OPERAND and c.path)
    others: list[Group] = [(c,) for c in complaints if c not in about]
    if len(about) < 2:
        return [(c,) for c in complaints]
    swapped = _swapped(about, opcode, reading, profile)
    if swapped is not None:
        return [*others, (swapped,)]
    kinds = {reading.kinds[c.path[0]] for c in about if c.path[0] < len(reading.kinds)}
    most = 2 * len({c.path[0] for c in about}) > len(reading.kinds)
    if len(kinds) == 1 or most:
        return [*others, about]
    return [*others, *((c,) for c in about)]


def _swapped(about: Group, opcode: str, reading: Reading, profile: Profile) -> Complaint | None:
    """The complaint that two operands are swapped, where both would fit the other way round."""
    places = sorted({c.path[0] for c in about})
    if len(places) != 2 or places[1] >= len(reading.kinds):
        return None
    one, other = places
    kinds = list(reading.kinds)
    kinds[one], kinds[other] = kinds[other], kinds[one]
    verdict = judge(opcode, tuple(kinds), profile.version, profile.target, profile.known)
    if any(c.part is Part.OPERAND or c.part is Part.OPERANDS for c in verdict.complaints):
        return None
    joint = ", " if other == one + 1 else "` before `"
    message = f"the operands of `{opcode}` are swapped: write `{{second}}{joint}{{first}}`"
    data = (("swap", f"{one} {other}"),)
    return Complaint(about[0].code, message, Part.OPERANDS, (one, other), data=data)
