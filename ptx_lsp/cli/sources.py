"""Finds, reads and writes the files that a command line names."""

import os
import stat
import sys

from ptx_lsp.cli.printable import printable
from ptx_lsp.light_classes import Callable, Iterator, NamedTuple, attrgetter

STANDARD_INPUT = "-"
STANDARD_INPUT_SHOWN = "<stdin>"
SUFFIX = ".ptx"
PACKED = ".gz"
LIST = "@"
"""Before the name of a file with one path on each line."""
LARGEST = 1 << 30
"""Bytes; at most this many are read: a device such as /dev/zero has no end."""

_SHORT = 1 << 14
"""Bytes; most short files are at most as long, and get no memory of the size of a portion."""
_PORTION = 1 << 20
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_NAME = attrgetter("name")
_OR_OTHERS = ("", ", and no file of a language with inline PTX")
_NOT_REGULAR = "it is not a regular file"


class Unreadable(NamedTuple):
    """A file or folder that could not be read, and the reason."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"ptx-lsp: cannot check `{printable(self.path)}`: {printable(self.reason)}"


def is_ptx_file(name: str) -> bool:
    """Whether a file is PTX by its name; it may be packed."""
    return name.lower().removesuffix(PACKED).endswith(SUFFIX)


def find_files(paths: list[str], wanted: Callable[[str], bool] = is_ptx_file) -> tuple[list[str], list[Unreadable]]:
    """The files that these paths name, each once, and the paths that could not be read.

    A folder means every file below it whose name is `wanted`, in alphabetical order. Links to folders are not followed;
    files that are not regular, such as named pipes, are not read. `@list` means the paths in the file `list`, one on
    each line. Every other path means itself.
    """
    files: dict[str, None] = {}
    troubles: list[Unreadable] = []
    for path in expanded(paths, troubles):
        if path == STANDARD_INPUT or not os.path.isdir(path):
            files[path] = None
            continue
        before = len(troubles)
        found = list(_files_below(path, troubles, wanted))
        files.update(dict.fromkeys(found))
        if not found and len(troubles) == before:
            others = _OR_OTHERS[wanted is not is_ptx_file]
            troubles.append(Unreadable(path, f"the folder has no `*{SUFFIX}` file{others}"))
    return list(files), troubles


def expanded(paths: list[str], troubles: list[Unreadable]) -> Iterator[str]:
    """The paths, with those in a list in its place; lists that cannot be read are added to `troubles`.

    A list has no lists: a path in it may begin with `@`.
    """
    for path in paths:
        if not path.startswith(LIST):
            yield path
            continue
        try:
            listed = read_source(path.removeprefix(LIST))
        except OSError as error:
            troubles.append(Unreadable(path, reason(error)))
            continue
        yield from (line for line in listed.replace("\r\n", "\n").split("\n") if line.strip())


def _files_below(folder: str, troubles: list[Unreadable], wanted: Callable[[str], bool]) -> Iterator[str]:
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                here = sorted(entries, key=_NAME)
        except OSError as error:
            troubles.append(Unreadable(str(error.filename), reason(error)))
            continue
        folders: list[str] = []
        for entry in here:
            if _is_folder(entry):
                if not entry.is_symlink():
                    folders.append(entry.path)
            elif wanted(entry.name):
                if _is_special(entry):
                    troubles.append(Unreadable(entry.path, _NOT_REGULAR))
                else:
                    yield entry.path
        waiting += reversed(folders)


# for most entries, the folder says what they are; `os.stat` for each file takes longer than everything else here


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_special(entry: "os.DirEntry[str]") -> bool:
    try:
        return not entry.is_file() and not stat.S_ISREG(os.stat(entry.path).st_mode)
    except OSError:
        return False  # reading it reports the reason


def shown_path(path: str) -> str:
    """A path as messages have it: `<stdin>` for standard input."""
    return STANDARD_INPUT_SHOWN if path == STANDARD_INPUT else path


def read_source(path: str) -> str:
    """The text of a file (`-`: of standard input). Raises OSError if it cannot be read or is larger than `LARGEST`.

    Bytes that are not UTF-8 become lone surrogates, so that every position in the file keeps its column; line ends do
    not change. ptxas accepts such bytes in comments. A file `*.gz` is unpacked.
    """
    if path == STANDARD_INPUT:
        if sys.stdin is None:  # the process was started without one
            raise OSError("standard input is closed")
        data = _read(sys.stdin.buffer.read)
    else:
        data = _packed(path) if path.lower().endswith(PACKED) else _plain(path)
    return data.decode("utf-8", "surrogateescape")


def _packed(path: str) -> bytes:
    """What a gzip file holds, at most `LARGEST` bytes. Raises OSError."""
    import gzip
    import zlib

    try:
        with gzip.open(path) as unpacked:
            return _read(unpacked.read)
    except (EOFError, zlib.error):
        raise OSError("it is not a complete gzip file") from None


def _plain(path: str) -> bytes:
    # a file object, and its buffer of a megabyte for a short file, cost more than the reading
    descriptor = os.open(path, _FLAGS)
    try:
        first = os.read(descriptor, _SHORT)
        if len(first) < _SHORT and len(first) <= LARGEST:
            if not (more := os.read(descriptor, _SHORT)):
                return first
            first += more
        elif _SHORT < (size := os.fstat(descriptor).st_size) <= LARGEST:
            # a long file, not a pipe: to join its portions would copy all of it into new memory
            os.lseek(descriptor, 0, os.SEEK_SET)
            first = os.read(descriptor, size)
        return _read(lambda most: os.read(descriptor, most), first)
    finally:
        os.close(descriptor)


def _read(portion: Callable[[int], bytes], first: bytes | None = None) -> bytes:
    """All bytes that `portion` gives, at most some at each call, below those that were read `first`.

    Raises OSError if they are too many.
    """
    parts: list[bytes] = []
    left, part = LARGEST, portion(_SHORT) if first is None else first
    while part:
        left -= len(part)
        if left < 0:
            raise OSError(f"it is larger than {LARGEST >> 30} GiB")
        parts.append(part)
        part = portion(_PORTION)
    return b"".join(parts)


def write_source(path: str, text: str) -> None:
    """Write `text` to the file that `read_source` read (`-`: to standard output). Raises OSError.

    The file is replaced as a whole, or does not change: no failure can lose a part of it. It keeps its mode. If the
    path is a link, the file that it leads to is replaced. A file `*.gz` is packed.
    """
    data = text.encode("utf-8", "surrogateescape")
    if path.lower().endswith(PACKED):
        import gzip

        data = gzip.compress(data)
    if path == STANDARD_INPUT:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    target = os.path.realpath(path)
    before = os.stat(target)
    if not stat.S_ISREG(before.st_mode):
        raise OSError(_NOT_REGULAR)
    if not os.access(target, os.W_OK):
        from errno import EACCES

        raise PermissionError(EACCES, os.strerror(EACCES), path)
    _replace(target, data, before)


def _replace(target: str, data: bytes, before: os.stat_result) -> None:
    """Write a file in the folder of the target, and rename it to the target when all of it is on the disk."""
    import tempfile
    from contextlib import suppress

    folder, name = os.path.split(target)
    descriptor, beside = tempfile.mkstemp(prefix=f".{name[:100]}.", suffix=".tmp", dir=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        if hasattr(os, "chown") and (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            with suppress(PermissionError):  # only root may change the owner
                os.chown(beside, before.st_uid, before.st_gid)
        os.chmod(beside, stat.S_IMODE(before.st_mode))
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def reason(error: OSError) -> str:
    """The reason of the system, in lower case."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
