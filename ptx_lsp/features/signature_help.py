"""Signature help: the forms of the instruction being typed, the operand at the cursor, its role and its types."""

from collections.abc import Generator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.expected_operands import MOST_FORMS, forms_of
from ptx_lsp.candidates.half_typed import CursorPlace, Typed, half_typed
from ptx_lsp.explanations.form_text import form_syntax, operand_text
from ptx_lsp.explanations.instruction_hover import sentence
from ptx_lsp.explanations.operand_descriptions import operand_lines
from ptx_lsp.explanations.uses import Matched
from ptx_lsp.isa.forms import Element, Slot
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.isa.usual_modifiers import usual
from ptx_lsp.judgement.fit import has_slot, may_be_left_out
from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.semantics.symbols import Symbol
from ptx_lsp.steps import result_of
from ptx_lsp.text.ranges import Position

MOST_WORDS = 16  # of a group of modifiers
MOST_USUAL = 8  # modifiers of an opcode, the places of which are shown although they are optional

_IN_INSTRUCTION = frozenset((CursorPlace.MODIFIER, CursorPlace.OPERAND, CursorPlace.MEMBER))
_OF_A_CALL = (
    ("result", "where the result goes; left out, with its parentheses, if the function has none"),
    ("function", "a function that is declared above, or a register with the address of one"),
    ("arguments", "the values of the parameters, in their order"),
    ("prototype", "for an address in a register: its `.callprototype`, or the list of functions that it may be"),
)
"""The operands of a call, as the manual names them, and what each of them is."""


class Parameter(NamedTuple):
    """An operand: its place in the label of its form (offsets in code points), and what it is."""

    start: int
    end: int
    meaning: str


class Form(NamedTuple):
    """A form as text, `add.s32 d, a, b;`, with its operands in order, and what the instruction does.

    `choices` says for each group of modifiers that the label names, and that is not typed yet, which words it has.
    """

    label: str
    parameters: tuple[Parameter, ...]
    meaning: str
    choices: tuple[str, ...] = ()


class Signatures(NamedTuple):
    """The forms that the typed text may become, at least one; those that the module can use come first.

    `active` is the index of the form that fits best. `operand` is the index of the operand at the cursor, None in the
    modifiers.
    """

    forms: tuple[Form, ...]
    active: int
    operand: int | None


def signature_help(module: Module, position: Position) -> Signatures | None:
    """The forms of the instruction around a position; None outside of instructions, and for an unknown opcode."""
    return result_of(signature_steps(module, position))


def signature_steps(module: Module, position: Position) -> Generator[None, None, Signatures | None]:
    """The result of `signature_help`, in steps between which the module must not be edited."""
    position = module.document.clamp(position)
    context = yield from module.context_steps(position)
    if context is None:
        return None
    typed = half_typed(context.prefix, anywhere=True)
    if typed is None or typed.place not in _IN_INSTRUCTION:
        return None
    if typed.opcode == CALL:
        return _call(context, typed)
    operand = None if typed.place is CursorPlace.MODIFIER else typed.path[0]
    profile = context.profile
    known = forms_of(typed.opcode_text, profile.version, profile.target)[:MOST_FORMS]
    found = [_form(match, typed) for match in known if not match.form.lenient] or [_form(m, typed) for m in known]
    if not found:
        return None
    found = list({form.label: form for form in reversed(found)}.values())[::-1]  # some differ in what they need only
    fitting = (i for i, form in enumerate(found) if operand is None or operand < len(form.parameters))
    return Signatures(tuple(found), next(fitting, 0), operand)


def _form(match: Match, typed: Typed) -> Form:
    """A form with the typed modifiers in their order, and the places for others in braces or by their group."""
    slots = [slot for slot in match.form.slots if has_slot(match, slot)]
    head, choices = _head(match, typed)
    parameters = []
    for number, slot in enumerate(slots):
        before, after = ("{", "}") if may_be_left_out(slot) else ("", "")
        head += f"{before}, " if number else f" {before}"
        text = operand_text(slot, match)
        parameters.append(Parameter(len(head), len(head) + len(text), _meaning(match, slot)))
        head += text + after
    return Form(f"{head};", tuple(parameters), sentence(match.form.section.meaning), choices)


