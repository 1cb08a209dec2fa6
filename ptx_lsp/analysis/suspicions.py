"""Which names have changed their meaning, which blocks may mention one, and what is searched for in their texts.

What may take long is done in small steps, between which the analysis is not changed.
"""

from __future__ import annotations

from bisect import bisect_left

from ptx_lsp.analysis.block_map import BY_INDEX, BlockMap, WorkQueue
from ptx_lsp.isa.directive_names import CALL_TARGETS, FILE_NUMBER
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.light_classes import Callable, Container, Generator, Iterator, NamedTuple, Set, attrgetter
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import Declared
from ptx_lsp.semantics.symbols import DIGITS, LIMITED, Scope, Symbol, SymbolKind

Changes = tuple[list[Declared], list[Declared], list[Declared]]
AppliesTo = Callable[[str], bool]
"""Whether a text mentions a name whose meaning has changed."""

_STALE = attrgetter("stale")
_END = r"(?![\w$])"  # of a word
_MOST_COMPARED = 2_000  # declarations of a round: whether more of them differ is not asked
_AT_ONCE = 250  # declarations, or blocks, between two steps
MOST_NAMES = 64  # changed names that are searched for; if there are more, every block in reach is read again


class _Suspicion(NamedTuple):
    """Names whose meaning has changed: a block that mentions one of them must be read again.

    `names` is a pattern that finds them, None if there are too many: then every block is read again. If `least` is
    set, the group of the pattern is a number, and only numbers from `least` on have changed.
    """

    names: re.Pattern[str] | None
    least: int | None = None

    def applies_to(self, text: str) -> bool:
        """Whether a text mentions such a name."""
        if self.names is None:
            return True
        if self.least is None:
            return self.names.search(text) is not None
        shortest = len(str(self.least))
        return any(len(n) >= shortest and int(n[:18]) >= self.least for n in set(self.names.findall(text)))


def resumed(block: Block) -> tuple[Scope, ...]:
    """The scope of the function that ended above the block, if the block continues it; otherwise nothing."""
    closed = block.entry.closed if block.entry is not None else None
    if closed is None or all(part.body is not closed for part in block.parts):
        return ()
    return (closed.scope,)


def ends_all(scopes: Set[Scope], block: Block) -> bool:
    """Whether no block below sees any of these scopes."""
    after = block.exit
    if after is None or not scopes.isdisjoint(after.scopes):
        return False
    return after.closed is None or after.closed.scope not in scopes  # a block below may continue its function


class Round(NamedTuple):
    """What was withdrawn and declared in a round, as in `Invalidation`; `first` and `last` are indices of blocks."""

    withdrawn: list[Declared]
    declared: list[Declared]
    jumped: list[Declared]
    old: dict[tuple[Scope, Symbol], list[Symbol]]
    new: set[Scope]
    first: int
    last: int
    fresh: set[Block]


def changed_names(
    round_: Round, block_map: BlockMap
) -> Generator[None, None, tuple[dict[Scope, list[Symbol]], set[str]]]:
    """The names whose meaning has changed for blocks that were not read, by scope, and the withdrawn labels."""
    from collections import Counter  # a text that is read once has no changed names

    withdrawn = yield from _scopes(round_.withdrawn)
    watched = yield from _watched(withdrawn | (yield from _scopes(round_.declared)), round_, block_map)
    # How many more of each there were before; negative if there are more now. Blocks above see labels too.
    more = Counter[tuple[Scope, Symbol]]()
    for some in _portions(round_.withdrawn):
        more.update((d.scope, d.symbol) for d in some if d.scope in watched or _is_label(d))
        yield
    seen = watched - (round_.new - withdrawn)
    for some in _portions(round_.declared):
        more.subtract((d.scope, d.symbol) for d in some if d.scope in seen or _is_label(d))
        yield
    changed: dict[Scope, list[Symbol]] = {}
    for jumped in round_.jumped:
        changed.setdefault(jumped.scope, []).append(jumped.symbol)
    for number, ((scope, symbol), old) in enumerate(round_.old.items()):
        # an equal symbol elsewhere was declared before this one was withdrawn: blocks between them see another one
        is_replaced = old and scope in watched and not more[scope, symbol]
        if is_replaced and (symbol.kind is not SymbolKind.LABEL or _has_rivals(symbol, scope, is_gone=False)):
            changed.setdefault(scope, []).extend((*old, first_equal(symbol, scope)))
        if not number % _AT_ONCE:
            yield
    unlabelled = set[str]()
    for at, ((scope, symbol), number) in enumerate(more.items()):
        is_gone = number > 0
        if is_gone and symbol.kind is SymbolKind.LABEL:
            unlabelled.add(symbol.name)
        if number and (symbol.kind is not SymbolKind.LABEL or _has_rivals(symbol, scope, is_gone)):
            # of equal symbols, those that no block declares again: they say from which place on it matters
            left = round_.old.get((scope, symbol)) if is_gone else None
            changed.setdefault(scope, []).extend(left or (first_equal(symbol, scope),))
        if not at % _AT_ONCE:
            yield
    return changed, unlabelled


