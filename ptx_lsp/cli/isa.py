"""`ptx-lsp isa OPCODE`: an instruction's forms, operands, versions and targets, from the rows that check it."""

import shutil
import sys
from collections.abc import Sequence
from textwrap import wrap

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.options import UsageError, read_options
from ptx_lsp.explanations.description import Part
from ptx_lsp.explanations.form_text import Groups, form_syntax, wrapped
from ptx_lsp.explanations.operand_descriptions import KINDS, limit_text
from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.explanations.words_hover import describe_directive, describe_special_register
from ptx_lsp.isa.forms import Access, Condition, Form, ManualSection, ModifierRule, Needs, OperandShape, Slot
from ptx_lsp.isa.instructions import instruction, nearest_opcode
from ptx_lsp.isa.matching import matches
from ptx_lsp.isa.releases import with_release

_INDENT = "  "
_NARROWEST, _WIDEST = 60, 100
"""Columns: lines are as wide as the terminal within these limits, 80 if the output is not a terminal."""
_NEAR = 0.7
"""How similar a suggested name must be to the one that was typed, from 0 to 1."""
_ACCESS = {Access.READ: "read", Access.WRITE: "written", Access.BOTH: "read and written"}


def run(arguments: list[str]) -> int:
    """Print the description of the opcode in `arguments`; 2 if it is unknown. Raises UsageError for wrong arguments."""
    options = read_options(arguments, COMMANDS["isa"].options)
    if len(options.rest) != 1:
        raise UsageError("which instruction?")
    name = options.rest[0].rstrip(";")
    if word := _word(name):
        print("\n".join(_paragraphs(render_parts(word, markdown=False))))
        return 0
    opcode, *words = name.split(".")
    found = instruction(opcode)
    forms = [] if found is None else _chosen(found.forms, opcode, words)
    if not forms:
        print(f"ptx-lsp isa: {_unknown(name, opcode, words)}", file=sys.stderr)
        return 2
    print(description(forms), end="")
    return 0


def description(forms: Sequence[Form]) -> str:
    """The text about forms of an instruction, section by section of the manual."""
    sections = dict.fromkeys(form.section for form in forms)
    return "\n".join(_shown(section, [form for form in forms if form.section is section]) for section in sections)


def _word(name: str) -> tuple[Part, ...]:
    """The description of a special register, with or without a component, or of a directive; empty for other names."""
    if name.startswith("%"):
        register, dot, member = name.partition(".")
        return describe_special_register(register, dot + member)
    return describe_directive(name) if name.startswith((".", "@@")) else ()


def _width() -> int:
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)


