"""Fixes for operands of the wrong form or in the wrong order."""

from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.advised import advice
from ptx_lsp.fixes.fix import Edit, Fix, Safety
from ptx_lsp.fixes.trial import Site, fits
from ptx_lsp.syntax.tree import Instruction

_PAIRS = {"{": "}", "[": "]"}


def swap_operands(finding: Finding, site: Site) -> Iterator[Fix]:
    """The two operands that the finding names, exchanged. It is safe: the statement is right in one order only."""
    statement = site.located.statement
    places = finding.data.get("swap", "").split()
    if not isinstance(statement, Instruction) or len(places) != 2:
        return
    first = statement.start
    one, other = (statement.operands[int(place)] for place in places)
    texts = [site.text[each.start - first : each.end - first] for each in (one, other)]
    between = site.text[one.end - first : other.start - first]
    if fits(site, one.start - first, other.end - first, texts[1] + between + texts[0]):
        edits = (
            site.edit(one.start - first, one.end - first, texts[1]),
            site.edit(other.start - first, other.end - first, texts[0]),
        )
        yield Fix(f"swap `{texts[0]}` and `{texts[1]}`", edits, Safety.SAFE)


def bracket_address(finding: Finding, site: Site) -> Iterator[Fix]:
    """The brackets that an address lacks."""
    wanted = f"[{site.marked}]"
    if wanted in advice(finding.message) and fits(site, site.start, site.end, wanted):
        yield Fix(f"write `{wanted}`", (Edit(finding.range, wanted),), Safety.SAFE)


def unwrap(finding: Finding, site: Site) -> Iterator[Fix]:
    """One value without the braces or brackets around it, if the statement is right then.

    Without braces it is the same value; without brackets the address is used and nothing is loaded.
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
