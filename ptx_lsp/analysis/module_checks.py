"""Checks that need the whole module: its end, what it uses and does not have, and what its kernels must not mix.

Observed: full compile with ptxas 12.4, 12.9 and 13.0 to 13.5. "Unresolved extern function", "Cannot take address of
function": another module must define the functions.
"""

from __future__ import annotations

from itertools import chain, islice

from ptx_lsp.analysis.block_map import BlockMap, Move
from ptx_lsp.analysis.function_reports import MOST_REPORTED, parts_of
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Tag
from ptx_lsp.isa.directive_names import FUNCTION_NAME, LOCATION, SECTION, TARGET, VERSION
from ptx_lsp.isa.opcode_sets import TRACED
from ptx_lsp.light_classes import TYPE_CHECKING, Iterable, Iterator, NamedTuple, attrgetter
from ptx_lsp.reading.block import Block, BlockText, FunctionPart
from ptx_lsp.reading.block_reader import END_OF_FILE
from ptx_lsp.reading.braces import BELONGS_INSIDE, DISPLACE, EARLY_BRACE, unclosed_brace, without_displaced
from ptx_lsp.reading.state import CHECKED, MISTAKE, Body, OpenComment, State, Suppression
from ptx_lsp.semantics.surroundings import CODE, WITH_SUGGESTION, Profile, Report
from ptx_lsp.semantics.symbols import MEANT, Mark, Scope, Symbol, SymbolKind, place
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range

if TYPE_CHECKING:
    from ptx_lsp.analysis.inlined_positions import PositionComparison
    from ptx_lsp.analysis.long_sections import Relabelled
    from ptx_lsp.reading.block_reader import BlockReader
    from ptx_lsp.semantics.suggestions import Suggested
    from ptx_lsp.semantics.traces import Trait

# the code of a string without an end, which contains the closing braces after it
STRING = "unterminated-string"
UNDEFINED = "undefined-function"
# types of objects, the most of them that a kernel and its functions may use, and their name
LIMITS = ((".texref", 256, "textures"), (".surfref", 32, "surfaces"))
_LIMITED = frozenset(type_ for type_, _, _ in LIMITS)
_FEWEST = min(limit for _, limit, _ in LIMITS)
_TRACES = attrgetter("traces")


class Collected(NamedTuple):
    """The reports of a module: of its blocks, of the functions that begin in each block, and all others.

    The lists of `of_blocks` are in the order of the text. `comments` are those that suppress reports. No list is ever
    changed.
    """

    of_blocks: list[list[Report]]
    of_functions: list[list[Report]]
    others: list[Report]
    comments: list[Suppression]

    @property
    def size(self) -> int:
        """The number of all reports."""
        return sum(map(len, self.of_blocks)) + sum(map(len, self.of_functions)) + len(self.others)

    def all(self) -> list[Report]:
        """Every report that holds and is not suppressed, in no order."""
        of_blocks = list(chain.from_iterable(self.of_blocks))
        of_functions = list(chain.from_iterable(self.of_functions))
        found = without_later_ends(of_blocks)
        if not DISPLACE.isdisjoint(map(CODE, chain(of_functions, self.others))):
            found = without_displaced(found, of_functions, self.others)
        found += of_functions + self.others
        if not self.comments:
            return found
        from ptx_lsp.analysis.comments import apply  # few texts have such comments

        return apply(found, self.comments)


def until_read(block: Block) -> tuple[list[Body], list[Report], list[tuple[Report, Body]]]:
    """What must be kept until a block has been read again and what is below it has been read.

    The functions with reports that begin in the block and were open at its end or cut off, or may continue below it;
    the reports of statements that are outside of functions; and those of early braces, with their functions.
    """
    braces = [
        (r, part.body) for part in block.parts if part.body.names for r in part.body.names if r.code == EARLY_BRACE
    ]
    if block.exit is None:
        return [], [], braces
    last = dict.fromkeys((block.exit.body, block.exit.closed, *(part.body for part in block.parts if part.cut)))
    bodies = [body for body in last if body is not None and body.opening.holder is block and (body.names or body.usage)]
    return bodies, [report for report in block.reports if report.code in BELONGS_INSIDE], braces


