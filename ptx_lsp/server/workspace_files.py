"""The PTX files of a workspace that are not open: found, read and checked in slices, and remembered while unchanged."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from pygls.uris import from_fs_path, to_fs_path

from ptx_lsp.analysis.module import Checks
from ptx_lsp.server.diagnostics import diagnostics_json
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.files import Files
from ptx_lsp.server.scheduler import SLICE
from ptx_lsp.text.lines import Encoding

LARGEST = 8 << 20
"""Bytes; a larger file is checked only when it is opened."""

_PAUSE = 0.002  # seconds between two slices: open documents come first
_FOLDERS_PER_SLICE = 50

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FileReport:
    """The diagnostics of a file, as a JSON array; `id` differs if the file or the settings have changed."""

    uri: str
    id: str
    diagnostics: str


class WorkspaceFiles:
    """The reports of files, made again only if a file or the settings have changed."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._reports: dict[str, FileReport] = {}

    def is_file(self, path: str) -> bool:
        """Whether there is a regular file with this path; it is not opened."""
        return self._files.is_file(path)

    async def find(self, roots: list[str], limit: int) -> list[str]:
        """The paths of up to `limit` PTX files below folders given by URI."""
        found: list[str] = []
        folders = 0
        for root in roots:
            path = to_fs_path(root)
            for names in self._files.folders(path) if path else ():
                found += names
                folders += 1
                if len(found) >= limit:
                    return found[:limit]
                if folders % _FOLDERS_PER_SLICE == 0:
                    await asyncio.sleep(0)
        return found

    async def report(
        self, path: str, checks: Callable[[str], Checks | None], epoch: int, encoding: Encoding, maximum: int | None
    ) -> FileReport | None:
        """The report of one file; `checks` gives None for a URI about which nothing is reported.

        None if the file cannot be read or checked, so that other files still get their reports.
        """
        try:
            return await self._report(path, checks, epoch, encoding, maximum)
        except (OSError, UnicodeEncodeError):  # the name is not UTF-8: no URI can name the file
            return None
        except Exception:
            _log.exception("the check of %r failed", path)
            return None

    async def _report(
        self, path: str, checks: Callable[[str], Checks | None], epoch: int, encoding: Encoding, maximum: int | None
    ) -> FileReport | None:
        uri = from_fs_path(path) or ""
        id_ = f"{epoch}-{self._files.stamp(path)}"
        known = self._reports.get(path)
        if known is not None and known.id == id_:
            return known
        data = self._files.read(path, LARGEST)
        if data is None:
            return None
        text = data.decode("utf-8", "surrogateescape")
        document = OpenDocument(uri, None, text, checks(uri) or Checks(), encoding)
        while not document.module.work(SLICE):
            await asyncio.sleep(_PAUSE)
        findings = document.module.leading_findings(maximum) if checks(uri) is not None else ([], 0)
        report = self._reports[path] = FileReport(uri, id_, diagnostics_json(document, *findings))
        return report
