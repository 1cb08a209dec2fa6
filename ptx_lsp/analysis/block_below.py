"""Whether the block below one that was read again stays as it is, and what is handed over to it then.

The blocks below refer to scope objects. If the block opened these scopes when it was read before, and now opens similar
scopes, the declarations in the new objects are moved into the old ones: then the blocks below need not be read again.
"""

from __future__ import annotations

from ptx_lsp.analysis.block_map import BlockMap
from ptx_lsp.analysis.invalidation import Invalidation, opened_by
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import Body, OpenComment, State
from ptx_lsp.semantics.surroundings import Profile, ScopedUse, Undeclared
from ptx_lsp.semantics.symbols import Scope


def continue_scopes(
    block: Block, following: Block, invalidation: Invalidation, block_map: BlockMap
) -> tuple[bool, list[Block]]:
    """Let the blocks below a block, the first of them `following`, keep the scopes that they know, if they can.

    Returns True if `following` can stay as it is, and the blocks further below that must be read again.
    """
    if following.entry is None:
        known = block_map.first_read(following)
        if known is not None and known.entry is not None:
            _keep_scopes(block, known.entry, invalidation, block_map)
        return False, []
    if not _agrees(block, following, invalidation, block_map):
        return False, []
    again = _hand_over(block, following, invalidation, block_map)
    return True, [again] if again is not None else []


def _agrees(block: Block, following: Block, invalidation: Invalidation, block_map: BlockMap) -> bool:
    """Whether the block below can stay as it is: its entry state agrees with the state at the end of `block`.

    The scopes need not be the same objects if `block` opened the new one and the old one is not used any more: see
    `_hand_over`.
    """
    new, old = block.exit, following.entry
    assert new is not None, "the block has been read"
    assert old is not None, "the block below has been read"
    if _comparable(new) != _comparable(old) or not _same_comment(new.comment, old.comment, block):
        return False
    return all(
        n is o or (opened_by(n, block) and _is_replaced(o, block, invalidation, block_map))
        for n, o in zip(new.scopes, old.scopes, strict=True)
    )


def _comparable(state: State) -> tuple[State, tuple[object, ...]]:
    """A state without the fields in which two states that agree may differ, and the parts of those that must be equal.

    Scopes and comments are compared separately. After each reading, functions are other objects, and the marks of the
    header's directives are other ones. Inside of a function, `closed` and `nested` only matter where it ends.
    """
    is_inside = state.body is not None
    excluded = state._replace(scopes=(), body=None, closed=None, comment=None, nested=state.nested and not is_inside)
    exist = (is_inside, is_inside or state.closed is not None, state.profile.written is not None)
    return excluded, (len(state.scopes), *exist)


def _same_comment(new: OpenComment | None, old: OpenComment | None, block: Block) -> bool:
    if new is None or old is None:
        return new is old
    return new is old or (new.mark.holder is block is old.mark.holder and new.assumed_endless == old.assumed_endless)


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


def _hand_over(block: Block, following: Block, invalidation: Invalidation, block_map: BlockMap) -> Block | None:
    """Move the declarations of `block` in the scopes that it leaves open into the scopes that the blocks below use.

    Returns a block below that must be read again because it continues a function that ended in `block`, or because it
    ends a function that is now, or was, inside of another one; None if there is no such block.
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
    if new.closed is not old.closed or new.nested != old.nested:
        return _end_differently(following, old, block.exit, block_map)
    block.exit = old
    return None


def _keep_scopes(block: Block, old: State, invalidation: Invalidation, block_map: BlockMap) -> None:
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
        is_same = _has_same_place(fresh, kept) and opened_by(fresh, block)
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
    """Give the blocks below the last function `closed`, and whether another one is `nested` in it, from the new state.

    The result is the block that must be read again: see `_hand_over`.
    """
    body = old.body
    while block is not None and (entry := block.entry) is not None and entry.closed is old.closed and entry.body is body:
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
