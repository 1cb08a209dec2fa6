"""The findings of a text in another language: those of its statements, less what other text of the file explains."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from ptx_lsp.embedded.holes import braces_match, last_end, outside_braces, unpaired_braces
from ptx_lsp.embedded.inline_statement import Embedded, EmbeddedOptions
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Finding, Tag
from ptx_lsp.findings.suppression import KEYWORD, MARKER, UNUSED, SuppressionReach, codes_of, reach_of, unused_message
from ptx_lsp.hosts.statement import AsmStatement
from ptx_lsp.isa.directive_names import DECLARED_IN
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.syntax.plain_text import places_of_name
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import Position, Range

_SUPPRESSION = lazy_pattern(r"(?://|#|;|/\*)" + KEYWORD)
_DECLARED = lazy_pattern(rf"(?<![\w.])(?:{'|'.join(sorted(map(re.escape, DECLARED_IN)))})\b[^;]*;")
_NAME = lazy_pattern(r"[A-Za-z_$%][\w$]*")
_WORD = lazy_pattern(r"(?<![\w$%])[\w$]+")
_FEW_NAMES = 8  # are searched for one by one: that is faster than to look at each word of a long text


def declared_names(embedded: Embedded) -> frozenset[str]:
    """The names that a statement declares outside of braces.

    A statement whose braces do not match may open the scope of other statements: all of its names count.
    """
    text = embedded.body.text
    if not any(word in text for word in DECLARED_IN):
        return frozenset()
    outside = outside_braces(text) if braces_match(text) else text
    return frozenset(
        name for declared in _DECLARED.finditer(outside, 0, last_end(outside)) for name in _NAME.findall(declared[0])
    )


def partners_of_braces(statement: AsmStatement, embedded: Embedded | None) -> frozenset[str]:
    """The braces of other statements that this one may open or close: they are no mistakes there.

    Text that is not known may have both.
    """
    template = statement.template
    if template.has_branches or template.has_holes:
        return frozenset("{}")
    unpaired = unpaired_braces(embedded.body.text if embedded is not None else template.text)
    return frozenset("}" if brace == "{" else "{" for brace in unpaired)


def uses_of_others(embedded: Embedded, name: str) -> bool:
    """Whether a statement names a register or variable of this name that another statement must declare."""
    text = embedded.body.text
    if name not in text or not counts_of_words(text, {name})[name]:
        return False
    return not any(name in _NAME.findall(declared[0]) for declared in _DECLARED.finditer(text, 0, last_end(text)))


def may_be_of_host(name: str) -> bool:
    """Whether a name of PTX may be that of a variable or function of the host. A name of one letter means nothing."""
    return len(name) > 1 and name[0] not in "%$"


def counts_of_words(text: str, names: Set[str]) -> Counter[str]:
    """How often a text has each of some names as a whole word."""
    if len(names) > _FEW_NAMES:
        return Counter(word for word in _WORD.findall(text) if word in names)
    return Counter({name: sum(1 for _ in places_of_name(text, name, 0, len(text))) for name in names if name in text})


def suppressed(findings: list[Finding], chunks: Iterable[tuple[int, str]], options: EmbeddedOptions) -> list[Finding]:
    """The findings without those that a comment suppresses, in the order of the text.

    A comment `// ptx-lsp: ignore[code]` of the host is about the line on which a finding begins, or about the line
    after it or the file. `chunks` are the parts of the text, each with the number of its first line.
    """
    comments = [comment for first, text in chunks if MARKER in text for comment in _comments(first, text)]
    if comments:
        findings = _without_suppressed(findings, comments, options)
    return sorted(findings, key=lambda each: (each.range, each.severity, each.code, each.message))


class _Comment(NamedTuple):
    codes: tuple[str, ...]
    reach: SuppressionReach
    range: Range

    def covers(self, finding: Finding) -> bool:
        """Whether the comment suppresses a finding."""
        if self.codes and finding.code not in self.codes:
            return False
        if self.reach is SuppressionReach.FILE:
            return True
        return finding.range.line == self.range.line + (self.reach is SuppressionReach.NEXT_LINE)


def _comments(first: int, text: str) -> Iterator[_Comment]:
    lines = LineIndex(text, Position(first, 0))
    for found in _SUPPRESSION.finditer(text):
        yield _Comment(codes_of(found[2]), reach_of(found[1]), lines.range(*found.span()))


def _without_suppressed(findings: list[Finding], comments: list[_Comment], options: EmbeddedOptions) -> list[Finding]:
    used: set[int] = set()
    left: list[Finding] = []
    for finding in findings:
        covering = {index for index, comment in enumerate(comments) if comment.covers(finding)}
        used |= covering
        if not covering:
            left.append(finding)
    severity = options.checks.level(UNUSED, default_severity(UNUSED))
    if severity is None or any(each.reach is SuppressionReach.FILE and UNUSED in each.codes for each in comments):
        return left
    for index, comment in enumerate(comments):
        if index not in used:
            message = unused_message(comment.codes, comment.reach)
            left.append(Finding(UNUSED, comment.range, message, severity, tags=(Tag.UNNECESSARY,)))
    return left
