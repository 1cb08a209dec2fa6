"""Fixes for operands of the wrong form."""

import re
from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.advised import advice
from ptx_lsp.fixes.fix import Edit, Fix, Safety, safe_if
from ptx_lsp.fixes.verification import Site, fits, helps
from ptx_lsp.isa.opcode_sets import COMPARISON, COMPARISON_TO_REGISTER
from ptx_lsp.isa.spaces import NARROW
from ptx_lsp.isa.types import TYPES
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.syntax.tree import Instruction

_NAME = re.compile(r"[%$\w]+")
_PAIRS = {"{": "}", "[": "]"}


def bracket_address(finding: Finding, site: Site) -> Iterator[Fix]:
    """The brackets that an address lacks; safe if the register or name can hold the address."""
    wanted = f"[{site.marked}]"
    if wanted in advice(finding.message) and fits(site, site.start, site.end, wanted):
        safety = safe_if(_holds_address(site))
        yield Fix(f"write `{wanted}`", (Edit(finding.range, wanted),), safety)


def _holds_address(site: Site) -> bool:
    """Whether the marked operand is as wide as an address here: 32 bits are enough only where a space is named."""
    statement, around = site.located.statement, site.located.surroundings
    found = _NAME.match(site.marked)
    symbol = around.scope.lookup(found[0]) if found is not None else None
    if symbol is None or symbol.kind is not SymbolKind.REGISTER or not isinstance(statement, Instruction):
        return True
    narrow = any(word.text.partition("::")[0] in NARROW for word in statement.modifiers)
    return narrow or symbol.type not in TYPES or TYPES[symbol.type].bits >= around.profile.address_size


def with_percent(finding: Finding, site: Site) -> Iterator[Fix]:
    """The register `%p1` for `p1`, another declared name, if the statement is correct with it."""
    name = f"%{site.marked}"
    symbol = site.located.surroundings.scope.lookup(name)
    if symbol is not None and symbol.kind is SymbolKind.REGISTER and helps(site, site.start, site.end, name):
        yield Fix(f"write `{name}`", (Edit(finding.range, name),))


def set_for_setp(finding: Finding, site: Site) -> Iterator[Fix]:
    """`set.lt.u32.s32` for `setp.lt.s32`, if the result is a register and no predicate."""
    statement, first = site.located.statement, site.located.statement.start
    if not isinstance(statement, Instruction) or statement.opcode.text != COMPARISON or not statement.modifiers:
        return
    last = statement.modifiers[-1]
    start, end = statement.opcode.start - first, last.end - first
    text = COMPARISON_TO_REGISTER + site.text[statement.opcode.end - first : last.start - first] + f".u32{last.text}"
    if fits(site, start, end, text):
        yield Fix(f"write `{text}`, which gives 0xffffffff for true and 0 for false", (site.edit(start, end, text),))


def unbracket_element(finding: Finding, site: Site) -> Iterator[Fix]:
    """`a[0]` for `[a[0]]`: an element of an array is an address without brackets."""
    start, end = site.start - 1, site.end + 1
    enclosed = start >= 0 and site.text[start] == "[" and site.text[site.end : end] == "]"
    if enclosed and site.marked.endswith("]") and fits(site, start, end, site.marked):
        title = f"write `{site.marked}`, which is an address without brackets"
        yield Fix(title, (site.edit(start, end, site.marked),), Safety.SAFE)


def unwrap(finding: Finding, site: Site) -> Iterator[Fix]:
    """One value without the braces or brackets around it, if the statement is correct without them.

    Without braces the value is the same; without brackets the address itself is used and nothing is loaded.
    """
    text = site.marked
    inner = text[1:-1].strip()
    if len(text) < 3 or _PAIRS.get(text[0]) != text[-1] or not fits(site, site.start, site.end, inner):
        return
    if text[0] == "{":
        yield Fix("remove the braces", (Edit(finding.range, inner),), Safety.SAFE)
    else:
        title = "remove the brackets, which uses the address itself and loads nothing"
        yield Fix(title, (Edit(finding.range, inner),))
