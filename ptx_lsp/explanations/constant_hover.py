"""The hover on a constant expression: value, type, value at its use, authorities that disagree, and the steps."""

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.constant import Constant, ValueType
from ptx_lsp.constants.conversion import doubt_message
from ptx_lsp.constants.disagreement import disagreements, disagreements_at
from ptx_lsp.constants.explanation import explain
from ptx_lsp.constants.spelling import decimal, exact, hexadecimal
from ptx_lsp.explanations.constant_values import EXACT, LITERALS, ConstantPart
from ptx_lsp.explanations.description import Items, Part, Prose
from ptx_lsp.explanations.float_view import float_view
from ptx_lsp.explanations.immediates import decoded
from ptx_lsp.explanations.known_numbers import known_as
from ptx_lsp.explanations.operand_descriptions import slot_text
from ptx_lsp.explanations.roles import role_meaning
from ptx_lsp.isa.opcode_sets import MOVE
from ptx_lsp.syntax.tree import TermKind

MOST_STEPS = 12  # of a computation that a hover shows
LARGEST = 0xFFFFFFFF
SMALL = 9
"""Numbers up to this have the same digits in decimal and hex."""


def describe_value(folded: ConstantPart, authority: Authority) -> tuple[Part, ...]:
    """The parts of a hover on a constant expression."""
    parts: list[Part] = [Prose(_headline(folded))]
    parts += [Prose(line) for line in (_at_use(folded), _as_float(folded)) if line]
    if others := _others(folded, authority):
        parts.append(Items(others))
    if steps := steps_of(folded, authority):
        parts.append(Items(steps))
    return tuple(parts)


def steps_of(folded: ConstantPart, authority: Authority) -> tuple[str, ...]:
    """The steps of the evaluation, one text per operator; empty for a literal, with or without a sign."""
    steps = [step.text for step in explain(folded.expression, folded.evaluation, authority)]
    if is_bare(folded):
        return ()
    if len(steps) > MOST_STEPS:
        steps = [*steps[: MOST_STEPS - 2], "...", steps[-1]]
    return tuple(f"`{step}`" if step != "..." else step for step in map(_code, steps))


def _code(step: str) -> str:
    return step.replace("`", "'")


def is_bare(folded: ConstantPart) -> bool:
    """Whether the expression is only a literal, perhaps with signs and parentheses: its value is visible."""
    return all(
        term.kind in LITERALS
        or term.kind in (TermKind.PARENTHESES, TermKind.NAME)
        or (term.kind is TermKind.UNARY and term.text in "+-")
        for term in folded.expression.terms
    )


def number(value: Constant) -> str:
    """A value as text: digits, and for a float a well-known name and all of its digits."""
    if not value.is_float:
        return f"**{decimal(value)}** `.{value.type.value}` = `{hexadecimal(value)}`"
    digits = decimal(value)
    text = f"**{digits}** `.{value.type.value}`"
    if name := known_as(value.real):
        text += f", about {name}" if "^" not in name else f" = {name}"
    full = exact(value.real)
    return text + (f", exact {full}" if full != digits else "")


def decimal_at_use(folded: ConstantPart) -> str:
    """The value in decimal at its use if it is a number of the type there; else the expression's own value."""
    used = folded.at_use
    if used is None or used.type == "pred":
        return decimal(folded.value)
    if used.type.startswith("b") and (used.bits > SMALL or folded.value.is_float):
        return used.hexadecimal if used.bits >> (used.width - 1) else f"{used.bits:#x}"
    return used.decimal


def value_at_use(folded: ConstantPart) -> str:
    """Value and type at the use of the expression, in a few words."""
    used = folded.at_use
    type_ = folded.value.type.value if used is None or used.type == "pred" else used.type
    return f"**{decimal_at_use(folded)}** `.{type_}`"


def _headline(folded: ConstantPart) -> str:
    text = number(folded.value)
    kinds = {term.kind for term in folded.expression.terms}
    if folded.value.type is ValueType.F64 and kinds.isdisjoint(EXACT):
        text += f" = `{hexadecimal(folded.value)}`"
    return text


def _at_use(folded: ConstantPart) -> str:
    """The value after conversion to the type of its use; empty if value and type are unchanged."""
    used, value = folded.at_use, folded.value
    where = f"`{folded.use.role}` of `{folded.use.opcode}`" if folded.use is not None else "the variable"
    if used is None:
        return _unconverted(folded)
    if doubt := doubt_message(value, used):
        return f"as {where}: {doubt}"
    if used.type == "pred":
        return f"as {where}: **{'true' if used.bits else 'false'}**"
    if used.type == value.type.value and used.bits == value.bits and value.is_float:
        return f"as {where}"
    shown = f"{used.decimal}" if used.decimal == decimal(value) else f"**{used.decimal}**"
    pattern = f" = `{used.hexadecimal}`" if used.hexadecimal != hexadecimal(value) else ""
    use = folded.use
    if use is not None and (meaning := role_meaning(use.role, use.match.form.section.names)):
        where += f", {meaning}"
    return f"as `.{used.type}` ({where}): {shown}{pattern}{_decoded(folded)}"


def _unconverted(folded: ConstantPart) -> str:
    """A constant used without a type: its role, the permitted range, and the meaning of its bits."""
    use = folded.use
    if use is None or not use.role:
        return ""
    where = f"as `{use.role}` of `{use.opcode}`"
    if use.address:
        return where
    text = f"{where}: {slot_text(use.match, use.slot)}"
    if meaning := role_meaning(use.role, use.match.form.section.names):
        text += f" ({meaning})"
    if folded.value.is_float:
        return text
    small = folded.value.bits <= LARGEST
    return text + (f"; here `{folded.value.bits:#x}`" if small and folded.value.bits > SMALL else "") + _decoded(folded)


def _decoded(folded: ConstantPart) -> str:
    use = folded.use
    text = "" if use is None else decoded(use.match, use, folded.value.bits)
    return f": {text}" if text else ""


def _as_float(folded: ConstantPart) -> str:
    """The bits of an integer as a float, if they are moved or stored as bits and form a common float; else empty."""
    used, use = folded.at_use, folded.use
    if used is None or folded.value.is_float or used.doubt is not None:
        return ""
    moved = use is not None and use.match.form.opcode == MOVE
    if not (used.type.startswith("b") or (moved and used.type[0] in "us")):
        return ""
    text = float_view(used.bits, used.width)
    return f"as {text}" if text else ""


def _others(folded: ConstantPart, authority: Authority) -> tuple[str, ...]:
    """The authorities that give another value, compared after conversion to the type of the use."""
    if authority is not Authority.PTXAS:
        return ()
    if folded.type:
        found = disagreements_at(folded.expression, folded.type, initialiser=folded.initialiser)
    else:
        found = disagreements(folded.expression)
    return tuple(other.text.replace("(.", "(`.").replace("64)", "64`)") for other in found)
