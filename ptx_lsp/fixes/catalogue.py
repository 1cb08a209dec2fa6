"""Which findings have fixes: the one entry point for code actions and for `check --fix`."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.advised import advised_fixes
from ptx_lsp.fixes.declared_types import retype
from ptx_lsp.fixes.fix import Fix
from ptx_lsp.fixes.header import change_target, raise_version, write_header
from ptx_lsp.fixes.immediates import change_constant, nearest_value
from ptx_lsp.fixes.modifiers import add_modifier, change_space, change_type
from ptx_lsp.fixes.opcodes import respell
from ptx_lsp.fixes.operands import bracket_address, set_for_setp, unbracket_element, unwrap, with_percent
from ptx_lsp.fixes.order import reorder
from ptx_lsp.fixes.punctuation import (
    close_bracket,
    colon,
    missing_comma,
    negative_offset,
    open_bracket,
    semicolon,
    without_comma,
)
from ptx_lsp.fixes.registers import declare_register, raise_count
from ptx_lsp.fixes.removal import remove_modifier, remove_statement, replace_modifier
from ptx_lsp.fixes.temporaries import add_first, index_as_offset, load_first, test_first
from ptx_lsp.fixes.text_fixes import spelled_fixes
from ptx_lsp.fixes.unwritten import write_unwritten
from ptx_lsp.fixes.vectors import following_registers, other_size, split_access
from ptx_lsp.fixes.verification import Site, site_steps
from ptx_lsp.fixes.word_fixes import meant_fixes
from ptx_lsp.steps import result_of

OF_STATEMENT: dict[str, tuple[Callable[[Finding, Site], Iterator[Fix]], ...]] = {
    "array-index": (index_as_offset,),
    "bad-address": (unbracket_element,),
    "expected-constant": (add_first,),
    "guard-type": (with_percent, test_first),
    "immediate-range": (nearest_value,),
    "immediate-type": (change_constant,),
    "instruction-type": (change_type,),
    "missing-modifier": (add_modifier,),
    "modifier-conflict": (replace_modifier, remove_modifier),
    "modifier-order": (reorder,),
    "negative-offset": (negative_offset,),
    "extra-comma": (without_comma,),
    "missing-comma": (missing_comma,),
    "missing-semicolon": (semicolon,),
    "operand-kind": (with_percent, bracket_address, load_first, unwrap),
    "operand-type": (with_percent, set_for_setp),
    "removed-instruction": (add_modifier,),
    "requires-target": (split_access,),
    "state-space": (change_space,),
    "unclosed-bracket": (close_bracket,),
    "unmatched-bracket": (open_bracket,),
    "unknown-modifier": (respell, split_access, remove_modifier),
    "unknown-opcode": (respell, remove_statement),
    "vector-size": (unwrap, other_size, following_registers),
}
"""By code: fixes that need no more than the finding's statement."""

ELSEWHERE = frozenset(("extra-comma", "missing-colon", "missing-semicolon"))
"""Codes whose fix by the text alone is for places in no statement that can be checked."""

OF_MODULE: dict[str, Callable[[Finding, Module], Iterator[Fix | None]]] = {
    "declaration-type": retype,
    "missing-colon": colon,
    "undeclared": declare_register,
    "register-index": raise_count,
    "empty-file": write_header,
    "missing-target": write_header,
    "missing-version": write_header,
    "requires-version": raise_version,
    "requires-target": change_target,
}
"""By code: fixes that look elsewhere in the module, and None where the caller may pause."""


def fixes(finding: Finding, module: Module) -> list[Fix]:
    """Every fix of a finding of `module`, the safe ones first, otherwise in the order in which they were found.

    The first one is preferred if it is safe. Fixes are computed on request. The positions of the edits are those of
    the current text of the module.
    """
    return result_of(fix_steps(finding, module))


def fix_steps(finding: Finding, module: Module) -> Generator[None, None, list[Fix]]:
    """The result of `fixes`, in steps between which the module must not be edited."""
    if finding.range.end_line >= module.document.line_count:
        return []  # it is outdated: an edit that is not analysed yet has shortened the text
    site = yield from site_steps(finding, module)
    found: list[Fix] = [*meant_fixes(finding, module, site)]
    yield
    of_module = OF_MODULE.get(finding.code)
    for fix in of_module(finding, module) if of_module is not None else ():
        if fix is not None:
            found.append(fix)
        yield
    if finding.code == "undeclared" and not any(fix.safe for fix in found):
        found += write_unwritten(finding, module, site)
        yield
    for maker in OF_STATEMENT.get(finding.code, ()) if site is not None else ():
        assert site is not None
        found += maker(finding, site)
        yield
    if not found:
        found += advised_fixes(finding, module)
    if found and finding.code in ELSEWHERE:
        return _ranked(found)
    text, after = module.document.text(finding.range), _after(finding, module)
    found += spelled_fixes(finding, text, after)
    return _ranked(found)


def _after(finding: Finding, module: Module) -> str:
    """The rest of the line after the finding."""
    return module.document.line(finding.range.end_line)[finding.range.end_column :]


def _ranked(found: list[Fix]) -> list[Fix]:
    """Without fixes that make the same edits as an earlier one; safe fixes first, the first of them preferred."""
    first: dict[object, Fix] = {}
    for fix in found:
        known = first.setdefault(fix.edits, fix)
        if fix.safe and not known.safe:
            first[fix.edits] = fix
    ordered = sorted(first.values(), key=lambda fix: not fix.safe)
    return [replace(fix, preferred=fix.safe and not rank) for rank, fix in enumerate(ordered)]
