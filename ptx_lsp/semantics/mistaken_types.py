"""The type of an instruction as the mistake: its operands agree with each other, and not with it."""

from ptx_lsp.isa.types import TYPE_WORDS, TYPES
from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.matched_forms import modifiers
from ptx_lsp.judgement.verdict import Complaint, Part
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.syntax.tree import Value

_MISFIT = "operand-type"
_OPERAND = lazy_pattern(r"[%$][0-9]+")  # of inline assembly


def mistaken_type(about: tuple[Complaint, ...], opcode: str, reading: Reading, profile: Profile) -> Complaint | None:
    """A complaint about the only type of an instruction, to be made before those about its operands.

    None if the type is not the mistake.

    `about` are the complaints about two or more operands. All must be registers of the same type, two of them
    different ones, and with another type of their width the statement must be right. The operands of inline assembly
    are explained by their constraints instead.
    """
    paths = [complaint.path for complaint in about]
    kinds = {reading.kinds[path[0]] for path in paths}
    words = modifiers(opcode)
    types = [index for index, word in enumerate(words) if word in TYPE_WORDS]
    if len(kinds) != 1 or len(types) != 1 or any(c.code != _MISFIT or len(c.path) != 1 for c in about):
        return None
    (kind,), (at,) = kinds, types
    names = [node.expression.root.text for path in paths if isinstance(node := reading.nodes.get(path), Value)]
    if kind not in TYPES or len(names) < len(paths) or len(set(names)) == 1 or any(map(_OPERAND.fullmatch, names)):
        return None
    if not any(_fits(opcode, words, at, other, reading, profile) for other in _of_width(kind)):
        return None
    text = f"`{opcode}` works on `{words[at]}`, but its operands are `{kind}`"
    return Complaint(_MISFIT, text, Part.MODIFIER, (at,))


def _of_width(kind: str) -> list[str]:
    """The type itself and the others of its width."""
    return [kind, *(name for name, type_ in TYPES.items() if type_.bits == TYPES[kind].bits and name != kind)]


def _fits(opcode: str, words: tuple[str, ...], at: int, other: str, reading: Reading, profile: Profile) -> bool:
    """Whether the statement is right with another type in the place of the modifier number `at`."""
    head = opcode.partition(".")[0]
    changed = head + "".join((*words[:at], other, *words[at + 1 :]))
    return not judge(changed, tuple(reading.kinds), profile.version, profile.target, profile.known).complaints
