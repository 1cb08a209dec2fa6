"""Checks of whole functions, and of kernels with all functions that they call, which ptxas makes when it compiles.

Observed: full compile with ptxas 12.4, 12.9 and 13.0 to 13.5. A function belongs to each kernel that calls it or takes
its address, directly or through other functions. A function that belongs to no kernel is not compiled.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Version
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.function_part import FunctionPart
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.launch_registers import CODE as REGISTERS
from ptx_lsp.semantics.launch_registers import judge_registers
from ptx_lsp.semantics.reports import Mark, Report
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.semantics.traces import Trace, Trait, traces
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

GROUPS, OBJECTS = "mixed-cta-group", "texture-limit"
GROUPS_REFUSED_SINCE = Version(9, 0)  # ptxas 12.8 and 12.9 compile both kinds in one kernel
# types of objects, the most of them that a kernel and its functions may use, and their name
_LIMITS = ((".texref", 256, "textures"), (".surfref", 32, "surfaces"))
_OPAQUE = frozenset(type_ for type_, _, _ in _LIMITS)
_FEWEST = min(limit for _, limit, _ in _LIMITS)

Members = Mapping[Body, list[FunctionPart]]


def traces_of(part: FunctionPart, text: str) -> tuple[tuple[Trait, int, Mark], ...]:
    """The statements of a part that only a full compile checks: the trait of each, its value, and its place.

    `text` is the text of the block of the part.
    """
    found = list(traces(text, begin_of(part, text), len(text) if part.stop is None else part.stop))
    if not found:
        return ()
    starts = line_starts(text)
    return tuple((trace.trait, trace.value, _mark(part.block, starts, trace)) for trace in found)


def begin_of(part: FunctionPart, text: str) -> int:
    """The offset of the first statement of a part in the text of its block."""
    entry = part.block.entry
    commented = entry is not None and entry.comment is not None
    return max(part.start, text.find("*/") + len("*/") if commented else 0)


def _mark(block: Block, starts: list[int], trace: Trace) -> Mark:
    line = bisect_right(starts, trace.start) - 1
    last = bisect_right(starts, trace.end) - 1
    return Mark(block, Range(line, trace.start - starts[line], last, trace.end - starts[last]))


def conclude_registers(body: Body, parts: list[FunctionPart]) -> list[Report]:
    """The report of the first mistake about the registers at the launch; `parts` are all parts of the function."""
    found = [trace for part in parts for trace in part.traces]
    state = parts[0].block.exit if found else None
    if state is None:
        return []
    judged = judge_registers(body.symbol, [(trait, value) for trait, value, _ in found], state.profile.chip)
    if judged is None:
        return []
    index, message = judged
    return [Report(REGISTERS, found[index][2], message, default_severity(REGISTERS))]


class Noted:
    """The parts of a module that may make kernels too large or mixed, by block; they are few."""

    def __init__(self) -> None:
        self._grouped: dict[Block, frozenset[int]] = {}  # the kinds of `.cta_group` in a block
        self._objects: dict[Block, int] = {}  # how many textures and surfaces a block declares

    def was_read(self, block: Block) -> None:
        """Note the traces and objects of a block that has been read."""
        self.was_withdrawn(block)
        values = frozenset(value for value, _ in _groups(block.parts))
        if values:
            self._grouped[block] = values
        objects = sum(_objects_of(declared.symbol) for declared in block.declared)
        if objects:
            self._objects[block] = objects

    def was_withdrawn(self, block: Block) -> None:
        """Forget a block that will be read again, or that has been removed."""
        self._grouped.pop(block, None)
        self._objects.pop(block, None)

    def is_suspicious(self) -> bool:
        """Whether a kernel with its functions may be mixed or use too many textures or surfaces."""
        if self._grouped and len(frozenset[int]().union(*self._grouped.values())) > 1:
            return True
        return sum(self._objects.values()) > _FEWEST


def _objects_of(symbol: Symbol) -> int:
    if symbol.type in _OPAQUE:
        return 1
    if symbol.signature is None or len(symbol.signature.parameters) <= _FEWEST:
        return 0
    return sum(parameter.type in _OPAQUE for parameter in symbol.signature.parameters)


def program_reports(members: Members, root: Scope, version: Version) -> list[Report]:
    """The reports about kernels; `members` are the functions with all of their parts, in source order."""
    words = {body: _words(parts) for body, parts in members.items()}
    functions = {body.symbol.name: body for body in members if body.symbol.kind is SymbolKind.FUNCTION}
    found: list[Report] = []
    for body in members:
        if body.symbol.kind is SymbolKind.ENTRY:
            reached = _reached(body, functions, words)
            found += _mixed(body, reached, members, version)
            found += chain.from_iterable(_crowded(body, reached, words, root, *row) for row in _LIMITS)
    return found


def _groups(parts: Iterable[FunctionPart]) -> Iterator[tuple[int, Mark]]:
    for part in parts:
        yield from ((value, mark) for trait, value, mark in part.traces if trait is Trait.GROUP)


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
        for value, mark in _groups(members[member]):
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
