"""Findings of a second source in an open document: published with those of the analysis, and moved by random edits."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp.analysis.module import Checks
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.findings.other_sources import FindingSource
from ptx_lsp.server.client import Client
from ptx_lsp.server.diagnostics import Publications
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.files import NoFiles
from ptx_lsp.server.server import Server
from ptx_lsp.text.joined_edits import MANY
from ptx_lsp.text.lines import Encoding
from ptx_lsp.text.ranges import Position, Range
from tests.server.conversation import ADD, MISTAKEN, MODULE, replaced

URI = "file:///m.ptx"
ASSEMBLER = FindingSource("ptxas")
WORDS = "\n".join(" ".join(f"w{line}_{word}" for word in range(5)) for line in range(12))


def opened(text: str) -> tuple[Server, OpenDocument, list[dict[str, Any]]]:
    """A server with one analysed document, and the parameters of what it publishes."""
    server = Server(Client(), NoFiles())
    published: list[dict[str, Any]] = []
    server.publications = Publications(lambda body: published.append(json.loads(body)["params"]), lambda: 0)
    document = OpenDocument(URI, 1, text, server.checks(URI), Encoding.UTF16)
    server.documents[URI] = document
    document.module.work()
    server.publish(document)
    return server, document, published


def codes(params: dict[str, Any]) -> list[tuple[int, str, str]]:
    """The line, source and code of each diagnostic that was published."""
    return [(each["range"]["start"]["line"], each["source"], each.get("code", "")) for each in params["diagnostics"]]


async def test_a_second_source_is_published_with_the_analysis_and_moves_with_edits() -> None:
    server, document, published = opened(MISTAKEN)
    assert codes(published[-1]) == [(ADD, "ptx-lsp", "operand-type")]
    advice = Finding("C7508", Range(ADD + 1, 1, ADD + 1, 28), "an advisory", Severity.INFORMATION)
    nameless = Finding("", Range(ADD - 1, 1, ADD - 1, 16), "a warning", Severity.WARNING)
    server.set_findings(document, ASSEMBLER, [advice, nameless])
    expected = [(ADD - 1, "ptxas", ""), (ADD, "ptx-lsp", "operand-type"), (ADD + 1, "ptxas", "C7508")]
    assert codes(published[-1]) == expected
    assert "codeDescription" not in published[-1]["diagnostics"][2]
    server.edit(document, 2, [replaced(0, 0, 0, "// a line\n// another one\n")])
    document.module.work()
    server.publish(document)
    assert codes(published[-1]) == [(line + 2, source, code) for line, source, code in expected]
    assert published[-1]["version"] == 2
    server.edit(document, 3, [replaced(ADD + 1, 10, 10, "x")])
    document.module.work()
    server.publish(document)
    assert (ADD + 1, "ptxas", "") not in codes(published[-1])


async def test_errors_of_another_source_are_left_out_where_the_analysis_has_one() -> None:
    server, document, published = opened(MISTAKEN)
    error = Finding("", Range(ADD, 1, ADD, 29), "Arguments mismatch for instruction 'add'", Severity.ERROR)
    server.set_findings(document, ASSEMBLER, [error])
    assert codes(published[-1]) == [(ADD, "ptx-lsp", "operand-type")]
    server, document, published = opened(MODULE)
    server.set_findings(document, ASSEMBLER, [error])
    assert codes(published[-1]) == [(ADD, "ptxas", "")]
    server.set_findings(document, ASSEMBLER, [])
    assert codes(published[-1]) == []


async def test_the_limit_of_findings_counts_those_of_all_sources() -> None:
    server, document, _ = opened(MODULE)
    many = [Finding(f"C{number}", Range(ADD, 1, ADD, 5), "m", Severity.WARNING) for number in range(2 * 1000)]
    most = server.settings.maximum
    assert most is not None
    server.set_findings(document, ASSEMBLER, many)
    shown, more = server.leading_findings(document)
    assert len(shown) == min(most, len(many))
    assert len(shown) + more == len(many)


POSITION = st.tuples(st.integers(0, 12), st.integers(0, 30))
EDIT = st.tuples(POSITION, POSITION, st.sampled_from(["", "x", " ", "\n", "a b\n", "\n\n\n", "longer text"]))


@settings(max_examples=150, deadline=None)
@given(st.lists(EDIT, min_size=1, max_size=8), st.booleans())
def test_random_edits_move_findings_with_their_words(edits: list[Any], whole: bool) -> None:
    document = OpenDocument(URI, 1, WORDS, Checks(), Encoding.UTF16)
    words = {}
    for line, text in enumerate(WORDS.split("\n")):
        for word in text.split():
            words[word] = Range(line, text.index(word), line, text.index(word) + len(word))
    findings = [Finding(word, range_, "m", Severity.WARNING) for word, range_ in words.items()]
    document.other_findings.set(ASSEMBLER, findings)
    for version, (one, other, new) in enumerate(edits, 2):
        copy = document.module.document
        start, end = (copy.clamp(Position(*each)) for each in sorted((one, other)))
        known = {finding.code: finding.range for finding in document.other_findings.merged([])}
        change: dict[str, Any] = {"range": document.wire_range(Range(*start, *end)), "text": new}
        if whole:
            before, after = copy.text(Range(0, 0, *start)), copy.text(Range(*end, *copy.end()))
            change = {"text": before + new + after}
        document.apply(version, [change])
        kept = {finding.code: finding.range for finding in document.other_findings.merged([])}
        assert {word: document.module.document.text(range_) for word, range_ in kept.items()} == {w: w for w in kept}
        hit = {word for word, place in known.items() if start < place.end and end > place.start}
        if whole:
            lines = range(start.line, end.line + 1)
            assert {word for word, place in known.items() if place.line not in lines} <= set(kept)
        else:
            assert set(kept) == set(known) - hit


@settings(max_examples=100, deadline=None)
@given(st.lists(EDIT, min_size=MANY, max_size=20), st.booleans())
def test_edits_of_one_message_move_findings_like_those_of_many(edits: list[Any], sorted_: bool) -> None:
    together, alone = (OpenDocument(URI, 1, WORDS, Checks(), Encoding.UTF16) for _ in range(2))
    for document in (together, alone):
        places = [Range(line, 0, line, len(text)) for line, text in enumerate(WORDS.split("\n")) if text]
        findings = [Finding(str(place), place, "m", Severity.WARNING) for place in places]
        document.other_findings.set(ASSEMBLER, findings)
    if sorted_:
        ends = sorted(together.text.clamp(Position(*each)) for one, other, _ in edits for each in (one, other))
        edits = list(zip(ends[::2], ends[1::2], (new for _, _, new in edits), strict=True))[::-1]
    changes = []
    for one, other, new in edits:
        changes.append({"range": together.wire_range(Range(*min(one, other), *max(one, other))), "text": new})
    together.apply(2, changes)
    for version, change in enumerate(changes, 2):
        alone.apply(version, [change])
    assert together.text.whole() == alone.text.whole()
    assert together.other_findings.merged([]) == alone.other_findings.merged([])


def test_changes_of_neighbouring_lines_are_one_edit_of_the_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    document = OpenDocument(URI, 1, "\n".join("ret;" for _ in range(500)), Checks(), Encoding.UTF16)
    edits: list[Range | None] = []
    monkeypatch.setattr(document.module, "edit", lambda range_, text: edits.append(range_))
    document.apply(2, [{"range": document.wire_range(Range(line, 0, line, 0)), "text": "// "} for line in range(500)])
    assert edits == [Range(0, 0, 499, 0)]
