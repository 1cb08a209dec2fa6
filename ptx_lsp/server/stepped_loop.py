"""An event loop of asyncio that is run from outside, one step at a time.

The loops of asyncio itself need a selector and a pair of sockets to wait. This one never waits: the host calls `step`
when bytes have arrived or when `due` says so. It has what futures, tasks, events and `sleep` need, and no
network, threads, processes or signals. asyncio itself imports `socket`, `subprocess` and `threading` when it is
imported; that is fine, as none of them is used here.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar, TypeVarTuple

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")

_log = logging.getLogger(__name__)


class SteppedLoop(asyncio.AbstractEventLoop):
    """Runs callbacks and timers when `step` is called. `clock` gives seconds and never goes back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ready: deque[asyncio.Handle] = deque()  # callbacks that are due, the first one first
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []  # a heap by time, then by age
        self._ages = count()

    def step(self) -> None:
        """Run every callback that is due now, but none that these callbacks add."""
        while self._timers and self._timers[0][0] <= self._clock():
            self._ready.append(heappop(self._timers)[2])
        outer = asyncio._get_running_loop()
        asyncio._set_running_loop(self)
        try:
            for _ in range(len(self._ready)):
                handle = self._ready.popleft()
                if not handle.cancelled():
                    handle._run()
        finally:
            asyncio._set_running_loop(outer)

    def due(self) -> float | None:
        """Seconds until the next step has something to run, 0.0 if it has now; None if nothing waits for a time."""
        if self._ready:
            return 0.0
        while self._timers and self._timers[0][2].cancelled():
            heappop(self._timers)
        return max(0.0, self._timers[0][0] - self._clock()) if self._timers else None

    def time(self) -> float:
        """The clock's seconds."""
        return self._clock()

    def call_soon(
        self, callback: Callable[[*_Ts], object], *args: *_Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """Run a callback in the next step."""
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[[*_Ts], object], *args: *_Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """The same as `call_soon`: there are no other threads. asyncio calls it for the futures of `concurrent`."""
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*_Ts], object],
        *args: *_Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback after some seconds."""
        return self.call_at(self._clock() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[[*_Ts], object], *args: *_Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Run a callback at a time of the clock."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heappush(self._timers, (when, next(self._ages), handle))
        return handle

    def create_future(self) -> asyncio.Future[Any]:
        """A future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: Coroutine[Any, Any, _T] | Generator[Any, None, _T],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[_T]:
        """A task whose first part runs in the next step."""
        return asyncio.Task(coro, loop=self, name=name, context=context)

    def get_debug(self) -> bool:
        """False: asyncio's checks for debugging are off."""
        return False

    def is_running(self) -> bool:
        """True while `step` runs."""
        return asyncio._get_running_loop() is self

    def is_closed(self) -> bool:
        """False: there is nothing to close."""
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Log an exception that no task has handled."""
        _log.error("%s", context.get("message"), exc_info=context.get("exception"))

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """asyncio calls this; `due` and `step` skip cancelled timers."""
