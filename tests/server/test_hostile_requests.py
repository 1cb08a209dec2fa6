"""The work of each request grows linearly with the text, counted in calls of functions, as a clock is not exact."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from ptx_lsp.memo import forget_all
from ptx_lsp.server.preparation import Preparation
from ptx_lsp.server.request_table import REQUESTS
from tests.calls import calls_of
from tests.server.conversation import Conversation, in_this_process
from tests.server.every_request import CAPABILITIES, NOTIFIED

pytestmark = pytest.mark.slow

SMALL, TIMES = 250, 2  # the calls of some hints grow by the line from here on: 235 for each, less 26,000
SLACK = 1.3
CONSTANT = 40_000
URI = "file:///m.ptx"
HEAD = ".version 8.7\n.target sm_90\n.address_size 64\n"
BODY = (
    ".func g(.param .b32 a) {ret;}\n.entry k(.param .b64 p)\n{\n"
    ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<9>;\n"
)
TEXTS: dict[str, Callable[[int], str]] = {
    "operands of an instruction": lambda n: f"{HEAD}{BODY}add.s32 {'%r1, ' * n}%r2;\n}}\n",
    "elements of a vector": lambda n: f"{HEAD}{BODY}mov.b64 {{{'%r1, ' * n}%r2}}, %rd1;\n}}\n",
    "addresses": lambda n: f"{HEAD}{BODY}ld.b32 %r1, {'[%rd1], ' * n}[p];\n}}\n",
    "statements of a line": lambda n: f"{HEAD}{BODY}{'add.s32 %r1, %r2, 3; ' * n}\n}}\n",
    "calls of a line": lambda n: f"{HEAD}{BODY}{'call g, (%r1); ' * n}\n}}\n",
    "loops in loops": lambda n: (
        HEAD + BODY + "".join(f"L{i}:\nadd.s32 %r1, %r1, 1;\n@%p1 bra L{i // 2};\n" for i in range(n)) + "}\n"
    ),
    "functions of one name": lambda n: HEAD + ".func f() {ret;}\n" * n,
    "variables of one name": lambda n: f"{HEAD}{BODY}{'.reg .b32 x;' * n}mov.b32 x, 1;\n}}\n",
    "labels of one name": lambda n: f"{HEAD}{BODY}{'L: ' * n}bra L;\n}}\n",
    "comments in one column": lambda n: HEAD + BODY + "add.s32 %r1,%r2,3;      // sum\n" * n + "}\n",
    "positions in the source": lambda n: HEAD + '.file 1 "a.cu"\n' + BODY + ".loc 1 2 3\n" * n + "ret;\n}\n",
    "terms of an expression": lambda n: f"{HEAD}{BODY}mov.u32 %r1, {'1+' * n}%r2;\n}}\n",
    "scopes of a line": lambda n: f"{HEAD}{BODY}{'{' * n}mov.u32 %r1, 1;{'}' * n}\n}}\n",
}
METHODS = [row.method for row in REQUESTS if not NOTIFIED.match(row.method) and "/resolve" not in row.method]
LEFT_OUT = frozenset(("workspace/diagnostic", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"))


def work_of_requests(text: str) -> dict[str, int]:
    """The calls that each request about the middle of the longest line makes, after one that is not counted."""
    client: Conversation = in_this_process(CAPABILITIES)
    client.open(text)
    client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    lines = text.split("\n")
    longest = max(range(len(lines)), key=lambda number: len(lines[number]))
    place = {"line": longest, "character": len(lines[longest]) // 2}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    context = {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1, "isRetrigger": False}
    params: dict[str, Any] = {
        "textDocument": {"uri": URI},
        "position": place,
        "positions": [place],
        "range": whole,
        "context": {**context, "frameId": 1, "stoppedLocation": whole},
        "options": {"tabSize": 8, "insertSpaces": False},
        "newName": "other",
        "query": "k",
        "ch": "\n",
        "previousResultId": "1",
    }

    def ask(method: str) -> None:
        client.answer(client.request(method, params))

    return {method: calls_of(partial(ask, method)) for method in METHODS if method not in LEFT_OUT}


def pause_after_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """No preparation in the pauses, which depends on the speed of the machine as much as the pauses themselves do."""
    for name, module in list(sys.modules.items()):
        if name.startswith("ptx_lsp.server.") and hasattr(module, "SLICE"):
            monkeypatch.setattr(module, "SLICE", 0.0)
    monkeypatch.setattr(Preparation, "begin", lambda _: None)


@pytest.mark.parametrize("pattern", TEXTS)
def test_the_work_of_requests_is_linear(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    work_of_requests(TEXTS[pattern](3))  # imports, and what the first request of a kind prepares
    pause_after_each_step(monkeypatch)
    forget_all()
    small = work_of_requests(TEXTS[pattern](SMALL))
    forget_all()
    large = work_of_requests(TEXTS[pattern](SMALL * TIMES))
    assert {
        method: (small[method], calls)
        for method, calls in large.items()
        if calls > SLACK * TIMES * small[method] + CONSTANT
    } == {}
