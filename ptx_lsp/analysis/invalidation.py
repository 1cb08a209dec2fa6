"""What else must be read after a block was read again: blocks that mention a changed name, and the block below.

The blocks below refer to scope objects. If the block opened these scopes when it was read before, and now opens similar
scopes, the declarations in the new objects are moved into the old ones: then the blocks below need not be read again.
"""

from __future__ import annotations

from time import perf_counter

from ptx_lsp.analysis.block_map import BY_INDEX, BlockMap
from ptx_lsp.light_classes import Iterator, bisect_left, bisect_right
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import Body, Declared, OpenComment, State
from ptx_lsp.semantics.surroundings import Profile, ScopedUse, Undeclared
from ptx_lsp.semantics.symbols import Holder, Mark, Scope, Symbol, place

# An edit is settled after two or three rounds. In broken text, two blocks must not make each other stale forever.
MOST_ROUNDS = 12
_AT_ONCE = 250  # declarations that are looked at between two looks at the clock
_MOST_RIVALS = 64  # the number of equal withdrawn symbols that are searched for one of a block


class Invalidation:
    """The names that were withdrawn and declared since the last round: see `affected`.

    * `blocks`: the blocks that were read or dropped since then.
    * `_fresh`: the blocks that were read after names were withdrawn for the last time. They have seen every change.
    * `_withdrawn`, `_declared`: every declaration of these blocks, before and after they were read.
    * `_old`: the first `_adoptable` withdrawn symbols, by scope and meaning. If such a symbol is declared again, the
      object is kept and its mark moves to the new place, so that everything that refers to it sees that place. So a
      symbol is the same object as long as its scope and meaning are the same.
    * `_families`: the families among them, by scope and name. A declaration of one with another count takes over the
      mark: blocks that mention only members of both are not read again, and refer to it.
    * `_adopted`: how many withdrawn symbols are declared again, at any place.
    * `_jumped`: declarations that moved past blocks that were not read, with the upper one of both places.
    * `_new`: scopes that were opened by these blocks. Every block that can see one was itself read after its
      declarations.

    `loading` is true until the document has been read to its end for the first time. `redeclared` is true if, in the
    last round, other names than labels were declared or withdrawn. `renamed` is true if one of these changes, or of a
    label with rivals, is seen by a block that was not read. `unlabelled` grows by the labels that were withdrawn; None
    if any may have been.
    """

    def __init__(self) -> None:
        self.blocks: set[Block] = set()
        self._fresh: set[Block] = set()
        self._withdrawn: list[Declared] = []
        self._declared: list[Declared] = []
        self._adoptable = 0
        self._old: dict[tuple[Scope, Symbol], list[Symbol]] = {}
        self._families: dict[tuple[Scope, str], Symbol] = {}
        self._adopted = 0
        self._jumped: list[Declared] = []
        self.loading = True
        self.redeclared = False
        self.renamed = False
        self.unlabelled: set[str] | None = set()
        self._new: set[Scope] = set()
        self._rounds = 0  # since the last edit
        self._search: Iterator[list[Block] | None] | None = None  # of the blocks that are affected, if time ran out

    def was_withdrawn(self, block: Block) -> None:
        """Note that the names of a block are withdrawn: it will be read again, or it is no longer a block."""
        self._search = None
        self.blocks.add(block)
        if block.declared:
            self._fresh.clear()
        self._withdrawn += block.declared

    def adopt(self, block: Block, block_map: BlockMap) -> None:
        """If a block declares a withdrawn symbol again, keep the old object and move it to its new place."""
        if not (self._withdrawn and block.declared):
            return
        self._note_adoptable()
        for index, (scope, fresh) in enumerate([(d.scope, d.symbol) for d in block.declared]):
            old = self._old.get((scope, fresh))
            if old:
                self._adopted += 1
                has_rivals = len(old) > 1
                kept = _take(old, block) if has_rivals else old.pop()
                is_elsewhere = kept.mark.holder is not block
                # with rivals, it is not known which one a block below refers to
                if is_elsewhere and (has_rivals or self._has_jumped(kept.mark.holder, block, block_map)):
                    upper = min(kept.mark, fresh.mark, key=place)
                    self._jumped.append(Declared(scope, kept.changed(mark=Mark(upper.holder, upper.range))))
                scope.replace(fresh, kept)
                if fresh.signature is not None:  # an equal one, whose parameters have the new places
                    kept.signature = fresh.signature
                block.declared[index] = Declared(scope, kept)
            elif fresh.count is not None:
                self._take_mark(scope, fresh, block, block_map)
        self._note_declared(block)

    def _take_mark(self, scope: Scope, fresh: Symbol, block: Block, block_map: BlockMap) -> None:
        old = self._families.pop((scope, fresh.name), None)
        if old is None or old.changed(count=fresh.count) != fresh:
            return
        left = self._old[scope, old]
        holder = old.mark.holder
        if left and left[0] is old and (holder is block or not self._has_jumped(holder, block, block_map)):
            left.pop(0)
            old.mark.move_to(fresh.mark)
            fresh.mark = old.mark

    def _note_adoptable(self, most: int | None = None) -> None:
        first = self._adoptable
        withdrawn = self._withdrawn[first : None if most is None else first + most]
        for declared in withdrawn:
            self._old.setdefault((declared.scope, declared.symbol), []).append(declared.symbol)
            if declared.symbol.count is not None:
                self._families.setdefault((declared.scope, declared.symbol.name), declared.symbol)
        self._adoptable += len(withdrawn)

    def _has_jumped(self, before: Holder, now: Block, block_map: BlockMap) -> bool:
        # blocks between the two places that have not been read again now see the symbol, or no longer see it
        first, last = sorted((before.index, now.index))
        blocks = block_map.blocks
        between = blocks[bisect_right(blocks, first, key=BY_INDEX) : bisect_left(blocks, last, key=BY_INDEX)]
        return any(block not in self.blocks for block in between)

    def was_read(self, block: Block) -> None:
        """Note the declarations of a block that has been read."""
        self.blocks.add(block)
        self._fresh.add(block)
        if block.entry is not None and block.exit is not None and block.exit.scopes is not block.entry.scopes:
            more = set(block.exit.scopes).difference(block.entry.scopes)
            self._new.update(scope for scope in more if _opened_by(scope, block))  # not one that it has resumed
        if not self.loading:
            self._declared += block.declared

    def moved(self, block: Block, scopes: dict[Scope, Scope]) -> None:
        """Note that the declarations of `block`, the last one read, were moved from new scopes into old ones."""
        block.declared = [Declared(scopes.get(d.scope, d.scope), d.symbol) for d in block.declared]
        self._note_declared(block)

    def _note_declared(self, block: Block) -> None:
        # the declarations of `block`, the last one read, are the last ones that were noted
        if not self.loading:
            self._declared[len(self._declared) - len(block.declared) :] = block.declared

    def changes(self) -> tuple[list[Declared], list[Declared], list[Declared]]:
        """What was withdrawn, and declared, and what has jumped, in this round."""
        return self._withdrawn, self._declared, self._jumped

    def was_edited(self) -> None:
        """Note an edit: the blocks, or their places, are other ones now."""
        self._rounds, self._search = 0, None

    def affected(self, block_map: BlockMap, deadline: float | None) -> list[Block] | None:
        """The blocks that may mention a changed name; their `suspicions` are set, and a new round begins.

        None if time ran out: the search continues at the next call, unless there is an edit before.
        """
        if self._rounds >= MOST_ROUNDS:
            self.unlabelled = None
            return []
        if self._withdrawn == self._declared and self._adopted == len(self._withdrawn) and not self._jumped:
            self.redeclared = self.renamed = False
            self._begin_round(block_map)
            return []
        search = self._search = self._search or self._affected(block_map)
        for found in search:
            if found is not None:
                self._begin_round(block_map)
                return found
            if deadline is not None and perf_counter() >= deadline:
                break
        return None

    def _affected(self, block_map: BlockMap) -> Iterator[list[Block] | None]:
        """None for each step of the search, and at its end the result: up to there, nothing is changed."""
        # not for a text that is read once
        from ptx_lsp.analysis.suspicions import Round, changed_names, have_same_names, suspect, suspected

        indices = [block.index for block in self.blocks]
        while self._adoptable < len(self._withdrawn):
            self._note_adoptable(_AT_ONCE)
            yield None
        first, last = min(indices, default=0), max(indices, default=0)
        lists = self._withdrawn, self._declared, self._jumped
        round_ = Round(*lists, self._old, self._new, first, last, self._fresh)
        changed, unlabelled = yield from changed_names(round_, block_map)
        redeclared = bool(changed) or not (yield from have_same_names(self._withdrawn, self._declared))
        found = suspect((yield from suspected(block_map, changed, self._fresh, last)) if changed else [])
        if self.unlabelled is not None:
            self.unlabelled |= unlabelled
        self.redeclared, self.renamed = redeclared, bool(changed)
        yield found

    def _begin_round(self, block_map: BlockMap) -> None:
        self._rounds, self._search = self._rounds + 1, None
        self.blocks, self._fresh, self._new = set(), set(), set()
        if self._withdrawn or self._declared:
            self._withdrawn, self._declared, self._jumped = [], [], []
            self._old, self._families = {}, {}
            self._adoptable = self._adopted = 0
        self.loading = self.loading and block_map.blocks[-1].stale


