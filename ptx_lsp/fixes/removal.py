"""Fixes that remove what is not needed: a modifier that the instruction does not take, or a whole statement."""

from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, safe_if
from ptx_lsp.fixes.meanings import effect_of
from ptx_lsp.fixes.opcodes import modifiers_of
from ptx_lsp.fixes.typos import near_words
from ptx_lsp.fixes.verification import Site, fits, helps
from ptx_lsp.isa.forms import OperandShape
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.intended_words import head_habit_in_any_case
from ptx_lsp.isa.opcode_sets import CONTROL_FLOW, CONVERSION
from ptx_lsp.isa.types import TYPES
from ptx_lsp.judgement.misfit_messages import ROUNDING, TO_INTEGER
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text.ranges import Range

MOST_OFFERED = 6

_OF_FLOATS = frozenset((".ftz", ".rn", ".rz", ".rm", ".rp", ".approx"))
_OF_ARITHMETIC = _OF_FLOATS | {".cc", ".hi", ".lo"}
_OF_MEMORY = frozenset(
    (".global", ".shared", ".local", ".const", ".param", ".volatile", ".relaxed", ".acquire", ".release", ".weak")
)
_OF_THREADS = frozenset((".sync", ".aligned", ".gpu", ".cta", ".sys", ".cluster", ".uni"))
_OF_VECTORS = frozenset((".v2", ".v4", ".v8", ".x2", ".x4"))


def remove_statement(finding: Finding, site: Site) -> Iterator[Fix]:
    """The removal of an instruction of other assemblers that has no effect, with its line if nothing else is on it."""
    habit = head_habit_in_any_case(site.marked)
    if habit is None or not habit.is_removed:
        return
    edit = site.edit(0, len(site.text), "")
    place, document = edit.range, site.module.document
    around = document.line(place.line)[: place.column] + document.line(place.end_line)[place.end_column :]
    if not around.strip() and place.end_line + 1 < document.line_count:
        edit = Edit(Range(place.line, 0, place.end_line + 1, 0), "")
    yield Fix(f"remove `{site.marked}`", (edit,), safe_if(site.text[site.end :].strip() == ";"))


def remove_modifier(finding: Finding, site: Site) -> Iterator[Fix]:
    """The statement without the marked modifier, if it is correct without it.

    It is safe if the modifier has no possible meaning for the instruction: `.sync` on `add`, `.ftz` on integers.
    """
    statement = site.located.statement
    word = site.marked
    if not isinstance(statement, Instruction) or not word.startswith(".") or not helps(site, site.start, site.end, ""):
        return
    empty = _says_nothing(word, statement) and not near_words(word, modifiers_of(statement.opcode.text))
    # PTX takes a conversion without a rounding only if the conversion is exact
    exact = statement.opcode.text == CONVERSION and word in ROUNDING and not _makes_integer(word, statement)
    safe = (empty or exact) and fits(site, site.start, site.end, "")
    name = statement.opcode.text
    effect = f", which means nothing in `{name}`" if empty and safe else "" if safe else effect_of(word, name)
    yield Fix(f"remove `{word}`{effect}", (Edit(finding.range, ""),), safe_if(safe))


def replace_modifier(finding: Finding, site: Site) -> Iterator[Fix]:
    """Each modifier that the message names, if the statement is correct with it, in the order of the message."""
    statement = site.located.statement
    if not isinstance(statement, Instruction) or not site.marked.startswith("."):
        return
    named = {word: finding.message.find(f"`{word}`") for word in modifiers_of(statement.opcode.text)}
    words = sorted((word for word, place in named.items() if place >= 0 and word != site.marked), key=named.__getitem__)
    right = [word for word in words if fits(site, site.start, site.end, word)]
    for word in right[:MOST_OFFERED]:
        effect = effect_of(word, statement.opcode.text)
        yield Fix(f"write `{word}`{effect}", (Edit(finding.range, word),))


def _makes_integer(word: str, statement: Instruction) -> bool:
    """Whether a rounding modifier of a conversion makes an integer of a float, which the types alone do not."""
    types = [TYPES[modifier.text] for modifier in statement.modifiers if modifier.text in TYPES]
    return word in TO_INTEGER and not (types and types[-1].letter in "su")


def _says_nothing(word: str, statement: Instruction) -> bool:
    opcode = statement.opcode.text
    if opcode in CONTROL_FLOW:
        return True
    if _has_address(opcode):
        return word in _OF_ARITHMETIC
    types = [TYPES[modifier.text] for modifier in statement.modifiers if modifier.text in TYPES]
    if word in _OF_FLOATS:
        return bool(types) and all(type_.letter in "sub" for type_ in types)
    return word in _OF_MEMORY | _OF_THREADS | _OF_VECTORS


def _has_address(opcode: str) -> bool:
    known = instruction(opcode)
    forms = known.forms if known is not None else ()
    return any(slot.shape is OperandShape.ADDRESS for form in forms for slot in form.slots)
