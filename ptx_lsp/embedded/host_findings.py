"""The findings of a text in another language: those of its statements, less what other text of the file explains."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from ptx_lsp.embedded.holes import braces_match, outside_braces
from ptx_lsp.embedded.inline_statement import Embedded, EmbeddedOptions
from ptx_lsp.embedded.places import LineIndex
from ptx_lsp.embedded.statement_findings import Placed
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Finding, Tag
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.ranges import Position, Range

_SUPPRESSION = lazy_pattern(r"(?://|#|;|/\*)[ \t]*ptx-lsp:[ \t]*ignore(?:[ \t]*\[([^\[\]\n]*)\])?")
MARKER = "ptx-lsp:"
_UNUSED = "unused-suppression"
_DECLARED = lazy_pattern(r"(?<![\w.])\.(?:reg|shared|local|global|const|param)\b[^;]*;")
_NAME = lazy_pattern(r"[A-Za-z_$%][\w$]*")
_EVERY_CODE = ""


def declared_names(embedded: Embedded) -> frozenset[str]:
    """The names that a statement declares outside of braces.

    A statement whose braces do not match may open the scope of other statements: all of its names count.
    """
    text = embedded.body.text
    if not any(word in text for word in (".reg", ".shared", ".local", ".global", ".const", ".param")):
        return frozenset()
    outside = outside_braces(text) if braces_match(text) else text
    return frozenset(name for declared in _DECLARED.finditer(outside) for name in _NAME.findall(declared[0]))


def is_explained(placed: Placed, names: Set[str], is_of_host: Callable[[str], bool]) -> bool:
    """Whether a finding is about a name that other text of the file declares.

    Another statement may declare a register outside of its braces (`names`), and a name without `%` may be a variable
    or a function of the host: `is_of_host` says whether its text has this word. A name of one letter means nothing.
    """
    name = placed.name
    if not name:
        return False
    return name in names or (len(name) > 1 and name[0] not in "%$" and is_of_host(name))


def words_in(text: str, name: str) -> list[str]:
    """The places where a text has a name as a word."""
    return re.findall(rf"(?<![\w$%]){re.escape(name)}(?![\w$])", text)


def suppressed(findings: list[Finding], chunks: Iterable[tuple[int, str]], options: EmbeddedOptions) -> list[Finding]:
    """The findings without those that a comment suppresses, in the order of the text.

    A comment `// ptx-lsp: ignore[code]` of the host is about the line on which a finding begins. `chunks` are the
    parts of the text, each with the number of its first line.
    """
    comments = {line: comment for first, text in chunks if MARKER in text for line, comment in _comments(first, text)}
    if comments:
        findings = _without_suppressed(findings, comments, options)
    return sorted(findings, key=lambda each: (each.range, each.severity, each.code, each.message))


class _Comment(NamedTuple):
    codes: frozenset[str]
    range: Range


def _comments(first: int, text: str) -> Iterator[tuple[int, _Comment]]:
    lines = LineIndex(text, Position(first, 0))
    for found in _SUPPRESSION.finditer(text):
        codes = frozenset(filter(None, (code.strip() for code in (found[1] or "").split(","))))
        range_ = lines.range(Span(*found.span()))
        yield range_.line, _Comment(codes or frozenset((_EVERY_CODE,)), range_)


def _without_suppressed(
    findings: list[Finding], comments: Mapping[int, _Comment], options: EmbeddedOptions
) -> list[Finding]:
    used: set[int] = set()
    left: list[Finding] = []
    for finding in findings:
        comment = comments.get(finding.range.line)
        if comment is not None and comment.codes & {_EVERY_CODE, finding.code}:
            used.add(finding.range.line)
        else:
            left.append(finding)
    severity = options.checks.level(_UNUSED, default_severity(_UNUSED))
    if severity is not None:
        message = "no finding of inline PTX with these codes starts on this line"
        unused = (comment for line, comment in comments.items() if line not in used)
        left += [Finding(_UNUSED, each.range, message, severity, tags=(Tag.UNNECESSARY,)) for each in unused]
    return left
