"""When what is analysed: a slice of a few milliseconds at a time, the document that was edited last first.

Between two slices whatever the client has sent is seen to. A document's findings are published when its analysis is
complete, and before that when it takes long; each publication carries the version that was analysed.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from enum import Enum

from ptx_lsp.server.documents import OpenDocument

SLICE = 0.002
"""Seconds of analysis between two looks at what the client has sent; a look takes some 0.05 ms."""

PATIENCE_AFTER_EDIT = 0.008
"""After an edit, the seconds for which a complete answer is waited for before an incomplete one is published."""

PATIENCE_AFTER_OPENING = 1.0
LONG = 0.5
"""Seconds from which on a progress is shown."""

QUIET = 3.0
"""Seconds without anything to analyse after which there is time for what may take long."""


class Known(Enum):
    """What is known of a document's present text when it is published."""

    COMPLETE = "everything"
    SETTLED = "all but what takes longer"
    EARLIER = "what was known before and still stands, and whatever was found since"


_log = logging.getLogger(__name__)


class Scheduler:
    """Works through the documents that have something to be analysed.

    `publish(document, known)` is called when there is something to tell about it, `slow(document)` once when it
    takes long, `finished(document)` when such a long work is done, `rest()` when nothing has been to do for a while.
    A document whose analysis fails is analysed anew; `failed(document, for_good)` is called then, and once more where
    that fails too: nothing else is tried before it changes.
    """

    def __init__(
        self,
        publish: Callable[[OpenDocument, Known], None],
        slow: Callable[[OpenDocument], None],
        finished: Callable[[OpenDocument], None],
        rest: Callable[[], None],
        failed: Callable[[OpenDocument, bool], None],
    ) -> None:
        self._publish = publish
        self._slow = slow
        self._finished = finished
        self._rest = rest
        self._tell_failure = failed
        self._begun: dict[OpenDocument, float] = {}  # when the current work began; the last one is due first
        self._partial: set[OpenDocument] = set()
        self._long: set[OpenDocument] = set()
        self._failed: set[OpenDocument] = set()  # those that were analysed anew since they changed last
        self._waiting: dict[OpenDocument, list[asyncio.Future[None]]] = {}
        self._something = asyncio.Event()

    def wake(self, document: OpenDocument) -> None:
        """There is something to analyse in this document; it is the next one."""
        self._begun.pop(document, None)
        self._begun[document] = document.edited = time.monotonic()
        self._partial.discard(document)
        self._failed.discard(document)
        self._something.set()

    def forget(self, document: OpenDocument) -> None:
        """The document is closed."""
        self._begun.pop(document, None)
        self._failed.discard(document)
        self._done(document)

    def works_on(self, document: OpenDocument) -> bool:
        """Whether there is anything left to analyse in this document."""
        return document in self._begun

    @property
    def busy(self) -> bool:
        """Whether there is anything left to do."""
        return bool(self._begun)

    async def complete(self, document: OpenDocument) -> None:
        """Wait until the analysis of this document is complete."""
        if document in self._begun:
            future = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(document, []).append(future)
            await future

    async def run(self, pause: Callable[[], Awaitable[None]] = lambda: asyncio.sleep(0)) -> None:
        """Work for ever; `pause` sees to what else there is to do, after each slice."""
        while True:
            if not self._begun:
                await self._pause()
            else:
                self._work(next(reversed(self._begun)))
                await pause()

    async def _pause(self) -> None:
        self._something.clear()
        resting = asyncio.get_running_loop().call_later(QUIET, self._rest)
        await self._something.wait()
        resting.cancel()

    def _work(self, document: OpenDocument) -> None:
        try:
            done = document.module.work(SLICE, document.visible)
            if done:
                del self._begun[document]
                self._publish(document, Known.COMPLETE)
            else:
                self._take_stock(document)
        except Exception:
            _log.exception("the analysis of %s failed", document.uri)
            done = self._fail(document)
        if done:
            self._done(document)

    def _fail(self, document: OpenDocument) -> bool:
        """Begin anew with the same text; True where that was tried already, and there is nothing more to do."""
        for_good = document in self._failed
        self._failed.add(document)
        document.restart()
        if for_good:
            self._begun.pop(document, None)
        else:
            self._begun.setdefault(document, time.monotonic())  # it may have failed at its very end
        self._tell_failure(document, for_good)
        return for_good

    def _take_stock(self, document: OpenDocument) -> None:
        """It takes more than a slice: see what can be told already."""
        elapsed = time.monotonic() - self._begun[document]
        first = document.published is None
        patience = PATIENCE_AFTER_OPENING if first else PATIENCE_AFTER_EDIT
        settled = document.module.settled
        if document not in self._partial and (settled or elapsed > patience):
            self._partial.add(document)
            self._publish(document, Known.SETTLED if settled else Known.EARLIER)
        if document not in self._long and elapsed > LONG:
            self._long.add(document)
            self._slow(document)

    def _done(self, document: OpenDocument) -> None:
        self._partial.discard(document)
        if document in self._long:
            self._long.discard(document)
            self._finished(document)
        for future in self._waiting.pop(document, ()):
            if not future.done():
                future.set_result(None)
