"""Findings as the results of tests, in the XML of JUnit: a suite for each file, a failed case for each finding.

Format: `junit-10.xsd` of the xUnit plugin of Jenkins.
"""

from xml.sax.saxutils import escape, quoteattr

from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.places import relative
from ptx_lsp.findings.finding import Finding
from ptx_lsp.light_classes import Collection
from ptx_lsp.patterns import lazy_pattern

BEGIN, BETWEEN = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ptx-lsp">\n', ""
_NOT_IN_XML = lazy_pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(file: CheckedFile, style: Style) -> str:
    """The suite of a file; one that has no findings has one case, which passes."""
    path = relative(file.path)
    cases = [_case(path, finding) for finding in file.findings]
    failures = len(cases)
    return _suite(path, cases or [f"    <testcase name={_value('check')} classname={_value(path)}/>\n"], failures, 0)


def end(codes: Collection[str], troubles: Collection[tuple[str, str]]) -> str:
    """The suites of the files that could not be read, and the end of the document."""
    suites = []
    for path, reason in troubles:
        error = f"<error type={_value('unreadable')} message={_value(reason)}/>"
        case = f"    <testcase name={_value('check')} classname={_value(path)}>{error}</testcase>\n"
        suites.append(_suite(path, [case], 0, 1))
    return "".join(suites) + "</testsuites>\n"


def _suite(path: str, cases: list[str], failures: int, errors: int) -> str:
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'
    return f"  <testsuite name={_value(path)} {counts}>\n{''.join(cases)}  </testsuite>\n"


def _case(path: str, finding: Finding) -> str:
    place = f"{finding.range.line + 1}:{finding.range.column + 1}"
    text = f"{path}:{place}: {finding.severity.name.lower()}: {finding.message}"
    kind, message = _value(finding.severity.name.lower()), _value(finding.message)
    return (
        f"    <testcase name={_value(f'{finding.code or finding.source} at {place}')} classname={_value(path)}>"
        f"<failure type={kind} message={message}>{escape(_clean(text))}</failure></testcase>\n"
    )


def _value(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    """The text with a replacement character for each character that XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)
