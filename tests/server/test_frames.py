"""Frames: the bodies are complete and in order, in any portions the bytes arrive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.server.frames import FrameReader, frame


@given(st.lists(st.binary(max_size=60), max_size=6), st.lists(st.integers(1, 30), min_size=1, max_size=20))
def test_portions_do_not_matter(bodies: list[bytes], sizes: list[int]) -> None:
    data = b"".join(map(frame, bodies))
    reader = FrameReader()
    found: list[bytes] = []
    at = step = 0
    while at < len(data):
        size = sizes[step % len(sizes)]
        found += reader.feed(data[at : at + size])
        at += size
        step += 1
    assert found == bodies


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 2\r\n\r\n",
        b"content-length:2\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
    ],
)
def test_headers_are_read_as_in_http(header: bytes) -> None:
    assert FrameReader().feed(header + b"{}") == [b"{}"]


def test_a_header_without_length_is_skipped() -> None:
    assert FrameReader().feed(b"Nonsense: 1\r\n\r\n" + frame(b"{}")) == [b"{}"]
    assert FrameReader().feed(b"Content-Length: -5\r\n\r\n" + frame(b"{}")) == [b"{}"]


def test_bytes_after_noise_are_read() -> None:
    reader = FrameReader()
    for _ in range(50):
        assert reader.feed(b"x" * 10_000) == []
    assert reader.feed(b"\r\n\r\n" + frame(b"{}")) == [b"{}"]


@pytest.mark.parametrize("length", [b"9" * 5000, b"9" * 30, b"%d" % (1 << 40)])
def test_a_header_with_an_impossible_length_is_skipped(length: bytes) -> None:
    assert FrameReader().feed(b"Content-Length: " + length + b"\r\n\r\n" + frame(b"{}")) == [b"{}"]


def test_leading_zeros_of_a_length_do_not_matter() -> None:
    assert FrameReader().feed(b"Content-Length: " + b"0" * 5000 + b"2\r\n\r\n{}") == [b"{}"]
