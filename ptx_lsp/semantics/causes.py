"""Complaints about operands that have one cause: one mistake is told once."""

from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.verdict import Complaint, Part
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.surroundings import Profile

Group = tuple[Complaint, ...]


def by_cause(complaints: Group, opcode: str, reading: Reading, profile: Profile) -> list[Group]:
    """The complaints of one verdict in groups of one cause each, in order.

    Two operands that would both fit the other way round are swapped. Operands of one kind that all do not fit are
    right, most likely, and the instruction type is wrong; and so it is where most operands do not fit.
    """
    if len(complaints) < 2 or any(c.part is not Part.OPERAND or not c.path for c in complaints):
        return [(c,) for c in complaints]
    kinds = {reading.kinds[c.path[0]] for c in complaints if c.path[0] < len(reading.kinds)}
    most = 2 * len({c.path[0] for c in complaints}) > len(reading.kinds)
    if len(kinds) == 1 or most or _swapped(complaints, opcode, reading, profile):
        return [complaints]
    return [(c,) for c in complaints]


def _swapped(complaints: Group, opcode: str, reading: Reading, profile: Profile) -> bool:
    places = sorted({c.path[0] for c in complaints})
    if len(places) != 2 or places[1] >= len(reading.kinds):
        return False
    one, other = places
    kinds = list(reading.kinds)
    kinds[one], kinds[other] = kinds[other], kinds[one]
    return not judge(opcode, tuple(kinds), profile.version, profile.target, profile.known).complaints
