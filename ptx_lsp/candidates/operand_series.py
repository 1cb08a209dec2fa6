"""The names that continue what other statements do: compilers repeat a statement in steps, and the order of names."""

from collections.abc import Container, Iterator
from itertools import chain, islice

from ptx_lsp.candidates.nearby_names import NAME, Nearby, names_in
from ptx_lsp.candidates.numbered_names import distance, moved, numbered

LONGEST_PERIOD = 8
"""Statements with the same opcode after which a pattern may repeat."""

MOST_EARLIER = 48
"""Statements with the same opcode that are looked at."""

MOST_ALIKE = 2
"""Names that followed the same name, in the statement and in its place."""

MOST_FOLLOWERS = 40
MOST_STEPS = 3
"""Statements before the cursor whose names are searched for elsewhere, and that are looked at after such a place."""

MOST_UPDATED = 4
BESIDE = 2
"""The values that were updated last, and how far the numbers of the names beside them are from theirs."""

MOST_PLACES = 100  # where such a name is found

MOST_NEXT = 40
BEFORE = 2
"""Statements below whose results are looked at, and how far the numbers of the names before them are from theirs."""


def series(statements: tuple[Nearby, ...], opcode: str, operands: str, in_list: bool) -> list[str]:
    """The names that probably follow the text `operands` of a statement with an opcode text.

    `statements` are those above, the nearest first. In a list (a vector or the arguments of a call), the first names
    continue those before them in it, as in `{%r4, %r5`. The others are those that earlier statements with this opcode
    have in the same place, and those that continue their steps: `%r7` after `%r3` and `%r5`.
    """
    here = NAME.findall(operands)
    begin = max(operands.rfind("{"), operands.rfind("("))
    found = list(_continued(NAME.findall(operands[begin:]))) if in_list else []
    number = len(here)
    earlier = [names for names in _with_opcode(statements, opcode) if len(names) > number]
    found += islice(dict.fromkeys(_after_the_last(earlier, number)), MOST_ALIKE)
    found += islice(dict.fromkeys(_beside_the_same(earlier, here)), MOST_ALIKE)
    found += islice(dict.fromkeys(_as_far_apart(earlier, here)), MOST_ALIKE)
    for period in range(1, min(LONGEST_PERIOD, len(earlier)) + 1):
        last = earlier[period - 1][number]
        if 2 * period <= len(earlier):
            found.append(_step(earlier[2 * period - 1][number], last))
        found.append(last)
        if period == 1:
            found += [moved(last, 1), moved(last, -1)]
    return [name for name in dict.fromkeys(found) if name]


def _after_the_last(earlier: list[list[str]], number: int) -> Iterator[str]:
    """What earlier statements had after one that had the same name in this place as the last statement."""
    for at in range(1, len(earlier)):
        if earlier[at][number] == earlier[0][number]:
            yield earlier[at - 1][number]


def _beside_the_same(earlier: list[list[str]], here: list[str]) -> Iterator[str]:
    """What earlier statements had in this place that had the same name before it."""
    number = len(here)
    return (names[number] for names in earlier if number and names[number - 1] == here[-1])


def _as_far_apart(earlier: list[list[str]], here: list[str]) -> Iterator[str]:
    """The names that are as far from the name before them as those of earlier statements: `%r26` after `%r6`.

    The earlier statement has `%r25` after `%r5`: compilers number in steps what they copy.
    """
    number = len(here)
    if not number:
        return
    for names in earlier:
        by = distance(names[number - 1], names[number])
        if by is not None:
            yield moved(here[-1], by)


def followers(above: tuple[Nearby, ...], below: tuple[Nearby, ...], written: bool) -> list[str]:
    """The names that statements elsewhere have soon after the names of the last statements, the most likely first.

    Where paths join, compilers write the same registers in the same order as at other joins; where values of several
    components are read, these follow one another. `above` and `below` are the statements, the nearest first. `written`:
    true for results after results, false for names that are read after names that are read.
    """
    cursor = len(above)
    names = [each.results if written else each.reads for each in (*reversed(above), *below)]
    last: dict[str, int] = {}
    for steps, some in enumerate(reversed(names[max(0, cursor - MOST_STEPS) : cursor]), 1):
        for name in some:
            last.setdefault(name, steps)
    elsewhere = (*range(cursor - MOST_STEPS), *range(cursor, len(names)))
    places = [at for at in elsewhere if not last.keys().isdisjoint(names[at])]
    places.sort(key=lambda at: abs(at - cursor))
    by_cost: list[list[str]] = [[] for _ in range(3 * MOST_STEPS)]
    for at in places[:MOST_PLACES]:
        for steps in {last[name] for name in names[at] if name in last}:
            for after, found in enumerate(names[at + 1 : at + 1 + MOST_STEPS], 1):
                by_cost[2 * abs(after - steps) + steps] += found
    return list(islice(dict.fromkeys(chain.from_iterable(by_cost)), MOST_FOLLOWERS))


def beside_updated(above: tuple[Nearby, ...], far: Container[str]) -> list[str]:
    """The names beside those of the values that were updated last: compilers number the variables of a loop together.

    `above` are the statements, the nearest first, and `far` the names above them. A value is updated by a statement
    that writes it after another one mentions it.
    """
    farthest = {name: at for at, each in enumerate(above) for name in chain(each.results, each.reads)}
    nearest = {name: at for at, each in reversed(tuple(enumerate(above))) for name in each.results}
    in_order = sorted(nearest, key=nearest.__getitem__)
    updated = list(islice((n for n in in_order if farthest[n] > nearest[n] or n in far), MOST_UPDATED))
    beside = (moved(name, sign * by) for by in range(1, BESIDE + 1) for name in updated for sign in (1, -1))
    return [name for name in dict.fromkeys(beside) if name and name not in updated]


def before_next(below: tuple[Nearby, ...]) -> list[str]:
    """The names before those of the next results of each family: compilers number most results in order.

    `below` are the statements, the nearest first.
    """
    nearest: dict[str, str] = {}
    for name in chain.from_iterable(each.results for each in below[:MOST_NEXT]):
        nearest.setdefault(numbered(name).stem, name)
    before = (moved(name, -by) for by in range(1, BEFORE + 1) for name in nearest.values())
    return [name for name in dict.fromkeys(before) if name]


def _continued(here: list[str]) -> Iterator[str]:
    if len(here) > 1:
        yield _step(here[-2], here[-1])
    if here:
        yield moved(here[-1], 1)
        yield moved(here[-1], -1)
        yield here[-1]


def _with_opcode(statements: tuple[Nearby, ...], opcode: str) -> list[list[str]]:
    """The names of the operands of the nearest statements with an opcode text."""
    found: list[list[str]] = []
    for statement in statements:
        if statement.opcode == opcode:
            found.append(names_in(statement.operands))
            if len(found) == MOST_EARLIER:
                break
    return found


def _step(before: str, last: str) -> str:
    """The name that follows two names in equal steps; empty if they are not numbers of one family."""
    by = distance(before, last)
    return "" if by is None else moved(last, by)


def following_members(first: str, count: int) -> tuple[str, ...]:
    """That many names of a family in the order of their numbers, from `first` on; none if it has no number."""
    return tuple(moved(first, by) for by in range(count)) if numbered(first).number >= 0 else ()
