"""Examines chunks of files in copies of this process: on Linux, where a copy costs a millisecond.

`concurrent.futures` does it on every system, but takes 60 milliseconds to be imported, and to start and end two
processes: as long as the check of 200 short files.

The numbers of the chunks are in one pipe, from which each copy takes the next one when it has finished a chunk. Each
copy has another pipe for its results.
"""

from __future__ import annotations

import marshal
import os
import select
import sys

from ptx_lsp.cli.examination import NOTHING_COUNTED, Examination, Order, examine
from ptx_lsp.findings.finding import Severity
from ptx_lsp.light_classes import Any, Generator, Iterator

MOST_CHUNKS = 1_024
"""The numbers of this many chunks fit into any pipe that is not yet read: Linux gives some users pipes of one page."""

_NUMBER = 4  # bytes of the number of a chunk
_LENGTH = 8  # bytes of the length of its results, which follow
_PORTION = 1 << 16


def can_copy() -> bool:
    """Whether this process can be copied: on macOS, libraries of the system fail in a copy, and threads are lost."""
    return sys.platform == "linux" and "threading" not in sys.modules


def examined_chunks(
    chunks: list[list[str]], order: Order, processes: int
) -> Generator[list[Examination] | None, None, None]:
    """The examinations of the files of each chunk, in order, as soon as they are known.

    A chunk has None if the process that examined it was killed. There are at most `MOST_CHUNKS` chunks.
    """
    tasks = _pipe_of_numbers(len(chunks))
    results: dict[int, bytearray] = {}  # what was read from the pipe of each copy
    copies: list[int] = []
    try:
        for _ in range(processes):
            try:
                copy, pipe = _start(tasks, list(results), chunks, order)
            except OSError:
                break  # the system has no room for one more
            copies.append(copy)
            results[pipe] = bytearray()
        if copies:
            yield from _in_order(results, len(chunks))
        else:
            yield from ([examine(path, order) for path in chunk] for chunk in chunks)
    finally:
        for pipe in (tasks, *results):
            os.close(pipe)  # a copy that writes to it ends
        for copy in copies:
            os.waitpid(copy, 0)


def _pipe_of_numbers(count: int) -> int:
    """The end for reading of a pipe with the numbers of the chunks."""
    tasks, end = os.pipe()
    os.write(end, b"".join(number.to_bytes(_NUMBER, "little") for number in range(count)))
    os.close(end)
    return tasks


def _start(tasks: int, others: list[int], chunks: list[list[str]], order: Order) -> tuple[int, int]:
    """Start a copy; its process id, and the pipe with its results. `others` are the pipes of other copies."""
    pipe, end = os.pipe()
    try:
        copy = os.fork()
    except OSError:
        os.close(pipe)
        os.close(end)
        raise
    if copy:
        os.close(end)
        return copy, pipe
    try:
        for other in (pipe, *others):
            os.close(other)
        _work(tasks, end, chunks, order)
    finally:
        os._exit(0)  # also after Ctrl-C and without a reader: only the parent reports that


def _work(tasks: int, end: int, chunks: list[list[str]], order: Order) -> None:
    """Examine chunks until there are no more numbers."""
    while number := os.read(tasks, _NUMBER):
        chunk = chunks[int.from_bytes(number, "little")]
        data = marshal.dumps([_plain(examine(path, order)) for path in chunk])
        message = memoryview(number + len(data).to_bytes(_LENGTH, "little") + data)
        while message:
            message = message[os.write(end, message) :]


def _in_order(results: dict[int, bytearray], count: int) -> Iterator[list[Examination] | None]:
    """The examinations of all chunks, which copies write to these pipes. At its end, a pipe is closed and removed."""
    known: dict[int, list[Examination]] = {}
    following = 0
    while results:
        for pipe in select.select(list(results), (), ())[0]:
            data = os.read(pipe, _PORTION)
            if data:
                results[pipe] += data
                known.update(_taken(results[pipe]))
            else:
                del results[pipe]
                os.close(pipe)
        while following in known:
            yield known.pop(following)
            following += 1
    yield from (known.get(number) for number in range(following, count))


def _taken(read: bytearray) -> Iterator[tuple[int, list[Examination]]]:
    """Take the complete messages from the beginning of what was read: the number of each chunk, and its results."""
    begin = _NUMBER + _LENGTH
    while len(read) >= begin:
        end = begin + int.from_bytes(read[_NUMBER:begin], "little")
        if len(read) < end:
            return
        yield int.from_bytes(read[:_NUMBER], "little"), list(map(_restored, marshal.loads(read[begin:end])))
        del read[:end]


def _plain(examination: Examination) -> tuple[object, ...]:
    """An examination of values that `marshal` writes."""
    counts = [(code, int(severity), number) for (code, severity), number in examination.counts.items()]
    return *examination[:2], counts, *examination[3:]


def _restored(plain: tuple[Any, ...]) -> Examination:
    path, output, counts, *others = plain
    counted = {(code, Severity(value)): number for code, value, number in counts} if counts else NOTHING_COUNTED
    return Examination(path, output, counted, *others)
