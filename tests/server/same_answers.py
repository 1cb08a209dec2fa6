"""Random edits: after them, every answer of the server must be that of a fresh server for the same text.

    python -m tests.server.same_answers --tries 200 [--seed 1] [--first 0] [--with-fresh] [--begin WHAT] [FILE ...]

prints every sequence of edits after which an answer differs, made as short as possible. All requests of
`every_request` are compared, about the document and at some places of it; semantic tokens also as the difference from
the answer before the last edit. Without `--with-fresh` no fresh analysis follows an edit, as in
`tests/analysis/incremental.py`.
"""

from typing import Any

from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range
from tests.analysis.random_edits import SIZES, Edits, chunk_sizes
from tests.analysis.random_tries import command, with_failures
from tests.server.conversation import Conversation, Message, in_this_process
from tests.server.every_request import CAPABILITIES, URI, Asked, ask_everything

PLACES = 12  # at which requests are compared
_CAPABILITIES = {**CAPABILITIES, "general": {"positionEncodings": ["utf-32"]}}
_TOKENS = "textDocument/semanticTokens/full"
_ABOUT = {"textDocument": {"uri": URI}}
_PROBLEM = "a problem"
_COUNTED = frozenset(("resultId", "data", "previousResultId", "version"))
"""What names a state of a document: no two servers need to have the same."""


def without_counts(answer: Any) -> Any:
    """An answer, or the parameters of a request, without what may differ between two servers."""
    if isinstance(answer, list):
        return [without_counts(each) for each in answer]
    if isinstance(answer, dict):
        left = {key: value for key, value in answer.items() if key not in _COUNTED}
        if isinstance(answer.get("data"), list):
            left["tokens"] = answer["data"]
        return {key: without_counts(value) for key, value in left.items()}
    return answer


class Recorded(Asked):
    """The requests of one text, with their answers, in the order in which they were made."""

    def __init__(self, text: str, client: Conversation) -> None:
        super().__init__(text, client)
        self.answers: list[tuple[str, Any, Any]] = []

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer to one request, which is kept."""
        answer = super().ask(method, params)
        self.answers.append((method, without_counts(params), without_counts(answer)))
        return answer


def opened(text: str) -> Conversation:
    """A server with a document that has been analysed."""
    client = in_this_process(_CAPABILITIES)
    client.open(text, URI)
    client.ask("textDocument/diagnostic", _ABOUT)
    return client


def change(client: Conversation, version: int, range_: Range, text: str) -> None:
    """Send an edit."""
    start, end = range_.start, range_.end
    where = {
        "start": {"line": start.line, "character": start.column},
        "end": {"line": end.line, "character": end.column},
    }
    client.change(version, {"range": where, "text": text}, uri=URI)


def delta_applied(before: list[int], answer: Message) -> list[int]:
    """The numbers of semantic tokens after an answer to a request for their difference."""
    if "data" in answer:
        found: list[int] = answer["data"]
        return found
    after = list(before)
    for edit in sorted(answer["edits"], key=lambda each: -each["start"]):
        after[edit["start"] : edit["start"] + edit["deleteCount"]] = edit.get("data", [])
    return after


def everything(text: str, client: Conversation) -> list[tuple[str, Any, Any]]:
    """The findings of an analysed document, and all answers about it and about the same places of it."""
    found = client.ask("textDocument/diagnostic", _ABOUT)
    asked = Recorded(text, client)
    ask_everything(text, PLACES, asked=asked)
    problems: list[tuple[str, Any, Any]] = [(_PROBLEM, {}, problem) for problem in asked.problems]
    return [("textDocument/diagnostic", {}, without_counts(found)), *asked.answers, *problems]


def difference(edits: Edits) -> str | None:
    """Open a text, edit it, and compare: the first answer that differs from that of a fresh server, or None."""
    document = Document(edits.source)
    with chunk_sizes(edits.sizes):
        client = opened(edits.source)
        tokens: Message = {}
        for version, step in enumerate(edits.steps, 2):
            document.edit(step.range, step.text)
            change(client, version, step.range, step.text)
            if step.work == "all":
                tokens = client.ask(_TOKENS, _ABOUT) or {}
            for request, _ in step.asks:
                client.ask(f"textDocument/{_ASKED[request]}", _ABOUT)
        text = document.whole()
        changed: Message | None = None
        if tokens:
            changed = client.ask(f"{_TOKENS}/delta", {**_ABOUT, "previousResultId": tokens["resultId"]})
        kept = everything(text, client)
    with chunk_sizes(SIZES):
        wanted = everything(text, opened(text))
    if kept[-1][0] == _PROBLEM:
        return str(kept[-1][2])  # no server may have any
    for one, other in zip(kept, wanted, strict=False):
        if one != other:
            return f"{one[:2]}\n    {_apart(one[2], other[2])}"
    if len(kept) != len(wanted):
        return f"{len(kept)} answers, {len(wanted)} of a fresh server"
    full = next(answer for method, _, answer in kept if method == _TOKENS)
    if changed is not None and delta_applied(tokens["data"], changed) != (full or {}).get("tokens", []):
        return "the difference of the semantic tokens does not lead to the present ones"
    return None


_ASKED = {
    "hover": "documentSymbol",
    "hints": "foldingRange",
    "all hints": "semanticTokens/full",
    "actions": "codeLens",
    "needs": "diagnostic",
}
"""The request about the document that is made between two edits for each request of `random_edits`."""


def _apart(one: Any, other: Any) -> str:
    """What only one of two answers has."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next((f"{key}: {_apart(one[key], other[key])}" for key in one if one[key] != other[key]), "")
    if isinstance(one, list) and isinstance(other, list):
        at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        if at < min(len(one), len(other)) and not isinstance(one[at], int):
            return f"{at} of {len(one)} and {len(other)}: {_apart(one[at], other[at])}"
        at -= at % 5 if isinstance((one or other)[0], int) else 0
        return f"from {at} of {len(one)} and {len(other)}: {one[at : at + 10]} and {other[at : at + 10]}"
    return f"{one!r:.500} and {other!r:.500}"


if __name__ == "__main__":
    command(__doc__, with_failures(difference), tries=200)