def have_same_names(withdrawn: list[Declared], declared: list[Declared]) -> Generator[None, None, bool]:
    """Whether both have the same names in the same order, apart from labels."""
    found: list[list[Declared]] = []
    for names in (withdrawn, declared):
        found.append([])
        for some in _portions(names):
            found[-1] += [one for one in some if not _is_label(one)]
            yield
    return found[0] == found[1]


def _portions(declared: list[Declared]) -> Iterator[list[Declared]]:
    return (declared[begin : begin + _AT_ONCE] for begin in range(0, len(declared), _AT_ONCE))


def _is_label(declared: Declared) -> bool:
    return declared.symbol.kind is SymbolKind.LABEL


def _has_rivals(label: Symbol, scope: Scope, is_gone: bool) -> bool:
    """Whether adding or removing this label changes a duplicate-label report on another label of that name."""
    return len(scope.labels.get(label.name, ())) > (not is_gone) or label.name in scope.members


def _scopes(declared: list[Declared]) -> Generator[None, None, set[Scope]]:
    found: set[Scope] = set()
    for some in _portions(declared):
        found.update(scope for scope, _ in some)
        yield
    return found


def _watched(scopes: set[Scope], round_: Round, block_map: BlockMap) -> Generator[None, None, set[Scope]]:
    """Those of `scopes` that are visible in blocks that have not been read again.

    All of them are open, or were open, after the last block that was read.
    """
    found: set[Scope] = set()
    before: tuple[Scope, ...] = ()
    for number in range(bisect_left(block_map.blocks, round_.first, key=BY_INDEX), len(block_map.blocks)):
        block = block_map.blocks[number]
        if block.entry is not None and block not in round_.fresh:
            if block.entry.scopes is not before:
                before = block.entry.scopes
                found |= scopes.intersection(before)
            found |= scopes.intersection(resumed(block))
        if len(found) == len(scopes) or (block.index >= round_.last and ends_all(scopes - found, block)):
            break
        if not number % _AT_ONCE:
            yield
    return found


def first_equal(symbol: Symbol, scope: Scope) -> Symbol:
    """The first of the equal declarations of a scope: the blocks may have been read from below."""
    return next((one for one in scope.table(symbol).get(symbol.name, ()) if one == symbol), symbol)


def suspected(
    block_map: BlockMap, changed: dict[Scope, list[Symbol]], fresh: Container[Block], last: int
) -> Generator[None, None, list[tuple[Block, tuple[AppliesTo, ...]]]]:
    """The blocks that see a scope with a changed symbol, from the place of the first such symbol on downward.

    Those of the blocks that are in `fresh`, the last of which has the index `last`, have been read since the change.
    Each block has the suspicions under which it comes.
    """
    first: dict[Scope, int] = {}
    suspicions: dict[Scope, AppliesTo] = {}
    for scope, symbols in changed.items():
        indices: list[int] = []
        for begin in range(0, len(symbols), _AT_ONCE):
            holders = {symbol.mark.holder for symbol in symbols[begin : begin + _AT_ONCE]}
            indices += [holder.index if block_map.holds(holder) else 0 for holder in holders]
            yield
        first[scope], suspicions[scope] = min(indices), _suspicion(symbols, scope).applies_to
    found = []
    for number in range(bisect_left(block_map.blocks, min(first.values()), key=BY_INDEX), len(block_map.blocks)):
        block = block_map.blocks[number]
        if block.entry is not None and block not in fresh and not _is_comment(block):
            visible = (*block.entry.scopes, *resumed(block))
            here = tuple(suspicions[s] for s in visible if s in changed and first[s] <= block.index)
            if here:
                found.append((block, here))
        if block.index >= last and ends_all(changed.keys(), block):
            break
        if not number % _AT_ONCE:
            yield
    return found


def _is_comment(block: Block) -> bool:
    """Whether all text of a block is in a comment, so that it mentions no name."""
    comment = block.entry.comment if block.entry is not None else None
    return comment is not None and block.exit is not None and block.exit.comment is comment


def suspect(found: list[tuple[Block, tuple[AppliesTo, ...]]]) -> list[Block]:
    """Let blocks come under these suspicions; returns the blocks."""
    for block, suspicions in found:
        block.suspicions += suspicions
    return [block for block, _ in found]


