"""The brackets of an address that are missing around its parts."""

from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.verdict import Complaint, Part
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.surroundings import Profile

LACKING_BRACKETS = frozenset(("operand-count", "operand-kind"))
"""The codes of complaints about a statement in which an address may lack its brackets."""


def parts_of_address(opcode: str, reading: Reading, profile: Profile) -> Complaint | None:
    """The complaint that a name, perhaps another one, and the vector after them are one address without its brackets.

    None if the statement is not right with them as one address, such as `[tex, {x, y}]`.
    """
    kinds = tuple(reading.kinds)
    for last in range(1, len(kinds)):
        for first in (last - 1, last - 2)[:last] if kinds[last][:1] == "{" else ():
            address = f"[{','.join(kinds[first : last + 1])}]"
            joined = (*kinds[:first], address, *kinds[last + 1 :])
            if not judge(opcode, joined, profile.version, profile.target, profile.known).complaints:
                text = f"`{opcode}` takes an address here: write `[` before `{{first}}`, and `]` after `{{second}}`"
                return Complaint("operand-kind", text, Part.OPERANDS, (first, last))
    return None
