"""Instruction forms in the manual's notation: `add{.sat}.s32 d, a, b;`, and the groups named by their modifiers."""

import re
from typing import NamedTuple

from ptx_lsp.explanations.variants import possible_words
from ptx_lsp.isa.forms import Element, Form, OperandShape, Slot
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.fit import has_slot, may_be_left_out

Groups = tuple[tuple[str, tuple[str, ...]], ...]
_OF_A_CALL = ("{(result), }function", "{, (arguments)}", "{, prototype}")
"""The operands of a call, which has a grammar of its own."""

_SHAPE = re.compile(r"\.m\d+n\d+(?:k\d+)?|\.\d+x\d+b(?:x\d+)?")
_GEOMETRY = re.compile(r"\.a?\d+d|\.a?cube|\.2dms|\.a2dms")


class Syntax(NamedTuple):
    """A form as pieces between which a line may be broken: opcode and modifiers, then operands with their commas.

    `groups` are the groups named in `head` with their words.
    """

    head: tuple[str, ...]
    operands: tuple[str, ...]
    groups: Groups = ()


def form_syntax(form: Form, named: Groups = ()) -> Syntax:
    """A form with everything optional in braces, as the manual writes it.

    `named` are the groups of the forms shown above it: the same name must not have two meanings.
    """
    head, groups = [form.opcode], dict(named)
    for element in form.elements:
        name = element.words[0] if len(element.words) == 1 and not element.name else _named(element, groups)
        head.append(f"{{{name}}}" if element.optional else name)
    operands = _OF_A_CALL if "calls" in form.section.effects else _operands(form.slots, None)
    return Syntax(tuple(head), operands, tuple(groups.items()))


def chosen_syntax(match: Match, version: Version, target: Target) -> Syntax:
    """The form with the chosen modifiers, and in braces the modifiers that may be added.

    Operands that need a modifier which is not present are left out, and so is that modifier.
    """
    head, groups = [match.form.opcode], dict[str, tuple[str, ...]]()
    for index, element in enumerate(match.form.elements):
        if not element.optional:
            head.append(match.word(index))
        elif match.places[index] >= 0 or not added_operands(match.form, element):
            words = possible_words(match, index, version, target)
            if words:
                name = words[0] if len(words) == 1 else _named(element._replace(words=words), groups)
                head.append(f"{{{name}}}")
    operands = _OF_A_CALL if "calls" in match.form.section.effects else _operands(match.form.slots, match)
    return Syntax(tuple(head), operands, tuple(groups.items()))


def added_operands(form: Form, element: Element) -> tuple[str, ...]:
    """The roles of the operands that are present only with a word of that place."""
    found: list[str] = []
    pending = list(form.slots)
    while pending:
        slot = pending.pop(0)
        pending = [*slot.parts, *pending]
        if any(not set(element.words).isdisjoint(term.words) for term in slot.when):
            found.append(slot.role)
    return tuple(dict.fromkeys(found))


def wrapped(syntax: Syntax, width: int, indent: str = "    ") -> str:
    """The text of a form in lines of at most `width` columns where possible; all but the first are indented."""
    head = [*syntax.head[:-1], syntax.head[-1] + ("" if syntax.operands else ";")]
    operands = list(syntax.operands)
    if operands:
        operands[0] = " " + operands[0]
        operands[-1] += ";"
    lines = [""]
    for piece in head + operands:
        if lines[-1].strip() and len(lines[-1]) + len(piece) >= width:
            if piece.startswith(", "):
                lines[-1] += ","
                piece = piece[2:]
            lines.append(indent + piece.lstrip())
        else:
            lines[-1] += piece
    return "\n".join(lines)


def _named(element: Element, groups: dict[str, tuple[str, ...]]) -> str:
    """The name of the group of a place; a set of words without a name gets one by the class of its words."""
    name = element.name or _class_of(element.words)
    number = 1
    while groups.get(name, element.words) != element.words:
        number += 1
        name = f"{(element.name or _class_of(element.words))}{number}"
    groups[name] = element.words
    return name


def _class_of(words: tuple[str, ...]) -> str:
    if TYPE_WORDS.issuperset(words):
        return ".type"
    if SPACE_WORDS.issuperset(words):
        return ".space"
    if all(map(_SHAPE.fullmatch, words)):
        return ".shape"
    if all(map(_GEOMETRY.fullmatch, words)):
        return ".geom"
    if all(word[:2] == ".v" and word[2:].isdigit() for word in words):
        return ".vec"
    return ".op"


def _operands(slots: tuple[Slot, ...], match: Match | None) -> tuple[str, ...]:
    """The operands with their commas: all that a form may have, or with `match` those that its modifiers allow."""
    pieces: list[str] = []
    for slot in slots:
        if match is not None and not has_slot(match, slot):
            continue
        comma = ", " if pieces else ""
        if may_be_left_out(slot) if match is not None else slot.optional:
            pieces.append(f"{{{comma}{''.join(_operand(slot, match))}}}")
        else:
            first, *rest = _operand(slot, match)
            pieces += [comma + first, *rest]
    return tuple(pieces)


def operand_text(slot: Slot, match: Match) -> str:
    """One operand as the manual writes it, with these modifiers, without the braces of one that may be left out."""
    return "".join(_operand(slot, match))


def _operand(slot: Slot, match: Match | None) -> tuple[str, ...]:
    """One operand; an address with several parts is several pieces."""
    match slot.shape:
        case OperandShape.ADDRESS:
            first, *rest = _operands(slot.parts, match) or (slot.role,)
            return (f"[{first}", *rest[:-1], f"{rest[-1]}]") if rest else (f"[{first}]",)
        case OperandShape.PAIR:
            one, other = slot.parts
            return (f"{one.role}[|{other.role}]" if other.optional else f"{one.role}|{other.role}",)
        case OperandShape.VECTOR if slot.parts:
            return (f"{{{''.join(_operands(slot.parts, match))}}}",)
    if "not" in slot.flags:
        return ("{!}" + slot.role,)
    if "minus" in slot.flags:
        return ("-" + slot.role,)
    return (("{-}" if "neg" in slot.flags else "") + slot.role,)
