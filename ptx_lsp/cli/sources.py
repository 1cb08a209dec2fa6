"""Which files a command line means, and what they hold."""

import os
import sys
from collections.abc import Iterator
from typing import NamedTuple

STANDARD_INPUT = "-"
STANDARD_INPUT_SHOWN = "<stdin>"
SUFFIX = ".ptx"


class Trouble(NamedTuple):
    """Something that could not be read, and why."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"ptx-lsp: cannot check `{self.path}`: {self.reason}"


def find_files(paths: list[str]) -> tuple[list[str], list[Trouble]]:
    """The files that these paths name, each once, and the paths that name none.

    A folder stands for every `*.ptx` below it, in alphabetical order; links to folders are not followed. A path that
    is no folder is taken as it is, whatever its suffix.
    """
    files: dict[str, None] = {}
    troubles: list[Trouble] = []
    for path in paths:
        if path == STANDARD_INPUT or not os.path.isdir(path):
            files[path] = None
            continue
        before = len(troubles)
        found = list(_files_below(path, troubles))
        files.update(dict.fromkeys(found))
        if not found and len(troubles) == before:
            troubles.append(Trouble(path, f"the folder holds no `*{SUFFIX}` file"))
    return list(files), troubles


def _files_below(folder: str, troubles: list[Trouble]) -> Iterator[str]:
    def unreadable(error: OSError) -> None:
        troubles.append(Trouble(str(error.filename), reason(error)))

    for place, folders, names in os.walk(folder, onerror=unreadable):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names) if name.lower().endswith(SUFFIX))


def read_source(path: str) -> str:
    """The text of a file (`-`: of standard input). Raises OSError where it cannot be read.

    Bytes that are no UTF-8 become lone surrogates, so that every place in the file keeps its column; line ends stay
    as they are. ptxas takes such bytes in comments.
    """
    if path == STANDARD_INPUT:
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as file:
            data = file.read()
    return data.decode("utf-8", "surrogateescape")


def write_source(path: str, text: str) -> None:
    """Put `text` back where `read_source` got it from, byte by byte (`-`: on standard output). Raises OSError."""
    data = text.encode("utf-8", "surrogateescape")
    if path == STANDARD_INPUT:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    with open(path, "wb") as file:
        file.write(data)


def reason(error: OSError) -> str:
    """Why the system refused, in lower case."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