def _suspicion(symbols: list[Symbol], scope: Scope) -> _Suspicion:
    if len(symbols) > MOST_NAMES:
        return _Suspicion(None)
    least = _least_number(symbols, scope)
    if least is not None:
        name = symbols[0].name
        return _Suspicion(lazy_pattern(f"{_before(name)}{re.escape(name)}([0-9]+)", re.A), least)
    texts: dict[tuple[str, str], set[str]] = {}
    for symbol in symbols:
        for text, after in _mentions(symbol):
            texts.setdefault((_before(text), after), set()).add(re.escape(text))
    # to compile what is around each of them, and to match it, would take ten times as long
    every = (f"{before}(?:{'|'.join(sorted(some))}){after}" for (before, after), some in sorted(texts.items()))
    return _Suspicion(lazy_pattern("|".join(every), re.A))  # many scopes may have changed names


def _before(text: str) -> str:
    """What is before a text that begins a word. `%` and `.` do so without a blank before them: `.reg.pred%p`."""
    return "" if text.startswith(("%", ".")) else r"(?<![\w$%])"


def _mentions(symbol: Symbol) -> Iterator[tuple[str, str]]:
    """Every text that depends on a symbol, and the pattern of what is after it.

    They find its name, families that may hold its name, or the members of a family. They also find what depends on
    other names than those that it mentions: declarations of limited memory, and calls, whose prototypes are suggested.
    A name that begins with a dot is that of a directive, with what follows it: every such directive is found.
    """
    if symbol.name.startswith("."):
        directive = symbol.name.split()[0]
        yield directive, _END
        if directive == ".file":
            yield FILE_NUMBER, ""
        return
    name, stem = symbol.name, symbol.name.rstrip(DIGITS)
    if symbol.count is not None:
        yield name, r"(?:[0-9]|\s*<)"
        return
    yield name, _END
    if stem != name:
        yield stem, r"[0-9]*+\s*<"
    if symbol.space in LIMITED:
        yield symbol.space, _END
    if symbol.kind is SymbolKind.PROTOTYPE or symbol.type == CALL_TARGETS:
        yield CALL, _END


def _least_number(symbols: list[Symbol], scope: Scope) -> int | None:
    """If the declaration of a register family in the scope was replaced by one that differs only in its count, the
    lower count; otherwise None.

    Members with a lower number have not changed, if the new declaration has taken over the mark of the old one.
    """
    if len(symbols) == 2 and len(scope.families.get(symbols[0].name, ())) == 1:
        one, other = symbols
        is_same = one.mark is other.mark and one.changed(count=other.count) == other
        if is_same and one.count is not None and other.count is not None:
            return min(one.count, other.count)
    return None


def has_changed_name(block: Block, text: str) -> bool:
    """Whether the text of a block has a name for which it is under suspicion; it is not suspected any more."""
    suspicions, block.suspicions = block.suspicions, ()
    return any(applies_to(text) for applies_to in suspicions)


def is_known(
    block_map: BlockMap, queue: WorkQueue, changes: Changes, first: int, last: int, words: tuple[str, ...]
) -> bool:
    """Whether nothing that is still to be read can change what some words mean on the lines from `first` to `last`.

    That depends on the text above these lines too, but not on the text below them. `changes` are those of the present
    round: what was withdrawn, and declared, and what has jumped, as in `Invalidation`. A block under suspicion that has
    one of the words is searched now for what has changed; if it has that, it is the next one to be read.
    """
    end = block_map.at_line(last)
    number = block_map.place(end) + 1
    if any(map(_STALE, block_map.blocks[:number])) or any(block.index <= end.index for block in queue.again):
        return False
    if _has_changed(changes, end.index):
        return False
    for block in block_map.blocks[block_map.place(block_map.at_line(first)) : number]:
        text = block_map.text(block) if block.suspicions else ""
        if text and any(word in text for word in words) and has_changed_name(block, text):
            block.stale = True
            queue.add_shown(block.line, block.line)
            return False
    return True


def _has_changed(changes: Changes, last: int) -> bool:
    """Whether a name may have changed in a round, down to the block with the index `last`.

    What is withdrawn and declared again with the same meaning is the same object.
    """
    withdrawn, declared, jumped = changes
    if jumped or len(withdrawn) > _MOST_COMPARED or len(declared) > _MOST_COMPARED:
        return True
    before, now = (
        sorted(id(one.symbol) for one in some if one.symbol.mark.holder.index <= last) for some in (withdrawn, declared)
    )
    return before != now