def _take(old: list[Symbol], block: Block) -> Symbol:
    """Remove and return one of several equal withdrawn symbols: the first one of `block`, else the first.

    In this order, the first of several equal declarations in a block stays the first: others relate to it.
    """
    here = [index for index in range(min(len(old), _MOST_RIVALS)) if old[index].mark.holder is block]
    if not here:
        return old.pop(0)
    index = min(here, key=lambda number: place(old[number].mark))
    return old.pop(index)


def is_suspect(block: Block, block_map: BlockMap) -> bool:
    """Whether a block mentions a name whose meaning has changed, as it was suspected; it is not suspected any more."""
    if not block.suspicions:
        return False
    from ptx_lsp.analysis.suspicions import has_changed_name

    return has_changed_name(block, block_map.text(block))


# --- the block below --------------------------------------------------------------------------------------------------


def keeps_scopes(block: Block) -> bool:
    """Whether the open scopes at the end of a block are those at its beginning."""
    return block.entry is not None and block.exit is not None and block.entry.scopes == block.exit.scopes


def agrees(block: Block, following: Block, invalidation: Invalidation, block_map: BlockMap) -> bool:
    """Whether the block below can stay as it is: its entry state agrees with the state at the end of `block`.

    The scopes need not be the same objects if `block` opened the new one and the old one is not used any more: see
    `hand_over`.
    """
    new, old = block.exit, following.entry
    assert new is not None, "the block has been read"
    assert old is not None, "the block below has been read"
    if _comparable(new) != _comparable(old) or not _same_comment(new.comment, old.comment, block):
        return False
    return all(
        n is o or (_opened_by(n, block) and _is_replaced(o, block, invalidation, block_map))
        for n, o in zip(new.scopes, old.scopes, strict=True)
    )


