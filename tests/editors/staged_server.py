#!/usr/bin/env python3
"""A language server that shows what a test says: `staged_server.py server --stdio`.

It waits for files in the folder that the variable PTX_LSP_STAGES names: `answer` before it answers `initialize`, and
then `analysing`, `quiet`, `failed`, each before it sends that status. Each file may hold the message of its status.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

STAGES = {
    "analysing": {"health": "ok", "quiescent": False},
    "quiet": {"health": "ok", "quiescent": True},
    "failed": {"health": "error", "quiescent": True},
}
FOLDER = Path(os.environ["PTX_LSP_STAGES"]) if "PTX_LSP_STAGES" in os.environ else Path(__file__).parent
INFO = {"name": "ptx-lsp", "version": "0.0-staged"}
CAPABILITIES = {"textDocumentSync": 1, "experimental": {"serverStatusNotification": True}}


def wait_for(name: str) -> str:
    """The text of the file of that name, as soon as it is there."""
    while not (FOLDER / name).exists():
        time.sleep(0.05)
    return (FOLDER / name).read_text("utf-8")


def send(message: dict[str, object]) -> None:
    """Write one message to the client."""
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    sys.stdout.buffer.flush()


def receive() -> dict[str, object] | None:
    """The next message of the client; None at the end."""
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    if not length:
        return None
    message = json.loads(sys.stdin.buffer.read(length))
    assert isinstance(message, dict)
    return message


def show_stages() -> None:
    """Send each status when its file is there."""
    for name, status in STAGES.items():
        message = wait_for(name)
        send({"method": "experimental/serverStatus", "params": {**status, "message": message}})


def main() -> None:
    """Serve one client."""
    while (message := receive()) is not None:
        if message.get("method") == "initialize":
            wait_for("answer")
            send({"id": message["id"], "result": {"capabilities": CAPABILITIES, "serverInfo": INFO}})
            threading.Thread(target=show_stages, daemon=True).start()
        elif message.get("method") == "exit":
            return
        elif "id" in message and "method" in message:
            send({"id": message["id"], "result": None})


if __name__ == "__main__":
    main()
