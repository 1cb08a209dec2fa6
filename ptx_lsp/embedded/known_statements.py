"""What is known of a statement by its text alone, and the runs of a text in which statements are found together."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from ptx_lsp.embedded.collected_findings import Ranged
from ptx_lsp.embedded.fragment import judge_steps
from ptx_lsp.embedded.host_findings import declared_names, partners_of_braces
from ptx_lsp.embedded.inline_statement import Embedded, EmbeddedOptions, embed
from ptx_lsp.embedded.statement_findings import Placed, embedded_findings
from ptx_lsp.hosts.statement import AsmStatement, State
from ptx_lsp.memo import Memo

_MOST_REMEMBERED = 10_000  # statements


class Known(NamedTuple):
    """What is known of a statement by its text alone: its PTX (None if it has none) and its findings.

    All offsets count from the beginning of the statement. `provides` are the names of PTX that it declares for others,
    and the braces that are the partners of theirs.
    """

    source: str
    embedded: Embedded | None
    findings: tuple[Placed, ...]
    provides: frozenset[str] = frozenset()


class ScannedRun:
    """Chunks that are scanned together: the first one's state, and the statements that end in them.

    `statements` have offsets from the beginning of the first chunk. `known` is what is known of the first ones of them,
    which have been judged, each with its offset, `ranged` are their findings, `provides` what they provide for
    others. `state` is None for a chunk that is not the first of its run.
    """

    __slots__ = ("known", "provides", "ranged", "state", "statements")

    def __init__(self, state: State | None = None) -> None:
        self.state = state
        self.statements: list[AsmStatement] = []
        self.ranged: list[Ranged] = []
        self.known: list[tuple[int, Known]] = []
        self.provides: set[str] = set()


_known: Memo[tuple[object, ...], Known] = Memo(_MOST_REMEMBERED)


def known_steps(statement: AsmStatement, source: str, options: EmbeddedOptions) -> Generator[None, None, Known]:
    """What is known of a statement that begins at offset 0 of its source, in small steps; it is remembered."""
    checks = options.checks
    key = (statement, source, options.targets, frozenset(checks.severities.items()), *checks[1:])
    known = _known.get(key)
    if known is None:

        def part(start: int, end: int) -> str:
            return source[start:end]

        embedded = embed(statement, part, options)
        if embedded is not None:
            yield from judge_steps(embedded.fragment, checks)
        found = embedded_findings(embedded, part, options) if embedded is not None else ()
        declares = declared_names(embedded) if embedded is not None else frozenset[str]()
        partners = partners_of_braces(statement, embedded)
        known = _known[key] = Known(source, embedded, found, declares | partners)
    return known
