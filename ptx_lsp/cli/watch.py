"""`check --watch`: checks again what has changed, as long as it runs. Needs the library `watchfiles`."""

import os
import sys
import time
from collections.abc import Callable, Iterator

from ptx_lsp.cli.examination import Counts, Order, examine
from ptx_lsp.cli.formats.text import summary
from ptx_lsp.cli.options import UsageError
from ptx_lsp.cli.project_files import PROJECTS
from ptx_lsp.cli.report import Verbosity, by_severity, report
from ptx_lsp.cli.sources import expanded, find_files
from ptx_lsp.config.project import NAMES
from ptx_lsp.light_classes import Any, NamedTuple, TextIO

QUIET_MILLISECONDS = 20
"""Changes that come within this time after one another are checked together."""

LONGEST_MILLISECONDS = 200
"""Changes are checked after this time at the latest, even if others still come."""

CHECKED_MILLISECONDS = 100
"""How often it is checked whether a folder was removed or made again: the system reports nothing of the new one."""

_UNKNOWN = (-1, -1)
"""The identity of a folder before it is looked up for the first time: no folder has it."""

_DELETED = 3
"""`watchfiles.Change.deleted`."""

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"


class Watched(NamedTuple):
    """The paths of the command line, and the number of findings of each file at its last check.

    `listed` are the paths with those in a list `@list` in its place. `wanted`: whether a file in a folder is checked,
    by its name.
    """

    paths: list[str]
    listed: list[str]
    wanted: Callable[[str], bool]
    counts: dict[str, Counts]


def watch(paths: list[str], wanted: Callable[[str], bool], order: Order, verbosity: Verbosity, stream: TextIO) -> int:
    """Check the files that `paths` name, then those that change, until Ctrl-C; the exit code is 0.

    In folders, the files whose names are `wanted` are checked. Raises UsageError if `watchfiles` is not installed.
    """
    watched = Watched(paths, list(expanded(paths, [])), wanted, {})
    found = changes(watched.listed)
    try:
        next(found)  # from now on, no change is missed
        _check(_all_files(watched), watched, order, verbosity, stream)
        for changed in found:
            due = _due(watched, changed)
            if due:
                _check(due, watched, order, verbosity, stream)
    except KeyboardInterrupt:
        pass  # while a file was being checked
    if not verbosity.quiet:
        stream.write("stopped watching\n")
    return 0


def _all_files(watched: Watched) -> list[str]:
    """The files that the paths name; prints those that cannot be read to standard error."""
    files, troubles = find_files(watched.paths, watched.wanted)
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    return files


def _due(watched: Watched, changed: set[str]) -> list[str]:
    """The files to check after a change: all of them if a configuration file has changed."""
    if any(os.path.basename(path) in NAMES for path in changed):
        PROJECTS.forget()
        return _all_files(watched)
    return _named(watched, changed)


def changes(paths: list[str]) -> Iterator[set[str]]:
    """The absolute paths that change, in sets that belong together. Raises UsageError and KeyboardInterrupt.

    A folder that was removed and made again, as builds do, is a change of the folder itself. The first set has every
    folder. A set is given when the folders are being watched: what changes while its files are checked is in the next.
    """
    try:
        import watchfiles
    except ImportError:
        raise UsageError("`--watch` needs the library `watchfiles`: `pip install 'ptx-lsp[watch]'`") from None
    folders = {path if os.path.isdir(path) else os.path.dirname(path) or os.curdir for path in paths}
    return _changes_in(folders, any(os.path.isdir(path) for path in paths), watchfiles.watch)


def _changes_in(folders: set[str], recursive: bool, watch_folders: Callable[..., Iterator[Any]]) -> Iterator[set[str]]:
    """The paths that changed in some folders, each time that there are some; `recursive`: also in their folders."""
    watched: dict[str, tuple[int, int] | None] = dict.fromkeys(folders, _UNKNOWN)
    while True:
        before, watched = watched, {folder: _identity(folder) for folder in folders}
        due = {os.path.abspath(folder) for folder in folders if before[folder] != watched[folder]}
        present = [folder for folder in folders if watched[folder]]
        found = watch_folders(
            *present,
            watch_filter=None,
            step=QUIET_MILLISECONDS,
            debounce=LONGEST_MILLISECONDS,
            rust_timeout=CHECKED_MILLISECONDS,
            yield_on_timeout=True,
            recursive=recursive,
            raise_interrupt=True,
        )
        try:
            for changed in found if present else _no_changes():
                due.update(os.path.abspath(path) for _, path in changed)
                if due:
                    yield due
                    due = set()
                watched.update(dict.fromkeys(_removed(changed, present)))
                if any(_identity(folder) != watched[folder] for folder in folders):
                    break
        except FileNotFoundError:  # a folder was removed before it was watched
            watched = before


def _removed(changed: set[tuple[int, str]], folders: list[str]) -> list[str]:
    """Those of the folders that were removed: one that is made again at once may have the same identity."""
    removed = {path for kind, path in changed if kind == _DELETED}
    return [folder for folder in folders if folder in removed or os.path.abspath(folder) in removed] if removed else []


def _no_changes() -> Iterator[set[tuple[int, str]]]:
    """What is found where no folder is watched."""
    while True:
        time.sleep(CHECKED_MILLISECONDS / 1000)
        yield set()


def _identity(folder: str) -> tuple[int, int] | None:
    """What distinguishes a folder from another one with its path; None: there is no folder."""
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _named(watched: Watched, changed: set[str]) -> list[str]:
    """The files among `changed` that the watched paths name, as the user wrote them."""
    found: list[str] = []
    for path in watched.listed:
        whole = os.path.abspath(path)
        if os.path.isdir(path):
            inside = sorted(each for each in changed if each.startswith(os.path.join(whole, "")))
            found += (os.path.join(path, os.path.relpath(each, whole)) for each in inside if watched.wanted(each))
            if whole in changed:
                found += find_files([path], watched.wanted)[0]
        elif whole in changed or os.path.dirname(whole) in changed:
            found.append(path)
    return found


def _check(files: list[str], watched: Watched, order: Order, verbosity: Verbosity, stream: TextIO) -> None:
    """Check some files on a clear screen, and print the number of findings of all files."""
    if stream.isatty():
        stream.write(_CLEAR)
    # in folders, only regular files are checked: reading a named pipe never ends
    present = [path for path in files if os.path.isfile(path) or (path in watched.listed and os.path.exists(path))]
    gone = {path for path in watched.counts if not os.path.exists(path)}
    for path in gone.union(files).difference(present):
        watched.counts.pop(path, None)
    for path in present:
        examined = examine(path, order)
        watched.counts[path] = examined.counts
        report([examined], order, verbosity, stream)
    if not verbosity.quiet:
        stream.write(summary(by_severity(watched.counts.values()), len(watched.counts)))
        stream.write("watching for changes, Ctrl-C ends\n")
    stream.flush()
    sys.stderr.flush()
