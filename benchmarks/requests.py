"""Requests about long documents, for every kind of producer: hovers while it loads, and requests of the whole text.

The server runs in this process, step by step; the times are processor time, so that other load matters little.
"""

import gc
import json
import random
import re
import time
from collections.abc import Iterator

from benchmarks.kinds import KINDS, Kind, longest
from benchmarks.material import read_source, repeated
from benchmarks.plan import Plan
from benchmarks.table import Row, percentile
from ptx_lsp.server.frames import frame
from ptx_lsp.server.stepped_server import SteppedServer

URI = "file:///asked.ptx"
HINTED = 5  # times the lines of the text of each kind, for those of `HINTED_KINDS`
HINTED_KINDS = ("Triton", "nvcc", "nvcc -lineinfo", "nvcc -G")
SEED = 5
WHOLE = ("documentSymbol", "semanticTokens/full", "foldingRange", "codeLens", "documentLink", "formatting")
"""Requests about a whole text, each of which is answered in steps."""
IN_RANGE = ("semanticTokens/range", "inlayHint", "inlineValue", "codeAction", "rangeFormatting")
"""Requests that are made about a whole text and about `SHOWN` lines."""
AT_POSITION = (
    *("hover", "completion", "signatureHelp", "definition", "declaration", "references", "documentHighlight"),
    *("prepareRename", "rename", "selectionRange", "prepareCallHierarchy", "linkedEditingRange"),
)
SHOWN = 60  # lines
PLACES = 20  # random places for each of these
_NAME = re.compile(r"[%$.\w]+")
PORTION = 1 << 16  # bytes that the server reads at once from a pipe


class Client:
    """A client with one document, which counts the processor time of the server."""

    def __init__(self) -> None:
        gc.unfreeze()  # this server begins with a search, which frees what an earlier one in this process has exempted
        self._server = SteppedServer()
        self._id = 0
        capabilities = {"workspace": {"applyEdit": True}}  # as all known clients have
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.notify("initialized", {})
        while self.busy:
            self._server.step()

    @property
    def busy(self) -> bool:
        """Whether the server has something to do now."""
        return self._server.due() == 0.0

    def open(self, text: str) -> None:
        """Send a document, in portions as a pipe gives them; it is analysed during later requests."""
        item = {"uri": URI, "languageId": "ptx", "version": 1, "text": text}
        message = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
        data = frame(json.dumps(message).encode())
        for begin in range(0, len(data), PORTION):
            self._server.feed(data[begin : begin + PORTION])

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._server.feed(frame(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()))

    def request(self, method: str, params: object) -> tuple[float, float]:
        """The seconds of all steps until the answer to a request, and those of the longest one."""
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self._server.feed(frame(json.dumps(message).encode()))
        answer = f'"id":{self._id}'.encode()
        steps: list[float] = []
        sent = b""
        while answer not in sent.replace(b'": ', b'":'):
            before = time.process_time()
            sent = self._server.step()
            steps.append(time.process_time() - before)
        return sum(steps), max(steps)

    def finish(self) -> None:
        """Let the server do all that is due."""
        while self.busy:
            self._server.step()


def requests(plan: Plan) -> Iterator[Row]:
    """Hovers while a document of each kind loads; the hints of a whole document."""
    if not plan.corpora:
        yield Row("requests: give a corpus of PTX files with --corpus", "")
        return
    for kind in KINDS:
        text = _text(plan, kind, plan.kind)
        if text:
            yield _hovers(kind, text)
            yield _longest_steps(kind, text)
    for kind in KINDS:
        text = _text(plan, kind, HINTED * plan.kind) if kind.name in HINTED_KINDS else ""
        if text:
            yield _hints(kind, text)


def _text(plan: Plan, kind: Kind, lines: int) -> str:
    path = longest(plan.corpora, kind.patterns)
    return "" if path is None else repeated(read_source(path, own_target=True), lines)


def _hovers(kind: Kind, text: str) -> Row:
    lines = text.count("\n")
    chance = random.Random(SEED)
    client = Client()
    client.open(text)
    gc.collect()
    times = []
    while client.busy:
        place = {"line": chance.randrange(lines), "character": 3}
        times.append(client.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": place})[0])
    what = f"{kind.name}, {lines:,} lines: hover while it loads, p50 / worst of {len(times)}, cpu"
    measured = f"{percentile(times, 0.5) * 1000:.1f} / {max(times) * 1000:.1f} ms"
    return Row(what, measured, "", "", "worst 30 ms", "worst 10 ms")


def _longest_steps(kind: Kind, text: str) -> Row:
    """The longest step of the server, for each request: so long another request waits."""
    lines = text.count("\n")
    chance = random.Random(SEED)
    client = Client()
    client.open(text)
    client.finish()
    gc.collect()
    everywhere = {"line": 0, "character": 0}
    longest = {name: client.request(f"textDocument/{name}", asked(everywhere, lines))[1] for name in WHOLE + IN_RANGE}
    rows = text.split("\n")
    for name in AT_POSITION + IN_RANGE:
        places = [_name_in(rows, chance.randrange(lines), chance) for _ in range(PLACES)]
        all_asked = [asked(place, min(place["line"] + SHOWN, lines)) for place in places]
        step = max(client.request(f"textDocument/{name}", each)[1] for each in all_asked)
        longest[name] = max(step, longest.get(name, 0.0))
    slowest = sorted(longest.items(), key=lambda each: -each[1])
    shown = ", ".join(f"{name} {seconds * 1000:.1f}" for name, seconds in slowest)
    return Row(
        f"{kind.name}, {lines:,} lines: longest step in ms, cpu: {shown}",
        f"{max(longest.values()) * 1000:.1f} ms",
        "",
        "",
        "15 ms",
        "5 ms",
    )


def asked(place: dict[str, int], last: int) -> dict[str, object]:
    """The parameters of any request about a position, or about the lines from there to the line `last`."""
    range_ = {"start": place, "end": {"line": last, "character": 0}}
    return {
        "textDocument": {"uri": URI},
        "position": place,
        "positions": [place],
        "range": range_,
        "context": {
            "triggerKind": 1,
            "isRetrigger": False,
            "includeDeclaration": True,
            "diagnostics": [],
            "frameId": 0,
            "stoppedLocation": range_,
        },
        "options": {"tabSize": 8, "insertSpaces": False},
        "newName": "renamed",
    }


def _name_in(rows: list[str], line: int, chance: random.Random) -> dict[str, int]:
    """The position of a name or a number in a line, or its begin."""
    found = [match.start() for match in _NAME.finditer(rows[line])]
    return {"line": line, "character": chance.choice(found) if found else 0}


def _hints(kind: Kind, text: str) -> Row:
    lines = text.count("\n")
    client = Client()
    client.open(text)
    client.finish()
    gc.collect()
    gc.freeze()
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}}
    took, step = client.request("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": range_})
    what = f"{kind.name}, {lines:,} lines: hints of all, and the longest wait of others, cpu"
    return Row(what, f"{took:.2f} s, {step * 1000:.1f} ms", "", "", "3 s, 15 ms", "1 s, 5 ms")
