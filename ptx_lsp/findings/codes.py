"""The codes of findings, read from the front matter of the pages in `rules/`, the only place that defines them."""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.light_classes import NamedTuple, cache, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.package_data import read_text

SEVERITIES = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "information": Severity.INFORMATION,
    "hint": Severity.HINT,
}

FAMILIES = {
    "syntax": "the text cannot be read",
    "names": "names that are undeclared, declared twice or used wrongly",
    "instructions": "opcodes and modifiers",
    "operands": "operands of instructions: their kinds, types and number",
    "constants": "constant expressions and their values",
    "declarations": "variables, parameters and their initialisers",
    "calls": "calls, their arguments and prototypes",
    "targets": "what the version or target of the module does not have",
    "directives": "directives and pragmas",
    "limits": "more memory, registers or objects than the hardware has",
    "debugging": "debug information",
    "unused": "what has no effect",
    "embedded": "inline assembly in other languages",
}
"""Every family of rules, and what its rules are about."""


_MOST_PAGES = 1_000  # that are remembered; there are some 150, and a name that is no code has none
EVERY_CODE = "*"
"""What is in a set of codes in place of all of them."""


class Rule(NamedTuple):
    """One rule: its code, its title in a few words, how severe it is by default (None: off), and its page.

    `family` is one of `FAMILIES`; `section` is the anchor of its section in the manual, empty without one.
    `in_editors` is False if the command line reports it and an editor does not, unless its settings say so.
    """

    code: str
    title: str
    severity: Severity | None
    page: str
    in_editors: bool = True
    family: str = ""
    section: str = ""


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its code, in alphabetical order."""
    # a check asks for single pages, and this import takes longer than reading all of them
    from importlib.resources import files

    pages = sorted(page.name for page in files("ptx_lsp.rules").iterdir() if page.name.endswith(".md"))
    return {name[:-3]: _read(name[:-3], read_text("rules", name)) for name in pages}


@forgettable
@lru_cache(maxsize=_MOST_PAGES)
def rule(code: str) -> Rule | None:
    """The rule with this code, or None: reads its page alone."""
    try:
        page = read_text("rules", code + ".md")
    except (OSError, ValueError):  # there is no such page, or the code cannot be a file name
        return None
    return _read(code, page)


@cache
def default_severity(code: str) -> Severity:
    """The severity of a finding of this code unless the settings change it; a rule that is off counts as a hint.

    Raises KeyError if no page has the code.
    """
    found = rule(code)
    if found is None:
        raise KeyError(code)
    return Severity.HINT if found.severity is None else found.severity


@cache
def is_off(code: str, in_editor: bool = False) -> bool:
    """Whether findings of this code are shown only if the settings switch them on; `in_editor`: true in an editor."""
    found = rule(code)
    return found is not None and (found.severity is None or (in_editor and not found.in_editors))


def _read(code: str, page: str) -> Rule:
    _, front, body = page.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    in_editors = fields.get("editors") != "off"
    severity = SEVERITIES.get(fields["severity"])
    return Rule(code, fields["title"], severity, body.lstrip("\n"), in_editors, fields["family"], fields["section"])
