"""Files that a search of folders has found: reading one must neither wait nor go on for ever, as nobody named it."""

import os
import stat

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def read_regular_file(path: str, most: int) -> bytes | None:
    """The bytes of a regular file, None where there are more than `most`. Links are followed.

    Raises OSError where it cannot be read, or is no regular file: a named pipe would wait for somebody to write to it,
    a device such as /dev/zero has no end.
    """
    descriptor = os.open(path, _FLAGS)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is not a regular file")
        data = file.read(most + 1)
    return data if len(data) <= most else None
