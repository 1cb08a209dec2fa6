"""A client for the tests: the real server, in a process of its own or in that of the test; messages as plain JSON."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ptx_lsp.server.files import Files
from ptx_lsp.server.frames import FrameReader, frame
from ptx_lsp.server.stepped_server import SteppedServer
from tests.patience import PATIENCE

Message = dict[str, Any]

MODULE = """.version 8.4
.target sm_90
.address_size 64

.visible .entry k()
{
\t.reg .b32 %r<9>;
\t.reg .f32 %f<9>;
\tmov.u32 %r1, 1;
\tadd.s32 %r2, %r1, 0x10+2;
\tmov.f32 %f1, 0f3FB8AA3B;
\tret;
}
"""
"""A module that the assembler accepts, and that has no findings."""

ADD = 9
"""The line of `add.s32`."""

MISTAKEN = MODULE.replace("add.s32 %r2, %r1, 0x10+2;", "add.s32 %r2, %f1, 0x10+2;")
"""The same with a float register in an integer slot."""


class InOwnProcess:
    """The transport to a server in a process of its own."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.log: queue.Queue[str] = queue.Queue()
        self._arrived: queue.Queue[Message | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_log, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        frames = FrameReader()
        while data := os.read(self.process.stdout.fileno(), 65536):
            for body in frames.feed(data):
                self._arrived.put(json.loads(body))
        self._arrived.put(None)

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.put(line.decode())

    def write(self, data: bytes) -> None:
        """Send bytes to the server."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def next_message(self, end: float) -> Message | None:
        """Wait for a message until `end` (of the monotonic clock); None if the server has ended."""
        return self._arrived.get(timeout=max(0.01, end - time.monotonic()))


class InThisProcess:
    """The transport to a server in the process of the test, which starts at no cost."""

    def __init__(self, files: Files | None = None) -> None:
        self._server = SteppedServer(files)
        self._frames = FrameReader()
        self._arrived: deque[Message] = deque()

    def write(self, data: bytes) -> None:
        """Send bytes to the server."""
        self._server.feed(data)

    def next_message(self, end: float) -> Message | None:
        """Let the server work until it sends a message or `end`; None if the server has ended."""
        while not self._arrived:
            assert time.monotonic() < end, "the server sends nothing"
            due = self._server.due()
            if due is None:
                return None
            if due:
                time.sleep(min(due, 0.05))  # a sleep of no time gives a busy machine to others
            self._arrived += map(json.loads, self._frames.feed(self._server.step()))
        return self._arrived.popleft()


class Conversation:
    """Sends requests and notifications; `said` holds every message of the server that was waited for or skipped."""

    def __init__(self, transport: InOwnProcess | InThisProcess) -> None:
        self._transport = transport
        self.said: list[Message] = []
        self._open: set[str] = set()
        self._last = 0

    @property
    def process(self) -> "subprocess.Popen[bytes]":
        """The process of the server, if it has one."""
        assert isinstance(self._transport, InOwnProcess)
        return self._transport.process

    @property
    def log(self) -> "queue.Queue[str]":
        """Standard error of the process, line by line."""
        assert isinstance(self._transport, InOwnProcess)
        return self._transport.log

    def send(self, *messages: Message) -> None:
        """Send messages in one write."""
        bodies = (json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages)
        self._transport.write(b"".join(map(frame, bodies)))

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        if method == "textDocument/didOpen" and params:
            self._open.add(params["textDocument"]["uri"])
        elif method == "textDocument/didClose":
            self._open.discard(params["textDocument"]["uri"])
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> int:
        """Send a request; its id."""
        self._last += 1
        self.send({"id": self._last, "method": method, "params": params})
        return self._last

    def ask(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result. Fails if the response is an error."""
        answer = self.answer(self.request(method, params))
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def ask_about(self, uri: str, method: str, **params: Any) -> Any:
        """Send a request about a document, whose method is without its beginning `textDocument/`; its result."""
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, **params})

    def error(self, method: str, params: Any) -> Message:
        """Send a request that must fail, and wait for its error."""
        failure: Message = self.answer(self.request(method, params))["error"]
        return failure

    def answer(self, id_: int | str) -> Message:
        """Wait for the response to a request."""
        return self.wait(lambda message: message.get("id") == id_ and "method" not in message)

    def received(self, method: str) -> Any:
        """Wait for a notification or request of the server; its parameters."""
        return self.wait(lambda message: message.get("method") == method)["params"]

    def wait(self, wanted: Callable[[Message], bool]) -> Message:
        """Wait for a message that `wanted` accepts; earlier messages are kept in `said`."""
        end = time.monotonic() + PATIENCE
        while True:
            message = self._transport.next_message(end)
            assert message is not None, "the server has ended"
            self.said.append(message)
            if wanted(message):
                return message

    def open(self, text: str, uri: str = "file:///m.ptx", version: object = 1) -> list[Message]:
        """Open a document; the diagnostics that are published for it."""
        item = {"uri": uri, "languageId": "ptx", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return self.published(uri)

    def change(self, version: int, *changes: Message, uri: str = "file:///m.ptx") -> None:
        """Change a document."""
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    def published(self, uri: str = "file:///m.ptx") -> list[Message]:
        """Wait for the next diagnostics of a document."""
        method = "textDocument/publishDiagnostics"
        found: list[Message]
        found = self.wait(lambda m: m.get("method") == method and m["params"]["uri"] == uri)["params"]["diagnostics"]
        return found

    def hover(self, line: int, character: int, uri: str = "file:///m.ptx") -> str:
        """The text of a hover; empty if the result is null."""
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        answer = self.ask("textDocument/hover", place)
        return answer["contents"]["value"] if answer else ""

    def begin_again(self) -> None:
        """Close all documents, send empty settings, and forget what was said, for a test that shares the server."""
        for uri in sorted(self._open):
            self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.notify("workspace/didChangeConfiguration", {"settings": {}})
        self.ask("workspace/executeCommand", {"command": "ptx.evaluate", "arguments": [{"text": "1"}]})
        self.said.clear()

    def leave(self) -> int:
        """Send `shutdown` and `exit`; the exit code."""
        self.ask("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(PATIENCE)


def replaced(line: int, start: int, end: int, text: str) -> Message:
    """A content change within a line."""
    return {
        "range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}},
        "text": text,
    }


@contextmanager
def server(*arguments: str, program: str = "") -> Iterator[Conversation]:
    """A server that has received nothing yet; `program` is Python code that runs in its process first."""
    run = f"{program}\nfrom ptx_lsp.cli.main import main\nraise SystemExit(main())"
    command = [sys.executable, *(["-c", run] if program else ["-m", "ptx_lsp"]), "server", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        yield Conversation(InOwnProcess(process))
    finally:
        process.kill()
        process.wait()


@contextmanager
def initialized(capabilities: Message | None = None, program: str = "", **params: Any) -> Iterator[Conversation]:
    """A server that is initialized; `program` is Python code that runs in its process first."""
    with server(program=program) as conversation:
        _initialize(conversation, capabilities, params)
        yield conversation


@contextmanager
def stepped(capabilities: Message | None = None, **params: Any) -> Iterator[Conversation]:
    """A server that is initialized and runs in the process of the test, for requests that need no process or file."""
    yield in_this_process(capabilities, **params)


def in_this_process(capabilities: Message | None = None, files: Files | None = None, **params: Any) -> Conversation:
    """A server that is initialized and runs in the process of the test; without `files` it has none."""
    conversation = Conversation(InThisProcess(files))
    _initialize(conversation, capabilities, params)
    return conversation


def _initialize(conversation: Conversation, capabilities: Message | None, params: Message) -> None:
    conversation.ask("initialize", {"processId": None, "capabilities": capabilities or {}, **params})
    conversation.notify("initialized", {})
