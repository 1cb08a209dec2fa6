"""The PTX files of a workspace that are not open: found, read and checked in slices, and remembered while unchanged."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pygls.uris import from_fs_path, to_fs_path

from ptx_lsp.analysis.checks import Checks
from ptx_lsp.server.diagnostics import diagnostics_json
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.regular_files import read_regular_file
from ptx_lsp.server.scheduling import SLICE
from ptx_lsp.text.encodings import Encoding

SUFFIX = ".ptx"
LARGEST = 8 << 20
"""Bytes; a larger file is checked when it is opened."""

_BREATH = 0.002
_FOLDERS_AT_ONCE = 50

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Report:
    """The diagnostics of a file, as a JSON array, and a name for this state of it."""

    uri: str
    id: str
    diagnostics: str


class WorkspaceFiles:
    """The reports on files, made again only when a file or the settings have changed."""

    def __init__(self) -> None:
        self._reports: dict[str, Report] = {}

    async def report(
        self, path: str, checks: Callable[[str], Checks | None], epoch: int, encoding: Encoding, maximum: int | None
    ) -> Report | None:
        """The report on one file; `checks` gives None where nothing is to be reported.

        None where the file cannot be read or checked: no file may cost the others their reports.
        """
        try:
            return await self._report(path, checks, epoch, encoding, maximum)
        except (OSError, UnicodeEncodeError):  # the name is no UTF-8: no URI can name the file
            return None
        except Exception:
            _log.exception("the check of %r failed", path)
            return None

    async def _report(
        self, path: str, checks: Callable[[str], Checks | None], epoch: int, encoding: Encoding, maximum: int | None
    ) -> Report | None:
        uri = from_fs_path(path) or ""
        state = os.stat(path)
        identity = f"{epoch}-{state.st_mtime_ns}-{state.st_size}"
        known = self._reports.get(path)
        if known is not None and known.id == identity:
            return known
        data = read_regular_file(path, LARGEST)
        if data is None:
            return None
        text = data.decode("utf-8", "surrogateescape")
        document = OpenDocument(uri, None, text, checks(uri) or Checks(), encoding)
        while not document.module.work(SLICE):
            await asyncio.sleep(_BREATH)
        findings = document.module.leading_findings(maximum) if checks(uri) is not None else ([], 0)
        found = self._reports[path] = Report(uri, identity, diagnostics_json(document, *findings))
        return found


async def find_files(roots: list[str], most: int) -> list[str]:
    """Up to `most` PTX files under folders given by URI, hidden folders left out."""
    found: list[str] = []
    folders = 0
    for root in roots:
        path = to_fs_path(root)
        for names in _walk(path) if path else ():
            found += names
            folders += 1
            if len(found) >= most:
                return found[:most]
            if folders % _FOLDERS_AT_ONCE == 0:
                await asyncio.sleep(0)
    return found


def _walk(root: str) -> Iterator[list[str]]:
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and name != "node_modules")
        yield sorted(os.path.join(folder, name) for name in names if name.endswith(SUFFIX))
