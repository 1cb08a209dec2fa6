"""A conversation with the server in a process that refuses threads, processes and sockets; prints what it saw as JSON.

Two refusals. From the start, an audit hook refuses the operations: making a socket, starting a thread or a process,
sending a signal. asyncio, pygls and lsprotocol import `socket`, `subprocess`, `threading` and `concurrent.futures` for
their other event loops and servers, which is fine, since the hook shows that nothing of these is used. So these three
libraries are imported first; then the modules are made unimportable, and only then the server is imported.
"""

import asyncio  # noqa: F401  # needs socket, subprocess, threading, selectors, signal, concurrent.futures
import importlib.abc
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import lsprotocol.types  # noqa: F401
import pygls.lsp.server  # needs threading.Event and concurrent.futures.ThreadPoolExecutor
import pygls.progress  # needs concurrent.futures.Future
import pygls.workspace  # noqa: F401

OPERATIONS = {"socket.__new__", "subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.kill"}
MODULES = {"socket", "subprocess", "threading", "multiprocessing", "concurrent", "selectors", "signal", "select", "ssl"}


class Refused(Exception):
    """An operation that a host without threads, processes and sockets does not have."""


class Refuse(importlib.abc.MetaPathFinder):
    """Refuses to import the modules."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> None:
        """Raises ImportError for one of the modules."""
        if fullname.partition(".")[0] in MODULES:
            raise ImportError(f"{fullname} is refused")


def refuse_operation(event: str, arguments: object) -> None:
    """The audit hook."""
    if event in OPERATIONS:
        raise Refused(event)


def refuse_thread(*arguments: object) -> None:
    """In place of the start of a thread."""
    raise Refused("thread")


def is_refused(operation: Callable[[], object]) -> bool:
    """True if an operation raises what a refusal raises."""
    try:
        operation()
    except (Refused, ImportError):
        return True
    return False


sys.addaudithook(refuse_operation)
threading.Thread.start = refuse_thread  # type: ignore[method-assign, assignment]
ATTEMPTS: dict[str, Callable[[], object]] = {
    "import": lambda: __import__("threading"),
    "socket": socket.socket,
    "thread": threading.Thread(target=print).start,
    "process": lambda: subprocess.run([sys.executable, "-c", ""]),
    "fork": os.fork,
    "kill": lambda: os.kill(os.getpid(), 0),
}
for name in [name for name in sys.modules if name.partition(".")[0] in MODULES]:
    del sys.modules[name]
sys.meta_path.insert(0, Refuse())
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from ptx_lsp.server.frames import FrameReader, frame  # noqa: E402
from ptx_lsp.server.stepped_server import SteppedServer  # noqa: E402

URI = "file:///m.ptx"
TEXT = """.version 8.4
.target sm_90
.address_size 64
.visible .entry k()
{
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    mov.u32 %r1, 1;
    mov.f32 %f1, 0f3F800000;
    add.s32 %r2, %f1, 0x10+2;
    ret;
}
"""
LINE = 9
PLACE = {"start": {"line": LINE, "character": 17}, "end": {"line": LINE, "character": 20}}
ITEM = {"uri": URI, "languageId": "ptx", "version": 1, "text": TEXT}
CHANGE = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"range": PLACE, "text": "%r1"}]}
HOVER = {"textDocument": {"uri": URI}, "position": {"line": LINE, "character": 25}}
MESSAGES: list[dict[str, Any]] = [
    {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
    {"method": "initialized", "params": {}},
    {"method": "textDocument/didOpen", "params": {"textDocument": ITEM}},
    {"id": 2, "method": "textDocument/hover", "params": HOVER},
    {"method": "textDocument/didChange", "params": CHANGE},
    {"id": 3, "method": "shutdown"},
    {"method": "exit"},
]

server, frames = SteppedServer(), FrameReader()
received: list[dict[str, Any]] = []
for message in MESSAGES:
    server.feed(frame(json.dumps({"jsonrpc": "2.0", **message}).encode()))
    while server.due() == 0.0:
        received += map(json.loads, frames.feed(server.step()))
published = [m["params"]["diagnostics"] for m in received if m.get("method") == "textDocument/publishDiagnostics"]
hovers = [m["result"]["contents"]["value"] for m in received if m.get("id") == 2]
print(
    json.dumps(
        {
            "refused": [name for name, operation in ATTEMPTS.items() if is_refused(operation)],
            "published": [[finding["code"] for finding in findings] for findings in published],
            "hover": hovers[0],
            "exit code": server.exit_code,
        }
    )
)
