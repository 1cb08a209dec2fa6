"""The findings of a text in another language: those of its statements, less what other text of the file explains."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from ptx_lsp.analysis.checks import Checks
from ptx_lsp.embedded.fragment import CANDIDATES
from ptx_lsp.embedded.holes import braces_match, outside_braces
from ptx_lsp.embedded.places import Lines
from ptx_lsp.embedded.statement import Embedded, Options, embed
from ptx_lsp.embedded.statement_findings import Placed, embedded_findings, with_ranges
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Finding, Tag
from ptx_lsp.hosts.scan import scan
from ptx_lsp.hosts.statement import AsmStatement, Host
from ptx_lsp.isa.versions import Target
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.ranges import Range

_SUPPRESSION = lazy_pattern(r"(?://|#|;|/\*)[ \t]*ptx-lsp:[ \t]*ignore(?:[ \t]*\[([^\[\]\n]*)\])?")
_MARKER = "ptx-lsp:"
_UNUSED = "unused-suppression"
_DECLARED = lazy_pattern(r"(?<![\w.])\.(?:reg|shared|local|global|const|param)\b[^;]*;")
_NAME = lazy_pattern(r"[A-Za-z_$%][\w$]*")
_EVERY_CODE = ""


def options_for(checks: Checks | None = None, targets: Iterable[Target] = ()) -> Options:
    """The choices of a user; without `targets` the statements may be written for any."""
    return Options(checks or Checks(), tuple(targets) or CANDIDATES)


def check_host(text: str, host: Host, options: Options) -> list[Finding]:
    """Every finding of a text of this language, in the order of the text. Takes any text; raises nothing."""
    statements = scan(text, host)
    if not statements:
        return []
    lines = Lines(text)
    found = [each for each in (_embedded(statement, lines, options) for statement in statements) if each]
    names = declared_names(embedded for embedded, _ in found)
    placed = [each for embedded, findings in found for each in explained(embedded, findings, names, text)]
    return suppressed([with_ranges(each, lines) for each in placed], lines, options)


def _embedded(statement: AsmStatement, lines: Lines, options: Options) -> tuple[Embedded, tuple[Placed, ...]] | None:
    def source(start: int, end: int) -> str:
        return lines.text[start:end]

    embedded = embed(statement, source, options)
    return (embedded, embedded_findings(embedded, source, options)) if embedded is not None else None


def declared_names(statements: Iterable[Embedded]) -> dict[str, int]:
    """The names that statements declare outside of braces, each with the number of statements that do.

    A statement whose braces do not match may open the scope of other statements: all of its names count.
    """
    found: dict[str, int] = {}
    for embedded in statements:
        text = embedded.body.text
        if ".reg" not in text and ".shared" not in text:
            continue
        for declared in _DECLARED.finditer(outside_braces(text) if braces_match(text) else text):
            for name in set(_NAME.findall(declared[0])):
                found[name] = found.get(name, 0) + 1
    return found


def explained(embedded: Embedded, findings: Iterable[Placed], names: dict[str, int], text: str) -> Iterator[Placed]:
    """The findings except those about names that other text of the file declares.

    Another statement may declare a register outside of its braces, and a name without `%` may be a variable or a
    function of the host.
    """
    statement = embedded.statement
    for each in findings:
        name = each.name
        if name and (name in names or (name[:1] not in "%$" and _is_of_host(name, statement, text))):
            continue
        yield each


def _is_of_host(name: str, statement: AsmStatement, text: str) -> bool:
    """Whether the text outside of the statement has this name as a word. Names of one letter mean nothing."""
    if len(name) < 2:
        return False
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not statement.start <= at < statement.end and not _is_word(before) and not _is_word(after):
            return True
        at = text.find(name, at + 1)
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "$", "%") if character else False


def suppressed(findings: list[Finding], lines: Lines, options: Options) -> list[Finding]:
    """The findings without those that a comment suppresses, in the order of the text.

    A comment `// ptx-lsp: ignore[code]` of the host is about the line on which a finding begins.
    """
    if _MARKER in lines.text:
        findings = _without_suppressed(findings, lines, options)
    return sorted(findings, key=lambda each: (each.range, each.severity, each.code, each.message))


def _without_suppressed(findings: list[Finding], lines: Lines, options: Options) -> list[Finding]:
    comments: dict[int, tuple[frozenset[str], Range]] = {}
    for found in _SUPPRESSION.finditer(lines.text):
        codes = frozenset(filter(None, (code.strip() for code in (found[1] or "").split(",")))) or {_EVERY_CODE}
        line = bisect_right(lines.starts, found.start()) - 1
        comments[line] = frozenset(codes), Range(*lines.position(found.start()), *lines.position(found.end()))
    used: set[int] = set()
    left: list[Finding] = []
    for finding in findings:
        codes, _ = comments.get(finding.range.line, (frozenset[str](), None))
        if codes & {_EVERY_CODE, finding.code}:
            used.add(finding.range.line)
        else:
            left.append(finding)
    severity = options.checks.level(_UNUSED, default_severity(_UNUSED))
    if severity is not None:
        message = "no finding of inline PTX with these codes starts on this line"
        left += [
            Finding(_UNUSED, range_, message, severity, tags=(Tag.UNNECESSARY,))
            for line, (_, range_) in comments.items()
            if line not in used
        ]
    return left
