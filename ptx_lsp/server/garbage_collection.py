"""When Python searches old objects for garbage, so that no request waits for it.

The blocks of a long document are many objects that live long. To search those of a million lines takes 150 ms, and
Python would do so during loading or typing. To search 6,000 objects takes one millisecond. The objects of a document
that is closed need no search, because what they refer to is given up step by step (`Module.forget`).
"""

import asyncio
import gc
from collections.abc import Callable

from ptx_lsp.memo import keep_unneeded_tables

NEW = 2_000  # objects between two searches of the newest ones
YOUNG = 2  # searches of the newest objects between two searches of the young ones, which then are some 6,000
WORTH_IT = 50  # searches of the young objects after which a search of the old ones is worth its time
# Searches of the young objects after which Python searches the old ones, whatever else happens: a long document needs
# some hundred, a workspace of long files more.
MOST = 1_000

MOST_SEARCHED = 30_000
"""Objects that can be searched in some milliseconds."""

SILENCE = 60.0
"""Seconds without a message of the client after which there is time for work in one long step."""


class GarbageCollection:
    """The garbage collection of one server."""

    __slots__ = ("_missed",)

    def __init__(self) -> None:
        self._missed = False  # True if exempt objects may have become garbage since the last search of all

    def begin(self) -> None:
        """Exempt everything that is loaded now from later searches: it is needed until the end.

        From now on, the long tables of `memo.py` are freed in steps.
        """
        keep_unneeded_tables()
        gc.collect()
        gc.freeze()
        gc.set_threshold(NEW, YOUNG, MOST)

    def loaded(self) -> None:
        """Exempt a long document, or what a long request keeps: almost nothing of it is garbage soon."""
        gc.freeze()

    def dropped(self) -> None:
        """Note that exempt objects that refer to each other are not needed any more."""
        self._missed = True

    @property
    def is_search_of_all_due(self) -> bool:
        """Whether a search of all objects may free some."""
        return self._missed

    def search(self) -> None:
        """Search the old objects that are not exempt, if that is worth its time and short.

        Called when there is nothing else to do. A long search waits until the client has said nothing for long.
        """
        if self._missed or gc.get_count()[2] < WORTH_IT:
            return
        self._missed = True
        if len(gc.get_objects(generation=2)) <= MOST_SEARCHED:
            gc.collect()
            gc.freeze()

    def search_all(self) -> None:
        """Search all objects. That takes up to a second; called when the client has said nothing for long."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._missed = False


class LongSearches:
    """Has all objects searched, if that is due, when the client has said nothing for long.

    `received` gives the number of messages of the client so far; `busy` is true while the server has work.
    """

    def __init__(self, garbage: GarbageCollection, received: Callable[[], int], busy: Callable[[], bool]) -> None:
        self._garbage = garbage
        self._received = received
        self._busy = busy
        self._waits = False  # True if a look is to come

    def rest(self) -> None:
        """Note that there is nothing else to do."""
        if not self._waits and self._garbage.is_search_of_all_due:
            self._waits = True
            asyncio.get_running_loop().call_later(SILENCE, self._look, self._received())

    def _look(self, received: int) -> None:
        self._waits = False
        if received != self._received() or self._busy():
            self.rest()
        else:
            self._garbage.search_all()
