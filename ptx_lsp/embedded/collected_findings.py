"""The findings of all statements of a text, less what other text of it explains: collected in small steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from typing import NamedTuple

from ptx_lsp.embedded.host_findings import counts_of_words, may_be_of_host
from ptx_lsp.embedded.statement_findings import Placed
from ptx_lsp.findings.finding import Finding
from ptx_lsp.text.document import Document

_FINDINGS_PER_STEP = 100
_CHUNKS_PER_STEP = 4

Steps = Generator[None, None, list[Finding]]


class Ranged(NamedTuple):
    """A finding with its ranges, whose lines count from the beginning of the run, and the source of its statement."""

    placed: Placed
    finding: Finding
    source: str


class RunFindings(NamedTuple):
    """The findings of statements that are scanned together; the first chunk of the run is number `chunk`."""

    chunk: int
    ranged: list[Ranged]
    provides: set[str]


def collected(document: Document, found: list[RunFindings]) -> Steps:
    """The findings that no other text of the document explains, in the order of the runs.

    The caller may pause between two steps, and must begin again if the document is edited.
    """
    named = any(each.placed.name for run in found for each in run.ranged)
    names = set[str]().union(*(run.provides for run in found)) if named else set[str]()
    yield
    elsewhere = yield from _named_elsewhere(document, (each for run in found for each in run.ranged))
    kept: list[Finding] = []
    for run in found:
        line = document.chunk_line(run.chunk)
        for number, each in enumerate(run.ranged):
            if each.placed.name not in names and (each.source, each.placed.name) not in elsewhere:
                kept.append(each.finding.shifted(line))
            if not number % _FINDINGS_PER_STEP:
                yield
    return kept


def _named_elsewhere(document: Document, ranged: Iterable[Ranged]) -> Generator[None, None, set[tuple[str, str]]]:
    """The sources of statements, each with a name of a finding that the text has outside of the statement too.

    Such a name may be that of a variable or function of the host.
    """
    named: dict[str, set[str]] = {}
    for each in ranged:
        if may_be_of_host(each.placed.name):
            named.setdefault(each.source, set()).add(each.placed.name)
    names = set[str]().union(*named.values())
    everywhere: Counter[str] = Counter()
    for index in range(document.chunk_count) if names else ():
        everywhere.update(counts_of_words(document.chunk(index), names))
        if not index % _CHUNKS_PER_STEP:
            yield
    found: set[tuple[str, str]] = set()
    for number, (source, its_names) in enumerate(named.items()):
        inside = counts_of_words(source, its_names)
        found |= {(source, name) for name in its_names if inside[name] < everywhere[name]}
        if not number % _FINDINGS_PER_STEP:
            yield
    return found
