"""The files of the workspace, on the disk. A read never waits and always ends, as no user has chosen these files."""

import os
import stat
from collections.abc import Iterator

_SUFFIX = ".ptx"
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


class DiskFiles:
    """The PTX files below some folders, by their paths."""

    def folders(self, root: str) -> Iterator[list[str]]:
        """The paths of the PTX files of each folder at and below `root`, one list for each folder, sorted.

        Hidden folders and `node_modules` are left out.
        """
        for folder, inner, names in os.walk(root):
            inner[:] = sorted(name for name in inner if not name.startswith(".") and name != "node_modules")
            yield sorted(os.path.join(folder, name) for name in names if name.endswith(_SUFFIX))

    def stamp(self, path: str) -> str:
        """The time of the last change, in nanoseconds, and the size in bytes. Raises OSError if there is no file."""
        state = os.stat(path)
        return f"{state.st_mtime_ns}-{state.st_size}"

    def is_file(self, path: str) -> bool:
        """Whether there is a regular file with this path, or a link to one. The file is not opened."""
        try:
            return stat.S_ISREG(os.stat(path).st_mode)
        except (OSError, ValueError):  # no such file, or no file can have such a name
            return False

    def read(self, path: str, limit: int) -> bytes | None:
        """The bytes of a regular file; None if there are more than `limit`. Follows links.

        Raises OSError if it cannot be read or is not a regular file: reading a named pipe would wait for a writer, and
        a device such as /dev/zero has no end.
        """
        descriptor = os.open(path, _FLAGS)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("it is not a regular file")
            data = file.read(limit + 1)
        return data if len(data) <= limit else None
