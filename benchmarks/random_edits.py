"""Edits at random places of a whole file, by the kind of place: each breaks something, and the next one repairs it.

Measured is the processor time from the bytes of an edit to those of the first publication in which a finding of the
edit has appeared or gone. The server runs in this process, step by step: the load of the machine matters little.
The next edit comes as soon as the server has nothing to do.
"""

import gc
import json
import random
import re
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from benchmarks.kinds import KINDS, LONG, longest
from benchmarks.material import long_function, read_source, repeated
from benchmarks.plan import Plan
from benchmarks.table import Row, percentile
from ptx_lsp.server.frames import frame
from ptx_lsp.server.scheduler import QUIET
from ptx_lsp.server.stepped_server import SteppedServer

URI = "file:///edited.ptx"
SEED = 12
IN_ONE_FUNCTION = ("CUB", "Triton", "nvcc -G")
FUNCTION = 10_000  # lines of such a function
MUST, AIM = "2 / 10 / 30 ms", "0.7 / 4 / 15 ms"

Finding = tuple[str, int, int]  # code, and line and character where it begins


class PlaceKind(NamedTuple):
    """A kind of place: the lines that have one, with the place as group 1, and the text that breaks something there."""

    name: str
    pattern: re.Pattern[str]
    inserted: str


PLACES = (
    PlaceKind("a statement", re.compile(r"^[ \t]+(?:@!?%\w+[ \t]+)?[a-z]\w*()[.][^;\n]*;", re.M), "x"),
    PlaceKind("a declaration", re.compile(r"^[ \t]+\.reg[ \t]+\.\w+[ \t]+%[a-z_]+()", re.M), "x"),
    PlaceKind("a label", re.compile(r"^[$\w]+():[ \t]*$", re.M), "x"),
    PlaceKind("a brace", re.compile(r"^()[ \t]+[a-z][^;\n]*;", re.M), "}"),
    PlaceKind("a `.loc`", re.compile(r"^[ \t]*\.loc()[ \t]", re.M), "x"),
    PlaceKind("the module's header", re.compile(r"^\.target[ \t]+sm_()\d", re.M), "9"),
    PlaceKind("a function's header", re.compile(r"^(?:\.\w+[ \t]+)*\.(?:entry|func)()\b", re.M), "x"),
    PlaceKind("a comment's end", re.compile(r"^()[ \t]+[a-z][^;\n]*;", re.M), "/*"),
)


class Times(NamedTuple):
    """Seconds of the edits whose findings were published, and the number of the edits that changed no finding.

    `worst` is the line (from 0) of the slowest edit, and whether it has `broken` or `repaired` the text.
    """

    seconds: list[float]
    silent: int
    worst: tuple[int, str] = (0, "")


class Editor:
    """A client with one document, whose server runs in this process."""

    def __init__(self, text: str) -> None:
        self._passed = 0.0
        self._server = SteppedServer(clock=lambda: time.monotonic() + self._passed)
        self._version = 1
        self._published: frozenset[Finding] = frozenset()
        self._send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
        self._send("initialized", {})
        item = {"uri": URI, "languageId": "ptx", "version": 1, "text": text}
        found = self._send("textDocument/didOpen", {"textDocument": item})
        self._published = found[-1][1] if found else frozenset()
        self._passed += QUIET + 1.0  # the user reads before the first edit
        self._until_idle(time.process_time(), [])

    def edit(self, line: int, column: int, end: int, text: str) -> float | None:
        """Replace a part of a line; the seconds until a finding has appeared or gone, None if none ever does."""
        self._version += 1
        range_ = {"start": {"line": line, "character": column}, "end": {"line": line, "character": end}}
        document = {"uri": URI, "version": self._version}
        change = {"textDocument": document, "contentChanges": [{"range": range_, "text": text}]}
        before = self._published
        found = self._send("textDocument/didChange", change)
        if not found:
            return None
        self._published = found[-1][1]
        changed = self._published ^ before
        return next((seconds for seconds, findings in found if changed & (findings ^ before)), None)

    def _send(self, method: str, params: object, **more: object) -> list[tuple[float, frozenset[Finding]]]:
        """Send a message, and let the server do all that is due; what it published, each with the seconds before."""
        data = frame(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode())
        sent: list[tuple[float, bytes]] = []
        begun = time.process_time()
        self._server.feed(data)
        sent.append((0.0, self._server.step()))
        self._until_idle(begun, sent)
        return [(seconds, findings) for seconds, each in sent for findings in _publications(each)]

    def _until_idle(self, begun: float, sent: list[tuple[float, bytes]]) -> None:
        while self._server.due() == 0.0:
            given = self._server.step()
            if given:
                sent.append((time.process_time() - begun, given))


