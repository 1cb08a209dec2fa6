"""Instruction forms as people write them: the notation of the rows without what only the checker needs."""

from ptx_lsp.features.uses import Use
from ptx_lsp.isa.forms import Access, Form, Shape, Slot
from ptx_lsp.isa.matching import Match

MOST_WORDS = 16


def form_text(form: Form) -> str:
    """A form in the manual's notation, `add{.sat}.s32 d, a, b`."""
    opcode = form.source.split(None, 1)[0]
    return _with_operands(opcode, form.slots)


def matched_text(match: Match) -> str:
    """The same with the modifiers that a statement has chosen."""
    slots = tuple(slot for slot in match.form.slots if not slot.when or match.holds(slot.when))
    return _with_operands(match.form.opcode + "".join(match.words), slots)


def groups_text(form: Form) -> str:
    """What the names of groups in a form stand for, ".type is .u16 .u32"; empty where it has none."""
    named = {element.name: element.words for element in form.elements if element.name}
    return "; ".join(f"{name} is {_words(words)}" for name, words in named.items())


def _words(words: tuple[str, ...]) -> str:
    shown = words if len(words) <= MOST_WORDS else (*words[: MOST_WORDS - 1], "...")
    return " ".join(shown)


def operand_types(uses: dict[tuple[int, ...], Use]) -> str:
    """What the operands are used as: "`d` written as `.s32`; `a`, `b` read as `.s32`"; empty where nothing is known."""
    groups: dict[tuple[Access, str], list[str]] = {}
    for path, use in sorted(uses.items()):
        named = groups.setdefault((use.access, use.type), []) if use.type and use.role else None
        if named is not None and use.role not in named and len(path) <= 2:
            named.append(use.role)
    verbs = {Access.READ: "read", Access.WRITE: "written", Access.BOTH: "read and written"}
    return "; ".join(
        ", ".join(f"`{role}`" for role in roles) + f" {verbs[access]} as `{type_}`"
        for (access, type_), roles in groups.items()
    )


def _with_operands(opcode: str, slots: tuple[Slot, ...]) -> str:
    text = ""
    for slot in slots:
        comma = ", " if text else ""
        shown = _operand(slot)
        text += f"{{{comma}{shown}}}" if slot.optional and not slot.when else f"{comma}{shown}"
    return f"{opcode} {text}" if text else opcode


def _operand(slot: Slot) -> str:
    # a slot's parts have no parts of their own but in an address: `[map, {c}]`
    match slot.shape:
        case Shape.ADDRESS:
            return "[" + ", ".join(_inner(part) for part in slot.parts) + "]" if slot.parts else f"[{slot.role}]"
        case Shape.PAIR:
            first, second = slot.parts
            return f"{first.role}[|{second.role}]" if second.optional else f"{first.role}|{second.role}"
        case _:
            return _inner(slot)


def _inner(slot: Slot) -> str:
    if slot.shape is not Shape.VECTOR:
        return slot.role
    return "{" + ", ".join(part.role for part in slot.parts) + "}" if slot.parts else slot.role
