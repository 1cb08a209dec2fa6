"""Every request of the request table, asked at many places of a text: failures, ranges outside, nulls."""

import random
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ptx_lsp.server.request_table import COMMANDS, REQUESTS
from ptx_lsp.text.lines import line_starts
from tests.server.conversation import Conversation, in_this_process

URI = "file:///m.ptx"
NOTIFIED = re.compile(r"initialized|textDocument/did|workspace/did")
"""The methods of the table that are no requests."""

REFUSED = -32803
"""The code of an answer that refuses a renaming, with its reason."""

CAPABILITIES = {
    "textDocument": {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "resolveSupport": {"properties": ["edit"]},
        },
        "completion": {"completionItem": {"snippetSupport": True}},
        "rename": {"prepareSupport": True},
    }
}
_TOKEN = re.compile(r"[%$.\w]+|\S")
_AT_POSITION = (
    *("hover", "completion", "signatureHelp", "definition", "declaration", "references", "documentHighlight"),
    *("prepareRename", "rename", "prepareCallHierarchy", "linkedEditingRange", "onTypeFormatting"),
)
_OF_DOCUMENT = ("codeLens", "documentSymbol", "documentLink", "foldingRange", "semanticTokens/full", "formatting")
_OF_RANGE = ("inlayHint", "codeAction", "semanticTokens/range", "rangeFormatting", "inlineValue")
_STYLE = {"tabSize": 8, "insertSpaces": False}


