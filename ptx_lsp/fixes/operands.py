"""Fixes for operands of the wrong form."""

from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.advised import advice
from ptx_lsp.fixes.fix import Edit, Fix, Safety
from ptx_lsp.fixes.trial import Site, fits

_PAIRS = {"{": "}", "[": "]"}


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
