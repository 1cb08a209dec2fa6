"""The hints of an instruction that differs from an earlier one only in its names, which are worked out once.

They depend on the text, on the kinds of the names, on the version and target of the module and on the user's choices.
Compilers write the same few thousand instructions again and again, with other registers.
"""

from collections.abc import Callable
from itertools import accumulate

from ptx_lsp.features.choices import Choices
from ptx_lsp.features.offset_hints import HintKind, OffsetHint
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import Scope, symbol_kind
from ptx_lsp.syntax.tree import Instruction

REMEMBERED = 16_384
"""The number of instructions whose hints are remembered for one profile and the choices of one user."""
LONGEST = 256
"""Characters of an instruction; longer ones are rarely repeated."""

_NAMES = lazy_pattern(r"(?<![\w$%.:])([%$_a-zA-Z][\w$]*+)")


_Place = tuple[int, int]  # the index of a piece of the text between two names, and an offset in this piece
_Placed = tuple[_Place, str, HintKind, _Place]
_Key = tuple[str, ...]

_tables: Memo[tuple[Choices, Profile], Memo[_Key, tuple[_Placed, ...]]] = Memo(8)


class RememberedHints:
    """What is remembered for the choices of one user; the modules may differ."""

    __slots__ = ("_choices", "_profile", "_table")

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._profile: Profile | None = None
        self._table: Memo[_Key, tuple[_Placed, ...]] = Memo(0, nested=True)

    def of(self, located: StatementContext, find: Callable[[StatementContext], list[OffsetHint]]) -> list[OffsetHint]:
        """The hints of an instruction; `find` works them out if no similar one is remembered."""
        instruction = located.statement
        assert isinstance(instruction, Instruction)
        begin, end = instruction.opcode.end, instruction.end
        if end - begin > LONGEST:
            return find(located)
        if located.surroundings.profile is not self._profile:
            self._change_profile(located.surroundings.profile)
        pieces = _NAMES.split(located.text[begin:end])
        key = (instruction.opcode.text, *_with_kinds(pieces, located.surroundings.scope))
        known = self._table.get(key)
        if known is None:
            found = find(located)
            placed = _placed(found, pieces, begin)
            if placed is not None:
                self._table[key] = placed
            return found
        if not known:
            return []
        starts = list(accumulate(map(len, pieces), initial=begin))
        return [
            OffsetHint(starts[at] + offset, label, kind, starts[about] + its_offset)
            for (at, offset), label, kind, (about, its_offset) in known
        ]

    def _change_profile(self, profile: Profile) -> None:
        self._profile = profile
        table = _tables.get((self._choices, profile))
        if table is None:
            table = _tables[self._choices, profile] = Memo(REMEMBERED, nested=True)
        self._table = table


def _with_kinds(pieces: list[str], scope: Scope) -> list[str]:
    """The pieces with the kinds of declared names in place of the names, which are the pieces with an odd index."""
    key = pieces.copy()
    for index in range(1, len(pieces), 2):
        symbol = scope.lookup(pieces[index])
        if symbol is not None:
            key[index] = f"{symbol_kind(symbol)} {symbol.type}"  # no name has a blank
    return key


def _placed(found: list[OffsetHint], pieces: list[str], begin: int) -> tuple[_Placed, ...] | None:
    """Hints with their places by pieces; None if one of them is inside of a name, whose length may differ."""
    placed = []
    for hint in found:
        at, about = _place(hint.at - begin, pieces), _place(hint.about - begin, pieces)
        if at is None or about is None:
            return None
        placed.append((at, hint.label, hint.kind, about))
    return tuple(placed)


def _place(offset: int, pieces: list[str]) -> _Place | None:
    for index, piece in enumerate(pieces):
        if not index % 2 and 0 <= offset <= len(piece):
            return index, offset
        offset -= len(piece)
    return None
