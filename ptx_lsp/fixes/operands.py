"""Fixes for operands of the wrong form."""

from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.advised import advice
from ptx_lsp.fixes.fix import Edit, Fix, Safety
from ptx_lsp.fixes.trial import Site, fits

_PAIRS = {"{": "}", "[": "]"}


def bracket_address(finding: Finding, site: Site) -> Iterator[Fix]:
    """The missing brackets of an address."""
    wanted = f"[{site.marked}]"
    if wanted in advice(finding.message) and fits(site, site.start, site.end, wanted):
        yield Fix(f"write `{wanted}`", (Edit(finding.range, wanted),), Safety.SAFE)


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
