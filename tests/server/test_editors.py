"""Conversations with the capabilities of real editors; every message is checked against them and the protocol."""

import asyncio
import sys
from collections.abc import AsyncIterator

import pytest
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, fixture

from tests.patience import PATIENCE
from tests.server.conversation import ADD, MISTAKEN, MODULE

CLIENTS = ["visual_studio_code", "neovim", "emacs"]

pytestmark = [
    pytest.mark.process,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning"),
]


@fixture(  # type: ignore[untyped-decorator]
    params=CLIENTS,
    config=ClientServerConfig(server_command=[sys.executable, "-m", "ptx_lsp", "server"]),
    scope="module",
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient) -> AsyncIterator[None]:
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(params: types.RegistrationParams) -> None:
        """The editor watches the files that the server asks for."""

    params = types.InitializeParams(capabilities=client_capabilities(request.param))
    async with asyncio.timeout(PATIENCE):
        await lsp_client.initialize_session(params)
    yield
    async with asyncio.timeout(PATIENCE):
        await lsp_client.shutdown_session()


async def opened(client: LanguageClient, uri: str, text: str) -> None:
    item = types.TextDocumentItem(uri, "ptx", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await published(client)


async def published(client: LanguageClient) -> None:
    async with asyncio.timeout(PATIENCE):
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)


async def test_diagnostics_hover_and_hints(client: LanguageClient) -> None:
    uri = "file:///hover.ptx"
    await opened(client, uri, MISTAKEN)
    (diagnostic,) = client.diagnostics[uri]
    assert diagnostic.code == "operand-type"
    document = types.TextDocumentIdentifier(uri)
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
    assert resolved.tooltip.kind is hover.contents.kind


async def test_an_edit_and_the_close(client: LanguageClient) -> None:
    uri = "file:///edit.ptx"
    await opened(client, uri, MODULE)
    assert not client.diagnostics[uri]
    place = types.Range(types.Position(ADD, 14), types.Position(ADD, 17))
    change = types.TextDocumentContentChangePartial(range=place, text="%f1")
    document = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
    await published(client)
    assert len(client.diagnostics[uri]) == 1
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await published(client)
    assert not client.diagnostics[uri]


async def test_pulled_diagnostics(client: LanguageClient) -> None:
    uri = "file:///pull.ptx"
    await opened(client, uri, MISTAKEN)
    document = types.TextDocumentIdentifier(uri)
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert [item.code for item in report.items] == ["operand-type"]
    workspace = await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous_result_ids=[]))
    assert uri in [item.uri for item in workspace.items]


async def test_the_command(client: LanguageClient) -> None:
    params = types.ExecuteCommandParams("ptx.evaluate", [{"text": "2*3"}])
    answer = await client.workspace_execute_command_async(params)
    assert answer is not None
    assert answer["text"] == "6"
