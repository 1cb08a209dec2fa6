"""What a check of one statement sees of the module around it, and how it reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ptx_lsp.analysis.reports import Mark, Report
from ptx_lsp.analysis.symbols import Scope, Symbol
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import NOTHING, Severity, Tag
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.text.ranges import Range


@dataclass(frozen=True, slots=True)
class Profile:
    """The module's own statement of what it is written for.

    `version` and `targets` are what `.version` and `.target` say, or the newest known where they are missing or
    unreadable; `known` is False where the version is newer than ours, so that unknown words are no errors.
    """

    version: Version
    target: Target
    options: frozenset[str] = frozenset()  # of .target: texmode_independent, debug, map_f64_to_f32 ...
    address_size: int = 64
    known: bool = True


@dataclass(slots=True)
class Surroundings:
    """Handed to every check of a statement.

    `scope` is the innermost scope, already holding every declaration above the statement. `function` is the symbol
    of the function it stands in, None at module level; `depth` counts the open braces (0 at module level).
    """

    profile: Profile
    scope: Scope
    function: Symbol | None
    depth: int
    mark: Callable[[int, int], Mark]
    reports: list[Report]

    def report(
        self,
        code: str,
        start: int,
        end: int,
        message: str,
        *,
        related: tuple[tuple[Mark, str], ...] = (),
        severity: Severity | None = None,
        tags: tuple[Tag, ...] = (),
        data: Mapping[str, str] = NOTHING,
    ) -> None:
        """Say something about the text from `start` to `end` (offsets as in the statement's nodes)."""
        level = default_severity(code) if severity is None else severity
        self.reports.append(Report(code, self.mark(start, end), message, level, related, tags, data))


def range_in(line_starts: list[int], start: int, end: int) -> Range:
    """The range of two offsets in a text whose lines begin at `line_starts` (ascending, the first 0)."""
    from bisect import bisect_right

    first = bisect_right(line_starts, start) - 1
    last = bisect_right(line_starts, end) - 1
    return Range(first, start - line_starts[first], last, end - line_starts[last])
