"""The opcode that the rest of a statement determines: no other opcode takes its modifiers and operands."""

import re
from functools import lru_cache

from ptx_lsp.fixes.typos import CUT_OPCODE, near_words
from ptx_lsp.fixes.verification import Site, fits
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.intended_words import head_habit_in_any_case
from ptx_lsp.isa.opcode_sets import PLAIN_OPCODES, SAME_IF_ROUNDED
from ptx_lsp.isa.types import TYPES
from ptx_lsp.judgement.matched_forms import matched_forms
from ptx_lsp.memo import forgettable
from ptx_lsp.syntax.tree import Instruction

_OPCODE = re.compile(r"`([a-z]\w*)")
ROUNDINGS = frozenset((".rn", ".rz", ".rm", ".rp"))


def only_opcode(site: Site, statement: Instruction) -> str:
    """The only opcode with which the statement is correct, in place of its unknown one; empty if there are several.

    It is also empty if the unknown word is known to mean something else: if it is a habit of another language whose
    message does not name that opcode, or one typo away from another opcode (`imad.s32` is a wrong `mad`, though only
    `sad` takes its operands).
    """
    word = site.marked
    habit = head_habit_in_any_case(word)
    modifiers = statement.text[len(statement.opcode.text) :]
    fitting = {each for each in _opcodes_with(modifiers) if fits(site, site.start, site.end, each)}
    fitting -= {variant for variant, plain in PLAIN_OPCODES.items() if plain in fitting}
    fitting = one_if_same(fitting, statement)
    near = {each for _, each in near_words(word, opcodes(), CUT_OPCODE)}
    if len(fitting) != 1 or not near <= fitting:
        return ""
    (found,) = fitting
    return found if habit is None or found in _OPCODE.findall(habit.message) else ""


def one_if_same(found: set[str], statement: Instruction) -> set[str]:
    """The usual one of these opcodes if all of them compute the same with the statement's modifiers, else all."""
    types = [TYPES[modifier.text].letter for modifier in statement.modifiers if modifier.text in TYPES]
    rounded = not ROUNDINGS.isdisjoint(modifier.text for modifier in statement.modifiers)
    same = found == set(SAME_IF_ROUNDED) and types == ["f"] and rounded
    return {SAME_IF_ROUNDED[0]} if same else found


@forgettable
@lru_cache(maxsize=1024)
def _opcodes_with(modifiers: str) -> tuple[str, ...]:
    """The opcodes that have a form with these modifiers (`.lo.s32`)."""
    return tuple(each for each in opcodes() if matched_forms(each + modifiers))
