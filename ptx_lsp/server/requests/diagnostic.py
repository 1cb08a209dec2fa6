"""Diagnostics on request: `textDocument/diagnostic` and `workspace/diagnostic`."""

import json
from collections.abc import AsyncIterator

from lsprotocol import types

from ptx_lsp.analysis.module import Checks
from ptx_lsp.server.diagnostics import diagnostics_json
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import JsonText
from ptx_lsp.server.requests.watched_files import watch_files
from ptx_lsp.server.server import Server

_GONE = "gone"  # the result id of a file that was removed
_NOTHING = '{"kind":"full","items":[]}'


async def document_diagnostic(server: Server, params: types.DocumentDiagnosticParams) -> JsonText:
    """All diagnostics of a document, once its analysis is complete; `unchanged` if the client has them already."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return JsonText(_NOTHING)
    server.pulled(document)
    while True:
        await server.scheduler.complete(document)
        id_ = result_id(server, document)
        if params.previous_result_id == id_:
            return JsonText(f'{{"kind":"unchanged","resultId":"{id_}"}}')
        found = server.leading_findings(document)
        await server.pause()  # there may be thousands
        if id_ == result_id(server, document):
            return JsonText(f'{{"kind":"full","resultId":"{id_}","items":{diagnostics_json(document, *found)}}}')


async def workspace_diagnostic(server: Server, params: types.WorkspaceDiagnosticParams) -> JsonText:
    """The new diagnostics of all files of the workspace, open or not; waits until there are new ones.

    Clients send the next request as soon as they get the response, so an empty response would keep both sides busy.
    """
    previous = {known.uri: known.value for known in params.previous_result_ids}
    while True:
        reports = [report async for report in _news(server, previous)]
        if reports or not previous:
            return JsonText('{"items":[' + ",".join(reports) + "]}")
        watch_files(server)
        await server.news()


def result_id(server: Server, document: OpenDocument) -> str:
    """A name for the findings of a document at its version under the current settings."""
    return f"{server.epoch}-{document.number}-{document.version}-{document.other_findings.revision}"


def _items(server: Server, document: OpenDocument) -> str:
    return diagnostics_json(document, *server.leading_findings(document))


async def _news(server: Server, previous: dict[str, str]) -> AsyncIterator[str]:
    """The reports that the client does not have. That of a file that was removed is empty: clients keep findings."""
    gone = {uri for uri, known in previous.items() if known != _GONE}
    for document in list(server.documents.values()):
        await server.scheduler.complete(document)
        id_ = result_id(server, document)
        gone.discard(document.uri)
        if previous.get(document.uri) != id_:
            yield _full(document.uri, document.version, id_, _items(server, document))
    most = server.settings.workspace_files
    roots = list(server.workspace.folders)
    for path in await server.files.find(roots, most) if most else ():
        report = await server.files.report(
            path, lambda uri: _checks(server, uri), server.epoch, server.client.encoding, server.settings.maximum
        )
        if report is None or report.uri in server.documents:
            continue
        gone.discard(report.uri)
        if previous.get(report.uri) != report.id:
            yield _full(report.uri, None, report.id, report.diagnostics)
    for uri in sorted(gone - server.documents.keys()):
        yield _full(uri, None, _GONE, "[]")


def _checks(server: Server, uri: str) -> Checks | None:
    return None if server.silent(uri) else server.checks(uri)


def _full(uri: str, version: int | None, id_: str, items: str) -> str:
    head = f'{{"kind":"full","uri":{json.dumps(uri)},"version":{json.dumps(version)}'
    return f'{head},"resultId":"{id_}","items":{items}}}'