# --- the end of the text ----------------------------------------------------------------------------------------------


def at_end(block_map: BlockMap, reporting: list[Block], comment: OpenComment | None) -> list[Report]:
    """Reports about what is missing at the end of the text; none before it has been read to its end.

    `reporting` are, in the order of the text, the blocks that change the profile; it may have other blocks too.
    `comment` is the one that is open there.
    """
    last = block_map.blocks[-1]
    if last.exit is None:
        return []
    found: list[Report] = []
    missing: list[Report] = []
    body = last.exit.body
    is_open = body is not None and not (body.lacks_brace and last.exit.scopes[-1] is body.scope)
    if body is not None and is_open and not last.exit.after_end and last.exit.lost < MISTAKE:
        parts = parts_of(body, block_map)
        missing.append(unclosed_brace(last.exit.scopes[-1].opening, None, parts, block_map.text))
    debug = next((b.exit.profile for b in reporting if b.exit is not None and b.exit.profile.debug is not None), None)
    if debug is not None:
        from ptx_lsp.semantics.debug_symbols import missing_debug_information

        missing += missing_debug_information(debug, last.exit.scopes[0])
    if comment is not None or last.exit.comment is not None:
        return []  # it may contain what is missing
    if missing and not _swallowed(last.exit, reporting):
        found += missing
    found += _without_header(last.exit, block_map)
    return found


def without_later_ends(found: list[Report]) -> list[Report]:
    """The reports of the blocks, in their order, without those of NUL characters below the first NUL character."""
    ends = [number for number, report in enumerate(found) if report.message is END_OF_FILE]
    later = set(ends[1:])
    return [report for number, report in enumerate(found) if number not in later] if later else found


def without_repeated(found: list[Report], of_functions: list[list[Report]]) -> list[Report]:
    """Reports about the module, without those that are reports of a function too."""
    if not found:
        return []
    places = {(report.code, place(report.mark)) for reports in of_functions for report in reports}
    return [report for report in found if (report.code, place(report.mark)) not in places]


def _swallowed(exit_: State, reporting: list[Block]) -> bool:
    """Whether a string without an end, in the open function, may contain what is missing."""
    opening = exit_.scopes[-1].opening
    strings = [report.mark for block in reporting for report in block.reports if report.code == STRING]
    return any(opening is None or place(string) > place(opening) for string in strings)


def _without_header(exit_: State, block_map: BlockMap) -> tuple[Report, ...]:
    # if a statement follows the header, the report is at that statement
    if CHECKED in exit_.header:
        return ()
    if set(exit_.header) == {VERSION}:
        from ptx_lsp.semantics.structure import missing_target

        noticed = exit_.profile.written or Mark(block_map.blocks[0], Range(0, 0, 0, 0))
        return (missing_target(noticed),)
    if exit_.header not in ((), (TARGET,)):
        return ()
    message = f"`{VERSION}` is missing: a module begins with `{VERSION}`, then `{TARGET}`, then everything else"
    start = Mark(block_map.blocks[0], Range(0, 0, 0, 0))
    return (Report("missing-version", start, message, default_severity("missing-version")),)


# --- what the module uses and does not have ---------------------------------------------------------------------------


def undefined_functions(block_map: BlockMap, root: Scope) -> list[Report]:
    """A report for each undefined function of the module scope `root` that is called or whose address is taken."""
    wanted = {
        name: symbols[0]
        for name, symbols in root.members.items()
        if not symbols[0].defined and _is_undefined(name, symbols)  # most are defined
    }
    if not wanted:
        return []
    from ptx_lsp.semantics.redeclarations import ALIAS

    used = {name for symbols in root.members.values() for symbol in symbols for name in symbol.names}
    for part in (part for block in block_map.blocks for part in block.parts):
        used.update(part.names_among(wanted.keys()))
    return [
        _undefined_function(symbol)
        for name, symbol in wanted.items()
        if name in used and ALIAS + name not in root.members
    ]


