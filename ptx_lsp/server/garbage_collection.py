"""Python's garbage: when old objects are looked through, so that nobody waits for it.

Blocks of a long document are many objects that stay. To look through those of a million lines takes 150 milliseconds,
and Python would do so in the midst of loading or typing. A look at 5,000 objects takes one.
"""

import gc

NEW = 5_000  # objects between two looks at the newest
YOUNG = 5  # of these until the young ones have theirs
WORTH_IT = 10  # of those until it is worth it to look through the old ones
MOST = 200  # of those until Python does it by itself: a long document needs some twenty, a workspace of long files more


class Garbage:
    """What is known of the garbage of one server."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = False  # whether documents have been left since the last look

    def begin(self) -> None:
        """All is loaded that stays for ever."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(NEW, YOUNG, MOST)

    def loaded(self) -> None:
        """A long document is there: what it is made of will hardly be garbage before it is closed."""
        gc.freeze()

    def leave(self) -> None:
        """A document, or what was known of it, is needed no more."""
        self._left = True

    def look(self) -> None:
        """Look through old objects, if it is worth it: nothing else is to be done."""
        if self._left:
            gc.unfreeze()
        if self._left or gc.get_count()[2] >= WORTH_IT:
            gc.collect()
            gc.freeze()
        self._left = False
