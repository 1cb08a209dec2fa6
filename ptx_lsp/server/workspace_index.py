"""The names of the modules of a workspace: found in slices at the first request that needs them, then kept.

A regular file is read when its time of change or size has changed; an open document counts with its present text.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from time import perf_counter
from typing import NamedTuple
from weakref import WeakKeyDictionary

from pygls.uris import from_fs_path

from ptx_lsp.analysis.module import Checks
from ptx_lsp.features.workspace_symbol import ModuleName, module_names
from ptx_lsp.outline.constructs import construct_steps
from ptx_lsp.outline.nesting import Constructs
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.files import Files
from ptx_lsp.server.scheduler import SLICE
from ptx_lsp.server.status import Progress
from ptx_lsp.server.workspace_files import LARGEST, WorkspaceFiles
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import Encoding

Pause = Callable[[], Awaitable[None]]
_KEY = "index"
_NAMES_PER_STEP = 200
_log = logging.getLogger(__name__)


class NameInFile(NamedTuple):
    """A name of the module at a URI; `range` is that of the name in the client's units, as JSON."""

    uri: str
    name: ModuleName
    range: dict[str, dict[str, int]]


class ModuleNames:
    """The names of one module in the order of its text, and those of one name."""

    def __init__(self) -> None:
        self.all: list[NameInFile] = []
        self.by_name: dict[str, list[NameInFile]] = {}

    def add(self, name: NameInFile) -> None:
        """Add the next name."""
        self.all.append(name)
        self.by_name.setdefault(name.name.name, []).append(name)


_NOTHING = ModuleNames()
_FORGOTTEN_PER_STEP = 1_000


class _File(NamedTuple):
    stamp: str
    uri: str
    names: ModuleNames


class WorkspaceIndex:
    """The names of the PTX files below some folders, up to a number of files.

    `is_fresh` is set to False when the client reports that files have changed. If the client does not report changes,
    the times and sizes of the files are compared for each request.
    """

    def __init__(
        self, files: Files, found: WorkspaceFiles, progress: Progress, encoding: Encoding, pause: Pause
    ) -> None:
        """`pause` is awaited between two slices of the work."""
        self._pause = pause
        self._files = files
        self._found = found
        self._progress = progress
        self._encoding = encoding
        self._known: dict[str, _File] = {}  # by path
        self._texts: WeakKeyDictionary[Document, tuple[Constructs, ModuleNames]] = WeakKeyDictionary()
        self._refreshing = asyncio.Lock()
        self.is_fresh = False

    async def names(
        self, roots: list[str], limit: int, documents: Mapping[str, OpenDocument], watching: bool, without: str = ""
    ) -> list[ModuleNames]:
        """The names of each module: of the open documents first, then of up to `limit` files that are not open.

        `watching`: true if the client reports changed files, so that the names of these are known until it does.
        `without` is the URI of an open document whose names are not wanted: to find 30,000 names takes 300 ms.
        """
        async with self._refreshing:
            if not (self.is_fresh and watching):
                self.is_fresh = True
                await self._refresh(roots, limit)
        found = [await self._scanned(document) for uri, document in list(documents.items()) if uri != without]
        return found + [file.names for file in self._known.values() if file.uri not in documents]

    async def _refresh(self, roots: list[str], limit: int) -> None:
        paths = await self._found.find(roots, limit) if limit else []
        known, self._known = self._known, {}
        begun = perf_counter()
        for path in paths:
            file = await self._file(path, known.get(path))
            if file is not None:
                self._known[path] = file
            if perf_counter() - begun > SLICE:
                self._progress.begin(_KEY, "reading the PTX files of the workspace")
                await self._pause()
                begun = perf_counter()
        self._progress.end(_KEY)

    async def _file(self, path: str, known: _File | None) -> _File | None:
        """The names of a file, read again if it has changed; None if it cannot be read."""
        try:
            stamp = self._files.stamp(path)
            if known is not None and known.stamp == stamp:
                return known
            document = self.read(path)
        except (OSError, UnicodeEncodeError):  # there is no such file now, or no URI can name it
            return None
        return None if document is None else _File(stamp, document.uri, await self._scanned(document))

    def read(self, path: str) -> OpenDocument | None:
        """A file as a document that is not analysed yet; None if it is too large. Raises OSError."""
        data = self._files.read(path, LARGEST)
        if data is None:
            return None
        text = data.decode("utf-8", "surrogateescape")
        return OpenDocument(from_fs_path(path) or "", None, text, Checks(), self._encoding)

    async def _scanned(self, document: OpenDocument) -> ModuleNames:
        """The names of a document; none if it is edited meanwhile, or not PTX."""
        if document.module.foreign is not None:
            return _NOTHING
        edited = document.edited
        steps = construct_steps(document.module.document)
        begun = perf_counter()
        while document.edited == edited:
            try:
                next(steps)
            except StopIteration as done:
                return await self._named(document, done.value)
            if perf_counter() - begun > SLICE:
                await self._pause()
                begun = perf_counter()
        return _NOTHING

    def forget(self, text: Document) -> Iterator[None]:
        """Forget the names of a document that is closed, in steps: 30,000 names take 20 ms."""
        known = self._texts.pop(text, None)
        names = [] if known is None else [*known[1].all]  # a request may use the other list
        del known
        while names:
            yield
            del names[-_FORGOTTEN_PER_STEP:]

    async def _named(self, document: OpenDocument, found: Constructs) -> ModuleNames:
        """The names of a document with these constructs; what was found before, if the text is the same."""
        known = self._texts.get(document.text)
        if known is not None and known[0] is found:
            return known[1]
        edited = document.edited
        names = ModuleNames()
        for number, name in enumerate(module_names(found.outline), 1):
            names.add(NameInFile(document.uri, name, document.wire_range(name.range)))
            if not number % _NAMES_PER_STEP:
                await self._pause()
                if document.edited != edited:
                    return _NOTHING
        self._texts[document.text] = found, names
        return names
