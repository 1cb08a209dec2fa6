"""The way of one keystroke through the program: how many modules it enters, and how often it changes the room.

The keystroke is the second one in the body of a function: it makes a mistyped opcode longer. It is counted from the
bytes of `textDocument/didChange` to the bytes of the published diagnostics, in a document whose analysis is complete.
A change of room is a call of a function in another room than that of the call before. The parts of functions that have
no name (generator expressions, lambdas) and the constructors of named tuples are not counted, nor is the loop that
takes the place of asyncio's in this test.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import ptx_lsp
from ptx_lsp.memo import forget_all
from ptx_lsp.server import scheduler
from ptx_lsp.server.frames import frame
from ptx_lsp.server.stepped_server import SteppedServer

MOST_MODULES = 38
MOST_CHANGES = 45

PACKAGE = Path(ptx_lsp.__file__).parent
NOT_COUNTED = ("light_classes.py", "server/stepped_loop.py", "server/stepped_server.py")
GAUSSIAN = PACKAGE.parent / "examples" / "gaussian.ptx"
MISTYPED = "add.s32 \t%r8"
URI = "file:///gaussian.ptx"


@contextmanager
def called_modules() -> Iterator[list[str]]:
    """The module of each call of a function of the package, in order: its path in the package."""
    found: list[str] = []
    inside = f"{PACKAGE}/"

    def note(called: FrameType, event: str, _: Any) -> None:
        code = called.f_code
        if event == "call" and code.co_filename.startswith(inside) and not code.co_name.startswith("<"):
            module = code.co_filename.removeprefix(inside)
            if module not in NOT_COUNTED:
                found.append(module)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


def send(server: SteppedServer, method: str, params: object) -> bytes:
    """Send one message, and let the server do all that is due; the bytes that it sends."""
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if method == "initialize":
        message["id"] = 1
    server.feed(frame(json.dumps(message).encode()))
    sent = server.step()
    while server.due() == 0.0:
        sent += server.step()
    return sent


def typed(server: SteppedServer, version: int, line: int, column: int, letter: str) -> bytes:
    """Type one letter; the bytes that the server sends."""
    place = {"line": line, "character": column}
    change = {"range": {"start": place, "end": place}, "text": letter}
    document = {"uri": URI, "version": version}
    return send(server, "textDocument/didChange", {"textDocument": document, "contentChanges": [change]})


def test_a_keystroke_takes_a_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "SLICE", 1e9)  # a fast machine: the analysis needs one slice
    forget_all()
    server = SteppedServer(clock=lambda: 0.0)
    text = GAUSSIAN.read_text("utf-8")
    (line,) = (number for number, each in enumerate(text.split("\n")) if MISTYPED in each)
    column = text.split("\n")[line].index(".")
    send(server, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    send(server, "initialized", {})
    item = {"uri": URI, "languageId": "ptx", "version": 1, "text": text}
    assert b'"diagnostics":[]' in send(server, "textDocument/didOpen", {"textDocument": item})
    assert b"`addx`" in typed(server, 2, line, column, "x")
    with called_modules() as found:
        assert b"`addxy`" in typed(server, 3, line, column + 1, "y")
    rooms = [module.split("/")[0] for module in found]
    changes = sum(before != after for before, after in pairwise(rooms))
    assert {"server", "text", "analysis", "reading", "quick", "syntax", "semantics", "judgement"} <= set(rooms)
    assert len(set(found)) <= MOST_MODULES, sorted(set(found))
    assert changes <= MOST_CHANGES, changes
