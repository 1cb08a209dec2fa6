"""The capabilities of real editors, replayed; what the server says is checked against them and against the protocol."""

import asyncio
import sys
from collections.abc import AsyncIterator

import pytest
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, fixture

from tests.server.conversation import ADD, MISTAKEN, MODULE, PATIENCE

URI = "file:///m.ptx"
CLIENTS = ["visual_studio_code", "neovim", "emacs"]

pytestmark = pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning")


@fixture(
    params=CLIENTS,
    config=ClientServerConfig(server_command=[sys.executable, "-m", "ptx_lsp", "server"]),
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient) -> AsyncIterator[None]:
    params = types.InitializeParams(capabilities=client_capabilities(request.param))
    async with asyncio.timeout(PATIENCE):
        await lsp_client.initialize_session(params)
    yield
    async with asyncio.timeout(PATIENCE):
        await lsp_client.shutdown_session()


async def opened(client: LanguageClient, text: str) -> None:
    item = types.TextDocumentItem(URI, "ptx", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await published(client)


async def published(client: LanguageClient) -> None:
    async with asyncio.timeout(PATIENCE):
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)


async def test_diagnostics_hover_and_hints(client: LanguageClient) -> None:
    await opened(client, MISTAKEN)
    (diagnostic,) = client.diagnostics[URI]
    assert diagnostic.code == "operand-type"
    document = types.TextDocumentIdentifier(URI)
    hover = await client.text_document_hover_async(types.HoverParams(document, types.Position(ADD, 23)))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "18" in hover.contents.value
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, everything))
    assert hints is not None
    assert [hint.label for hint in hints] == ["= 18", "1.442695"]
    resolved = await client.inlay_hint_resolve_async(hints[0])
    assert isinstance(resolved.tooltip, types.MarkupContent)


async def test_an_edit_and_the_close(client: LanguageClient) -> None:
    await opened(client, MODULE)
    assert not client.diagnostics[URI]
    place = types.Range(types.Position(ADD, 14), types.Position(ADD, 17))
    change = types.TextDocumentContentChangePartial(range=place, text="%f1")
    document = types.VersionedTextDocumentIdentifier(uri=URI, version=2)
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
    await published(client)
    assert len(client.diagnostics[URI]) == 1
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(URI)))
    await published(client)
    assert not client.diagnostics[URI]


async def test_pulled_diagnostics(client: LanguageClient) -> None:
    await opened(client, MISTAKEN)
    document = types.TextDocumentIdentifier(URI)
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert [item.code for item in report.items] == ["operand-type"]
    workspace = await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous_result_ids=[]))
    assert [item.uri for item in workspace.items] == [URI]


async def test_the_command(client: LanguageClient) -> None:
    params = types.ExecuteCommandParams("ptx.evaluate", [{"text": "2*3"}])
    answer = await client.workspace_execute_command_async(params)
    assert answer["text"] == "6"
