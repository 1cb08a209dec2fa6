"""A modifier as the mistake: with another one in its place, the operands of a statement are right."""

from ptx_lsp.isa.opcode_sets import CONVERSION, MOVE
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS, TYPES
from ptx_lsp.judgement.fit import split_kind
from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.kinds import declared_type
from ptx_lsp.judgement.matched_forms import modifiers
from ptx_lsp.judgement.verdict import Complaint, Part
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.syntax.tree import Value

_MISFIT = "operand-type"
_MISFITS = frozenset((_MISFIT, "operand-kind", "immediate-type", "vector-size"))
_BEFORE_ALL = -1  # the place of a modifier that is added
_OPERAND = lazy_pattern(r"[%$][0-9]+")  # of inline assembly


def mistaken_type(about: tuple[Complaint, ...], opcode: str, reading: Reading, profile: Profile) -> Complaint | None:
    """A complaint about the only type of an instruction, to be made before those about its operands.

    None if the type is not the mistake.

    `about` are the complaints about two or more operands. Each must be about a register or constant of its own, and
    with another type, of the width of one of the registers, the statement must be right. The operands of inline
    assembly are explained by their constraints instead.
    """
    words = modifiers(opcode)
    types = [index for index, word in enumerate(words) if word in TYPE_WORDS]
    if len(types) != 1 or any(complaint.code not in _MISFITS for complaint in about):
        return None
    (at,) = types
    operands = sorted({complaint.path[0] for complaint in about})
    names = [_name(reading, index) for index in operands]
    if len(operands) < 2 or len(set(names)) == 1 or any(map(_OPERAND.fullmatch, names)):
        return None
    kinds = [reading.kinds[index] for index in operands]
    others = [other for kind in dict.fromkeys(kinds) if kind in TYPES for other in _of_width(kind)]
    other = next((other for other in others if _fits(opcode, {at: other}, reading, profile)), "")
    if not other:
        return None
    meant = f"its operands are `{kinds[0]}`" if len(set(kinds)) == 1 else f"its operands fit `{other}`"
    return Complaint(_MISFIT, f"`{opcode}` works on `{words[at]}`, but {meant}", Part.MODIFIER, (at,))


def mistaken_modifier(about: Complaint, opcode: str, reading: Reading, profile: Profile) -> Complaint | None:
    """A complaint about a modifier, to be made before `about`, the only one about an operand; None if it is no mistake.

    A variable is in the space that it was declared in, so another space in the instruction is the mistake. A user
    does not write two elements too many either: `.v2` before a vector of four is the mistake. A move whose result has
    the type of the special register that it reads has a wrong type itself. The statement must be right with another
    word in the place of the modifier, or with a space added.
    """
    words = modifiers(opcode)
    if about.code == "state-space":
        return _mistaken_space(about, opcode, words, reading, profile)
    if about.code == "vector-size" and len(about.path) == 1:
        return _mistaken_size(about, opcode, words, reading, profile)
    if opcode.startswith(MOVE + ".") and reading.kinds[-1].startswith("%"):
        return _other_type_of_special(opcode, words, reading, profile)
    if about.code == _MISFIT and opcode.startswith(CONVERSION + "."):
        return _exchanged_types(opcode, words, reading, profile)
    return None


def _mistaken_space(
    about: Complaint, opcode: str, words: tuple[str, ...], reading: Reading, profile: Profile
) -> Complaint | None:
    symbol = reading.symbols.get(about.path)
    spaces = [index for index, word in enumerate(words) if word in SPACE_WORDS]
    if symbol is None or symbol.space not in SPACE_WORDS or len(spaces) > 1:
        return None
    part, path = (Part.MODIFIER, (spaces[0],)) if spaces else (Part.OPCODE, ())
    if not _fits(opcode, {spaces[0] if spaces else _BEFORE_ALL: symbol.space}, reading, profile):
        return None
    message = about.message.replace("{operand}", symbol.name)
    return Complaint(about.code, message, part, path, data=(("variable", symbol.name),))


def _mistaken_size(
    about: Complaint, opcode: str, words: tuple[str, ...], reading: Reading, profile: Profile
) -> Complaint | None:
    kind = reading.kinds[about.path[0]]
    sizes = [index for index, word in enumerate(words) if word.startswith(".v") and word[2:].isdecimal()]
    if len(sizes) != 1 or kind[:1] != "{":
        return None
    count = len(split_kind(kind[1:-1]))
    if not _fits(opcode, {sizes[0]: f".v{count}"}, reading, profile):
        return None
    return Complaint(about.code, about.message, Part.MODIFIER, (sizes[0],))


def _other_type_of_special(opcode: str, words: tuple[str, ...], reading: Reading, profile: Profile) -> Complaint | None:
    special = declared_type(reading.kinds[-1])
    types = [index for index, word in enumerate(words) if word in TYPE_WORDS]
    if len(types) != 1 or special not in TYPES or not _fits(opcode, {types[0]: special}, reading, profile):
        return None
    text = f"`{opcode}` works on `{words[types[0]]}`, but its operands fit `{special}`"
    return Complaint(_MISFIT, text, Part.MODIFIER, (types[0],))


def _exchanged_types(opcode: str, words: tuple[str, ...], reading: Reading, profile: Profile) -> Complaint | None:
    """The complaint that the two types of a conversion are in the wrong order; None if they may be right.

    Wider registers than a type are allowed, so that each register must have the width of the other one's type.
    """
    types = [index for index, word in enumerate(words) if word in TYPE_WORDS]
    if len(types) != 2 or len(reading.kinds) != 2 or any(kind not in TYPES for kind in reading.kinds):
        return None
    first, second = (words[index] for index in types)
    widths = [TYPES[kind].bits for kind in reading.kinds]
    exchanged = {types[0]: second, types[1]: first}
    if widths != [TYPES[second].storage, TYPES[first].storage] or not _fits(opcode, exchanged, reading, profile):
        return None
    text = f"the first type of `{opcode}` is that of the result: these operands fit `{second}{first}`"
    return Complaint(_MISFIT, text, Part.MODIFIER, (types[0],))


def _name(reading: Reading, index: int) -> str:
    """What an operand is, to compare operands: its name or constant, or the kind of another operand."""
    node = reading.nodes.get((index,))
    return node.expression.root.text if isinstance(node, Value) else reading.kinds[index]


def _of_width(kind: str) -> list[str]:
    """The type itself and the others of its width."""
    return [kind, *(name for name, type_ in TYPES.items() if type_.bits == TYPES[kind].bits and name != kind)]


def _fits(opcode: str, changes: dict[int, str], reading: Reading, profile: Profile) -> bool:
    """Whether the statement is right with other modifiers in some places."""
    words = [changes.get(index, word) for index, word in enumerate(modifiers(opcode))]
    changed = "".join((opcode.partition(".")[0], changes.get(_BEFORE_ALL, ""), *words))
    return not judge(changed, tuple(reading.kinds), profile.version, profile.target, profile.known).complaints
