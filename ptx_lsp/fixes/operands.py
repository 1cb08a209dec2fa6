"""Fixes for operands of the wrong form."""

from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.advised import advice
from ptx_lsp.fixes.fix import Edit, Fix, Safety
from ptx_lsp.fixes.trial import Site, fits
from ptx_lsp.syntax.tree import Instruction

_PAIRS = {"{": "}", "[": "]"}


def bracket_address(finding: Finding, site: Site) -> Iterator[Fix]:
    """The missing brackets of an address."""
    wanted = f"[{site.marked}]"
    if wanted in advice(finding.message) and fits(site, site.start, site.end, wanted):
        yield Fix(f"write `{wanted}`", (Edit(finding.range, wanted),), Safety.SAFE)


def set_for_setp(finding: Finding, site: Site) -> Iterator[Fix]:
    """`set.lt.u32.s32` for `setp.lt.s32`, if the result is a register and no predicate."""
    statement, first = site.located.statement, site.located.statement.start
    if not isinstance(statement, Instruction) or statement.opcode.text != "setp" or not statement.modifiers:
        return
    last = statement.modifiers[-1]
    start, end = statement.opcode.start - first, last.end - first
    text = "set" + site.text[statement.opcode.end - first : last.start - first] + f".u32{last.text}"
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
