"""The modifiers that completion offers after the dot of an opcode."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.completion_items import Item, ItemKind
from ptx_lsp.candidates.following_modifiers import Following, between, following
from ptx_lsp.candidates.half_typed import Typed
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.isa.usual_modifiers import usual
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.text.ranges import Position

_REST = lazy_pattern(r"[\w:]*((?:\.[\w:]+)*)")
_MODIFIER = lazy_pattern(r"\.[\w:]+")
_NONE = frozenset[str]()
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
    if len(usable) > SHOWN:
        below = _modifiers_below(module, position)
        fitting = between(typed.opcode, typed.modifiers, below, profile.version, profile.target) if below else _NONE
        usable = _usual_first(usable, typed, fitting)
    return [_item(each, typed.opcode_text) for each in (*usable, *lacking)], False


def _modifiers_below(module: Module, position: Position) -> tuple[str, ...]:
    """The modifiers that are already written after the word at a position."""
    rest = _REST.match(module.document.line(position.line), position.column)
    return tuple(_MODIFIER.findall(rest[1])) if rest is not None else ()


def _usual_first(found: list[Following], typed: Typed, fitting: frozenset[str]) -> list[Following]:
    """A list that is too long to be shown at once begins with those that fit the modifiers after the cursor, then those
    that are due, and the usual ones.

    `fitting` are those that fit, empty if it is not known. A place that takes more words than are shown is not due: the
    usual modifier may be one that need not be written, such as `.aligned`. Both parts keep their order.
    """
    ranks = usual(typed.opcode)
    due = {each.word for each in found if each.due}
    due = due if len(due) <= SHOWN else set()
    order = {
        each.word: (each.word not in fitting, each.word not in due, ranks.get(each.word, len(ranks))) for each in found
    }
    first = set(sorted(order, key=order.__getitem__)[:SHOWN])
    return [*(each for each in found if each.word in first), *(each for each in found if each.word not in first)]


def _item(each: Following, opcode: str) -> Item:
    kind = ItemKind.TYPE if each.word in TYPE_WORDS else ItemKind.MODIFIER
    if each.word in SPACE_WORDS:
        kind = ItemKind.SPACE
    return Item(each.word, kind, lacking=each.lacking, about=opcode)
