"""The codes of findings, read from the front matter of the pages in `rules/`: the only place where they are written."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ptx_lsp.findings.finding import Severity

SEVERITIES = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "information": Severity.INFORMATION,
    "hint": Severity.HINT,
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its code, its title in a few words, how severe it is by default (None: off), and its page."""

    code: str
    title: str
    severity: Severity | None
    page: str


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its code, in alphabetical order."""
    pages = sorted(files("ptx_lsp.rules").iterdir(), key=lambda entry: entry.name)
    found = (_read(p.name[:-3], p.read_text("utf-8")) for p in pages if p.name.endswith(".md"))
    return {rule.code: rule for rule in found}


def rule(code: str) -> Rule | None:
    """The rule with this code, or None: reads its page alone."""
    page = files("ptx_lsp.rules").joinpath(code + ".md")
    return _read(code, page.read_text("utf-8")) if page.is_file() else None


@cache
def default_severity(code: str) -> Severity:
    """How severe a finding of this code is unless the settings say otherwise; a rule that is off counts as a hint.

    Raises KeyError where no page bears the code.
    """
    found = rule(code)
    if found is None:
        raise KeyError(code)
    return Severity.HINT if found.severity is None else found.severity


@cache
def is_off(code: str) -> bool:
    """Whether findings of this code are shown only where the settings ask for them."""
    found = rule(code)
    return found is not None and found.severity is None


def _read(code: str, page: str) -> Rule:
    _, front, body = page.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    return Rule(code, fields["title"], SEVERITIES.get(fields["severity"]), body.lstrip("\n"))