def _head(match: Match, typed: Typed) -> tuple[str, tuple[str, ...]]:
    """The opcode with its typed modifiers, then the places that are still empty, as the manual writes them.

    Optional places are left out, except usual ones after the typed modifiers. The second result has the words of the
    groups among these places.
    """
    syntax = form_syntax(match.form)
    begun = max((at for at, place in enumerate(match.places) if place >= 0), default=-1)
    shown = [
        text
        for at, (text, element) in enumerate(zip(syntax.head[1:], match.form.elements, strict=True))
        if match.places[at] < 0 and (not element.optional or (at > begun and _is_usual(match.form.opcode, element)))
    ]
    lone = {name: words[0] for name, words in syntax.groups if len(words) == 1}
    named = {text.strip("{}") for text in shown}
    choices = tuple(_choice(name, words) for name, words in syntax.groups if name in named and name not in lone)
    return typed.opcode_text + "".join(lone.get(text, text) for text in shown), choices


def _is_usual(opcode: str, element: Element) -> bool:
    """Whether one of the words for a place is among those that programs write most with an opcode."""
    ranks = usual(opcode)
    return any(ranks.get(word, MOST_USUAL) < MOST_USUAL for word in element.words)


def _choice(name: str, words: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{word}`" for word in words[:MOST_WORDS])
    return f"`{name}`: one of {shown}{' ...' if words[MOST_WORDS:] else ''}"


def _meaning(match: Match, slot: Slot) -> str:
    lines = operand_lines(Matched(match, (slot._replace(when=()),), {}))
    return "; ".join(line.replace(": , ", ": ") for line in lines)  # without the type that is not typed yet


def _any_call(typed: Typed) -> Signatures | None:
    """The form of a call that names no known function yet: an address may be in a register."""
    known = instruction(typed.opcode)
    if known is None:
        return None
    form = known.forms[0]
    syntax = form_syntax(form)
    label = "".join((typed.opcode_text if typed.modifiers else "".join(syntax.head), " ", *syntax.operands))
    places = [(label.index(word), word, meaning) for word, meaning in _OF_A_CALL]
    parameters = tuple(Parameter(start, start + len(word), meaning) for start, word, meaning in places)
    operand = None
    if typed.place is not CursorPlace.MODIFIER:
        operand = typed.path[0] + (not typed.operands.startswith("("))
    return Signatures((Form(f"{label};", parameters, sentence(form.section.meaning)),), 0, operand)


def _call(context: PositionContext, typed: Typed) -> Signatures | None:
    """The parameters of the function that a call names; the form of any call before it names one."""
    symbol = next((found for token in typed.tokens if (found := context.scope.lookup(token)) and found.signature), None)
    if symbol is None or symbol.signature is None:
        return _any_call(typed)
    label, parameters = typed.opcode_text + " ", []
    for group, end in ((symbol.signature.returns, ", "), ((), symbol.name), (symbol.signature.parameters, "")):
        if group:
            label += "(" if end else ", ("  # the results come first
            for number, each in enumerate(group):
                text = f"{each.space} {_type(each)} {each.name}"
                label += ", " if number else ""
                parameters.append(Parameter(len(label), len(label) + len(text), ""))
                label += text
            label += ")"
        label += end
    named = symbol.name in typed.tokens
    results = len(symbol.signature.returns)
    inside = typed.path[1] if len(typed.path) > 1 else None
    operand = None if inside is None else inside + (results if typed.path[0] and named else 0)
    return Signatures((Form(f"{label};", tuple(parameters), ""),), 0, operand)


def _type(symbol: Symbol) -> str:
    return symbol.type + "".join(f"[{size or ''}]" for size in symbol.dimensions)
