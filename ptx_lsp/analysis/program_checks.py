"""Checks of a kernel with all that it calls: whether they mix CTA groups, and how many textures they use.

Observed: full compile with ptxas 12.4, 12.9 and 13.0 to 13.5. A function belongs to each kernel that calls it or takes
its address, directly or through other functions. A function that belongs to no kernel is not compiled.
"""

from itertools import chain

from ptx_lsp.analysis.module_checks import LIMITS, groups
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import Iterable, Iterator, Mapping
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.state import Body, State
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Mark, Scope, SymbolKind

GROUPS, OBJECTS = "mixed-cta-group", "texture-limit"
GROUPS_REFUSED_SINCE = Version(9, 0)  # ptxas 12.8 and 12.9 compile both kinds in one kernel

Members = Mapping[Body, list[FunctionPart]]


def program_reports(members: Members, last: State) -> list[Report]:
    """The reports about kernels, except for places in blocks that must be read again.

    `members` are the functions with all of their parts, in source order; `last` is the state at the end of the text.
    """
    root, version = last.scopes[0], last.profile.version
    words = {body: _words(parts) for body, parts in members.items()}
    functions = {body.symbol.name: body for body in members if body.symbol.kind is SymbolKind.FUNCTION}
    found: list[Report] = []
    for body in members:
        if body.symbol.kind is SymbolKind.ENTRY:
            reached = _reached(body, functions, words)
            found += _mixed(body, reached, members, version)
            found += chain.from_iterable(_crowded(body, reached, words, root, *row) for row in LIMITS)
    return [one for one in found if not (isinstance(one.mark.holder, Block) and one.mark.holder.stale)]


def _words(parts: Iterable[FunctionPart]) -> set[str]:
    return set(chain.from_iterable((*part.read.split(), *part.written.split()) for part in parts))


def _reached(body: Body, functions: Mapping[str, Body], words: Mapping[Body, set[str]]) -> list[Body]:
    """A kernel and then the functions that belong to it."""
    reached = {body: None}
    waiting = [body]
    while waiting:
        for name in sorted(words[waiting.pop()] & functions.keys()):
            callee = functions[name]
            if callee not in reached:
                reached[callee] = None
                waiting.append(callee)
    return list(reached)


def _mixed(body: Body, reached: list[Body], members: Members, version: Version) -> Iterator[Report]:
    first: dict[int, Mark] = {}
    for member in reached:
        for value, mark in groups(members[member]):
            first.setdefault(value, mark)
    if len(first) < 2:
        return
    (one, before), (other, mark) = first.items()
    certain = version >= GROUPS_REFUSED_SINCE
    who = "no `ptxas` that knows this version" if certain else "no `ptxas` since CUDA 13.0"
    text = f"`.cta_group::{other}`, but `{body.symbol.name}` or what it calls has `.cta_group::{one}` too: {who} "
    related = ((before, f"`.cta_group::{one}` is here"),)
    severity = Severity.ERROR if certain else Severity.WARNING
    yield Report(GROUPS, mark, text + "compiles both in one kernel", severity, related)


def _crowded(
    body: Body, reached: list[Body], words: Mapping[Body, set[str]], root: Scope, type_: str, limit: int, what: str
) -> Iterator[Report]:
    names = set(chain.from_iterable(words[member] for member in reached))
    used = sum(name in root.members and root.members[name][0].type == type_ for name in names)
    given = body.symbol.signature.parameters if body.symbol.signature is not None else ()
    used += sum(parameter.type == type_ and parameter.name in names for parameter in given)
    if used > limit:
        text = f"`{body.symbol.name}` and what it calls use {used} {what}, but a kernel can use {limit} at most"
        yield Report(OBJECTS, body.symbol.mark, text, default_severity(OBJECTS))
