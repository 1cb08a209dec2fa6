"""The registers that an operand may name, the most likely first: those that the text nearby writes and reads."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, filterfalse, islice
from typing import NamedTuple

from ptx_lsp.candidates.declared_order import in_order
from ptx_lsp.candidates.nearby_names import Mentions
from ptx_lsp.candidates.numbered_names import numbered
from ptx_lsp.candidates.operand_series import before_next, beside_updated, followers
from ptx_lsp.isa.opcode_sets import MOVE
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol, SymbolKind, symbol_kind
from ptx_lsp.steps import result_of

MOST_DECLARED = 2_000
"""Registers with a declaration of their own that are looked at in a scope."""

MOST_OF_A_LIST = 40
MOST_TRIED = 600
"""The registers that are taken from a list, and the names that are looked up for it."""

MOST_REGISTERS = 80  # of one answer

MOST_FRESH = 4
"""Numbers of a family that are offered although nothing mentions them."""

# The weight of each list: a name has the weight, divided by its place in the list, from every list that has it. The sum
# of these orders the names: a name in several lists comes before one that is early in a single one. The weights are
# chosen by measuring (`tests/features/completion_measure.py`) with files of many compilers: of 24,734 registers in 112
# files, 270 are not among the first 20 items (with 2.0 for `_UNREAD`). The number at the end of a comment says how many
# more there are without the list.
_SERIES = 1.7  # continues what the statements above do with the operand: 112
_ALIKE = 1.0  # is in its place in an earlier pattern: 8
_SAME_HISTORY = 2.0  # was written and read by the same statements as other operands in its place: 45
_GIVEN = 0.9  # is a parameter of the function, or its result where the operand is written
_FAR = 0.2  # is mentioned far above, is free, or begins with the number that is typed

# of an operand that is read
_READ_BEFORE_BELOW = 1.0  # continues what the statements below do with the operand: 62 (for those that are written too)
_UNREAD = 2.3  # is written above and not read since: 22
_RECENT = 1.1  # is mentioned last: 56
_KEPT = 0.7  # is written above, read below, and not written below: 9
_LASTING = 1.0  # is recent, except if it was read once and is not read below: 18
_OLDEST = 0.25  # is written first of all, and read since
_LIVE = 0.1  # is read below
_ONCE = 0.4  # is written far above, and nothing mentions it after that: 4
_NEXT_READ = 0.55  # is read after the names of the last statements elsewhere: 19

# of an operand that is written
_WRITTEN_BEFORE_BELOW = 0.8  # as `_READ_BEFORE_BELOW`
_MISSING = 2.5  # is read below before it is written: 24
_READ_ONLY = 0.42  # is read and not written: 9
_FRESH = 0.6  # is the next member of a family: 19
_MERGED = 0.8  # is written nearby, and read below: 7
_WRITTEN = 0.2  # is mentioned last
_NEEDED = 0.8  # as `_KEPT`: 13
_NEXT_WRITTEN = 0.7  # is written after the results of the last statements elsewhere: 5
_BESIDE = 0.8  # has a number beside that of a value that was updated: 15
_OFTEN = 0.5  # is written by more than one statement: 6
_WRITTEN_FAR = 1.6  # is read below and written far above: 10
_BEFORE_NEXT = 0.5  # has the number before that of the next result below: 8
_COPIED = 0.5  # is written by `mov` below


_NEVER = 1_000_000_000  # a distance, in statements, that no statement has


_Lists = list[tuple[Iterable[str], float]]
"""Names, the most likely first and each once, with the weight of the list; some are found while they are taken."""


class RegisterCandidate(NamedTuple):
    """A register by its name; `fits` is false if its type does not fit the operand."""

    name: str
    symbol: Symbol
    fits: bool


class Wanted(NamedTuple):
    """What an operand takes: `takes` says whether a kind (`judgement.kinds`) fits; `written` is true for a result.

    `prefers` is true for the kinds among them that are taken before the others. `series` are the names that continue
    what the statements above do with this operand, the most likely first, `before_below` those that the statements
    below continue, `alike` those in the places that others have in earlier patterns, and `same_history` those with the
    history of operands in this place. `given` are the parameters of the function, which have values at its beginning,
    or where a result is written, the results that it must write.
    """

    takes: Callable[[str], bool]
    written: bool
    series: tuple[str, ...] = ()
    prefers: Callable[[str], bool] = lambda kind: True
    given: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    before_below: tuple[str, ...] = ()
    same_history: tuple[str, ...] = ()


def registers(scope: Scope, near: Mentions, wanted: Wanted, word: str) -> list[RegisterCandidate]:
    """The result of `register_steps`, without a pause."""
    return result_of(register_steps(scope, near, wanted, word))


def register_steps(
    scope: Scope, near: Mentions, wanted: Wanted, word: str
) -> Generator[None, None, list[RegisterCandidate]]:
    """The registers of a scope whose names begin with `word`, in order; those that fit come first. In steps.

    They are `MOST_REGISTERS` at most. A family gives the members that the text nearby mentions, and the next ones that
    it does not; with digits in `word`, also the members whose numbers begin with them.
    """
    families, single = _declared(scope)
    yield
    used = _mentioned(near)
    free = _free(families, single, near, used)
    lists = _written_lists(near, list(free), used) if wanted.written else _read_lists(near, free)
    yield
    lists = [*_lists_of_the_operand(near, wanted, used), *lists, (_numbered(word), _FAR)]
    ranked = _ranked(lists, word, _registers_by_name(scope), _remembered(wanted.takes))
    yield
    prefers, continuing = _remembered(wanted.prefers), frozenset(wanted.series)
    found = sorted(ranked.scores, key=ranked.scores.__getitem__, reverse=True)
    found.sort(key=lambda name: name not in continuing and not prefers(ranked.fitting[name]))
    first = [RegisterCandidate(name, ranked.fitting[name], True) for name in found[:MOST_REGISTERS]]
    rest = islice(ranked.others.items(), MOST_REGISTERS - len(first))
    return [*first, *(RegisterCandidate(name, symbol, False) for name, symbol in rest)]


class _Ranked(NamedTuple):
    """The scores of the registers that are `fitting`, and the `others`, in the order of the lists."""

    scores: dict[str, float]
    fitting: dict[str, Symbol]
    others: dict[str, Symbol]


def _ranked(
    lists: _Lists, word: str, register: Callable[[str], Symbol | None], fits: Callable[[Symbol], bool]
) -> _Ranked:
    """The registers of the lists whose names begin with `word`; the lists with the largest weights come first."""
    scores, fitting, others = found = _Ranked({}, {}, {})
    known: dict[str, bool] = {}  # whether a name means a register that fits
    for names, weight in sorted(lists, key=lambda each: -each[1]):
        if weight <= _FAR and len(scores) >= MOST_OF_A_LIST:
            break  # what has so little weight does not matter where there are many names
        place = tried = 0
        for name in names:
            if not name.startswith(word):
                continue
            fit = known.get(name)
            if fit is None:
                symbol = register(name)
                fit = known[name] = symbol is not None and fits(symbol)
                if symbol is not None:
                    (fitting if fit else others)[name] = symbol
            tried += 1
            if fit:
                place += 1
                scores[name] = scores.get(name, 0.0) + weight / place
            if place >= MOST_OF_A_LIST or tried > MOST_TRIED:
                break
    return found


def _registers_by_name(scope: Scope) -> Callable[[str], Symbol | None]:
    """The register that a name means in a scope, or None. Most names are members of few families, looked up once."""
    lone: dict[str, Symbol | None] = {}

    def register(name: str) -> Symbol | None:
        stem, digits, number = numbered(name)
        if stem not in lone:
            lone[stem] = scope.lookup(name) if digits and scope.is_lone_family(stem) else None
        symbol = lone[stem]
        if symbol is None or number < 0:
            symbol = scope.lookup(name)
        elif number >= (symbol.count or 0):
            return None
        return symbol if symbol is not None and symbol.kind is SymbolKind.REGISTER else None

    return register


def _remembered(takes: Callable[[str], bool]) -> Callable[[Symbol], bool]:
    """The answer for the kind of a register; for a family it is worked out once."""
    known: dict[int, bool] = {}

    def answer(symbol: Symbol) -> bool:
        if id(symbol) not in known:
            known[id(symbol)] = takes(symbol_kind(symbol))
        return known[id(symbol)]

    return answer


def _mentioned(near: Mentions) -> set[str]:
    far = (near.far_above.names, near.far_below.names)
    return set().union(near.written, near.read, near.read_below, near.written_below, *far)


def _declared(scope: Scope) -> tuple[list[Symbol], list[Symbol]]:
    """The families and the registers with a declaration of their own that a scope sees, the innermost scope first."""
    families: list[Symbol] = []
    single: list[Symbol] = []
    *inside, _ = scope.outward()  # registers of the module are not allowed
    for around in inside:
        sees = around.sees
        families += in_order(symbol for symbols in around.families.values() for symbol in symbols if sees(symbol))
        seen = (symbols[0] for symbols in around.members.values() if sees(symbols[0]))
        single += in_order(symbol for symbol in seen if symbol.kind is SymbolKind.REGISTER)[:MOST_DECLARED]
    return families, single


def _numbers_by_stem(names: Iterable[str]) -> dict[str, list[int]]:
    """The numbers at the ends of some names, in order, by what is before them."""
    found: dict[str, list[int]] = {}
    for stem, _, number in map(numbered, names):
        if number >= 0:
            found.setdefault(stem, []).append(number)
    return found


def _free(families: list[Symbol], single: list[Symbol], near: Mentions, used: set[str]) -> Iterator[str]:
    """The registers that nothing nearby mentions: the next members of families, and those declared alone."""
    written = _numbers_by_stem(near.written)
    for family in families:
        yield from dict.fromkeys(_fresh(family, written.get(family.name, []), used))
    yield from (symbol.name for symbol in single if symbol.name not in used)


def _fresh(family: Symbol, written: list[int], used: set[str]) -> Iterator[str]:
    """The first numbers of a family that nothing nearby mentions: after the last written one, and from the lowest.

    `written` are the numbers of its members that are written above, the nearest first.
    """
    stem, count = family.name, family.count or 0
    last = max((number for number in written if number < count), default=-1)
    latest = written[0] if written else -1
    for begin in dict.fromkeys((latest, last, 0)):
        names = map(stem.__add__, map(str, range(begin + 1, count)))  # without a loop in Python: hundreds may be used
        yield from islice(filterfalse(used.__contains__, names), MOST_FRESH)


def _numbered(word: str) -> Iterator[str]:
    """The members of families whose names begin with `word`, if it has a digit: itself and those with one more."""
    if word[-1:] not in DIGITS or not word:
        return
    yield word
    for digit in DIGITS:
        yield word + digit


def _lists_of_the_operand(near: Mentions, wanted: Wanted, used: set[str]) -> _Lists:
    """What is known of the operand itself. A value that is read was written, so that something mentions its name."""
    series = [name for name in wanted.series if wanted.written or name in used]
    before_below = [name for name in wanted.before_below if wanted.written or name in used]
    given = [n for n in wanted.given if n not in (near.written if wanted.written else near.read)]
    return [
        *((series, _SERIES), (wanted.alike, _ALIKE), (wanted.same_history, _SAME_HISTORY), (given, _GIVEN)),
        (before_below, _WRITTEN_BEFORE_BELOW if wanted.written else _READ_BEFORE_BELOW),
    ]


def _read_lists(near: Mentions, free: Iterator[str]) -> _Lists:
    """An operand that is read: values that nothing has read yet, those mentioned last, and those that are read below.

    A value that was read once and that the text below does not read is hardly read again. Those that were written first
    are often values of a whole function.
    """
    unread = [n for n in near.written if near.read.get(n, _NEVER) >= near.written[n] and n not in near.read_below]
    unread = [name for name in unread if name not in near.far_below.names]
    recent = _by_distance(near.written, near.read)
    written, reads, below = near.written, near.reads, near.read_below
    lasting = [name for name in recent if name not in written or name in below or reads.get(name, 0) != 1]
    oldest = [name for name in reversed(near.written) if near.read.get(name, _NEVER) < near.written[name]]
    above = near.far_above
    far = (n for n in above.names if n in above.results and n not in near.read and n not in near.read_below)
    live = list(near.read_below)
    return [
        *((unread, _UNREAD), (recent, _RECENT), (_kept(near), _KEPT), (lasting, _LASTING), (oldest, _OLDEST)),
        *((live, _LIVE), (_written_once(near), _ONCE), (far, _FAR), (free, _FAR)),
        (followers(near.statements, near.below, written=False), _NEXT_READ),
    ]


def _written_lists(near: Mentions, fresh: list[str], used: set[str]) -> _Lists:
    """An operand that is written: what is read and not written before, registers not used yet, and the last ones.

    Among the last ones, those that the text below reads come first: a value that several branches write. A value that
    is read below and is not written there may be written again, and so may one that is written often. One that `mov`
    writes below may be that of another branch. `used` are the names that the text around mentions.
    """
    missing = _read_before_written(near)
    merged = (n for n in _by_distance(near.written_below, near.written) if n in near.read_below)
    moved = (name for each in near.below if each.opcode.startswith(f"{MOVE}.") for name in each.results)
    copied = dict.fromkeys(name for name in moved if name not in near.written)
    far = (name for name in near.read_below if name in near.far_above.results)
    again = followers(near.statements, near.below, written=True)
    beside = (name for name in beside_updated(near.statements, near.far_above.names) if name in used)
    return [
        *((missing, _MISSING), (_read_only(near), _READ_ONLY), (fresh, _FRESH), (merged, _MERGED)),
        *((_by_distance(near.written, near.read), _WRITTEN), (_kept(near), _NEEDED), (again, _NEXT_WRITTEN)),
        *((beside, _BESIDE), (_written_often(near), _OFTEN), (far, _WRITTEN_FAR)),
        *((before_next(near.below), _BEFORE_NEXT), (copied, _COPIED)),
    ]


def _written_once(near: Mentions) -> list[str]:
    """The values that are written far above, and that nothing mentions after that: they are still to be read."""
    once = near.far_above.written_once.difference(near.written, near.read, near.read_below, near.written_below)
    once = once.difference(near.far_below.names)
    return [name for name in near.far_above.names if name in once] if once else []


def _written_often(near: Mentions) -> list[str]:
    """The names that more than one statement nearby writes, the most often written first: variables of the source."""
    counts = Counter(chain.from_iterable(each.results for each in (*near.statements, *near.below)))
    return sorted((name for name, count in counts.items() if count > 1), key=lambda name: -counts[name])


def _kept(near: Mentions) -> list[str]:
    """The values that are written above, and that the text below reads and does not write."""
    return [name for name in near.read_below if name in near.written and name not in near.written_below]


def _read_only(near: Mentions) -> Iterator[str]:
    """The names that are read and not written; those that are read above the cursor, which were written above, last.

    There may be thousands, of which few are taken.
    """
    above, below = near.far_above, near.far_below
    written = set().union(near.written, near.written_below, above.results, below.results)
    reads = chain(near.read_below, near.read, below.names, above.names)
    found = list(dict.fromkeys(filterfalse(written.__contains__, reads)))
    is_above = above.names.keys() | near.read.keys()
    return chain(filterfalse(is_above.__contains__, found), filter(is_above.__contains__, found))


def _read_before_written(near: Mentions) -> list[str]:
    """The names that nothing above writes, and that the text below reads before it writes them, such as a counter."""
    return [
        name
        for name, distance in near.read_below.items()
        if name not in near.written
        and distance <= near.written_below.get(name, _NEVER)
        and name not in near.far_above.names
    ]


def _by_distance(first: dict[str, int], second: dict[str, int]) -> list[str]:
    nearest = dict(first)
    for name, distance in second.items():
        if distance < nearest.get(name, distance + 1):
            nearest[name] = distance
    return sorted(nearest, key=nearest.__getitem__)
