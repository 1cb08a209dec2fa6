"""The server's state: the client, its settings, its open documents; and what is told to the client unasked."""

import asyncio
import json
import logging
from collections.abc import Iterable, Mapping
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import Workspace

from ptx_lsp import __version__
from ptx_lsp.analysis.checks import Checks
from ptx_lsp.config.settings import EVERY_CODE, Settings, read_settings
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.isa.versions import Version
from ptx_lsp.server.client import Client
from ptx_lsp.server.diagnostics import diagnostics_json, publication, withdrawal
from ptx_lsp.server.documents import OpenDocument, path_of
from ptx_lsp.server.files import Files
from ptx_lsp.server.garbage_collection import Garbage
from ptx_lsp.server.progress import Progress
from ptx_lsp.server.protocol import Protocol
from ptx_lsp.server.publications import Publications
from ptx_lsp.server.scheduling import Known, Scheduler
from ptx_lsp.server.status import Status
from ptx_lsp.server.workspace_files import WorkspaceFiles

_log = logging.getLogger(__name__)


class Server(LanguageServer):
    """One conversation with one client."""

    protocol: Protocol

    def __init__(self, client: Client, files: Files) -> None:
        super().__init__("ptx-lsp", __version__, protocol_cls=Protocol)
        self.client = client
        self.settings, self._complaints = read_settings(client.options)
        self.documents: dict[str, OpenDocument] = {}
        self.files = WorkspaceFiles(files)
        self.loading = Progress(self.protocol, client.progress)
        self.garbage = Garbage()
        self.status = Status(self.protocol.send_text, client.shows_status)
        self.publications = Publications(self.protocol.send_text, self.protocol.unsent)
        self.scheduler = Scheduler(self.publish, self._slow, self._finished, self.garbage.look, self._failed)
        self.epoch = 0  # of the settings: findings of another epoch are worth nothing
        self.watching = False  # whether the client was asked to tell about files
        self._news = asyncio.Event()
        folders = [types.WorkspaceFolder(uri, path_of(uri)) for uri in client.roots]
        self.protocol._workspace = Workspace(None, workspace_folders=folders)

    def document(self, uri: str) -> OpenDocument | None:
        """The open document of this URI, None where it is not open or not ours."""
        return self.documents.get(uri)

    def checks(self, uri: str) -> Checks:
        """What the settings say about the findings of one document."""
        ignored: dict[str, Severity | None] = dict.fromkeys(self._ignored(uri) - {EVERY_CODE})
        maximum = self.settings.maximum_version
        return Checks(
            severities={**self.settings.severity, **ignored},
            maximum_version=None if maximum is None else Version(*maximum),
            in_editor=True,
        )

    def silent(self, uri: str) -> bool:
        """Whether nothing is to be reported about this document."""
        return not self.settings.enable or EVERY_CODE in self._ignored(uri)

    def _ignored(self, uri: str) -> frozenset[str]:
        path = path_of(uri)
        roots = [path_of(root).rstrip("/") + "/" for root in self.workspace.folders]
        inside = [path.removeprefix(root) for root in roots if path.startswith(root)]
        return self.settings.ignored(path, *inside)

    def findings(self, document: OpenDocument) -> list[Finding]:
        """What is to be reported about a document now."""
        return [] if self.silent(document.uri) else document.module.findings()

    def leading_findings(self, document: OpenDocument) -> tuple[list[Finding], int]:
        """As many of them as the user wants to see, and how many more there are."""
        return ([], 0) if self.silent(document.uri) else document.module.leading_findings(self.settings.maximum)

    def publish(self, document: OpenDocument, known: Known = Known.COMPLETE) -> None:
        """Tell the client the findings of a document, unless they are what it was told last or it asks for them.

        When it takes long to know what an edit means, it is told what still stands, as that of the new version.
        """
        if known is Known.COMPLETE:
            self.status.sound(document.uri)
        if document.pulled:
            return
        findings = self.leading_findings(document)
        if findings == document.published and known is not Known.EARLIER:
            return
        if document.published is None and not findings[0] and known is not Known.COMPLETE:
            return
        document.published = findings
        self.publications.send(document.uri, publication(document, diagnostics_json(document, *findings)))

    def pulled(self, document: OpenDocument) -> None:
        """The client asks for the diagnostics of this document itself: take back what it was told unasked.

        Only of a client that says it does so: another one shows what is published, and asks for its own reasons.
        """
        if self.client.pulls_diagnostics and not document.pulled:
            document.pulled = True
            if document.published is not None and document.published[0]:
                self.publications.send(document.uri, withdrawal(document.uri))

    def touch(self) -> None:
        """Something has changed that the findings of the workspace depend on."""
        self._news.set()
        self._news = asyncio.Event()

    async def news(self) -> None:
        """Wait until that happens the next time."""
        await self._news.wait()

    def use(self, settings: Settings, complaints: tuple[str, ...]) -> None:
        """Go on with these settings: whatever depends on them is done again."""
        if complaints and complaints != self._complaints:
            self.warn(complaints)
        self._complaints = complaints
        if settings == self.settings:
            return
        self.settings = settings
        self.epoch += 1
        for document in self.documents.values():
            document.recheck(self.checks(document.uri))
            self.garbage.leave()
            document.published = None
            self.scheduler.wake(document)
        self.touch()
        if self.client.refreshes_hints:
            self.workspace_inlay_hint_refresh(None)
        if self.client.refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)

    def warn(self, complaints: tuple[str, ...]) -> None:
        """Tell the user what of the settings cannot be used."""
        text = "ptx-lsp: " + "; ".join(complaints)
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    def report_server_error(self, error: Exception, source: object) -> None:
        """An unexpected exception: it is logged, on standard error and at the client, and no window pops up."""
        _log.error("%s: %s", getattr(source, "__name__", source), error)
        log = {"type": types.MessageType.Error.value, "message": f"ptx-lsp: {error}"}
        self.protocol.send_text(json.dumps({"jsonrpc": "2.0", "method": types.WINDOW_LOG_MESSAGE, "params": log}))

    def open(self, document: OpenDocument) -> None:
        """Begin the analysis of a document. One that is open under the same URI is closed first."""
        before = self.documents.get(document.uri)
        if before is not None:
            self._drop(before)
        self.documents[document.uri] = document
        self.scheduler.wake(document)
        self.touch()

    def edit(self, document: OpenDocument, version: int | None, changes: Iterable[Mapping[str, Any]]) -> None:
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
            self.publications.send(document.uri, withdrawal(document.uri))
            self.touch()

    def _drop(self, document: OpenDocument) -> None:
        self.scheduler.forget(document)
        self.status.sound(document.uri)
        self.garbage.leave()

    def _slow(self, document: OpenDocument) -> None:
        name = path_of(document.uri).rsplit("/", 1)[-1] or "document"
        self.loading.begin(document.uri, f"checking {name}")
        self.status.analysing(document.uri)

    def _finished(self, document: OpenDocument) -> None:
        self.loading.end(document.uri)
        self.status.finished(document.uri)
        self.garbage.loaded()

    def _failed(self, document: OpenDocument, for_good: bool) -> None:
        self.garbage.leave()
        if for_good:
            self.status.broken(document.uri)
        else:
            self.status.restarted(document.uri)
