"""Examines many files: with several processes if that is faster, with progress on a terminal."""

import os
import sys
import time

from ptx_lsp.cli.examination import Examination, Order, examine
from ptx_lsp.cli.process_copies import MOST_CHUNKS, can_copy, examined_chunks
from ptx_lsp.light_classes import TYPE_CHECKING, Iterable, Iterator

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

# starting a process costs about as much as checking this many bytes (observed: 20 MB a second, 50 ms a process)
BYTES_A_PROCESS = 1_000_000
FEWEST_FILES_SHOWN = 20
# before a process is copied, it checks some of many files: all copies then have the modules and tables of these files
BYTES_LEARNT_FROM = 50_000
FEWEST_LEARNT_FROM = 100  # files for each copy
SECONDS_BETWEEN_SHOWS = 0.1
CHUNKS_A_PROCESS = 16
MOST_PROCESSES = 60  # Windows can wait for at most about this many
KILLED = "the process that checked it was killed"


def worthwhile_processes(files: list[str]) -> int:
    """The number of processes that check these files fastest: 1 for few bytes, never more than processors."""
    processors = _processors()
    if len(files) < 2 or processors < 2:
        return 1
    enough = processors * BYTES_A_PROCESS
    total = 0
    for path in files:
        total += _size(path) + 1000
        if total >= enough:
            return min(processors, len(files))
    return max(1, total // BYTES_A_PROCESS)


def examine_all(files: list[str], order: Order, processes: int) -> Iterator[Examination]:
    """Examine files in several processes; the results are in the order of `files`, each as soon as it is known.

    This process does it alone if the system cannot start others.
    """
    chunk = max(1, min(32, len(files) // (processes * CHUNKS_A_PROCESS)))
    if can_copy():
        yield from with_progress(_by_copies(files, order, processes, chunk), len(files))
        return
    from concurrent.futures import ProcessPoolExecutor

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


def _by_copies(files: list[str], order: Order, processes: int, chunk: int) -> Iterator[Examination]:
    """Examine files in copies of this process; the files of a copy that is killed are examined one by one."""
    if len(files) >= FEWEST_LEARNT_FROM * processes:
        first = _first_short(files)
        yield from (examine(path, order) for path in files[:first])
        files = files[first:]
    size = max(chunk, -(-len(files) // MOST_CHUNKS))
    chunks = [files[at : at + size] for at in range(0, len(files), size)]
    for each, examined in zip(chunks, examined_chunks(chunks, order, processes), strict=True):
        yield from _one_by_one(each, order) if examined is None else examined


def _first_short(files: list[str]) -> int:
    """How many of the first files have `BYTES_LEARNT_FROM` bytes together, or fewer."""
    total = 0
    for number, path in enumerate(files):
        total += _size(path)
        if total > BYTES_LEARNT_FROM:
            return number
    return len(files)


def _size(path: str) -> int:
    """The bytes of a file; 0 if it cannot be read."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _all_of(pool: "ProcessPoolExecutor", files: list[str], order: Order, chunk: int) -> Iterator[Examination]:
    """Examine files in the pool's processes; if one of these is killed, examine the remaining files one by one."""
    from concurrent.futures.process import BrokenProcessPool

    done = 0
    try:
        for examined in pool.map(examine, files, [order] * len(files), chunksize=chunk):
            yield examined
            done += 1
    except BrokenProcessPool:
        yield from _one_by_one(files[done:], order)


def _one_by_one(files: list[str], order: Order) -> Iterator[Examination]:
    """Examine one file at a time in a process of its own, so that it is known for which file a process is killed."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    pool = None
    try:
        for path in files:
            pool = pool or ProcessPoolExecutor(1, initializer=_leave_interrupts_to_the_parent)
            try:
                yield pool.submit(examine, path, order).result()
            except BrokenProcessPool:
                pool.shutdown()  # its thread must end before the program: Python writes a traceback otherwise
                pool = None
                yield Examination(path, trouble=KILLED)
        if pool is not None:
            pool.shutdown()
    finally:
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def with_progress(examinations: Iterable[Examination], total: int) -> Iterator[Examination]:
    """Pass examinations on; if there are many and standard error is a terminal, show the number of examined files."""
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

    # Ctrl-C reaches every process of the terminal; only the parent shall report it
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _show(text: str) -> None:
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
