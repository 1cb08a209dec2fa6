"""Many files at once: over several processes where that pays, with progress on a terminal."""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ptx_lsp.cli.examination import Examination, Order, examine

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

# starting a process costs about as much as checking this many bytes (observed: 20 MB a second, 50 ms a process)
BYTES_A_PROCESS = 1_000_000
FEWEST_FILES_SHOWN = 20
SECONDS_BETWEEN_SHOWS = 0.1
CHUNKS_A_PROCESS = 16
MOST_PROCESSES = 60  # Windows waits for no more at once
KILLED = "the process that checked it was killed"


def worthwhile_processes(files: list[str]) -> int:
    """How many processes check these files soonest: 1 where there is little to do, never more than processors."""
    processors = _processors()
    if len(files) < 2 or processors < 2:
        return 1
    enough = processors * BYTES_A_PROCESS
    total = 0
    for path in files:
        try:
            total += os.path.getsize(path) + 1000
        except OSError:
            continue
        if total >= enough:
            return min(processors, len(files))
    return max(1, total // BYTES_A_PROCESS)


def examine_all(files: list[str], order: Order, processes: int) -> Iterator[Examination]:
    """Examine files in so many processes; they come in the order of `files`, each as soon as those before it are done.

    Falls back to this process where the system refuses to start others.
    """
    from concurrent.futures import ProcessPoolExecutor

    import ptx_lsp.analysis.module  # imported before the fork, so that no child has to

    assert ptx_lsp.analysis.module
    chunk = max(1, min(32, len(files) // (processes * CHUNKS_A_PROCESS)))
    try:
        pool = ProcessPoolExecutor(processes, initializer=_leave_interrupts_to_the_parent)
    except (ImportError, OSError, NotImplementedError):
        yield from with_progress((examine(path, order) for path in files), len(files))
        return
    with pool:
        try:
            yield from with_progress(_all_of(pool, files, order, chunk), len(files))
        except (GeneratorExit, KeyboardInterrupt):
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _all_of(pool: "ProcessPoolExecutor", files: list[str], order: Order, chunk: int) -> Iterator[Examination]:
    """What the pool's processes examine; where one of them is killed, the files that are left one by one."""
    from concurrent.futures.process import BrokenProcessPool

    done = 0
    try:
        for examined in pool.map(examine, files, [order] * len(files), chunksize=chunk):
            yield examined
            done += 1
    except BrokenProcessPool:
        yield from _one_by_one(files[done:], order)


def _one_by_one(files: list[str], order: Order) -> Iterator[Examination]:
    """Examine files in one other process after the other, so that it is known which file costs a process its life."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    pool = None
    try:
        for path in files:
            pool = pool or ProcessPoolExecutor(1, initializer=_leave_interrupts_to_the_parent)
            try:
                yield pool.submit(examine, path, order).result()
            except BrokenProcessPool:
                pool = None
                yield Examination(path, trouble=KILLED)
    finally:
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def with_progress(examinations: Iterable[Examination], total: int) -> Iterator[Examination]:
    """Pass examinations through; where there are many, say on a terminal's standard error how far we are."""
    if total < FEWEST_FILES_SHOWN or not sys.stderr.isatty():
        yield from examinations
        return
    due = 0.0
    for number, examined in enumerate(examinations, 1):
        if examined.output or examined.trouble:
            _show("")
            due = 0.0
        yield examined
        now = time.monotonic()
        if now >= due:
            _show(f"{number} of {total} files checked")
            due = now + SECONDS_BETWEEN_SHOWS
    _show("")


def _leave_interrupts_to_the_parent() -> None:
    import signal

    # Ctrl-C reaches every process of the terminal; a traceback from each helps nobody
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _show(text: str) -> None:
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
