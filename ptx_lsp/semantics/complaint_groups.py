"""Groups of complaints about operands that have one cause, so that one mistake gives one report."""

from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.verdict import Complaint, Part
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.surroundings import Profile

Group = tuple[Complaint, ...]


def group_by_cause(complaints: Group, opcode: str, reading: Reading, profile: Profile) -> list[Group]:
    """The complaints of one verdict in groups, one group for each cause, in order.

    If two operands would both fit in each other's place, they are swapped: one complaint about both replaces theirs.
    If all operands that do not fit have the same kind, or if most operands do not fit, the instruction type is probably
    wrong: their complaints are one group.
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
    """The complaint that two operands are swapped, if each would fit in the other's place; otherwise None."""
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
