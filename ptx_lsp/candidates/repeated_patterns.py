"""The names in the places that others have in an earlier pattern: compilers write a pattern again with other registers.

`sub.s32 %r9, %r2, %r8;` may read the first operand of the statement before the last one. Where the same pattern is
written again, the operand is there again, whatever the numbers of its registers are.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, takewhile, zip_longest

from ptx_lsp.candidates.nearby_names import Mentions, Nearby, names_in

MOST_EARLIER = 24
"""Statements with the same opcode that are looked at."""

MOST_BACK = 12
"""Statements before each of them in which the place of a name is searched for."""

MOST_ALIKE = 8  # names of one answer

MOST_OF_HISTORY = 500
"""Statements above, and as many below, whose reads and writes are the history of values."""

_AS_BEFORE = 3
"""The weight of each statement directly before that has the same opcode as the one before the cursor."""


def alike(statements: tuple[Nearby, ...], opcode: str, operands: str) -> list[str]:
    """The names that may follow the text `operands` of a statement with an opcode text, the most likely first.

    `statements` are those above, the nearest first. A name is the more likely, the more earlier statements have theirs
    in this place, and the more of the statements before them have the opcodes of those before the cursor.
    """
    here = names_in(operands)
    opcodes = [each.opcode for each in statements[:MOST_BACK]]
    weights: dict[str, int] = {}
    earlier = (at for at, each in enumerate(statements) if each.opcode == opcode)
    for at in islice(earlier, MOST_EARLIER):
        names = names_in(statements[at].operands)
        if len(names) <= len(here):
            continue
        before = statements[at + 1 : at + 1 + MOST_BACK]
        name = _in_its_place(names, before, here, statements)
        if name:
            pairs = zip(opcodes, before, strict=False)  # fewer statements may be before
            as_before = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1].opcode, pairs))
            weights[name] = weights.get(name, 0) + 1 + _AS_BEFORE * as_before
    return sorted(weights, key=lambda name: -weights[name])[:MOST_ALIKE]


def _in_its_place(names: list[str], before: tuple[Nearby, ...], here: list[str], statements: tuple[Nearby, ...]) -> str:
    """The name that has the place here which the name after the first `len(here)` ones of `names` has there.

    `names` are those of an earlier statement, `before` the statements above it, the nearest first. The statement
    itself has the place, or the nearest one before it that has the name. The result is empty without such a place.
    """
    name, own = names[len(here)], names[: len(here)]
    if name in own:
        return here[own.index(name)]
    for back, each in enumerate(before):
        there = names_in(each.operands)
        if name in there:
            place, mine = there.index(name), names_in(statements[back].operands)
            return mine[place] if place < len(mine) else ""
    return ""


def with_same_history(near: Mentions, opcode: str, operands: str) -> list[str]:
    """The names that may follow `operands` because operands in this place have their history, the most likely first.

    The history of a value is which statements have written and read it. A second read of what `ld` wrote and `sub` read
    is by `fma` in each round of a loop that is unrolled. The statements with this opcode (whatever its modifiers) above
    and below are compared, the nearest first; of names with the same history, the last written one comes first.
    """
    stem, place = opcode.partition(".")[0], len(names_in(operands))
    known: dict[str, str] = {}
    above = list(_histories(near.statements[MOST_OF_HISTORY - 1 :: -1], stem, place, known))
    by_history: dict[str, list[str]] = {}
    for name in near.written:
        if name in known:
            by_history.setdefault(known[name], []).append(name)
    below = _histories(near.below[:MOST_OF_HISTORY], stem, place, known)
    nearest = dict.fromkeys(chain.from_iterable(zip_longest(reversed(above), below, fillvalue="")))
    return list(chain.from_iterable(by_history.get(history, ()) for history in nearest))


def _histories(statements: Iterable[Nearby], stem: str, place: int, known: dict[str, str]) -> Iterator[str]:
    """The histories of the names in a place of the statements whose opcode is `stem`, at each of these statements.

    A history is the opcode text of the statement that wrote a value, and those of the statements that read it since.
    `known` has those of all names so far.
    """
    with_modifiers = f"{stem}."
    for opcode, operands, results, reads, _ in statements:
        if opcode.startswith(with_modifiers) or opcode == stem:
            names = names_in(operands)
            if place < len(names):
                yield known.get(names[place], "")
        read = f" {opcode}"
        for name in reads:
            known[name] = known.get(name, "") + read
        for name in results:
            known[name] = opcode
