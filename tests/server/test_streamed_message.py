"""A long message is the same whether it is parsed at once or while it arrives."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ptx_lsp.server.frames import UNREADABLE, Message, read_message
from ptx_lsp.server.streamed_message import StreamedMessage
from ptx_lsp.text.document import LINES_PER_CHUNK, LINES_PER_EDITED_CHUNK, Document

TEXTS = st.text(st.sampled_from('ab\n\r\t"\\n\x00\u00e4\u20ac\U0001f600\ud83d'), max_size=80)
SIZES = st.lists(st.integers(1, 40), min_size=1, max_size=9)
URI = "file:///a.ptx"


def opening(text: str) -> Message:
    item = {"uri": URI, "languageId": "ptx", "version": 1, "text": text}
    return {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}


def arrived(body: bytes, sizes: list[int]) -> Message:
    """The message of a body that arrives in portions of these sizes, repeated."""
    message = StreamedMessage(len(body))
    step = 0
    while message.left:
        start = len(body) - message.left
        message.feed(body[start : start + min(message.left, sizes[step % len(sizes)])])
        step += 1
    return message.message()


def plain(value: Any) -> Any:
    """The same with strings for documents; a hook for messages."""
    if value.get("method") == "textDocument/didOpen":
        item = value["params"]["textDocument"]
        assert isinstance(item["text"], Document)
        item["text"] = item["text"].whole()
    return value


@given(TEXTS, SIZES, st.booleans())
@example("a\\n\\\nb\n", [1], True)
@example('"', [3], True)
def test_a_document_is_opened_with_its_text(text: str, sizes: list[int], ascii_only: bool) -> None:
    message = opening(text)
    body = json.dumps(message, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert plain(arrived(body, sizes)) == read_message(body)


@given(TEXTS, SIZES)
def test_a_text_in_another_place_is_a_string(text: str, sizes: list[int]) -> None:
    change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text}, {"text": text + "b"}]}
    message = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": change}
    assert arrived(json.dumps(message).encode(), sizes) == message


@given(st.recursive(st.none() | st.integers() | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)))
def test_every_value_of_an_object_is_kept(value: Any) -> None:
    message = {"id": 1, "method": "a", "params": value, 'x"text': '"text":"'}
    assert arrived(json.dumps(message).encode(), [7]) == message


@pytest.mark.parametrize(
    "body",
    [
        b'{"method": "a", "text": "no end',
        b'{"method": "a", "text": "line\\n no end of the object"',
        b'{"method": "a", "text": "not \\x an escape\\n"}',
        b'{"method": "a", "text": "a line end\n in it"}',
        b'{"method": "a", "text": "\xff no UTF-8\\n"}',
        b"[1, 2, 3]",
        b"nonsense",
        b"",
    ],
)
def test_a_body_that_is_not_a_message_is_unreadable(body: bytes) -> None:
    assert arrived(body, [5])["method"] == UNREADABLE
    assert read_message(body)["method"] == UNREADABLE


def test_a_did_open_without_an_item_is_unchanged() -> None:
    for params in ({"text": "a"}, [{"text": "a"}], {"textDocument": "b", "text": "a"}):
        message = {"method": "textDocument/didOpen", "params": params}
        assert arrived(json.dumps(message).encode(), [9]) == message


def test_the_document_has_the_chunks_of_a_text_at_once_except_at_its_beginning() -> None:
    text = "\tadd.s32 \t%r1, %r2, %r3;\n" * 20_000
    body = json.dumps(opening(text)).encode()
    document = arrived(body, [65_536])["params"]["textDocument"]["text"]
    whole = Document(text)
    assert 0 <= document.chunk_count - whole.chunk_count < LINES_PER_CHUNK // LINES_PER_EDITED_CHUNK * 2
    assert document.chunk_line_ends(0) < LINES_PER_EDITED_CHUNK * 2
    assert document.line_count == whole.line_count
    assert document.line(12_345) == "\tadd.s32 \t%r1, %r2, %r3;"
