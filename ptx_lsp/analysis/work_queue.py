"""The queue of the blocks that must be read."""

from collections.abc import Sequence

from ptx_lsp.analysis.block_map import BlockMap
from ptx_lsp.reading.block import Block

_LAST = 8  # blocks at the end of the queue; a block that is added again is searched among these


class WorkQueue:
    """The blocks that must be read. It may also contain blocks that have been read since, or that were removed.

    A block is in up to two of these lists, each of which is read from its end:

    * `_first`: blocks that were edited, and blocks that the client shows. They are read before all others, and the
      block that was edited last is read first. Their entry states may be outdated, because blocks above them may still
      have to be read.
    * `_rest`: all other blocks that are stale or under suspicion, sorted: the first in the text is at the end.

    `_ahead` has those blocks that were read from `_first` and above which no block has been read since. When a block
    above them is read, they move to `_again`, because they were read with an outdated entry state. They are read again
    after the other two lists, if they still exist.

    Invariant: while `next` has not returned None, every stale block with an entry state is in `_first` or `_rest`.
    """

    __slots__ = ("_again", "_ahead", "_block_map", "_first", "_rest")

    def __init__(self, block_map: BlockMap, blocks: Sequence[Block]) -> None:
        """Add all of `blocks`, which are in the order of the text."""
        self._block_map = block_map
        self._first: list[Block] = []
        self._rest: list[Block] = list(blocks[::-1])
        self._ahead: list[Block] = []
        self._again: list[Block] = []

    def add_edited(self, block: Block, new: Sequence[Block]) -> None:
        """Add an edited block and the `new` blocks after it, which are in the order of the text."""
        block.stale = True
        self._first += (*new[::-1], block)
        self.add(new[::-1])

    def add_shown(self, block: Block) -> None:
        """Add a block that the client shows; it is read after the blocks that were edited."""
        self._first.insert(0, block)

    def add(self, blocks: Sequence[Block], stale: bool = True) -> None:
        """Add these blocks, which are in the reverse order of the text.

        If they are not `stale`, they are read only if one of their suspicions applies.
        """
        rest = self._rest
        before = len(rest)
        for block in blocks:
            block.stale |= stale
            if block not in rest[-_LAST:]:
                rest.append(block)
        if any(rest[i - 1].index < rest[i].index for i in range(max(1, before), len(rest))):
            rest.sort(key=lambda b: -b.index)

    def next(self) -> tuple[Block, bool] | None:
        """Remove the next block and return it, with True if it was in `_first`; None if the queue is empty."""
        while not (self._first or self._rest):
            if not self._again:
                self._ahead = []
                return None
            again, self._again = self._again, []
            self.add([block for block in again if self._block_map.holds(block)])
        if self._first:
            return self._first.pop(), True
        return self._rest.pop(), False

    def reads(self, block: Block, first: bool) -> None:
        """Note that a block will be read now; `first` is true if it was in `_first`."""
        if self._ahead and self._ahead[-1].index > block.index:
            self._again += self._ahead
            self._ahead = []
        if first:
            self._ahead.append(block)
