"""Checks that need the whole module: its end, what it uses and does not have, and what its kernels must not mix.

Observed: full compile with ptxas 12.4, 12.9 and 13.0 to 13.5. "Unresolved extern function", "Cannot take address of
function": another module must define the functions.
"""

from __future__ import annotations

from bisect import bisect_right
from time import perf_counter

from ptx_lsp.analysis.block_map import BY_INDEX, BlockMap
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import SECTION, TARGET, VERSION
from ptx_lsp.light_classes import TYPE_CHECKING, Iterable, Iterator
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.block_reader import END_OF_FILE
from ptx_lsp.reading.braces import EARLY_BRACE, unclosed_brace
from ptx_lsp.reading.state import Body, OpenComment, State
from ptx_lsp.semantics.inlined_code import DIRECTIVE, NOTHING, UNKNOWN, inlined_code, named_code, uses
from ptx_lsp.semantics.surroundings import CODE, Report
from ptx_lsp.semantics.symbols import Mark, Scope, Symbol, SymbolKind, place
from ptx_lsp.semantics.traces import MARKERS, Trait, traces
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

if TYPE_CHECKING:
    from ptx_lsp.semantics.inlined_code import InlinedCode, Use
    from ptx_lsp.semantics.traces import Trace

# of statements that are right in a function, and wrong outside
BELONGS_INSIDE = frozenset(("declaration-space", "misplaced-directive"))
# the code of a string without an end, which contains the closing braces after it
STRING = "unterminated-string"
UNDEFINED = "undefined-function"
POSITION, LABEL = "inlined-position", "inlined-function"
# types of objects, the most of them that a kernel and its functions may use, and their name
LIMITS = ((".texref", 256, "textures"), (".surfref", 32, "surfaces"))
_OPAQUE = frozenset(type_ for type_, _, _ in LIMITS)
_FEWEST = min(limit for _, limit, _ in LIMITS)


# --- the end of the text ----------------------------------------------------------------------------------------------


def at_end(block_map: BlockMap, reporting: list[Block], comment: OpenComment | None) -> list[Report]:
    """Reports about everything that is open or missing at the end of the text; none before it has been read to its end.

    `reporting` are, in the order of the text, the blocks that change the profile; it may have other blocks too.
    `comment` is the one that is open there.
    """
    last = block_map.blocks[-1]
    if last.exit is None:
        return []
    found: list[Report] = []
    if comment is not None:
        from ptx_lsp.syntax.lexer import NEVER_CLOSED, UNTERMINATED  # here and below: most modules do not need it

        found.append(Report(UNTERMINATED, comment.mark, NEVER_CLOSED, default_severity(UNTERMINATED)))
    missing: list[Report] = []
    body = last.exit.body
    is_open = body is not None and not (body.is_given and last.exit.scopes[-1] is body.scope)
    if is_open and not last.exit.after_end:
        missing.append(unclosed_brace(last.exit.scopes[-1].opening, None))
    debug = next((b.exit.profile for b in reporting if b.exit is not None and b.exit.profile.debug is not None), None)
    if debug is not None:
        from ptx_lsp.semantics.structure import missing_debug_information

        missing += missing_debug_information(debug, last.exit.scopes[0])
    if missing and comment is last.exit.comment is None and not _swallowed(last.exit, reporting):
        found += missing
    found += _without_header(last.exit, block_map)
    return found


def without_later_ends(found: list[Report]) -> list[Report]:
    """The reports of the blocks, in their order, without those of NUL characters below the first NUL character."""
    ends = [number for number, report in enumerate(found) if report.message is END_OF_FILE]
    later = set(ends[1:])
    return [report for number, report in enumerate(found) if number not in later] if later else found


def without_displaced(found: list[Report], of_functions: list[Report]) -> list[Report]:
    """The reports of the blocks, without those about statements that an early closing brace puts outside of a function.

    `of_functions` are the reports of the functions, among them those of such braces.
    """
    if EARLY_BRACE not in map(CODE, of_functions):
        return found
    braces = [report for report in of_functions if report.code == EARLY_BRACE]
    displaced = [(place(brace.mark), place(brace.related[0][0])) for brace in braces]
    return [
        report
        for report in found
        if report.code not in BELONGS_INSIDE or not any(a < place(report.mark) < b for a, b in displaced)
    ]


def _swallowed(exit_: State, reporting: list[Block]) -> bool:
    """Whether a string without an end, in the open function, may contain what is missing."""
    opening = exit_.scopes[-1].opening
    strings = [report.mark for block in reporting for report in block.reports if report.code == STRING]
    return any(opening is None or place(string) > place(opening) for string in strings)


def _without_header(exit_: State, block_map: BlockMap) -> tuple[Report, ...]:
    # if a statement follows the header, the report is at that statement
    if set(exit_.header) == {VERSION}:
        from ptx_lsp.semantics.structure import missing_target

        noticed = exit_.profile.written or Mark(block_map.blocks[0], Range(0, 0, 0, 0))
        return (missing_target(noticed),)
    if exit_.header:
        return ()
    message = f"`{VERSION}` is missing: a module begins with `{VERSION}`, then `{TARGET}`, then everything else"
    start = Mark(block_map.blocks[0], Range(0, 0, 0, 0))
    return (Report("missing-version", start, message, default_severity("missing-version")),)


