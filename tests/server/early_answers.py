"""Random edits, after each of which the server is asked at once: its answers must be those of a fresh server.

    python -m tests.server.early_answers --tries 200 [--seed 1] [--first 0] [--begin WHAT] [FILE ...]

asks about names near the edit and elsewhere, while most of the text is still to be analysed: a slice of the analysis is
one block here. At its end it prints how often something was known before the analysis had ended.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ptx_lsp.analysis import suspicions
from ptx_lsp.text.document import Document
from tests.analysis.random_edits import Edits, Step, chunk_sizes
from tests.analysis.random_tries import command, with_failures
from tests.server.conversation import Conversation
from tests.server.every_request import URI
from tests.server.same_answers import change, opened, without_counts

METHODS = (
    *(
        "definition",
        "declaration",
        "references",
        "documentHighlight",
        "prepareRename",
        "rename",
        "prepareCallHierarchy",
    ),
    "linkedEditingRange",
)
NEAR = 40  # lines from the edit, within which half of the places are
_MORE = {"context": {"includeDeclaration": True}, "newName": "renamed_0_"}
_NAME = re.compile(r"[%$.\w]+")
counts = Counter[str]()
"""How many requests were made, and how many of them were answered before the analysis had ended."""


@contextmanager
def one_block_at_a_time() -> Iterator[None]:
    """Let each slice of the analysis be one block, and count the answers that do not need all of it."""
    is_known = suspicions.is_known

    def counted(*arguments: Any) -> bool:
        known = is_known(*arguments)
        counts["known early"] += known
        return known

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ptx_lsp.server.scheduler.SLICE", 0.0)
        patch.setattr(suspicions, "is_known", counted)
        yield


def difference(edits: Edits) -> str | None:
    """Edit a text, ask after each edit, and compare: the first answer that differs from a fresh server's, or None."""
    document = Document(edits.source)
    with chunk_sizes(edits.sizes), one_block_at_a_time():
        client = opened(edits.source)
        for version, step in enumerate(edits.steps, 2):
            document.edit(step.range, step.text)
            text = document.whole()
            asked = _asked(text, step)
            change(client, version, step.range, step.text)
            found = _answers(client, asked)
            if step.work == "all":
                client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
            for one, (method, position), wanted in zip(found, asked, _answers(opened(text), asked), strict=True):
                if one != wanted:
                    return f"{method} at {position} after {step}:\n    {one!r:.600}\n    {wanted!r:.600}"
    return None


def _asked(text: str, step: Step) -> list[tuple[str, dict[str, int]]]:
    """Each request with a place of a name, mostly."""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    chance = random.Random(f"{step} {len(text)}")
    asked = []
    for method in METHODS:
        near = min(len(rows) - 1, max(0, step.range.line + chance.randint(-NEAR, NEAR)))
        line = chance.choice((near, chance.randrange(len(rows))))
        names = list(_NAME.finditer(rows[line]))
        column = chance.choice(names).start() + 1 if names else chance.randint(0, len(rows[line]))
        asked.append((method, {"line": line, "character": column}))
    return asked


def _answers(client: Conversation, asked: list[tuple[str, dict[str, int]]]) -> list[Any]:
    """The answers to requests that are all sent before the first is answered."""
    counts["asked"] += len(asked)
    document = {"textDocument": {"uri": URI}}
    ids = [client.request(f"textDocument/{name}", {**document, "position": at, **_MORE}) for name, at in asked]
    found: dict[int, Any] = {}
    client.said.clear()
    while len(found) < len(ids):
        client.wait(lambda message: message.get("id") in ids and "method" not in message)
        found = {message["id"]: message for message in client.said if message.get("id") in ids}
    return [without_counts(found[id_].get("result", found[id_].get("error"))) for id_ in ids]


if __name__ == "__main__":
    command(__doc__, with_failures(difference), tries=200)
    print(dict(counts))
