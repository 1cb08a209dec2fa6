"""The server's state: the client, its settings, its open documents; and what the server sends without a request."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter
from pygls.workspace import Workspace

from ptx_lsp import __version__
from ptx_lsp.analysis.module import Checks, Module, checks_of
from ptx_lsp.config.settings import Settings, Values, read_values, settings_of
from ptx_lsp.findings.codes import EVERY_CODE
from ptx_lsp.findings.finding import Finding
from ptx_lsp.findings.other_sources import FindingSource
from ptx_lsp.isa.targets import read_targets
from ptx_lsp.isa.versions import Target
from ptx_lsp.memo import free_unneeded_tables, unneeded_tables
from ptx_lsp.outline.constructs import construct_steps, forget_constructs
from ptx_lsp.server.client import Client
from ptx_lsp.server.commands import answering
from ptx_lsp.server.diagnostics import (
    Publications,
    diagnostics_json,
    may_have_wide_columns,
    publication,
    withdrawal,
)
from ptx_lsp.server.documents import OpenDocument, path_of
from ptx_lsp.server.files import Files
from ptx_lsp.server.garbage_collection import GarbageCollection, LongSearches
from ptx_lsp.server.preparation import Preparation, expressions
from ptx_lsp.server.projects import ProjectSettings
from ptx_lsp.server.protocol import Protocol
from ptx_lsp.server.request_table import COMMANDS, REQUESTS, load
from ptx_lsp.server.scheduler import Completeness, Scheduler
from ptx_lsp.server.status import Progress, Status
from ptx_lsp.server.workspace_files import WorkspaceFiles
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range

if TYPE_CHECKING:
    from ptx_lsp.embedded.host_text import HostText
    from ptx_lsp.server.workspace_index import WorkspaceIndex

_log = logging.getLogger(__name__)


@cache
def _converter() -> Any:
    """The converter of the protocol's classes. All servers of a process share it: to make one takes 300 ms."""
    return default_converter()  # type: ignore[no-untyped-call]


