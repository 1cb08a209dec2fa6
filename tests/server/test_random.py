"""Random edits and requests: every request is answered, none with an internal error, and the last published findings
are those of a fresh analysis of the text."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ptx_lsp.server.client import Client
from ptx_lsp.server.diagnostics import diagnostics_json
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.files import NoFiles
from ptx_lsp.server.frames import FrameReader
from ptx_lsp.server.protocol import CONTENT_MODIFIED
from ptx_lsp.server.server import Server, build_server
from ptx_lsp.text.lines import Encoding
from tests.analysed import analysed
from tests.server.conversation import MISTAKEN

pytestmark = pytest.mark.slow

URI = "file:///m.ptx"
INTERNAL_ERROR = -32603
MOST_SLICES = 20_000

# the header is not edited, as the text might not be recognised as PTX then
positions = st.fixed_dictionaries({"line": st.integers(3, 16), "character": st.integers(0, 40)})
ranges = st.fixed_dictionaries({"start": positions, "end": positions})
texts = st.sampled_from(
    ["", " ", "\n", "{", "}", ";", "/*", "*/", "//", "%f1", "%r1", "0x10+2", ".reg .f32 %g<3>;", "é€😀", "\r", "\t.s32"]
)
edits = st.fixed_dictionaries({"range": ranges, "text": texts})
requests: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.one_of(
    st.tuples(st.just("textDocument/hover"), st.fixed_dictionaries({"position": positions})),
    st.tuples(st.just("textDocument/inlayHint"), st.fixed_dictionaries({"range": ranges})),
    st.tuples(st.just("textDocument/diagnostic"), st.just({})),
)
steps = st.lists(st.one_of(st.lists(edits, min_size=1, max_size=3), requests, st.just("work")), max_size=12)


class Received:
    """A writer that keeps the messages of the server."""

    unsent = 0

    def __init__(self) -> None:
        self.frames = FrameReader()
        self.messages: list[dict[str, Any]] = []

    def write(self, *parts: bytes) -> None:
        self.messages += map(json.loads, self.frames.feed(b"".join(parts)))


def ordered(range_: Any) -> Any:
    start, end = sorted((range_["start"], range_["end"]), key=lambda place: (place["line"], place["character"]))
    return {"start": start, "end": end}


async def settle(server: Server) -> None:
    task = asyncio.create_task(server.scheduler.run())
    for _ in range(MOST_SLICES):
        await asyncio.sleep(0)
        if not server.scheduler.busy:
            break
    task.cancel()
    assert not server.scheduler.busy, "the analysis does not end"


async def play(script: list[Any], encoding: Encoding) -> None:
    server, received = build_server(Client(encoding=encoding), NoFiles()), Received()
    server.protocol.set_writer(received)  # type: ignore[arg-type]  # nothing closes it

    def send(**message: Any) -> None:
        server.protocol.receive({"jsonrpc": "2.0", **message}, set())

    item = {"uri": URI, "languageId": "ptx", "version": 0, "text": MISTAKEN}
    send(method="textDocument/didOpen", params={"textDocument": item})
    asked = []
    last_edit = 0  # the number of the last step that edits the document
    for number, step in enumerate(script, 1):
        if step == "work":
            await settle(server)
        elif isinstance(step, tuple):
            method, params = step
            asked.append(number)
            fixed = {key: ordered(value) if key == "range" else value for key, value in params.items()}
            send(id=number, method=method, params={"textDocument": {"uri": URI}, **fixed})
        else:
            changes = [{"range": ordered(edit["range"]), "text": edit["text"]} for edit in step]
            last_edit = number
            document = {"uri": URI, "version": number}
            send(method="textDocument/didChange", params={"textDocument": document, "contentChanges": changes})
    await settle(server)
    for _ in range(10):  # requests that waited for the end of the analysis are answered now
        await asyncio.sleep(0)
    check(server, received, asked, last_edit)


def check(server: Server, received: Received, asked: list[int], last_edit: int) -> None:
    """Check the answers and the last findings; requests with a number above `last_edit` had no edit after them."""
    answers = {message["id"]: message for message in received.messages if "id" in message}
    assert sorted(answers) == asked
    errors = {number: answer["error"]["code"] for number, answer in answers.items() if "error" in answer}
    # a request that needs several slices, on a busy machine, may meet an edit that was sent after it
    assert all(code == CONTENT_MODIFIED.code and number < last_edit for number, code in errors.items()), errors
    document = server.documents[URI]
    fresh = OpenDocument(URI, 0, document.module.document.whole(), document.module.checks, document.encoding)
    fresh.module.work()
    published = [
        m["params"]["diagnostics"] for m in received.messages if m.get("method") == "textDocument/publishDiagnostics"
    ]
    assert published[-1] == json.loads(diagnostics_json(fresh, fresh.module.findings(), 0))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps, st.sampled_from(list(Encoding)))
def test_every_request_is_answered_and_the_last_findings_are_right(script: list[Any], encoding: Encoding) -> None:
    asyncio.run(play(script, encoding))


def test_the_expected_findings_are_those_of_the_library() -> None:
    """The oracle of the test above: what is published is what the library finds."""
    module = analysed(MISTAKEN)
    assert [finding.code for finding in module.findings()] == ["operand-type"]