def _comparable(state: State) -> tuple[State, tuple[object, ...]]:
    """A state without the fields in which two states that agree may differ, and the parts of those that must be equal.

    Scopes and comments are compared separately. After each reading, functions are other objects, and the marks of the
    header's directives are other ones. Inside of a function, `closed` and `nested` only matter where it ends.
    """
    is_inside = state.body is not None
    excluded = state._replace(scopes=(), body=None, closed=None, comment=None, nested=state.nested and not is_inside)
    has_places = bool(state.profile.written), bool(state.profile.debug)
    return excluded, (len(state.scopes), is_inside, is_inside or state.closed is not None, *has_places)


def _same_comment(new: OpenComment | None, old: OpenComment | None, block: Block) -> bool:
    if new is None or old is None:
        return new is old
    return new is old or (new.mark.holder is block is old.mark.holder and new.assumed_endless == old.assumed_endless)


def _opened_by(scope: Scope, block: Block) -> bool:
    return scope.opening is not None and scope.opening.holder is block


def _is_replaced(old: Scope, block: Block, invalidation: Invalidation, block_map: BlockMap) -> bool:
    """True if no block above uses an old scope, because the block that opened it has been read again.

    False if the block that opened it had closed it too, and a block below resumed it: then the names that the block
    declared were not withdrawn, because `Block.declared` does not have them.
    """
    opener = old.opening.holder if old.opening is not None else None
    if not isinstance(opener, Block) or opener not in invalidation.blocks or _has_names_of(opener, old):
        return False
    if opener is block or not block_map.holds(opener):
        return True
    is_open = opener.exit is not None and old in opener.exit.scopes
    return not is_open and all(part.body.scope is not old for part in opener.parts)


def _has_names_of(opener: Block, scope: Scope) -> bool:
    tables = (scope.members, scope.families, scope.labels) if scope.continued else ()  # it may have 10,000 labels
    return any(symbol.mark.holder is opener for table in tables for symbols in table.values() for symbol in symbols)


