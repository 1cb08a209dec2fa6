"""The files of the workspace: the interface that the main loop reads them through."""

from collections.abc import Iterable
from typing import Protocol


class Files(Protocol):
    """The PTX files below some folders."""

    def folders(self, root: str) -> Iterable[list[str]]:
        """The paths of the PTX files of each folder at and below `root`, one list for each folder."""

    def stamp(self, path: str) -> str:
        """A text that differs if the file has changed. Raises OSError if there is no such file."""

    def is_file(self, path: str) -> bool:
        """Whether there is a regular file with this path, or a link to one. The file is not opened."""

    def read(self, path: str, limit: int) -> bytes | None:
        """The bytes of a file; None if there are more than `limit`.

        Raises FileNotFoundError if there is no such file, and OSError if it cannot be read.
        """


class NoFiles:
    """For a host that has no files: open documents only."""

    def folders(self, root: str) -> Iterable[list[str]]:
        """No folders."""
        return ()

    def stamp(self, path: str) -> str:
        """Raises OSError."""
        raise OSError("this host has no files")

    def is_file(self, path: str) -> bool:
        """False."""
        return False

    def read(self, path: str, limit: int) -> bytes | None:
        """Raises FileNotFoundError."""
        raise FileNotFoundError("this host has no files")