def _is_undefined(name: str, symbols: list[Symbol]) -> bool:
    if not all(s.kind is SymbolKind.FUNCTION and not s.defined and s.type != MEANT for s in symbols):
        return False
    from ptx_lsp.isa.system_calls import SYSTEM_CALLS

    return name not in SYSTEM_CALLS


def _undefined_function(symbol: Symbol) -> Report:
    message = (
        f"`{symbol.name}` is used but not defined in this module: it has to be linked with a module that defines it"
    )
    return Report(UNDEFINED, symbol.mark, message, default_severity(UNDEFINED))


class InlinedPositions:
    """The positions and labels of a module by block, and the reports about missing ones.

    Most texts name no inlined code: they are compared by a class that is imported for the first text that does.
    """

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self._comparison: PositionComparison | None = None

    def moved(self, move: Move) -> None:
        """Note that the text of blocks is in other blocks now."""
        if self._comparison is not None:
            self._comparison.moved(move)

    def was_withdrawn(self, block: Block) -> None:
        """Note that a block will be read again, or that it has been removed."""
        if self._comparison is not None:
            self._comparison.was_withdrawn(block)

    def was_read(self, block: Block, reader: BlockReader) -> None:
        """Note the positions and labels of a block that `reader` has read."""
        text = reader.source.text
        if self._comparison is None and FUNCTION_NAME in text:
            from ptx_lsp.analysis.inlined_positions import PositionComparison

            self._comparison = PositionComparison(self._block_map)
        if self._comparison is not None and (LOCATION in text or SECTION in text):
            self._comparison.was_read(block, reader)

    def was_relabelled(self, change: Relabelled) -> None:
        """Note that the sections of a block have other labels, and that nothing else in the block has changed."""
        if self._comparison is not None:
            self._comparison.was_relabelled(change)

    def reports(self, of_blocks: list[list[Report]], without_labels: bool) -> list[Report]:
        """The reports about missing positions and labels: see `PositionComparison.reports`."""
        return self._comparison.reports(of_blocks, without_labels) if self._comparison is not None else []

    @property
    def pending(self) -> bool:
        """True if `find_missing` has work to do."""
        return self._comparison is not None and self._comparison.pending

    @property
    def are_compared(self) -> bool:
        """True if no block was read or removed since the last comparison."""
        return self._comparison is None or self._comparison.are_compared

    def find_missing(self, deadline: float | None, of_blocks: Iterable[list[Report]]) -> bool:
        """Report what is missing after every block has been read; False if time ran out."""
        return self._comparison is None or self._comparison.find_missing(deadline, of_blocks)


class Suggestions:
    """Which names were meant where undeclared ones are written, by what the module declares."""

    def __init__(self, root: Scope, document: Document) -> None:
        """`root` is the scope of the module."""
        self._root, self._document = root, document
        self._suggested: Suggested | None = None  # made for the first undeclared names

    def forget(self) -> None:
        """Note that the declared names have changed: other ones may be meant."""
        self._suggested = None

    def added_to(self, found: list[Report], complete: bool) -> list[Report]:
        """Reports, of which the first about undeclared names say which names were meant.

        `complete` is true if all declarations of the text are known.
        """
        if WITH_SUGGESTION.isdisjoint(map(CODE, found)):
            return found
        from ptx_lsp.reading.undeclared import scope_of_undeclared  # few texts have such names
        from ptx_lsp.semantics.suggestions import Suggested

        self._suggested = self._suggested or Suggested()
        return self._suggested.add_to(found, scope_of_undeclared, self._before, self._root, complete=complete)

    def _before(self, mark: Mark) -> str:
        """The text before a place on its line."""
        line, column, _, _ = mark.resolved()
        return self._document.line(line)[:column]


# --- kernels with what they call --------------------------------------------------------------------------------------