def _paragraphs(text: str, indent: str = "", hanging: str = "") -> list[str]:
    """Lines of at most the terminal's width; `hanging` precedes each line of a paragraph except the first."""
    lines = []
    for paragraph in text.split("\n"):
        lines += wrap(
            paragraph,
            _width(),
            initial_indent=indent,
            subsequent_indent=indent + hanging,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return lines


def _chosen(forms: tuple[Form, ...], opcode: str, words: list[str]) -> list[Form]:
    """The forms with this name; else those that match these modifiers; else those that have these and others."""
    name = ".".join([opcode, *words])
    named = [form for form in forms if any(n == name or n.startswith(name + ".") for n in form.section.names)]
    if named or not words:
        return named or list(forms)
    dotted = tuple("." + word for word in words)
    spelled = [match.form for match in matches(forms, dotted)]
    return spelled or [form for form in forms if not form.lenient and form.vocabulary.issuperset(dotted)]


def _unknown(given: str, opcode: str, words: list[str]) -> str:
    if words and instruction(opcode) is not None:
        return f"no form of `{opcode}` is `{given}`; `ptx-lsp isa {opcode}` shows them all"
    near = nearest_opcode(opcode)
    return f"there is no instruction `{given}`" + (f"; did you mean `{near}`?" if _alike(opcode, near) else "")


def _alike(word: str, near: str) -> bool:
    from difflib import SequenceMatcher

    return bool(near) and (near.startswith(word) or SequenceMatcher(None, near, word).ratio() >= _NEAR)


def _shown(section: ManualSection, forms: list[Form]) -> str:
    lines = _paragraphs(f"{', '.join(section.names)} - {section.meaning}", hanging=_INDENT)
    lines += [_INDENT + section.url, *_needs("needs", section.needs), ""]
    lines += _syntax([form for form in forms if not form.lenient] or forms)
    lines += _titled("operands", _operands(forms))
    words = frozenset(word for form in forms for word in form.vocabulary)
    lines += _titled("also needs", _gates(section, words))
    lines += _titled("rules", [_rule(r) for r in section.rules if _possible(r.subject, words)])
    lines += _titled("notes", list(section.notes))
    return "\n".join(lines) + "\n"


def _syntax(forms: list[Form]) -> list[str]:
    """The forms as the manual writes them, what each of them needs, then the groups of modifiers."""
    lines: list[str] = []
    groups: Groups = ()
    for form in forms:
        syntax = form_syntax(form, groups)
        text = wrapped(syntax, _width() - len(_INDENT)).split("\n")
        needs = _needs_text(form.needs)
        comment = f"  // {needs}" if needs else ""
        if comment and len(text[-1] + comment) <= _width() - len(_INDENT):
            text[-1] += comment
        elif comment:
            text += wrap(needs, _width() - 9, initial_indent="    // ", subsequent_indent="    // ")
        lines += [_INDENT + line for line in text]
        groups = syntax.groups
    return [*lines, *([""] if groups else []), *_groups(groups)]


def _groups(groups: Groups) -> list[str]:
    lines = []
    for name, words in groups:
        text = f"{name} = {{ {', '.join(words)} }};"
        lines += _paragraphs(text, _INDENT, " " * (len(name) + 5))
    return lines


def _titled(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    return ["", _INDENT + title, *(each for line in lines for each in _paragraphs(line, _INDENT * 2, _INDENT * 2))]


def _needs(title: str, needs: Needs) -> list[str]:
    shown = _needs_text(needs)
    return _paragraphs(f"{title} {shown}", _INDENT, _INDENT) if shown else []


def _needs_text(needs: Needs) -> str:
    alternatives = []
    for each in needs.alternatives:
        version = f"PTX {with_release(each.version)}" if each.version else ""
        alternatives.append(", ".join(filter(None, [version, " or ".join(map(str, each.targets))])))
    parts = ["; or ".join(alternatives)] if alternatives else []
    parts += [
        f"removed in PTX {gone.version}" + (f" from {gone.target} on" if gone.target else "") for gone in needs.removed
    ]
    parts += [f"deprecated since PTX {needs.deprecated}"] if needs.deprecated else []
    return "; ".join(parts)


def _gates(section: ManualSection, words: frozenset[str]) -> list[str]:
    """What those modifiers need that are among `words`."""
    return [
        f"{_condition(gate.condition)}: {_needs_text(gate.needs)}"
        for gate in section.gates
        if _possible(gate.condition, words)
    ]


def _possible(condition: Condition, words: frozenset[str]) -> bool:
    return all(not words.isdisjoint(term.words) for term in condition)


def _rule(rule: ModifierRule) -> str:
    verb = "needs" if rule.together else "excludes"
    return f"{_condition(rule.subject)} {verb} {_condition(rule.object)}"


def _condition(condition: Condition) -> str:
    return " with ".join(", ".join(t.words) + (f" as {t.group}" if t.group else "") for t in condition)


def _operands(forms: list[Form]) -> list[str]:
    """A line for each role: what it accepts in any of the forms, and its access."""
    found: dict[tuple[str, str], list[str]] = {}
    for form in forms:
        for slot in form.slots:
            for role, access, takes in _rows(slot, form):
                taken = found.setdefault((role, access), [])
                if takes and takes not in taken:
                    taken.append(takes)
    return [f"{role}: {'; or '.join(takes)} ({access})" for (role, access), takes in found.items()]


def _rows(slot: Slot, form: Form) -> list[tuple[str, str, str]]:
    """Role, access and accepted operands of a slot, or of each of its parts."""
    if slot.shape is OperandShape.ADDRESS and slot.parts:
        first, *rest = slot.parts
        spaces = _kinds(first, form) or "the space that is named"
        return [(first.role, "address", spaces), *(row for part in rest for row in _rows(part, form))]
    if slot.parts:
        return [row for part in slot.parts for row in _rows(part, form)]
    access = _ACCESS[slot.access] + (", may be left out" if slot.optional or slot.when else "")
    return [(slot.role, access, _takes(slot, form))]


def _kinds(slot: Slot, form: Form) -> str:
    """The operands that a slot accepts; the kind `@2` means the word at index 2 of the form."""
    shown = []
    for kind in slot.kinds:
        if kind.startswith("@"):
            element = form.elements[int(kind[1:])]
            kind = element.name or " or ".join(element.words)
        shown.append(KINDS.get(kind, kind))
    return " or ".join(dict.fromkeys(filter(None, shown)))


def _takes(slot: Slot, form: Form) -> str:
    text = _kinds(slot, form) or "the instruction's type"
    if slot.arity:
        text = f"vector of {''.join(slot.arity)}, {text}"
    if slot.relaxed:
        text += ", or a wider register"
    if "_" in slot.kinds:
        text += ", or _ to discard it"
    if slot.when:
        text += f", with {_condition(slot.when)}"
    return text + (f", {limit_text(slot.limit)}" if slot.limit else "")
