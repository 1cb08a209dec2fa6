"""The modifiers that completion offers after the dot of an opcode."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.completion_items import Item, ItemKind
from ptx_lsp.candidates.following_modifiers import Following, following
from ptx_lsp.candidates.half_typed import Typed
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.isa.usual_modifiers import usual
from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.text.ranges import Position

SHOWN = 20
"""Items that a client shows at once. In a longer list, the usual ones are among the first."""


def modifier_items(
    module: Module, position: Position, context: PositionContext, typed: Typed
) -> tuple[list[Item], bool]:
    """The modifiers that can follow, in the order of the manual; those that the module cannot use are last."""
    profile = context.profile
    found = following(typed.opcode, typed.modifiers, profile.version, profile.target)
    usable = [each for each in found if not each.lacking and each.word.startswith(typed.word)]
    lacking = [each for each in found if each.lacking and each.word.startswith(typed.word)]
    ordered = [*_usual_first(usable, typed), *lacking]
    return [_item(each, typed.opcode_text) for each in ordered], False


def _usual_first(found: list[Following], typed: Typed) -> list[Following]:
    """A list that is too long to be shown at once begins with those that are due and the usual ones.

    Both parts keep their order.
    """
    if len(found) <= SHOWN:
        return found
    ranks = usual(typed.opcode)
    shown = sorted(found, key=lambda each: (not each.due, ranks.get(each.word, len(ranks))))[:SHOWN]
    first = {each.word for each in shown}
    return [*(each for each in found if each.word in first), *(each for each in found if each.word not in first)]


def _item(each: Following, opcode: str) -> Item:
    kind = ItemKind.TYPE if each.word in TYPE_WORDS else ItemKind.MODIFIER
    if each.word in SPACE_WORDS:
        kind = ItemKind.SPACE
    return Item(each.word, kind, lacking=each.lacking, about=opcode)