# --- what the module uses and does not have ---------------------------------------------------------------------------


def undefined_functions(block_map: BlockMap, root: Scope) -> list[Report]:
    """A report for each undefined function of the module scope `root` that is called or whose address is taken."""
    wanted = {name: symbols[0] for name, symbols in root.members.items() if _is_undefined(name, symbols)}
    if not wanted:
        return []
    from ptx_lsp.semantics.directives import ALIAS

    used = {name for symbols in root.members.values() for symbol in symbols for name in symbol.names}
    for part in (part for block in block_map.blocks for part in block.parts):
        used.update(part.names_among(wanted.keys()))
    return [
        _undefined_function(symbol)
        for name, symbol in wanted.items()
        if name in used and ALIAS + name not in root.members
    ]


def _is_undefined(name: str, symbols: list[Symbol]) -> bool:
    if not all(symbol.kind is SymbolKind.FUNCTION and not symbol.defined for symbol in symbols):
        return False
    from ptx_lsp.isa.system_calls import SYSTEM_CALLS

    return name not in SYSTEM_CALLS


def _undefined_function(symbol: Symbol) -> Report:
    message = f"`{symbol.name}` is used, but this module does not define it: another module must when they are linked"
    return Report(UNDEFINED, symbol.mark, message, default_severity(UNDEFINED))


class InlinedPositions:
    """The positions and labels of a module by block, and the reports about missing ones.

    `_read` are the blocks that were read or removed since the last comparison, with what they have now, and `_found`
    is what all blocks had then. `_naming` are those of the latter that name inlined code; as long as there are none, it
    may be unknown what a block has. After a comparison, `_bad` are the blocks for which reports must be made, with the
    positions that no block above has: there may be thousands, so they are made in slices. An edit of a line without a
    position or label costs nothing.
    """

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self._found: dict[Block, InlinedCode] = {}
        self._read: dict[Block, InlinedCode] = {}
        self._naming: set[Block] = set()
        self._labels: frozenset[str] = frozenset()
        self._bad: dict[Block, frozenset[str]] = {}
        self._reports: dict[Block, list[Report]] = {}

    def was_withdrawn(self, block: Block) -> None:
        """Note that a block will be read again, or that it has been removed."""
        self._reports.pop(block, None)
        self._bad.pop(block, None)
        if block in self._found or block in self._read:
            self._read[block] = NOTHING

    def was_read(self, block: Block, text: str) -> None:
        """Note the positions and labels of a block that has been read; `text` is its text."""
        if DIRECTIVE in text or SECTION in text:
            self._read[block] = named_code(text, _begins_in_comment(block))

    def reports(self, without_labels: bool) -> list[Report]:
        """The reports about missing positions, and also labels unless it is uncertain which sections there are."""
        found = [report for reports in self._reports.values() for report in reports]
        return [report for report in found if report.code != LABEL] if without_labels else found

    @property
    def pending(self) -> bool:
        """True if `find_missing` has work to do."""
        return bool(self._read or self._bad)

    @property
    def are_compared(self) -> bool:
        """True if no block was read or removed since the last comparison."""
        return not self._read

    def find_missing(self, deadline: float | None) -> bool:
        """Report what is missing after every block has been read; False if time ran out."""
        if self._read:
            if not self._read_positions(deadline):
                return False
            self._compare()
        while self._bad:
            block = next(iter(self._bad))
            self._reports[block] = list(self._of_block(block, self._bad.pop(block)))
            if deadline is not None and perf_counter() >= deadline:
                return not self._bad
        return True

    def _read_positions(self, deadline: float | None) -> bool:
        """Read the positions of the blocks, if any block names inlined code; False if time ran out."""
        if deadline is None or not (self._naming or any(now.named for now in self._read.values())):
            return True
        for table in (self._read, self._found):
            for block in [block for block, found in table.items() if found is UNKNOWN]:
                if table is self._read or block not in self._read:
                    table[block] = inlined_code(self._block_map.text(block), _begins_in_comment(block))
                    if perf_counter() >= deadline:
                        return False
        return True

    def _compare(self) -> None:
        """Find the blocks whose reports may have changed, and those of them that miss something."""
        read, self._read = self._read, {}
        before = {block: self._found.pop(block, NOTHING) for block in read}
        named_before = bool(self._naming)
        self._naming.difference_update(read)
        self._naming.update(block for block, now in read.items() if now.named)
        self._found.update((block, now) for block, now in read.items() if now is not NOTHING)
        if not self._naming:
            return
        for block in list(read if named_before else self._found):
            if self._found.get(block) is UNKNOWN:
                self._found[block] = inlined_code(self._block_map.text(block), _begins_in_comment(block))
        positions: set[str] = set()
        relabelled = not named_before
        for block, was in before.items():
            now = self._found.get(block, NOTHING)
            positions |= was.given ^ now.given
            relabelled |= was.labels != now.labels
        labels = self._labels
        if relabelled:
            self._labels = frozenset[str]().union(*(found.labels for found in self._found.values()))
        doubtful = [block for block in read if self._found.get(block, NOTHING).named]
        changed = labels ^ self._labels
        if positions or changed:
            doubtful += [block for block in self._naming if _names(self._found[block], positions, changed)]
        self._judge(set(doubtful))

    def _judge(self, doubtful: set[Block]) -> None:
        wanted = {position for block in doubtful for position in self._found[block].wanted}
        above: set[str] = set()
        for block in self._block_map.blocks if wanted else sorted(doubtful, key=BY_INDEX):
            found = self._found.get(block, NOTHING)
            if block in doubtful:
                doubtful.discard(block)
                self._reports.pop(block, None)
                self._bad.pop(block, None)
                missing = frozenset(found.wanted) - above
                if missing or not self._labels.issuperset(found.named):
                    self._bad[block] = missing
            if not doubtful:
                break
            above |= found.given & wanted

    def _of_block(self, block: Block, missing: frozenset[str]) -> Iterator[Report]:
        text = self._block_map.text(block)
        starts = line_starts(text)
        wanted, named = uses(text, _begins_in_comment(block))
        for use in wanted:
            if use.what in missing:
                message = f"this code is inlined at `{use.what}`, but no `.loc` above has this position"
                yield Report(POSITION, _mark(block, starts, use), message, default_severity(POSITION))
        for use in named:
            if use.what not in self._labels:
                message = f"`{use.what}` names the inlined function, but no `.section` has this label: "
                message += "`ptxas` does not compile a kernel that has or calls this code"
                severity = Severity.ERROR if _is_in_kernel(block, use) else Severity.WARNING
                yield Report(LABEL, _mark(block, starts, use), message, severity)


