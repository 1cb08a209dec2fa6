"""Which findings can be mended, and by what: the one way in for code actions and for `check --fix`."""

from collections.abc import Callable, Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Fix
from ptx_lsp.fixes.header import change_target, raise_version
from ptx_lsp.fixes.immediates import change_constant
from ptx_lsp.fixes.modifiers import add_modifier, change_type, respell
from ptx_lsp.fixes.registers import declare_register, raise_count
from ptx_lsp.fixes.spelled import spelled_fixes
from ptx_lsp.fixes.trial import Site, site_of

OF_STATEMENT: dict[str, Callable[[Finding, Site], Iterator[Fix]]] = {
    "immediate-type": change_constant,
    "missing-modifier": add_modifier,
    "instruction-type": change_type,
    "unknown-modifier": respell,
    "unknown-opcode": respell,
}
"""By code: fixes that need no more than the finding's statement."""

OF_MODULE: dict[str, Callable[[Finding, Module], Iterator[Fix]]] = {
    "undeclared": declare_register,
    "register-index": raise_count,
    "requires-version": raise_version,
    "requires-target": change_target,
}
"""By code: fixes that look elsewhere in the module."""

SOMETIMES_CERTAIN = frozenset(
    (
        "duplicate-modifier",
        "immediate-type",
        "missing-semicolon",
        "negative-offset",
        "non-ascii",
        "register-index",
        "undeclared",
    )
)
"""Codes of which a fix can be `certain`: nothing else is looked at when a text is mended unasked."""


def fixes(finding: Finding, module: Module) -> list[Fix]:
    """Every way to mend a finding of `module`, the likeliest first; none where the mend is the author's choice.

    Computed when asked for. The edits are in the positions of the module as it stands.
    """
    found: list[Fix] = []
    of_module = OF_MODULE.get(finding.code)
    if of_module is not None:
        found += of_module(finding, module)
    of_statement = OF_STATEMENT.get(finding.code)
    site = site_of(finding, module) if of_statement is not None else None
    if of_statement is not None and site is not None:
        found += of_statement(finding, site)
    found += spelled_fixes(finding, module.document.text(finding.range))
    return _distinct(found)


def _distinct(found: list[Fix]) -> list[Fix]:
    """Without those that make the same edits as one before them."""
    first: dict[object, Fix] = {}
    for fix in found:
        first.setdefault(fix.edits, fix)
    return list(first.values())