def hand_over(block: Block, following: Block, invalidation: Invalidation, block_map: BlockMap) -> Block | None:
    """Move the declarations of `block` in the scopes that it leaves open into the scopes that the blocks below use.

    Returns a block below that must be read again because it continues a function that ended in `block`, or ends one
    that is now, or was, inside of another; None if there is no such block.
    """
    new, old = block.exit, following.entry
    assert new is not None, "the block has been read"
    assert old is not None, "the block below has been read"
    if old.comment is not None and new.comment is not None:
        old.comment.mark.move_to(new.comment.mark)
    _move_header(new.profile, old.profile)
    scopes = {n: o for n, o in zip(new.scopes, old.scopes, strict=True) if n is not o}
    if scopes:
        _replace(scopes, block, old.body, invalidation)
    block.exit = old._replace(closed=new.closed, nested=new.nested)
    has_changed = new.closed is not old.closed or new.nested != old.nested
    return _end_differently(following, old, block.exit, block_map) if has_changed else None


def keep_scopes(block: Block, old: State, invalidation: Invalidation, block_map: BlockMap) -> None:
    """Move the declarations of `block` into the scopes that blocks further below use, and leave those scopes open.

    `block` is a piece of a block that an edit has divided, and the pieces below it have not been read. `old` is the
    entry state of the first block below them. Only scopes that were opened at the same place are kept.
    """
    new = block.exit
    assert new is not None, "the block has been read"
    scopes: dict[Scope, Scope] = {}
    for fresh, kept in zip(new.scopes, old.scopes, strict=False):
        if fresh is kept:
            continue
        is_same = _has_same_place(fresh, kept) and _opened_by(fresh, block)
        if not is_same or not _is_replaced(kept, block, invalidation, block_map):
            break
        scopes[fresh] = kept
    body = new.body
    if body is not None and body.scope in scopes and (old.body is None or old.body.scope is not scopes[body.scope]):
        return
    if scopes:
        _replace(scopes, block, old.body, invalidation)
        scopes_now = tuple(scopes.get(scope, scope) for scope in new.scopes)
        for scope in scopes_now:
            if scope.parent in scopes:  # this scope is new, the one around it is kept
                scope.parent = scopes[scope.parent]
        is_kept = body is not None and body.scope in scopes
        block.exit = new._replace(scopes=scopes_now, body=old.body if is_kept else body)


def _has_same_place(one: Scope, other: Scope) -> bool:
    if one.opening is None or other.opening is None:
        return False
    return one.opening.resolved()[:2] == other.opening.resolved()[:2]


def _replace(scopes: dict[Scope, Scope], block: Block, kept: Body | None, invalidation: Invalidation) -> None:
    """Move what `block` declares in new scopes into the old ones; `kept` is the function of the blocks below."""
    for fresh, old in scopes.items():
        _move_names(fresh, old)
    _retarget(block, scopes)
    invalidation.moved(block, scopes)
    body = block.exit.body if block.exit is not None else None
    if body is not None and kept is not None and body is not kept:
        kept.symbol = body.symbol
        for part in block.parts:
            if part.body is body:
                part.body = kept


def _move_header(new: Profile, old: Profile) -> None:
    # the blocks below keep the old profile, with the places of `.version` and `debug` in the new one
    for place_now, kept in ((new.written, old.written), (new.debug, old.debug)):
        if place_now is not None and kept is not None and kept is not place_now:
            kept.move_to(place_now)


def _end_differently(block: Block | None, old: State, new: State, block_map: BlockMap) -> Block | None:
    # the last function is another object now, or has another one inside, for all blocks up to the next function
    body = old.body
    while (
        block is not None and (entry := block.entry) is not None and entry.closed is old.closed and entry.body is body
    ):
        block.entry = entry._replace(closed=new.closed, nested=new.nested)
        if any(part.ends if part.body is body else part.body is old.closed for part in block.parts):
            return block
        if block.exit is None or block.exit.closed is not old.closed or block.exit.body is not body:
            break
        block.exit = block.exit._replace(closed=new.closed, nested=new.nested)
        block = block_map.after(block)
    return None


def _move_names(fresh: Scope, kept: Scope) -> None:
    if kept.opening is not None and fresh.opening is not None:
        kept.opening.move_to(fresh.opening)
    kept.continued |= fresh.continued
    for table in (fresh.members, fresh.families, fresh.labels):
        for symbols in table.values():
            for symbol in symbols:
                kept.declare(symbol)


def _retarget(block: Block, scopes: dict[Scope, Scope]) -> None:
    for part in block.parts:
        part.labels_checked = False
        uses: list[ScopedUse | Undeclared] = [*part.label_uses, *part.loads, *part.results, *part.undeclared_uses()]
        for use in uses:
            use.scope = scopes.get(use.scope, use.scope)
            for inner in use.scope.outward():
                if inner.parent is not None and inner.parent in scopes:
                    inner.parent = scopes[inner.parent]
