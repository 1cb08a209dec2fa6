"""Finds the configuration file of a file: `ptx-lsp.toml` or `pyproject.toml`, upwards from its folder.

What reads the file is imported only if there is one, so that a check without configuration starts as fast as before.
"""

from ptx_lsp.config.project import LARGEST, NAMES, SHARED_FILE, Project
from ptx_lsp.light_classes import Callable, Iterator

Read = Callable[[str, int], bytes | None]
"""Gives the bytes of a file, None if there are more than a limit; raises OSError if it cannot be read."""


class Projects:
    """The configuration files of folders, each read once."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._known: dict[str, Project | None] = {}

    def of(self, path: str) -> Project | None:
        """The nearest configuration for a file, upwards from its folder; None if no folder has one.

        `path` is absolute, with `/` between its parts.
        """
        folder = path.rpartition("/")[0]
        if folder in self._known:  # most files are in the folder of another one
            return self._known[folder]
        passed: list[str] = []
        while folder not in self._known:
            passed.append(folder)
            found = self._in_folder(folder)
            if found is not None or "/" not in folder:
                self._known[folder] = found
                break
            folder = folder.rpartition("/")[0]
        project = self._known[folder]
        self._known.update(dict.fromkeys(passed, project))
        return project

    def forget(self) -> None:
        """Read all files again when they are next needed."""
        self._known.clear()

    def known(self) -> Iterator[Project]:
        """Every configuration that has been found, each once."""
        yield from {project.path: project for project in self._known.values() if project is not None}.values()

    def _in_folder(self, folder: str) -> Project | None:
        for name in NAMES:
            path = f"{folder}/{name}"
            try:
                data = self._read(path, LARGEST)
            except (FileNotFoundError, NotADirectoryError, ValueError):
                continue
            except OSError as error:
                return _unreadable(path, f"it cannot be read: {error.strerror or error}")
            if data is not None and name == SHARED_FILE and not may_have_our_table(data):
                continue
            project = project_in(data, path)
            if project is not None:
                return project
        return None


def may_have_our_table(data: bytes) -> bool:
    """False if a shared file surely has no table for us: most have none, and to read TOML takes 10 milliseconds."""
    if b"ptx-lsp" not in data:
        return False
    lines = data.split(b"\n")
    return any(b"tool" in line and b"ptx-lsp" in line for line in lines) or any(
        line.replace(b" ", b"").startswith(b"[tool]") for line in lines
    )


def project_in(data: bytes | None, path: str) -> Project | None:
    """What the bytes of a configuration file say; None for a `pyproject.toml` without a table for us.

    `data` is None if the file is larger than `LARGEST`; the result then holds a finding that says so.
    """
    if data is None:
        return _unreadable(path, f"it is not read, because it is larger than {LARGEST >> 10} KiB")
    from ptx_lsp.config.project_file import read_project

    return read_project(data.decode("utf-8", "replace"), path)


def _unreadable(path: str, message: str) -> Project:
    from ptx_lsp.config.project_file import unusable

    return unusable(path, message)
