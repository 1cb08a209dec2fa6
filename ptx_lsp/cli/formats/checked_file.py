"""What a format gets of each file: its findings, and how to ask for what belongs to them."""

from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, NamedTuple

if TYPE_CHECKING:
    from ptx_lsp.fixes.fix import Fix


class Style(NamedTuple):
    """How to print: with colours or without, and how many columns of a source line to show at most."""

    colour: bool = False
    width: int = 120


def no_fixes(finding: Finding) -> "list[Fix]":
    """No fixes: for findings that nothing can fix."""
    return []


class CheckedFile(NamedTuple):
    """A file after its check: its path as the user wrote it, and its findings in the order of the text.

    `line_of` gives a source line (from 0), with or without its line end; `fixes_of` the fixes of a finding, the safe
    ones first.
    """

    path: str
    findings: list[Finding]
    line_of: Callable[[int], str]
    fixes_of: "Callable[[Finding], list[Fix]]" = no_fixes

    def counts(self) -> dict[tuple[str, Severity], int]:
        """The number of findings of each code and severity."""
        counted: dict[tuple[str, Severity], int] = {}
        for finding in self.findings:
            key = finding.code, finding.severity
            counted[key] = counted.get(key, 0) + 1
        return counted