def unused_labels(groups: Iterable[list[Symbol]]) -> list[Report]:
    """Reports of the first labels of a function to which nothing branches; each group is above the next one."""
    ordered = (sorted(_with_colons(labels), key=lambda label: place(label.mark)) for labels in groups if labels)
    unused = islice(chain.from_iterable(ordered), MOST_REPORTED)
    return [
        Report(
            "unused-label",
            label.mark,
            f"nothing branches to `{label.name}`",
            default_severity("unused-label"),
            tags=(Tag.UNNECESSARY,),
        )
        for label in unused
    ]


def _with_colons(labels: list[Symbol]) -> list[Symbol]:
    """Those of these labels that have colons: the finding of a missing one says enough."""
    blocks = [each for each in {label.mark.holder for label in labels} if isinstance(each, Block)]
    lost = {place(each.mark) for block in blocks for each in block.reports if each.code == "missing-colon"}
    return [label for label in labels if place(label.mark) not in lost]


def has_traces(text: str, profile: Profile) -> bool:
    """Whether a text may have statements that `traces_of` finds; those that its target lacks are errors anyway."""
    version, number = profile.version, profile.target.number
    return any(version >= since and number >= first and word in text for word, (since, first) in TRACED.items())


def traces_of(part: FunctionPart, source: BlockText) -> tuple[tuple[Trait, int, Mark], ...]:
    """The statements of a part that only a full compile checks: the trait of each, its value, and its place.

    `source` is the text of the block of the part.
    """
    from ptx_lsp.semantics.traces import traces  # here and below: few modules have such statements

    text = source.text
    stop = len(text) if part.stop is None else part.stop
    found = list(traces(text, begin_of(part, text), stop))
    return tuple((trace.trait, trace.value, source.mark(trace.start, trace.end)) for trace in found)


def begin_of(part: FunctionPart, text: str) -> int:
    """The offset of the first statement of a part in the text of its block."""
    entry = part.block.entry
    commented = entry is not None and entry.comment is not None
    return max(part.start, text.find("*/") + len("*/") if commented else 0)


def conclude_launch(body: Body, parts: list[FunctionPart]) -> list[Report]:
    """The report of the first mistake about what a launch gives the kernel; `parts` are all parts of the function."""
    found = [trace for part in parts for trace in part.traces]
    state = parts[0].block.exit if found else None
    if state is None:
        return []
    # imported here, as few modules have such traces
    from ptx_lsp.semantics.launch_resources import judge_launch

    judged = judge_launch(body.symbol, [(trait, value) for trait, value, _ in found], state.profile)
    return [Report(code, found[index][2], message, default_severity(code)) for code, index, message in judged]


class Noted:
    """By block, what may make a kernel mix CTA groups or use too many textures or surfaces; few blocks have either."""

    def __init__(self) -> None:
        self._grouped: dict[Block, frozenset[int]] = {}  # the kinds of `.cta_group` in a block
        self._objects: dict[Block, int] = {}  # how many textures and surfaces a block declares

    def was_read(self, block: Block) -> None:
        """Note the traces and objects of a block that has been read."""
        self.was_withdrawn(block)
        if any(map(_TRACES, block.parts)) and (values := frozenset(value for value, _ in groups(block.parts))):
            self._grouped[block] = values
        objects = 0
        for _, symbol in block.declared:  # to search the text for the types takes longer
            if symbol.kind is not SymbolKind.LABEL:
                objects += _objects_of(symbol)
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
        return bool(self._objects) and sum(self._objects.values()) > _FEWEST


def _objects_of(symbol: Symbol) -> int:
    if symbol.type in _LIMITED:
        return 1
    signature = symbol.model
    if signature is None or len(signature.parameters) <= _FEWEST:
        return 0
    return sum(parameter.type in _LIMITED for parameter in signature.parameters)


def groups(parts: Iterable[FunctionPart]) -> Iterator[tuple[int, Mark]]:
    """The `.cta_group` of each `tcgen05` instruction that has one, 1 or 2, with its place."""
    for part in parts:
        if part.traces:
            from ptx_lsp.semantics.traces import Trait

            yield from ((value, mark) for trait, value, mark in part.traces if trait is Trait.GROUP)
