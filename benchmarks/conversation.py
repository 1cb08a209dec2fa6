"""A client that measures: a session with the server over its standard streams, with a clock."""

import json
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.processes import environment

PTX = "file:///benchmark.ptx"
CUDA = "file:///benchmark.cuh"
PATIENCE = 300.0  # seconds
Message = dict[str, Any]
Place = tuple[int, int]  # line and character from 0


class Conversation:
    """A server with at most one document, in the language `language`.

    Use it as a context manager: the server ends with the context.
    """

    def __init__(self, language: str = "ptx") -> None:
        self._language = language
        self._uri = PTX if language == "ptx" else CUDA
        self._begun = time.perf_counter()
        command = [sys.executable, "-m", "ptx_lsp", "server"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0, env=environment())
        assert self._process.stdout is not None
        self._input = self._process.stdout
        self._buffer = b""
        self._id = 0
        self.version = 0
        self.up_to_date = True  # true if the diagnostics of the current version have arrived
        self.start_up = 0.0  # seconds from the start of the process to the answer to `initialize`

    def __enter__(self) -> "Conversation":
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.start_up = time.perf_counter() - self._begun
        self.notify("initialized", {})
        self.request("textDocument/hover", self._at((0, 0)))  # after this the server has imported its libraries
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def open(self, text: str) -> float:
        """Open the document; returns the seconds until its diagnostics are complete."""
        return self._until_published(lambda: self.send_open(text))

    def send_open(self, text: str) -> None:
        """Open the document without waiting."""
        self._change()
        item = {"uri": self._uri, "languageId": self._language, "version": self.version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def edit(self, start: Place, end: Place, text: str) -> float:
        """Edit the document so that its findings change; the seconds until the first diagnostics of that version.

        Then wait for the rest of the analysis, because the server combines publications that follow each other.
        """
        took = self._until_published(lambda: self._send_edit(start, end, text))
        self.request("textDocument/diagnostic", {"textDocument": {"uri": self._uri}})
        return took

    def type(self, start: Place, end: Place, text: str) -> float:
        """Edit the document, which need not change its findings; the seconds until all of them are known."""
        begun = time.perf_counter()
        self._send_edit(start, end, text)
        self.request("textDocument/diagnostic", {"textDocument": {"uri": self._uri}})
        return time.perf_counter() - begun

    def hover(self, place: Place) -> float:
        """The seconds until the answer to a hover."""
        begun = time.perf_counter()
        self.request("textDocument/hover", self._at(place))
        return time.perf_counter() - begun

    def peak_memory(self) -> int:
        """The maximum memory of the server so far in bytes; 0 if the system does not report it."""
        return self._memory("VmHWM")

    def memory(self) -> int:
        """The current memory of the server in bytes; 0 if the system does not report it."""
        return self._memory("VmRSS")

    def request(self, method: str, params: object) -> Message:
        """Send a request and wait for its answer."""
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        while (message := self.read()).get("id") != self._id:
            pass
        return message

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def read(self) -> Message:
        """The next message from the server. Raises EOFError if the server has ended, TimeoutError if it is silent."""
        while b"\r\n\r\n" not in self._buffer:
            self._fill()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n"))
        length = int(fields[b"content-length"])
        while len(self._buffer) < length:
            self._fill()
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        message: Message = json.loads(body)
        if message.get("method") == "textDocument/publishDiagnostics":
            self.up_to_date = message["params"].get("version") == self.version
        return message

    def _fill(self) -> None:
        if not select.select([self._input], [], [], PATIENCE)[0]:
            raise TimeoutError("the server sends nothing")
        data = self._input.read(1 << 20)
        if not data:
            raise EOFError("the server has ended")
        self._buffer += data

    def _send(self, message: Message) -> None:
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        data = memoryview(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        while data:
            data = data[self._process.stdin.write(data) :]

    def _change(self) -> None:
        self.version += 1
        self.up_to_date = False

    def _send_edit(self, start: Place, end: Place, text: str) -> None:
        self._change()
        change = {"range": {"start": _place(start), "end": _place(end)}, "text": text}
        identifier = {"uri": self._uri, "version": self.version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})

    def _until_published(self, send: Callable[[], None]) -> float:
        begun = time.perf_counter()
        send()
        while not self.up_to_date:
            self.read()
        return time.perf_counter() - begun

    def _at(self, place: Place) -> dict[str, object]:
        return {"textDocument": {"uri": self._uri}, "position": _place(place)}

    def _memory(self, name: str) -> int:
        status = Path(f"/proc/{self._process.pid}/status")
        lines = status.read_text().splitlines() if status.is_file() else []
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(name + ":")), 0)


def _place(place: Place) -> dict[str, int]:
    return {"line": place[0], "character": place[1]}
