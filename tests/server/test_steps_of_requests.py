"""How much work a request does before it gives way to other messages, counted in calls of functions.

The number of calls is the same on every machine, busy or not. Each step of a request is a slice of its own here.
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from ptx_lsp.server.request_table import REQUESTS, load
from tests.calls import calls_of
from tests.server.every_request import NOTIFIED
from tests.server.stepped_client import URI, Client, opened_by

MOST_CALLS = 50_000
"""Calls between two looks at the inbox: at most some ten milliseconds."""

CALLS_OF_BLOCK = 120_000
"""The same for what a text needs, for which every statement of a block is judged in one step."""

FUNCTIONS = 160
WAITS = 100
"""Tenths of a second of the clock, which passes only here, before an answer must be there."""
HEAD = ".version 8.4\n.target sm_90\n.address_size 64\n.visible .global .align 4 .b8 shared_name[64];\n"
FUNCTION = """.visible .entry kernel_{0}(
\t.param .u64 kernel_{0}_param_0,
\t.param .u32 kernel_{0}_param_1
)
{{
\t.reg .pred %p<4>;
\t.reg .b32 %r<40>;
\t.reg .b64 %rd<8>;
\tld.param.u64 %rd1, [kernel_{0}_param_0];
\tmov.u64 %rd2, shared_name;
\tmov.u32 %r1, {0}+0x{0};
\tmov.u32 %r2, %tid.x;
{1}$L_{0}:
\tsetp.lt.u32 %p1, %r2, {0};
\t@%p1 bra $L_{0};
\tst.global.u32 [%rd1+{0}], %r1;
\tadd.s32 %r3, %r1, %undeclared_{0};
\tret;
}}
"""
LINES = "".join(f"\tlop3.b32 %r{n}, %r{n - 1}, %r{n - 2}, {n}, 0xE8;\n$M_{{0}}_{n}:\n" for n in range(4, 24))
TEXT = HEAD + "".join(FUNCTION.format(number, LINES.format(number)) for number in range(FUNCTIONS))
LAST = TEXT.count("\n")
ROWS = TEXT.split("\n")
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": LAST, "character": 0}}
CONTEXT = {"diagnostics": [], "only": ["quickfix", "refactor.rewrite"], "triggerKind": 1}
CONTEXT |= {"isRetrigger": False, "includeDeclaration": True, "frameId": 1, "stoppedLocation": WHOLE}
LONG = (
    *("documentHighlight", "formatting", "inlayHint", "inlineValue", "rangeFormatting", "references"),
    *("rename", "selectionRange", "semanticTokens/full", "semanticTokens/range"),
)
"""The requests of documents that are asked here for so much that it is too long for one step."""
SINGLE = re.compile(r".*/resolve|workspace/diagnostic")
"""Requests about a single item, and the one that waits for news."""
METHODS = [each.method for each in REQUESTS if not NOTIFIED.match(each.method) and not SINGLE.fullmatch(each.method)]


class Counted(Client):
    """Counts the calls of functions, those in C too, in the longest step and in all of them.

    `counts` is true while they are counted, which takes several times as long as the work itself.
    """

    counts = True
    longest = 0
    total = 0

    def step(self) -> None:
        if not self.counts:
            super().step()
            return
        calls = calls_of(super().step)
        self.longest, self.total = max(self.longest, calls), self.total + calls


def pause_after_each_step(patch: pytest.MonkeyPatch) -> None:
    """Let a slice have one step: one that lasts some time has as many steps as the machine is fast."""
    for name, module in list(sys.modules.items()):
        if name.startswith("ptx_lsp.") and "SLICE" in vars(module):
            patch.setattr(module, "SLICE", 0.0)


@pytest.fixture(scope="module")
def client() -> Iterator[Counted]:
    """A client with the long text, after what the first request of each kind does once."""
    for request in REQUESTS:
        load(request.handler)
    with pytest.MonkeyPatch.context() as patch:
        pause_after_each_step(patch)
        made = Counted()
        made.counts = False
        opened_by(made, TEXT)
        for number, method in enumerate(METHODS):
            ask(made, number, method, 0)
        made.counts = True
        yield made


def ask(client: Counted, number: int, method: str, function: int) -> Any:
    """The result of a request about the whole text, or about a place in a function."""
    line = ROWS.index(f".visible .entry kernel_{function}(") + 14
    place = {"line": line, "character": 12}
    everywhere = {"line": 3, "character": 35}  # a name that every function uses
    item = {"name": "kernel_7", "kind": 12, "uri": URI, "range": WHOLE, "selectionRange": WHOLE}
    params = {
        "textDocument": {"uri": URI},
        "position": everywhere if method.endswith(("references", "documentHighlight", "rename")) else place,
        "range": WHOLE,
        "positions": [{"line": number, "character": 5} for number in range(5, LAST, 50)],
        "context": CONTEXT,
        "options": {"tabSize": 8, "insertSpaces": False},
        "newName": "other",
        "query": "kernel",
        "item": item,
        "ch": ";",
        "previousResultId": "1",
    }
    client.send({"id": f"{method} {number}", "method": method, "params": params})
    for _ in range(WAITS):
        client.settle()
        for message in client.received:
            if message.get("id") == f"{method} {number}" and "method" not in message:
                return message["result"]
        client.clock.now += 0.1
    raise AssertionError("there is no answer")


@pytest.mark.parametrize("method", METHODS)
def test_a_request_gives_way_after_some_work(client: Counted, method: str) -> None:
    client.longest = client.total = 0
    ask(client, FUNCTIONS, method, FUNCTIONS // 2)
    assert client.longest < (CALLS_OF_BLOCK if method == "textDocument/codeLens" else MOST_CALLS)
    if method.removeprefix("textDocument/") in LONG:
        assert client.total > MOST_CALLS


USES = 3_000
MANY_PLACES = (
    HEAD + ".visible .entry k() {\n\t.reg .b64 %rd<2>;\n" + "\tmov.u64 %rd1, shared_name;\n" * USES + "\tret;\n}\n"
)


@pytest.mark.parametrize("method", ["documentHighlight", "references", "rename"])
def test_many_places_are_answered_in_steps(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    pause_after_each_step(monkeypatch)
    client = Counted()
    opened_by(client, MANY_PLACES)
    for number in (1, 2):
        client.longest = 0
        answer = ask(client, number, f"textDocument/{method}", 0)
    assert json.dumps(answer).count('"start"') == USES + 1
    assert client.longest < MOST_CALLS


def test_many_symbols_are_answered_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    pause_after_each_step(monkeypatch)
    client = Counted()
    client.counts = False
    functions = MOST_CALLS // 2  # two calls for each are too many for one step
    opened_by(client, HEAD + "".join(f".func f{number}() {{ret;}}\n" for number in range(functions)))
    client.counts = True
    client.longest = client.total = 0
    answer = client.request(11, "textDocument/documentSymbol", {"textDocument": {"uri": URI}})["result"]
    assert len(answer) == functions + 1
    assert client.total > MOST_CALLS > client.longest


FEW_CALLS = 12_000
"""Calls of a step of some milliseconds."""


def longest_step_of_second(client: Counted, method: str, params: dict[str, Any]) -> int:
    """The calls of the longest step of a request that is made twice: what only the first one does is not counted."""
    for number in (11, 12):
        client.longest = 0
        assert client.request(number, f"textDocument/{method}", params)["result"]
    return client.longest


MANY_NAMES = (
    HEAD
    + "".join(f".global .f64 g{number};\n" for number in range(400))
    + ".visible .entry k() {\n\t.reg .f64 %rd<9000>;\n"
    + "".join(f"\tfma.rn.f64\t\t%rd{n}, %rd{n - 1}, %rd{n - 2}, %rd{n - 3};\n" for n in range(3, 1500))
    + "\tret;\n}\n"
)
"""A function with many registers, whose operands do not begin where the compiler of NVIDIA writes them."""


MANY_LABELS = (
    HEAD
    + ".visible .entry k() {\n\t.reg .b32 %r<9>;\n"
    + "".join(f"$L_{n}:\n\tbra.uni \t$L_{(n * 11) % 1400};\n\tadd.s32 \t%r1, %r2, {n};\n" for n in range(1400))
    + "\tret;\n}\n"
)
"""A function with many labels and branches."""


def mistake_below(statements: int) -> str:
    """A text with a mistake below this number of statements, which have to be read to know what is in its place."""
    above = "".join(f"\tadd.s32 \t%r1, %r2, {number} + 1;\n" for number in range(statements))
    files = "".join(f'.file {number} "k{number}.cu"\n' for number in range(1, 400))
    return f"{HEAD}{files}.visible .entry k() {{\n\t.reg .b32 %r<9>;\n{above}\tad.s32 \t%r1, %r2, 1;\n\tret;\n}}\n"


@pytest.mark.parametrize("method", ["codeAction", "inlineValue"])
def test_a_step_reads_few_statements_above_a_place(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    pause_after_each_step(monkeypatch)
    # the first text is for what the first request of a kind does once; the statements of a text are remembered
    for text in (mistake_below(1_000), mistake_below(3_000)):
        client = Counted()
        opened_by(client, text)
        line = text[: text.index("\tad.s32")].count("\n")
        params = {
            "textDocument": {"uri": URI},
            "range": {"start": {"line": line - 1, "character": 0}, "end": {"line": line, "character": 9}},
            "context": CONTEXT,
        }
        client.longest = 0
        assert client.request(11, f"textDocument/{method}", params)["result"]
    assert client.longest < FEW_CALLS


@pytest.mark.parametrize("written", ["$L_600:", "bra.uni \t$L_600;"])
def test_a_step_looks_at_few_labels(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    pause_after_each_step(monkeypatch)
    client = Counted()
    opened_by(client, MANY_LABELS)
    above = MANY_LABELS[: MANY_LABELS.index(written) + written.index("$")]
    place = {"line": above.count("\n"), "character": len(above.rpartition("\n")[2])}
    params = {"textDocument": {"uri": URI}, "position": place}
    assert longest_step_of_second(client, "completion", params) < FEW_CALLS


@pytest.mark.parametrize("method", ["completion", "rangeFormatting"])
def test_a_step_looks_at_few_names_and_lines(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    pause_after_each_step(monkeypatch)
    client = Counted()
    opened_by(client, MANY_NAMES)
    params = {
        "textDocument": {"uri": URI},
        "position": {"line": 1200, "character": 21},
        "range": {"start": {"line": 500, "character": 0}, "end": {"line": 1200, "character": 0}},
        "options": {"tabSize": 8, "insertSpaces": False},
    }
    assert longest_step_of_second(client, method, params) < FEW_CALLS
