"""Which document is analysed next, and when its findings are published: a slice of analysis at a time.

A slice takes a few milliseconds; the document that was edited last is analysed first. A document's findings are
published when its analysis is complete, and earlier if it takes long; each publication carries the version that was
analysed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_lsp.server.documents import OpenDocument

SLICE = 0.002
"""Seconds of analysis between two looks at the inbox; a look takes some 0.05 ms."""

PATIENCE_AFTER_EDIT = 0.008
"""Seconds after an edit before incomplete findings are published, even if they are the earlier ones."""

PATIENCE_AFTER_OPENING = 1.0
"""Seconds after the opening of a document before incomplete findings are published."""

OUTLINING = 0.2
"""Seconds of the search of the outline for each second of the first analysis of a document, if its client shows it."""

TURNS_OF_REQUESTS = 5
"""Slices of requests for each slice of analysis, while there are requests that do not wait for the analysis."""

LONG = 0.5
"""Seconds of analysis after which its progress is shown."""

QUIET = 3.0
"""Seconds without any analysis after which there is time for slow work, such as garbage collection."""

_log = logging.getLogger(__name__)


class Completeness(Enum):
    """How complete the findings of a publication are."""

    COMPLETE = "all findings of the present text"
    SETTLED = "all findings but those of slow checks"
    EARLIER = "the earlier findings that are still valid, and the new ones so far"
    PARTIAL = "the same, to be published only if they have changed"


NEVER = float("inf")


class Scheduler:
    """Analyses the documents that have changed.

    `publish(document, completeness)` is called when there are findings to publish, `slow(document)` once if the
    analysis takes long, `finished(document)` when such a long analysis ends, `rest()` if nothing was analysed for
    `QUIET` seconds. If an analysis fails, it is started again, and `failed(document, False)` is called. If it fails
    again before the document changes, it is not started again, and `failed(document, True)` is called.
    """

    def __init__(
        self,
        publish: Callable[[OpenDocument, Completeness], None],
        slow: Callable[[OpenDocument], None],
        finished: Callable[[OpenDocument], None],
        rest: Callable[[], None],
        failed: Callable[[OpenDocument, bool], None],
    ) -> None:
        self._publish = publish
        self._slow = slow
        self._finished = finished
        self._rest = rest
        self._report_failure = failed
        self._begun: dict[OpenDocument, float] = {}  # when each unfinished analysis began; the last entry is due first
        # the seconds after the last edit at which incomplete findings of a document are due next
        self._due: dict[OpenDocument, float] = {}
        self._changed: set[OpenDocument] = set()  # those of which findings have changed since the last edit
        self._long: set[OpenDocument] = set()  # those for which `slow` was called and `finished` was not
        self._failed: set[OpenDocument] = set()  # those whose analysis has failed since the last change
        self._waiting: dict[OpenDocument, list[asyncio.Future[None]]] = {}  # futures of `complete`
        self._watching: dict[OpenDocument, list[asyncio.Future[None]]] = {}  # futures of `slice_done`
        self._has_work = asyncio.Event()  # set if there is a document to analyse
        self.requests = 0
        """How many requests are being answered in slices without waiting for the analysis."""

    def wake(self, document: OpenDocument) -> None:
        """Note that a document has changed; it is the next one to be analysed."""
        self._begun.pop(document, None)
        self._begun[document] = document.edited = time.monotonic()
        self._due.pop(document, None)
        self._changed.discard(document)
        self._failed.discard(document)
        self._has_work.set()

    def forget(self, document: OpenDocument) -> None:
        """Forget a document that is closed: its analysis ends, and requests that wait for it continue."""
        self._begun.pop(document, None)
        self._changed.discard(document)
        self._failed.discard(document)
        self._done(document)
        _resolve(self._watching.pop(document, ()))

    def works_on(self, document: OpenDocument) -> bool:
        """Whether the analysis of this document is unfinished."""
        return document in self._begun

    @property
    def busy(self) -> bool:
        """Whether the analysis of any document is unfinished."""
        return bool(self._begun)

    async def complete(self, document: OpenDocument) -> None:
        """Wait until the analysis of this document is complete."""
        if document in self._begun:
            future = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(document, []).append(future)
            await future

    async def slice_done(self, document: OpenDocument) -> None:
        """Wait until the next slice of the analysis of this document is done."""
        if document in self._begun:
            future = asyncio.get_running_loop().create_future()
            self._watching.setdefault(document, []).append(future)
            await future

    async def run(self, pause: Callable[[], Awaitable[None]] = lambda: asyncio.sleep(0)) -> None:
        """Analyse until cancelled; `pause` is awaited after each slice, so that other work gets its turn."""
        while True:
            if not self._begun:
                await self._wait_for_work()
            else:
                self._work(next(reversed(self._begun)))
                await pause()
                for _ in range(TURNS_OF_REQUESTS - 1 if self.requests else 0):
                    await pause()

    async def _wait_for_work(self) -> None:
        self._has_work.clear()
        resting = asyncio.get_running_loop().call_later(QUIET, self._rest)
        await self._has_work.wait()
        resting.cancel()

    def _work(self, document: OpenDocument) -> None:
        try:
            begun = time.perf_counter()
            done = document.analysis.work(SLICE, document.visible)
            if done:
                del self._begun[document]
                document.outline_steps = None
                self._publish(document, Completeness.COMPLETE)
            else:
                if document.outline_steps is not None:
                    document.search_outline(OUTLINING * (time.perf_counter() - begun))
                self._publish_early(document)
        except Exception:
            _log.exception("the analysis of %s failed", document.uri)
            done = self._fail(document)
        if done:
            self._done(document)
        _resolve(self._watching.pop(document, ()))

    def _fail(self, document: OpenDocument) -> bool:
        """Start the analysis of the same text again; True if that has failed before, and the analysis ends."""
        again = document in self._failed
        self._failed.add(document)
        document.restart()
        if again:
            self._begun.pop(document, None)
        else:
            self._begun.setdefault(document, time.monotonic())  # it may have failed after the last slice
        self._report_failure(document, again)
        return again

    def _publish_early(self, document: OpenDocument) -> None:
        """After an unfinished slice: publish incomplete findings and show the progress, if it is time for that."""
        elapsed = time.monotonic() - self._begun[document]
        due = self._due.get(document)
        before = document.published
        if document.analysis.settled and due is not NEVER:
            self._due[document] = NEVER
            self._publish(document, Completeness.SETTLED)
            self._changed.discard(document)  # the first news of slow checks are published too
            before = document.published
        elif elapsed >= (due or _patience(document)):
            self._due[document] = max(2 * elapsed, PATIENCE_AFTER_EDIT)
            self._publish(document, Completeness.PARTIAL if due else Completeness.EARLIER)
        elif before is not None and document not in self._changed and document.analysis.has_news:
            self._publish(document, Completeness.PARTIAL)
        if document.published != before:
            self._changed.add(document)
        if document not in self._long and elapsed > LONG:
            self._long.add(document)
            self._slow(document)

    def _done(self, document: OpenDocument) -> None:
        self._due.pop(document, None)
        if document in self._long:
            self._long.discard(document)
            self._finished(document)
        _resolve(self._waiting.pop(document, ()))


def _resolve(futures: Iterable[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)


def _patience(document: OpenDocument) -> float:
    """The seconds after an edit, or the opening, at which incomplete findings are due at the latest."""
    return PATIENCE_AFTER_OPENING if document.published is None else PATIENCE_AFTER_EDIT
