"""When Python searches old objects for garbage, so that no request waits for it.

The blocks of a long document are many objects that live long. To search those of a million lines takes 150 ms, and
Python would do so during loading or typing. To search 6,000 objects takes one millisecond.
"""

import gc

NEW = 2_000  # objects between two searches of the newest ones
YOUNG = 2  # searches of the newest objects between two searches of the young ones, which then are some 6,000
WORTH_IT = 50  # searches of the young objects after which a search of the old ones is worth its time
# Searches of the young objects after which Python searches the old ones, whatever else happens: a long document needs
# some hundred, a workspace of long files more.
MOST = 1_000


class GarbageCollection:
    """The garbage collection of one server."""

    __slots__ = ("_dropped",)

    def __init__(self) -> None:
        self._dropped = False  # True if documents were dropped since the last search

    def begin(self) -> None:
        """Exempt everything that is loaded now from later searches: it is needed until the end."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(NEW, YOUNG, MOST)

    def loaded(self) -> None:
        """Exempt a long document, or what a long request keeps: almost nothing of it is garbage soon."""
        gc.freeze()

    def dropped(self) -> None:
        """Note that a document, or its analysis, was dropped."""
        self._dropped = True

    def search(self) -> None:
        """Search old objects, if it is worth its time. Called when there is nothing else to do."""
        if self._dropped:
            gc.unfreeze()
        if self._dropped or gc.get_count()[2] >= WORTH_IT:
            gc.collect()
            gc.freeze()
        self._dropped = False