def _publications(data: bytes) -> Iterator[frozenset[Finding]]:
    while data:
        head, _, data = data.partition(b"\r\n\r\n")
        length = int(re.findall(rb"(?i)content-length: *(\d+)", head)[0])
        message: dict[str, Any] = json.loads(data[:length])
        data = data[length:]
        if message.get("method") == "textDocument/publishDiagnostics":
            found = ((d.get("code", ""), d["range"]["start"]) for d in message["params"]["diagnostics"])
            yield frozenset((code, at["line"], at["character"]) for code, at in found)


def random_edits(plan: Plan) -> Iterator[Row]:
    """Every kind of producer, repeated to the length of the plan, and the long files of the corpus as they are."""
    if not plan.corpora:
        yield Row("random edits: give a corpus of PTX files with --corpus", "")
        return
    for kind in KINDS:
        path = longest(plan.corpora, kind.patterns)
        if path is not None:
            text = repeated(read_source(path, own_target=True), plan.kind)
            yield from _of_text(kind.name, text, plan.edits)
    for kind in KINDS:
        path = longest(plan.corpora, kind.patterns)
        if path is not None and kind.name in IN_ONE_FUNCTION:
            text = long_function(path.read_text("utf-8", "surrogateescape"), FUNCTION)
            yield from _of_text(f"{kind.name}, one function", text, plan.edits)
    for path in sorted(path for corpus in plan.corpora for path in corpus.rglob("*.ptx")):
        text = path.read_text("utf-8", "surrogateescape")
        if text.count("\n") >= LONG:
            yield from _of_text(path.name, text, plan.edits)


def _of_text(name: str, text: str, edits: int) -> Iterator[Row]:
    editor = Editor(text)
    gc.collect()
    gc.freeze()
    for kind in PLACES:
        times = measure(editor, text, kind, edits)
        if times is not None:
            silent = f", {times.silent} silent" if times.silent else ""
            what = f"{name}, {text.count(chr(10)):,} lines, {kind.name} ({len(times.seconds)} edits{silent})"
            yield Row(what, _spread(times.seconds), f"line {times.worst[0]}", times.worst[1], MUST, AIM)


def measure(editor: Editor, text: str, kind: PlaceKind, edits: int) -> Times | None:
    """Break the text at random places of a kind, and repair it each time; None if it has no such place."""
    places = [match.start(1) for match in kind.pattern.finditer(text)]
    if not places:
        return None
    chance = random.Random(SEED)
    seconds: list[float] = []
    silent = 0
    worst, slowest = (0, ""), 0.0
    for _ in range(edits // 2):
        offset = chance.choice(places)
        line = text.count("\n", 0, offset)
        column = offset - (text.rfind("\n", 0, offset) + 1)
        for end, inserted in ((column, kind.inserted), (column + len(kind.inserted), "")):
            took = editor.edit(line, column, end, inserted)
            if took is None:
                silent += 1
                continue
            seconds.append(took)
            if took > slowest:
                worst, slowest = (line, "broken" if inserted else "repaired"), took
    return Times(seconds, silent, worst)


def _spread(seconds: list[float]) -> str:
    """The median, the 99th percentile and the maximum of times, as text."""
    shown = (percentile(seconds or [0.0], share) * 1000 for share in (0.5, 0.99, 1.0))
    return f"{' / '.join(f'{each:.1f}' for each in shown)} ms"
