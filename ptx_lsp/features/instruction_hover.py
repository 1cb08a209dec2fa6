"""What hover tells about an opcode and its modifiers: the form that matched, what it does, what it needs."""

from ptx_lsp.features.description import Code, Items, Link, Part, Prose
from ptx_lsp.features.form_text import form_text, groups_text, matched_text, operand_types
from ptx_lsp.features.modifiers import modifier_meaning
from ptx_lsp.features.uses import Matched, matched
from ptx_lsp.isa.forms import Condition, Needs
from ptx_lsp.isa.instructions import Instruction as Opcode
from ptx_lsp.isa.instructions import instruction as find_instruction
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.releases import OLDEST, cuda_release
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Instruction

MOST_FORMS = 10
_EFFECTS = {"branches": "branches", "ends": "ends the thread", "synchronises": "synchronises", "calls": "calls"}


def describe_opcode(instruction: Instruction, surroundings: Surroundings) -> tuple[Part, ...]:
    """The parts of a hover on an opcode; nothing for an opcode that nobody knows."""
    opcode = find_instruction(instruction.opcode.text)
    if opcode is None:
        return ()
    form = matched(instruction, surroundings)
    return _known_form(form) if form is not None else _forms_to_choose(opcode, instruction)


def describe_modifier(instruction: Instruction, index: int, surroundings: Surroundings) -> tuple[Part, ...]:
    """The parts of a hover on a modifier: what it means here and needs, then its instruction."""
    word = instruction.modifiers[index].text
    opcode = find_instruction(instruction.opcode.text)
    if opcode is None:
        return ()
    form = matched(instruction, surroundings)
    parts: list[Part] = []
    if meaning := modifier_meaning(word, instruction.text):
        parts.append(Prose(f"`{word}`: {meaning}"))
    if form is None:
        return (*parts, *_forms_to_choose(opcode, instruction))
    if others := _alternatives(form.match, index):
        parts.append(Prose(f"here one of {others}"))
    needed = [
        needs_text(gate.needs) for gate in form.match.form.section.gates if _brings(form.match, gate.condition, word)
    ]
    parts += [Prose(f"`{word}` needs {text}") for text in needed]
    return (*parts, *_known_form(form))


def needs_text(needs: Needs) -> str:
    """What something needs, for a person: "PTX ISA 8.0 (CUDA 12.0) and sm_90"; empty where it is everywhere."""
    found = []
    for each in needs.alternatives:
        words = []
        if each.version is not None:
            words.append(f"PTX ISA {each.version} (CUDA {cuda_release(each.version)})")
        if each.targets:
            later = " or later" if not any(target.suffix for target in each.targets) else ""
            words.append(" or ".join(f"`{target}`" for target in each.targets) + later)
        found.append(" and ".join(words))
    text = ", or ".join(found)
    for gone in needs.removed:
        where = f" on `{gone.target}` and later" if gone.target else ""
        text += f"{'; ' if text else ''}removed in PTX ISA {gone.version}{where}"
    if needs.deprecated:
        text += f"{'; ' if text else ''}deprecated since PTX ISA {needs.deprecated}"
    return text


def _known_form(form: Matched) -> tuple[Part, ...]:
    section = form.match.form.section
    text = form_text(form.match.form)
    spelled = matched_text(form.match)
    if text != spelled:
        groups = groups_text(form.match.form)
        spelled += f"\n// a form of: {text}" + (f"\n// {groups}" if groups else "")
    parts: list[Part] = [Code(spelled)]
    parts.append(Prose(_sentence(section.meaning)))
    if types := operand_types(form.uses):
        parts.append(Prose(types))
    items = [*_needs(form.match), *_effects(section.effects), *section.notes]
    if items:
        parts.append(Items(tuple(items)))
    parts.append(Link(", ".join(section.names) + " in the PTX ISA", section.url))
    return tuple(parts)


def _forms_to_choose(opcode: Opcode, instruction: Instruction) -> tuple[Part, ...]:
    """Where no form matches, those that share most modifiers with what is written."""
    words = {modifier.text for modifier in instruction.modifiers}
    ranked = sorted(opcode.forms, key=lambda form: -len(words & {w for e in form.elements for w in e.words}))
    shown = ranked[:MOST_FORMS]
    more = len(ranked) - len(shown)
    text = "\n".join(form_text(form) for form in shown) + (f"\n// and {more} more" if more else "")
    links = [Link(", ".join(s.names) + " in the PTX ISA", s.url) for s in dict.fromkeys(form.section for form in shown)]
    return (Code(text), *links[:3])


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _needs(match: Match) -> list[str]:
    section = match.form.section
    texts = [needs_text(section.needs), needs_text(match.form.needs)]
    texts += [
        f"{_words(gate.condition)}: {text}"
        for gate in section.gates
        if match.holds(gate.condition) and (text := needs_text(gate.needs))
    ]
    found = [text for text in dict.fromkeys(texts) if text]
    return [f"needs {text}" if not text.startswith(("removed", "deprecated", "`.")) else text for text in found] or [
        f"since PTX ISA {OLDEST}, on every target"
    ]


def _words(condition: Condition) -> str:
    return " with ".join("/".join(f"`{word}`" for word in term.words) for term in condition)


def _effects(effects: tuple[str, ...]) -> list[str]:
    plain = [_EFFECTS[effect] for effect in effects if effect in _EFFECTS]
    return [", ".join(plain)] if plain else []


def _alternatives(match: Match, index: int) -> str:
    for element, place in zip(match.form.elements, match.places, strict=True):
        if place == index and len(element.words) > 1:
            words = element.words if len(element.words) <= 16 else (*element.words[:15], "...")
            return ", ".join(f"`{word}`" if word != "..." else word for word in words)
    return ""


def _brings(match: Match, condition: Condition, word: str) -> bool:
    return match.holds(condition) and any(word in term.words for term in condition)