class Server(LanguageServer):
    """One conversation with one client."""

    protocol: Protocol

    def __init__(self, client: Client, files: Files) -> None:
        super().__init__("ptx-lsp", __version__, protocol_cls=Protocol, converter_factory=_converter)
        self.client = client
        values, self._complaints = read_values(client.options)
        self.settings = settings_of(values)  # those of the editor alone; `settings_of` has those of a document
        self.projects = ProjectSettings(files, values)
        self._silent: dict[tuple[str, ...], bool] = {}  # by URI and folders, until the settings change; see `silent`
        self.documents: dict[str, OpenDocument] = {}
        self.files = WorkspaceFiles(files)
        self.loading = Progress(self.protocol, client.progress)
        self._disk = files
        self._index: WorkspaceIndex | None = None
        self.garbage = GarbageCollection()
        self.long_searches = LongSearches(
            self.garbage, lambda: self.protocol.received, lambda: self.scheduler.busy or self.scheduler.requests > 0
        )
        self.status = Status(self.protocol.send_text, client.shows_status)
        self.publications = Publications(self.protocol.send_text, self.protocol.unsent)
        self.scheduler = Scheduler(self.publish, self._slow, self._finished, self._rest, self._failed)
        self.preparation = Preparation(
            lambda: self.scheduler.busy,
            self._texts,
            self.garbage.loaded,
            lambda: self.scheduler.requests > 0,
            self._pause,
            self._conversions,
            expressions,
        )
        self.epoch = 0  # increases with each change of the settings: findings of another epoch are out of date
        self.pause: Callable[[], Awaitable[None]] = lambda: asyncio.sleep(0)  # awaited between two slices of a request
        self._forgetting: set[asyncio.Task[None]] = set()  # asyncio itself does not keep them
        self.watching = False  # True once the client was asked to report changes of files
        self._news = asyncio.Event()  # set, and replaced, at each `touch`
        folders = [types.WorkspaceFolder(uri, path_of(uri)) for uri in client.roots]
        self.protocol._workspace = Workspace(None, workspace_folders=folders)

    @property
    def index(self) -> "WorkspaceIndex":
        """The names of the modules of the workspace."""
        if self._index is None:
            from ptx_lsp.server.workspace_index import WorkspaceIndex  # few conversations need it

            self._index = WorkspaceIndex(self._disk, self.files, self.loading, self.client.encoding, self._pause)
        return self._index

    async def _pause(self) -> None:
        await self.pause()

    def files_changed(self) -> None:
        """Note that files of the workspace have changed on the disk, or that other files belong to it now."""
        if self._index is not None:
            self._index.is_fresh = False

    def document(self, uri: str) -> OpenDocument | None:
        """The open document of PTX with this URI; None if it is not open, not checked, or in another language."""
        document = self.documents.get(uri)
        return None if document is None or document.is_host else document

    def ptx_documents(self) -> dict[str, OpenDocument]:
        """The open documents of PTX by their URIs, without those in another language."""
        return {uri: document for uri, document in self.documents.items() if not document.is_host}

    def host_document(self, uri: str) -> OpenDocument | None:
        """The open document of this URI if it is in another language whose inline PTX is checked."""
        document = self.documents.get(uri)
        return document if document is not None and document.is_host and not self._is_off(document) else None

    def _is_off(self, document: OpenDocument) -> bool:
        """Whether the document is in another language that the settings do not list."""
        return document.is_host and document.host_text.host.value not in self.settings.embedded.languages

    def targets(self, uri: str) -> tuple[Target, ...]:
        """The targets that the inline PTX of a document is written for by the settings; empty for any."""
        return read_targets(self.settings_of(uri).targets)

    def checks(self, uri: str) -> Checks:
        """Which findings of a document are reported, and how severe they are, by the settings."""
        return checks_of(self.settings_of(uri), self._ignored(uri), in_editor=True)

    def settings_of(self, uri: str) -> Settings:
        """The settings of a document: those of the editor above those of its configuration file."""
        return self.projects.of(uri)

    def silent(self, uri: str) -> bool:
        """Whether the settings turn off all findings of this document."""
        key = (uri, *self.workspace.folders)
        found = self._silent.get(key)
        if found is None:
            found = self._silent[key] = not self.settings_of(uri).enable or EVERY_CODE in self._ignored(uri)
        return found

    def _ignored(self, uri: str) -> frozenset[str]:
        path = path_of(uri)
        roots = [path_of(root).rstrip("/") + "/" for root in self.workspace.folders]
        inside = [path.removeprefix(root) for root in roots if path.startswith(root)]
        return self.settings_of(uri).ignored(path, *inside)

    def findings(self, document: OpenDocument) -> list[Finding]:
        """The findings of a document now."""
        return self._all_findings(document, None)[0]

    def findings_touching(self, document: OpenDocument, range_: Range) -> list[Finding]:
        """The findings of a document now that touch a range."""
        if self.silent(document.uri):
            return []
        others = document.other_findings.exist or document.is_host
        near = self.findings(document) if others else document.module.leading_findings(None, range_)[0]
        return [finding for finding in near if finding.range.touches(range_)]

    def leading_findings(self, document: OpenDocument) -> tuple[list[Finding], int]:
        """The first findings, at most the number in the settings, and how many more there are."""
        return self._all_findings(document, self.settings.maximum)

    def _all_findings(self, document: OpenDocument, most: int | None) -> tuple[list[Finding], int]:
        if self.silent(document.uri) or self._is_off(document):
            return [], 0
        if not document.other_findings.exist:
            return document.analysis.leading_findings(most)
        found = document.other_findings.merged(document.analysis.findings())
        if most is None or len(found) <= most:
            return found, 0
        leading = sorted(found, key=lambda finding: finding.severity)[:most]
        return sorted(leading, key=lambda finding: finding.range), len(found) - most

    def set_findings(self, document: OpenDocument, source: FindingSource, findings: Iterable[Finding]) -> None:
        """Replace the findings of another source about a document, which has examined its present text."""
        document.other_findings.set(source, findings)
        if not self.scheduler.works_on(document):
            self.publish(document)
        self.touch()

    def publish(self, document: OpenDocument, completeness: Completeness = Completeness.COMPLETE) -> None:
        """Publish the findings of a document, unless they are those published last, or the client pulls them.

        While the analysis after an edit takes long, the earlier findings, moved by the edit, are published for the new
        version.
        """
        if completeness is Completeness.COMPLETE:
            if unneeded_tables:
                self._begin_to_forget(free_unneeded_tables())
            if document.uri in self.status.broken_documents:
                self.status.sound(document.uri)
            if document.guessed_tokens:
                document.guessed_tokens = False
                if self.client.refreshes_tokens:
                    self.workspace_semantic_tokens_refresh(None)
        if document.pulled:
            return
        findings = self.leading_findings(document)
        wide = may_have_wide_columns(document, findings[0])
        unchanged = findings == document.published and not (wide or document.published_wide)
        if unchanged and document.published is not None:
            document.written.keep(document.published[0], findings[0])
            document.published = findings
            if completeness is not Completeness.EARLIER:
                return
        if document.published is None and not findings[0] and completeness is not Completeness.COMPLETE:
            return
        document.published = findings
        document.published_wide = wide
        self.publications.send(document.uri, publication(document, diagnostics_json(document, *findings, wide=wide)))

    def pulled(self, document: OpenDocument) -> None:
        """Note that the client pulls the diagnostics of this document: remove what was published, and publish no more.

        Does nothing if the client has not announced that it pulls diagnostics: then it shows the published ones.
        """
        if self.client.pulls_diagnostics and not document.pulled:
            document.pulled = True
            if document.published is not None and document.published[0]:
                self.publications.send(document.uri, withdrawal(document.uri))

    def touch(self) -> None:
        """Wake the requests that wait for `news`, because the findings of the workspace may have changed."""
        self._news.set()
        self._news = asyncio.Event()

    async def news(self) -> None:
        """Wait for the next `touch`."""
        await self._news.wait()

    def use(self, values: Values, complaints: tuple[str, ...]) -> None:
        """Use these settings of the editor, by name; `complaints` say which values cannot be used."""
        if complaints and complaints != self._complaints:
            self.warn(complaints)
        self._complaints = complaints
        if values == self.projects.editor:
            return
        self.projects.editor = values
        self.settings = settings_of(values)
        self.configuration_changed()

    def configuration_changed(self) -> None:
        """Analyse all documents again, because the settings of the editor or a configuration file have changed."""
        self.projects.forget()
        self._silent.clear()
        self.files_changed()
        self.epoch += 1
        for document in self.documents.values():
            before = document.analysis
            document.recheck(self.checks(document.uri), self.targets(document.uri))
            self._drop_analysis(before)
            document.published = None
            self.scheduler.wake(document)
        self._publish_configuration()
        self.touch()
        if self.client.refreshes_hints:
            self.workspace_inlay_hint_refresh(None)
        if self.client.refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)

    def _publish_configuration(self) -> None:
        for uri, notification in self.projects.news(self.client.encoding):
            self.publications.send(uri, notification)

    def warn(self, complaints: tuple[str, ...]) -> None:
        """Show the user which settings cannot be used."""
        text = "ptx-lsp: " + "; ".join(complaints)
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log an unexpected exception, on standard error and in the client's log, without a message box."""
        _log.error("%s: %s", getattr(source, "__name__", source), error)
        log = {"type": types.MessageType.Error.value, "message": f"ptx-lsp: {error}"}
        self.protocol.send_text(json.dumps({"jsonrpc": "2.0", "method": types.WINDOW_LOG_MESSAGE, "params": log}))

    def open(self, document: OpenDocument) -> None:
        """Begin the analysis of a document. One that is open under the same URI is closed first."""
        before = self.documents.get(document.uri)
        if before is not None:
            self._drop(before)
        self.documents[document.uri] = document
        if self.client.nested_symbols and not document.is_host:
            document.outline_steps = construct_steps(document.text)
        self._publish_configuration()
        self.scheduler.wake(document)
        self.touch()

    def edit(self, document: OpenDocument, version: int | None, changes: Sequence[Mapping[str, Any]]) -> None:
        """Apply content changes, as JSON, which make this version of the document."""
        restarts = document.restarts
        document.apply(version, changes)
        if document.restarts > restarts:
            self._failed(document, False)
        self.scheduler.wake(document)
        self.touch()

    def close(self, uri: str) -> None:
        """Drop a document and withdraw its diagnostics. Does nothing if it is not open."""
        document = self.documents.pop(uri, None)
        if document is not None:
            self._drop(document)
            names = () if self._index is None else self._index.forget(document.text)
            self._begin_to_forget(chain(names, forget_constructs(document.text)))
            self.publications.send(document.uri, withdrawal(document.uri))
            self.touch()

    def _begin_to_forget(self, steps: Iterable[None]) -> None:
        """Take these steps one by one, while other work is done."""

        async def forget() -> None:
            for _ in steps:
                await self.pause()

        task = asyncio.get_running_loop().create_task(forget())
        self._forgetting.add(task)
        task.add_done_callback(self._forgetting.discard)

    def _drop(self, document: OpenDocument) -> None:
        self.scheduler.forget(document)
        self.status.sound(document.uri)
        document.edited = time.monotonic()  # requests about the document end now
        self._drop_analysis(document.analysis)

    def _drop_analysis(self, analysis: "Module | HostText") -> None:
        if isinstance(analysis, Module):
            self._begin_to_forget(analysis.forget())
        else:
            self.garbage.dropped()

    def _texts(self) -> list[Document]:
        return [each.text for each in self.ptx_documents().values() if each.module.foreign is None]

    def _conversions(self) -> Iterator[None]:
        """Prepare the conversion of each request and of its answer: for the first of a kind that takes 2 to 7 ms."""
        for request in REQUESTS:
            asked, answered, *_ = types.METHOD_TO_TYPES.get(request.method, (None, None))
            if asked is not None:
                self.protocol._converter.get_structure_hook(asked)
                yield
            if answered is not None:
                self.protocol._converter.get_unstructure_hook(answered)
                yield

    def _rest(self) -> None:
        self.garbage.search()
        self.preparation.begin()
        self.long_searches.rest()

    def _slow(self, document: OpenDocument) -> None:
        name = path_of(document.uri).rsplit("/", 1)[-1] or "document"
        self.loading.begin(document.uri, f"checking {name}")
        self.status.analysing(document.uri)

    def _finished(self, document: OpenDocument) -> None:
        self.loading.end(document.uri)
        self.status.finished(document.uri)
        self.garbage.loaded()
        self.preparation.begin()

    def _failed(self, document: OpenDocument, again: bool) -> None:
        self.garbage.dropped()
        if again:
            self.status.broken(document.uri)
        else:
            self.status.restarted(document.uri)


def build_server(client: Client, files: Files) -> Server:
    """A server for this client, with all handlers loaded; `files` are those of its workspace."""
    server = Server(client, files)
    for request in REQUESTS:
        handler = load(request.handler)
        if request.direct:
            server.protocol.direct[request.method] = partial(handler, server)
        else:
            server.feature(request.method)(handler)
    for command in COMMANDS:
        server.command(command.name)(answering(load(command.handler)))
    server.garbage.begin()
    return server
