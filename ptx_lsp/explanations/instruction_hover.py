"""The hover on an opcode and its modifiers: summary, operands, needs, grammar."""

import re
from functools import partial

from ptx_lsp.explanations.description import Code, Items, Link, Part, Prose
from ptx_lsp.explanations.form_text import added_operands, chosen_syntax, form_syntax, wrapped
from ptx_lsp.explanations.immediates import immediate_notes
from ptx_lsp.explanations.modifiers import modifier_meaning
from ptx_lsp.explanations.needs_text import instruction_needs, needs_text
from ptx_lsp.explanations.operand_descriptions import operand_lines
from ptx_lsp.explanations.uses import Matched, matched
from ptx_lsp.explanations.variants import addable_words, possible_words, siblings
from ptx_lsp.isa.forms import ManualSection
from ptx_lsp.isa.instructions import Opcode
from ptx_lsp.isa.instructions import instruction as find_instruction
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.semantics.surroundings import Profile, Surroundings
from ptx_lsp.syntax.tree import Instruction

MOST_FORMS = 6
MOST_SIBLINGS = 24
MOST_OPERANDS = 16
WIDTH = 100
"""The columns of a line of grammar."""

_CHAPTER = re.compile(r"#?([a-z-]+-instructions)-")
"""The chapter at the beginning of the anchor of a section of the manual."""

_MODIFIER = re.compile(r"`(\.[\w:]+)`")


def describe_opcode(instruction: Instruction, surroundings: Surroundings) -> tuple[Part, ...]:
    """The parts of a hover on an opcode; empty for an unknown opcode."""
    opcode = find_instruction(instruction.opcode.text)
    if opcode is None:
        return ()
    form = matched(instruction, surroundings)
    if form is None:
        return _forms_to_choose(opcode, instruction)
    return _known_form(form, instruction, surroundings.profile, _modifiers(form.match, instruction.text))


def describe_modifier(instruction: Instruction, index: int, surroundings: Surroundings) -> tuple[Part, ...]:
    """The parts of a hover on a modifier: its meaning here, its siblings and needs, then its instruction."""
    word = instruction.modifiers[index].text
    opcode = find_instruction(instruction.opcode.text)
    if opcode is None:
        return ()
    form = matched(instruction, surroundings)
    meaning = modifier_meaning(word, instruction.text)
    about = [f"`{word}`: {meaning}"] if meaning else []
    if form is None:
        return (*map(Prose, about), *_forms_to_choose(opcode, instruction))
    profile = surroundings.profile
    others = siblings(form.match, index, profile.version, profile.target)
    if len(others) > 1:
        about.append(f"here one of {_listed(others)}")
    for gate in form.match.form.section.gates:
        if form.match.holds(gate.condition) and any(word in term.words for term in gate.condition):
            about.append(f"`{word}` needs {needs_text(gate.needs)}")
    return (*map(Prose, about), *_known_form(form, instruction, profile))


def _known_form(
    form: Matched, instruction: Instruction, profile: Profile, modifiers: tuple[str, ...] = ()
) -> tuple[Part, ...]:
    """Summary, operands, needs and grammar of a form; `modifiers` are lines about the chosen modifiers."""
    match, section = form.match, form.match.form.section
    operands = operand_lines(form)
    if len(operands) > MOST_OPERANDS:
        operands = (*operands[:MOST_OPERANDS], "...")
    parts: list[Part] = [Prose(sentence(section.meaning))]
    parts += _list((*operands, *immediate_notes(form, instruction)))
    parts.append(Prose(instruction_needs(match)))
    parts += _list((*modifiers, *filter(partial(_applies, match), section.notes)))
    grammar = chosen_syntax(match, profile.version, profile.target)
    text = wrapped(grammar, WIDTH)
    for name, words in grammar.groups:
        text += f"\n// {name} = {' '.join(words)}"
    parts.append(Code(text))
    parts += [Prose(line) for line in _more(match, profile)]
    return (*parts, *_links([section]))


def _list(lines: tuple[str, ...]) -> list[Part]:
    return [Items(lines)] if lines else []


def _applies(match: Match, note: str) -> bool:
    """Whether a note applies to these modifiers: it names one of them or no modifier, or applies without them."""
    named = _MODIFIER.findall(note)
    return not named or note.startswith("without") or not set(match.words).isdisjoint(named)


def _more(match: Match, profile: Profile) -> list[str]:
    """The modifiers that select other forms, and those that add operands."""
    added = addable_words(match, profile.version, profile.target)
    lines = [_listed(added)] if added else []
    for index, element in enumerate(match.form.elements):
        roles = added_operands(match.form, element) if element.optional and match.places[index] < 0 else ()
        words = possible_words(match, index, profile.version, profile.target) if roles else ()
        if words:
            lines.append(f"{_listed(words)} with {', '.join(f'`{role}`' for role in roles)}")
    return ["it may also have " + "; ".join(lines)] if lines else []


def _modifiers(match: Match, opcode: str) -> tuple[str, ...]:
    """A line for each chosen modifier with a meaning of its own: types and state spaces need no explanation."""
    lines = []
    for element, place in zip(match.form.elements, match.places, strict=True):
        word = match.words[place] if place >= 0 else ""
        if word and word not in TYPE_WORDS and word not in SPACE_WORDS and not element.fixed:
            meaning = modifier_meaning(word, opcode)
            lines += [f"`{word}`: {meaning}"] if meaning else []
    return tuple(dict.fromkeys(lines))  # a word may be there for each of two matrices


def _listed(words: tuple[str, ...]) -> str:
    shown = [f"`{word}`" for word in words[:MOST_SIBLINGS]]
    return ", ".join(shown) + (f" and {len(words) - MOST_SIBLINGS} more" if len(words) > MOST_SIBLINGS else "")


def _links(sections: list[ManualSection]) -> list[Part]:
    """Links to the sections, each with another text: sections of the same name have the names of their chapters."""
    chapters = {section.anchor: found[1] for section in sections if (found := _CHAPTER.match(section.anchor))}
    several = len(set(chapters.values())) > 1
    links: dict[str, Part] = {}
    for section in sections:
        chapter = chapters.get(section.anchor, "").replace("-", " ")
        text = f"{', '.join(section.names)} in the PTX ISA" + (f" ({chapter})" if several and chapter else "")
        links.setdefault(text, Link(text, section.url))
    return list(links.values())


def _forms_to_choose(opcode: Opcode, instruction: Instruction) -> tuple[Part, ...]:
    """The parts if no form matches: a summary, and the forms with most of the modifiers in the statement."""
    words = {modifier.text for modifier in instruction.modifiers}
    forms = [form for form in opcode.forms if not form.lenient] or list(opcode.forms)
    ranked = sorted(forms, key=lambda form: -len(words & form.vocabulary))
    # forms that differ in what they need may have one text
    different = {wrapped(form_syntax(form), WIDTH): form for form in reversed(ranked)}
    texts = list(different)[::-1][:MOST_FORMS]
    shown = [different[text] for text in texts]
    more = len(different) - len(shown)
    text = "\n".join(texts)
    text += f"\n// and {more} more: ptx-lsp isa {opcode.opcode}" if more else ""
    sections = list(dict.fromkeys(form.section for form in shown))
    return (Prose(sentence(sections[0].meaning)), Code(text), *_links(sections[:3]))


def sentence(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
