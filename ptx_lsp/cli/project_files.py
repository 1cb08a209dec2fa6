"""The configuration of a file on the disk, and the settings that hold for it."""

import os

from ptx_lsp.cli.options import UsageError
from ptx_lsp.config.project import LARGEST, Project
from ptx_lsp.config.search import Projects, project_in
from ptx_lsp.light_classes import TYPE_CHECKING, Mapping

if TYPE_CHECKING:
    from ptx_lsp.config.settings import Settings

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def read_configuration(path: str, limit: int) -> bytes | None:
    """The bytes of a regular file; None if there are more than `limit`. Raises OSError if it cannot be read."""
    import stat

    descriptor = os.open(path, _FLAGS)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise FileNotFoundError(path)
        data = file.read(limit + 1)
    return data if len(data) <= limit else None


PROJECTS = Projects(read_configuration)
"""The configuration files that this process has read."""


def absolute(path: str) -> str:
    """The absolute path, with `/` between its parts."""
    # `abspath` needs ten times as long for the same
    if os.sep == "/" and "/." not in path and "//" not in path and path[-1:] not in ("", "/"):
        if path[0] == "/":
            return path
        if path[0] != "." and len(here := os.getcwd()) > len("//"):
            return f"{here}/{path}"
    return os.path.abspath(path).replace(os.sep, "/")


def project_of(path: str, chosen: str | None) -> Project | None:
    """The configuration of a file: the file `chosen` (empty: none), or if it is None the nearest one upwards."""
    if chosen is None:
        return PROJECTS.of(absolute(path))
    return chosen_project(chosen) if chosen else None


def chosen_project(path: str) -> Project:
    """The configuration in a file that the command line names. Raises UsageError if it cannot be read."""
    try:
        data = read_configuration(path, LARGEST)
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read: {error.strerror or error}") from None
    whole = absolute(path)
    return project_in(data, whole) or Project(whole, whole.rpartition("/")[0], {})


def settings_for(path: str, chosen: str | None, values: Mapping[str, object]) -> "Settings | None":
    """The settings of a file: those of its configuration, with the `values` of the command line above them.

    None if there is no configuration and no value, so that all defaults hold.
    """
    project = project_of(path, chosen)
    if project is None and not values:
        return None
    from ptx_lsp.config.settings import combined, settings_of

    return settings_of(combined(project.values, values) if project is not None else values)