def _names(found: InlinedCode, positions: set[str], labels: frozenset[str]) -> bool:
    """Whether a text is inlined at one of these positions, or in a function with one of these labels."""
    return not (positions.isdisjoint(found.wanted) and labels.isdisjoint(found.named))


def _mark(block: Block, starts: list[int], use: Use | Trace) -> Mark:
    line, last = bisect_right(starts, use.start) - 1, bisect_right(starts, use.end) - 1
    return Mark(block, Range(line, use.start - starts[line], last, use.end - starts[last]))


def _begins_in_comment(block: Block) -> bool:
    return block.entry is not None and block.entry.comment is not None


def _is_in_kernel(block: Block, use: Use) -> bool:
    return any(
        part.start <= use.start and (part.stop is None or use.end <= part.stop)
        for part in block.parts
        if part.body.symbol.kind is SymbolKind.ENTRY
    )


# --- kernels with what they call --------------------------------------------------------------------------------------


def traces_of(part: FunctionPart, text: str, starts: list[int]) -> tuple[tuple[Trait, int, Mark], ...]:
    """The statements of a part that only a full compile checks: the trait of each, its value, and its place.

    `text` is the text of the block of the part, `starts` are the offsets at which its lines begin.
    """
    stop = len(text) if part.stop is None else part.stop
    if not any(text.find(marker, part.start, stop) >= 0 for marker in MARKERS):
        return ()
    found = list(traces(text, begin_of(part, text), stop))
    return tuple((trace.trait, trace.value, _mark(part.block, starts, trace)) for trace in found)


def begin_of(part: FunctionPart, text: str) -> int:
    """The offset of the first statement of a part in the text of its block."""
    entry = part.block.entry
    commented = entry is not None and entry.comment is not None
    return max(part.start, text.find("*/") + len("*/") if commented else 0)


def conclude_registers(body: Body, parts: list[FunctionPart]) -> list[Report]:
    """The report of the first mistake about the registers at the launch; `parts` are all parts of the function."""
    found = [trace for part in parts for trace in part.traces]
    state = parts[0].block.exit if found else None
    if state is None:
        return []
    # imported here, as few modules have such traces
    from ptx_lsp.semantics.launch_registers import CODE, judge_registers

    judged = judge_registers(body.symbol, [(trait, value) for trait, value, _ in found], state.profile.chip)
    if judged is None:
        return []
    index, message = judged
    return [Report(CODE, found[index][2], message, default_severity(CODE))]


class Noted:
    """By block, what may make a kernel mix CTA groups or use too many textures or surfaces; few blocks have either."""

    def __init__(self) -> None:
        self._grouped: dict[Block, frozenset[int]] = {}  # the kinds of `.cta_group` in a block
        self._objects: dict[Block, int] = {}  # how many textures and surfaces a block declares

    def was_read(self, block: Block, text: str) -> None:
        """Note the traces and objects of a block that has been read; `text` is its text."""
        self.was_withdrawn(block)
        values = frozenset(value for value, _ in groups(block.parts))
        if values:
            self._grouped[block] = values
        if any(type_ in text for type_ in _OPAQUE):
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


def groups(parts: Iterable[FunctionPart]) -> Iterator[tuple[int, Mark]]:
    for part in parts:
        yield from ((value, mark) for trait, value, mark in part.traces if trait is Trait.GROUP)