class Asked:
    """The requests of one text: `counts` by method, and `problems` as sentences.

    Without a `client`, in whose document the text is, it is opened in a new server.
    """

    def __init__(self, text: str, client: Conversation | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self._lengths = _lengths(text)
        self._client = client or in_this_process(CAPABILITIES)
        if client is None:
            self._client.open(text, URI)
        self._document = {"textDocument": {"uri": URI}}

    def about_document(self) -> None:
        """All requests about the document or the workspace."""
        for method in _OF_DOCUMENT:
            answer = self.ask(f"textDocument/{method}", {"options": _STYLE})
            if method == "semanticTokens/full" and answer:
                self._look_at_tokens(answer["data"])
                self.ask(f"textDocument/{method}/delta", {"previousResultId": answer.get("resultId", "")})
            elif method == "documentLink":
                for link in (answer or ())[:3]:
                    self.ask("documentLink/resolve", link)
        self.ask("textDocument/diagnostic", {})
        self.ask("workspace/diagnostic", {"previousResultIds": []})
        self.ask("workspace/symbol", {"query": "a"})

    def in_range(self, range_: dict[str, Any]) -> None:
        """All requests about a range."""
        more = {"context": {"diagnostics": [], "frameId": 0, "stoppedLocation": range_}, "options": _STYLE}
        for method in _OF_RANGE:
            answer = self.ask(f"textDocument/{method}", {"range": range_, **more})
            if method == "semanticTokens/range" and answer:
                self._look_at_tokens(answer["data"])
            elif method == "inlayHint":
                for hint in (answer or ())[:2]:
                    self.ask("inlayHint/resolve", hint)
            elif method == "codeAction":
                for action in (answer or ())[:3]:
                    self.ask("codeAction/resolve", action)

    def at(self, position: dict[str, int]) -> None:
        """All requests about a position."""
        context = {"includeDeclaration": True, "triggerKind": 1, "isRetrigger": False}
        more = {"context": context, "newName": "renamed_0_", "ch": ";"}
        for method in _AT_POSITION:
            answer = self.ask(f"textDocument/{method}", {"position": position, "options": _STYLE, **more})
            if method == "completion" and answer:
                for item in answer["items"][:2]:
                    self.ask("completionItem/resolve", item)
            elif method == "prepareCallHierarchy":
                for item in answer or ():
                    self.ask("callHierarchy/incomingCalls", {"item": item})
                    self.ask("callHierarchy/outgoingCalls", {"item": item})
        self.ask("textDocument/selectionRange", {"positions": [position]})
        line = position["line"]
        for command in COMMANDS:
            given = {"uri": URI, "range": {"start": position, "end": position}, "position": position, "line": line}
            self.ask("workspace/executeCommand", {"command": command.name, "arguments": [given]})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer to one request; an error, a range outside of the text or a null is kept as a problem."""
        self.counts[method] += 1
        answer = self._client.answer(self._client.request(method, {**self._document, **params}))
        self._client.said.clear()
        if "error" in answer:
            if answer["error"]["code"] != REFUSED or not method.lower().endswith("rename"):
                self.problems.append(f"{method} {params}: {answer['error']}")
            return None
        for place in places_in(answer["result"]):
            if not self._is_inside(place):
                self.problems.append(f"{method} {params}: {place} is outside")
        self.problems += (f"{method} {params}: `{name}` is null" for name in nulls_in(answer["result"]))
        return answer["result"]

    def _is_inside(self, place: dict[str, int]) -> bool:
        line = place["line"]
        return 0 <= line < len(self._lengths) and 0 <= place["character"] <= self._lengths[line]

    def _look_at_tokens(self, data: list[int]) -> None:
        line = column = 0
        for at in range(0, len(data), 5):
            line, column = line + data[at], data[at + 1] + (0 if data[at] else column)
            if not self._is_inside({"line": line, "character": column + data[at + 2]}):
                self.problems.append(f"a semantic token at {line}:{column} is outside")


def places_in(answer: Any) -> Iterator[dict[str, int]]:
    """All positions in an answer, however deep."""
    if isinstance(answer, list):
        for each in answer:
            yield from places_in(each)
    elif isinstance(answer, dict):
        if answer.keys() == {"line", "character"}:
            yield answer
        elif "startLine" in answer:
            yield {"line": answer["startLine"], "character": answer.get("startCharacter", 0)}
            yield {"line": answer["endLine"], "character": answer.get("endCharacter", 0)}
        else:
            for each in answer.values():
                yield from places_in(each)


MAY_BE_NULL = frozenset(("version", "uri"))
"""The version of a file, and in the answer of `ptx.sourceOf` the address of a source file that does not exist."""


def nulls_in(answer: Any) -> Iterator[str]:
    """The properties of an answer that are null, which older clients do not expect."""
    if isinstance(answer, list):
        for each in answer:
            yield from nulls_in(each)
    elif isinstance(answer, dict):
        yield from (name for name, value in answer.items() if value is None and name not in MAY_BE_NULL)
        for each in answer.values():
            yield from nulls_in(each)


def _lengths(text: str) -> list[int]:
    """The length of each line without its line end, in units of UTF-16."""
    lines = re.split(r"\r\n|\r|\n", text)
    return [len(line.encode("utf-16-le", "surrogatepass")) // 2 for line in lines]


def ask_everything(text: str, places: int, seed: int = 0, asked: Asked | None = None) -> Asked:
    """Ask about the document, and at `places` tokens and random positions of it; for every fourth one about a range.

    `asked` takes the answers; None: a new one, with a new server.
    """
    choose = random.Random(seed)
    asked = asked or Asked(text)
    asked.about_document()
    starts = line_starts(text)
    tokens = [match.start() for match in _TOKEN.finditer(text)]
    for number in range(places):
        offset = choose.choice(tokens) if tokens and number % 5 else choose.randint(0, len(text))
        line = bisect_right(starts, offset) - 1
        before = text[starts[line] : offset].rstrip("\r\n")
        position = {"line": line, "character": len(before.encode("utf-16-le", "surrogatepass")) // 2}
        asked.at(position)
        if number % 4 == 0:
            end = min(line + choose.randrange(60), len(starts) - 1)
            asked.in_range({"start": position, "end": {"line": end, "character": 0 if end > line else 9999}})
    return asked


def unasked(counts: Counter[str]) -> set[str]:
    """The requests of the table that were never asked."""
    return {row.method for row in REQUESTS if not NOTIFIED.match(row.method)} - set(counts)
