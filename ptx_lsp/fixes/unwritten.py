"""The register that a result was meant for: the one that the function reads and never writes."""

from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.accesses import function_access, uses
from ptx_lsp.fixes.fix import Edit, Fix, Safety
from ptx_lsp.fixes.verification import Site, fits
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.symbols import SymbolKind

MOST_TRIED = 50
"""At most this many registers that nothing writes are tried."""


def write_unwritten(finding: Finding, module: Module, site: Site | None) -> Iterator[Fix]:
    """The only declared register that is read below the finding and that nothing writes, for an undeclared result.

    Two mistakes have one cause then: the name of the result is wrong. The fix is safe if the undeclared name is
    written once and never read, nothing else is undeclared in the function, and the statement is correct with exactly
    one such register. `site` is the statement around the finding.
    """
    body = _body(site, module)
    if site is None or body is None:
        return
    registers = _unwritten(body, module)
    found = [register for register in registers if fits(site, site.start, site.end, register)]
    if len(found) != 1 or not _is_alone(finding, body, module) or not _is_unread_result(site.marked, finding, module):
        return
    if _is_read_below(found[0], finding, module):
        title = f"write `{found[0]}`, which is read below and which nothing writes"
        yield Fix(title, (Edit(finding.range, found[0]),), Safety.SAFE)


def _is_alone(finding: Finding, body: Body, module: Module) -> bool:
    """Whether the function has no other undeclared name: two results cannot mean one register."""
    if body.closing is None:
        return False
    first, last = body.opening.resolved().start, body.closing.resolved().start
    others = (f for f in module.findings() if f.code == finding.code and f.range != finding.range)
    return not any(first <= other.range.start <= last for other in others)


def _is_unread_result(name: str, finding: Finding, module: Module) -> bool:
    """Whether the function writes the undeclared name once and never reads it."""
    if any(module.document.text(related.range) == name for related in finding.related):
        return False
    access = function_access(name, finding, module)
    return access.written and not access.read


def _body(site: Site | None, module: Module) -> Body | None:
    """The function around the statement."""
    symbol = site.located.surroundings.function if site is not None else None
    if symbol is None:
        return None
    place = symbol.mark.resolved()
    return next((body for body in module.bodies() if body.symbol.mark.resolved() == place), None)


def _unwritten(body: Body, module: Module) -> list[str]:
    """The registers that the body declares and reads and never writes, in alphabetical order."""
    parts = [part for block in module.block_map.blocks for part in block.parts if part.body is body]
    read = {name for part in parts for name in part.read.split()}
    read.difference_update(*(part.written.split() for part in parts))
    signature = body.symbol.signature
    given = signature.parameters if signature is not None else ()
    found = []
    for name in sorted(read):
        symbol = body.scope.own(name)
        if symbol is not None and symbol.kind is SymbolKind.REGISTER and symbol not in given:
            found.append(name)
    return found[:MOST_TRIED]


def _is_read_below(name: str, finding: Finding, module: Module) -> bool:
    lines = (located.range(offset, offset).line for located, offset in uses(name, finding, module))
    return any(line > finding.range.line for line in lines)
