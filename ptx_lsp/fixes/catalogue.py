"""Which findings have fixes: the one entry point for code actions and for `check --fix`."""

from collections.abc import Callable, Iterator
from dataclasses import replace

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


def fixes(finding: Finding, module: Module) -> list[Fix]:
    """Every fix of a finding of `module`, the safe ones first, otherwise in the order in which they were found.

    The first one is preferred if it is safe. Computed on request. The edits are in the positions of the module's
    current text.
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
    return _ranked(found)


def _ranked(found: list[Fix]) -> list[Fix]:
    """Without fixes that make the same edits as an earlier one; safe fixes first, the first of them preferred."""
    first: dict[object, Fix] = {}
    for fix in found:
        first.setdefault(fix.edits, fix)
    ordered = sorted(first.values(), key=lambda fix: not fix.safe)
    return [replace(fix, preferred=fix.safe and not rank) for rank, fix in enumerate(ordered)]
