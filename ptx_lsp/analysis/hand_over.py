"""Whether the blocks below a block that was read again can stay as they are, and the changes that they then need.

The blocks below refer to scope objects. If the block opened these scopes when it was read before, and now opens similar
scopes, the declarations in the new objects are moved into the old ones: then the blocks below need not be read again.
"""

from __future__ import annotations

from ptx_lsp.analysis.block_map import BlockMap
from ptx_lsp.analysis.invalidation import Invalidation
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import Body, OpenComment, State
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import Scope


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
    header's directives are other ones.
    """
    excluded = state._replace(scopes=(), body=None, closed=None, comment=None)
    exist = (x is not None for x in (state.body, state.closed, state.profile.written))
    return excluded, (len(state.scopes), *exist)


def _same_comment(new: OpenComment | None, old: OpenComment | None, block: Block) -> bool:
    if new is None or old is None:
        return new is old
    return new is old or (new.mark.holder is block is old.mark.holder and new.assumed_endless == old.assumed_endless)


def _opened_by(scope: Scope, block: Block) -> bool:
    return scope.opening is not None and scope.opening.holder is block


def _is_replaced(old: Scope, block: Block, invalidation: Invalidation, block_map: BlockMap) -> bool:
    """True if no block above uses an old scope, because the block that opened it has been read again."""
    opener = old.opening.holder if old.opening is not None else None
    if not isinstance(opener, Block) or opener not in invalidation.blocks:
        return False
    if opener is block or not block_map.holds(opener):
        return True
    is_open = opener.exit is not None and old in opener.exit.scopes
    return not is_open and all(part.body.scope is not old for part in opener.parts)


def hand_over(block: Block, following: Block, invalidation: Invalidation, block_map: BlockMap) -> Block | None:
    """Move the declarations of `block` in the scopes that it leaves open into the scopes that the blocks below use.

    Returns a block below that must be read again because it continues a function that ended in `block`; None if there
    is no such block.
    """
    new, old = block.exit, following.entry
    assert new is not None, "the block has been read"
    assert old is not None, "the block below has been read"
    if old.comment is not None and new.comment is not None:
        old.comment.mark.move_to(new.comment.mark)
    _move_header(new.profile, old.profile)
    scopes = {n: o for n, o in zip(new.scopes, old.scopes, strict=True) if n is not o}
    if scopes:
        for fresh, kept in scopes.items():
            _move_names(fresh, kept)
        _retarget(block, scopes)
        invalidation.moved(block, scopes)
        if new.body is not None and old.body is not None and new.body is not old.body:
            old.body.symbol = new.body.symbol
            for part in block.parts:
                if part.body is new.body:
                    part.body = old.body
    if new.closed is not old.closed:
        block.exit = old._replace(closed=new.closed)
        return _end_differently(following, old.closed, new.closed, block_map)
    block.exit = old
    return None


def _move_header(new: Profile, old: Profile) -> None:
    # the blocks below keep the old profile, with the places of `.version` and `debug` in the new one
    for place_now, kept in ((new.written, old.written), (new.debug, old.debug)):
        if place_now is not None and kept is not None and kept is not place_now:
            kept.move_to(place_now)


def _end_differently(block: Block | None, old: Body | None, new: Body | None, block_map: BlockMap) -> Block | None:
    # the last function is another object now, for all blocks up to the next function
    while block is not None and block.entry is not None and block.entry.closed is old:
        block.entry = block.entry._replace(closed=new)
        if any(part.body is old for part in block.parts):
            return block
        if block.exit is None or block.exit.closed is not old:
            break
        block.exit = block.exit._replace(closed=new)
        block = block_map.after(block)
    return None


def _move_names(fresh: Scope, kept: Scope) -> None:
    if kept.opening is not None and fresh.opening is not None:
        kept.opening.move_to(fresh.opening)
    for table in (fresh.members, fresh.families, fresh.labels):
        for symbols in table.values():
            for symbol in symbols:
                kept.declare(symbol)


def _retarget(block: Block, scopes: dict[Scope, Scope]) -> None:
    for part in block.parts:
        part.labels_checked = False
        for use in (*part.label_uses, *part.loads, *part.results):
            use.scope = scopes.get(use.scope, use.scope)
            inner: Scope | None = use.scope
            while inner is not None:
                if inner.parent is not None and inner.parent in scopes:
                    inner.parent = scopes[inner.parent]
                inner = inner.parent
