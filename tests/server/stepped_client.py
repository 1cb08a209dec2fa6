"""A client of the server that runs step by step."""

import json
from typing import Any

from ptx_lsp.server.frames import FrameReader, frame
from ptx_lsp.server.stepped_server import SteppedServer

URI = "file:///m.ptx"

MOST_STEPS = 100_000


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Client:
    """Sends messages to a stepped server and collects what it sends."""

    def __init__(self, portion: int = 1 << 16) -> None:
        self.clock = Clock()
        self.server = SteppedServer(clock=self.clock)
        self.portion = portion
        self.received: list[dict[str, Any]] = []
        self.sizes: list[int] = []  # how many bytes each step gave
        self._frames = FrameReader()

    def send(self, *messages: dict[str, Any]) -> None:
        """Send messages in portions of `portion` bytes, with one step after each."""
        data = b"".join(frame(json.dumps({"jsonrpc": "2.0", **message}).encode()) for message in messages)
        for start in range(0, len(data), self.portion):
            self.server.feed(data[start : start + self.portion])
            self.step()

    def step(self) -> None:
        """One step of the server."""
        sent = self.server.step()
        self.sizes.append(len(sent))
        self.received += map(json.loads, self._frames.feed(sent))

    def settle(self) -> None:
        """Steps until nothing is due now."""
        for _ in range(MOST_STEPS):
            if self.server.due() != 0.0:
                return
            self.step()
        raise AssertionError("the server is never done")

    def request(self, id_: int, method: str, params: Any) -> dict[str, Any]:
        """Send a request and settle; the response."""
        self.send({"id": id_, "method": method, "params": params})
        self.settle()
        (response,) = [message for message in self.received if message.get("id") == id_ and "method" not in message]
        return response

    def published(self) -> list[tuple[int, list[str]]]:
        """The version and the codes of each publication of diagnostics."""
        params = [m["params"] for m in self.received if m.get("method") == "textDocument/publishDiagnostics"]
        return [(each["version"], [finding["code"] for finding in each["diagnostics"]]) for each in params]


def opened_by(client: Client, text: str) -> None:
    """Initialize the server and open a document."""
    client.request(1, "initialize", {"capabilities": {}})
    client.send({"method": "initialized", "params": {}})
    item = {"uri": URI, "languageId": "ptx", "version": 1, "text": text}
    client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    client.settle()
