"""Compares the positions of inlined code with those of a module: what each block has, wants and lacks.

Observed: ptxas 13.5, see `semantics/inlined_code.py`.
"""

from __future__ import annotations

from itertools import chain, compress, repeat
from operator import is_
from time import perf_counter

from ptx_lsp.analysis.block_map import BY_INDEX, BlockMap, Move
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Severity
from ptx_lsp.light_classes import TYPE_CHECKING, Iterable, Iterator, NamedTuple
from ptx_lsp.quick.effect import POSITION
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.state import is_in_comment
from ptx_lsp.semantics.inlined_code import (
    INLINED_SINCE,
    NOTHING,
    UNKNOWN,
    InlinedCode,
    Use,
    continued_labels,
    inlined_code,
    named_code,
    uses,
)
from ptx_lsp.semantics.surroundings import CODE, Report
from ptx_lsp.semantics.symbols import Mark, Places, SymbolKind, place
from ptx_lsp.text.lines import line_starts

if TYPE_CHECKING:
    from ptx_lsp.analysis.long_sections import Relabelled
    from ptx_lsp.quick.line_runs import Lines
    from ptx_lsp.reading.block_reader import BlockReader

MISSING_POSITION, MISSING_LABEL = "inlined-position", "inlined-function"
# the codes of mistakes at which the parser may pass over a section or a label
_HIDES_SECTION = frozenset(
    (
        *("debug-data", "expected-declaration", "expected-name", "invalid-character", "malformed-number"),
        *("misplaced-directive", "missing-brace", "missing-colon", "missing-semicolon", "non-ascii"),
        *("stray-token", "unclosed-bracket", "unknown-directive", "unmatched-brace", "unmatched-bracket"),
        "unterminated-string",
    )
)


class _Missing(NamedTuple):
    """The reports of a block about positions, and those about labels, each with the part of a function in which it is.

    There may be thousands of the latter in all blocks, as soon as a mistake hides a section.
    """

    positions: list[Report]
    labels: list[tuple[Report, FunctionPart | None]]

    def now(self) -> list[Report]:
        """All, with the severity that they have now: an edit above can make another function of a kernel."""
        return self.positions + [
            report._replace(severity=Severity.ERROR) if part is not None and _is_of_kernel(part) else report
            for report, part in self.labels
        ]


class PositionComparison:
    """The positions and labels of a module by block, and the reports about missing ones.

    It is made for the first block that names inlined code. `_read` are the blocks that were read or removed since the
    last comparison, with what they have now, and `_found` is what all blocks had then. `_naming` are those of the
    latter that name inlined code; as long as there are none, it may be unknown what a block has. `_labelled` are those
    that have labels or a part of a section. `_users` are those of `_naming` that name each label, None before the first
    change of labels: to look at all blocks for one label would take long. After a comparison, `_bad` are the blocks for
    which reports must be made, with the positions that no block above has: there may be thousands, so they are made in
    slices. Until then, `_earlier` are the reports that the blocks had before. `_reports` are those of each block.
    `_below` are the blocks into which a section of a block above them continues, as far as its statement is broken.
    An edit of a line without a position or label costs nothing.
    """

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self._found: dict[Block, InlinedCode] = {}
        self._read: dict[Block, InlinedCode] = {block: UNKNOWN for block in block_map.blocks if block.generation}
        self._naming: set[Block] = set()
        self._labelled: set[Block] = set()
        self._labels: frozenset[str] = frozenset()
        self._users: dict[str, set[Block]] | None = None
        self._bad: dict[Block, frozenset[str]] = {}
        self._reports: dict[Block, _Missing] = {}
        self._below: set[Block] = set()
        self._earlier: list[Report] = []
        self._are_hidden = False  # the reports about labels, when the module was compared last
        self._stay_hidden = False  # after an edit since then

    def moved(self, move: Move) -> None:
        """Note that the text of blocks is in other blocks now."""
        for block in move.blocks:
            self._keep_earlier(block)
        self._earlier = move.reports(self._earlier)

    def was_withdrawn(self, block: Block) -> None:
        """Note that a block will be read again, or that it has been removed."""
        self._stay_hidden = self._are_hidden
        self._keep_earlier(block)
        self._bad.pop(block, None)
        if block in self._found or block in self._read:
            self._read[block] = NOTHING
        if block in self._below:
            for above, found in self._found.items():
                if found.rest:
                    self._read.setdefault(above, found)

    def was_read(self, block: Block, reader: BlockReader) -> None:
        """Note the positions and labels of a block that `reader` has read and that has some."""
        lines = (lambda: _lines_with_positions(reader.runs)) if not reader.parsed else None
        self._read[block] = named_code(reader.source.text, is_in_comment(block.entry), lines)

    def was_relabelled(self, change: Relabelled) -> None:
        """Note that the sections of a block have other labels, and that nothing else in the block has changed."""
        self._stay_hidden = self._are_hidden
        block = change.block
        found = self._read[block] if block in self._read else self._found.get(block)
        if found is not None and found is not UNKNOWN:
            self._read[block] = found._replace(labels=(found.labels - change.gone) | change.new)

    def reports(self, of_blocks: list[list[Report]], without_labels: bool) -> list[Report]:
        """The reports about missing positions and labels.

        `without_labels` is true if it is uncertain which sections there are: then those about labels are left out. So
        they are if there is a mistake among `of_blocks`, the reports of the blocks, that may hide a section: ptxas
        looks for the labels only in a module without such a mistake. After an edit that removes it, they are left out
        until the labels have been compared: those that were missing with the mistake may not be missing any more.
        """
        without_labels = without_labels or self._stay_hidden or _may_hide_section(of_blocks)
        reports = (one.positions if without_labels else one.now() for one in self._reports.values())
        found = list(chain.from_iterable(reports))
        if self._earlier and self.pending:
            known = {(report.code, place(report.mark)) for report in found}
            found += [report for report in self._earlier if (report.code, place(report.mark)) not in known]
        return [report for report in found if report.code != MISSING_LABEL] if without_labels else found

    @property
    def pending(self) -> bool:
        """True if `find_missing` has work to do."""
        return bool(self._read or self._bad) or self._stay_hidden

    @property
    def are_compared(self) -> bool:
        """True if no block was read or removed since the last comparison."""
        return not self._read

    def find_missing(self, deadline: float | None, of_blocks: Iterable[list[Report]]) -> bool:
        """Report what is missing after every block has been read; False if time ran out."""
        is_first = bool(self._read)  # what is found first is shown at once
        if is_first:
            if not self._read_positions(deadline):
                return False
            self._compare()
        self._are_hidden, self._stay_hidden = _may_hide_section(of_blocks), False
        while self._bad:
            block = next(iter(self._bad))
            self._reports[block] = self._of_block(block, self._bad.pop(block))
            if deadline is not None and self._bad and (is_first or perf_counter() >= deadline):
                return False
        self._earlier = []
        return True

    def _read_positions(self, deadline: float | None) -> bool:
        """Read the positions of the blocks, if any block names inlined code; False if time ran out."""
        if deadline is None or not (self._naming or any(now.has_inlined for now in self._read.values())):
            return True
        for table in (self._read, self._found):
            for block in [block for block, found in table.items() if found is UNKNOWN]:
                if table is self._read or block not in self._read:
                    table[block] = inlined_code(self._block_map.text(block), is_in_comment(block.entry))
                    if perf_counter() >= deadline:
                        return False
        return True

    def _compare(self) -> None:
        """Find the blocks whose reports may have changed, and those of them that miss something."""
        read, self._read = self._read, {}
        before = {block: self._found.pop(block, NOTHING) for block in read}
        named_before = bool(self._naming)
        self._naming.difference_update(read)
        self._naming.update(block for block, now in read.items() if now.has_inlined)
        self._found.update((block, now) for block, now in read.items() if now is not NOTHING)
        for block, now in read.items():
            self._note_users(block, before[block].named, now.named)
        if not self._naming:
            return
        for block in list(read if named_before else self._found):
            if self._found.get(block) is UNKNOWN:
                self._found[block] = inlined_code(self._block_map.text(block), is_in_comment(block.entry))
        positions: set[str] = set()
        relabelled = not named_before
        for block, was in before.items():
            now = self._found.get(block, NOTHING)
            positions |= was.given ^ now.given
            relabelled |= was.labels != now.labels or bool(was.rest or now.rest)
        labels, self._labelled = self._labels, self._labelled if named_before else set()
        if relabelled:
            self._find_labels(read if named_before else self._found)
        doubtful = {block for block in read if self._found.get(block, NOTHING).has_inlined}
        if positions:
            doubtful.update(block for block in self._naming if not positions.isdisjoint(self._found[block].wanted))
        if changed := labels ^ self._labels:
            users = self._users = self._users or self._find_users()
            named = set[Block]().union(*(users.get(label, ()) for label in changed))
            self._judge_labels(named - doubtful, doubtful)
        self._judge(doubtful)

    def _find_users(self) -> dict[str, set[Block]]:
        """The blocks that name each label."""
        found: dict[str, set[Block]] = {}
        for block in self._naming:
            for label in self._found[block].named:
                found.setdefault(label, set()).add(block)
        return found

    def _note_users(self, block: Block, before: frozenset[str], now: frozenset[str]) -> None:
        """Note which labels a block names, as far as they are other ones than `before`."""
        if self._users is not None and before != now:
            for label in before - now:
                self._users[label].discard(block)
            for label in now - before:
                self._users.setdefault(label, set()).add(block)

    def _find_labels(self, changed: Iterable[Block]) -> None:
        """Find the labels of all sections; `changed` are the blocks that may have others than at the last time."""
        self._labelled.difference_update(changed)
        for block in changed:
            if (found := self._found.get(block)) is not None and (found.labels or found.rest):
                self._labelled.add(block)
        self._labels = frozenset[str]().union(*(self._found[block].labels for block in self._labelled))
        self._below = set()
        for block in self._labelled:
            if rest := self._found[block].rest:
                self._labels |= continued_labels(rest, self._texts_below(block))

    def _texts_below(self, block: Block) -> Iterator[tuple[str, bool]]:
        """The texts of the blocks below a block, and whether each begins in a comment; they are in `_below` then."""
        following = self._block_map.after(block)
        while following is not None:
            self._below.add(following)
            yield self._block_map.text(following), is_in_comment(following.entry)
            following = self._block_map.after(following)

    def _keep_earlier(self, block: Block) -> None:
        """Keep the reports of a block until the next comparison."""
        if (reports := self._reports.pop(block, None)) is not None:
            self._earlier += reports.now()

    def _judge_labels(self, blocks: set[Block], doubtful: set[Block]) -> None:
        """Find those of the blocks that lack labels; the ones that lack positions too become `doubtful`."""
        for block in blocks:
            reports = self._reports.get(block)
            if self._bad.get(block) or (reports is not None and reports.positions):
                doubtful.add(block)
                continue
            self._keep_earlier(block)
            self._bad.pop(block, None)
            if not self._labels.issuperset(self._found[block].named):
                self._bad[block] = frozenset()

    def _judge(self, doubtful: set[Block]) -> None:
        wanted = {position for block in doubtful for position in self._found[block].wanted}
        above: set[str] = set()
        for block in self._block_map.blocks if wanted else sorted(doubtful, key=BY_INDEX):
            found = self._found.get(block, NOTHING)
            if block in doubtful:
                doubtful.discard(block)
                self._keep_earlier(block)
                self._bad.pop(block, None)
                missing = found.wanted - above
                if missing or not self._labels.issuperset(found.named):
                    self._bad[block] = missing
            if not doubtful:
                break
            above |= found.given & wanted

    def _of_block(self, block: Block, missing: frozenset[str]) -> _Missing:
        found = _Missing([], [])
        text = self._block_map.text(block)
        places = Places(block, line_starts(text))
        wanted, named = uses(text, is_in_comment(block.entry), positions=bool(missing))
        for use in wanted:
            mark = places.mark(use.start, use.end)
            if use.what in missing and _has_inlined(block, mark):
                message = f"this code is inlined at `{use.what}`, but no `.loc` above has this position"
                found.positions.append(Report(MISSING_POSITION, mark, message, default_severity(MISSING_POSITION)))
        for use in named:
            mark = places.mark(use.start, use.end)
            if use.what not in self._labels and _has_inlined(block, mark):
                message = f"`{use.what}` names the inlined function, but no `.section` has this label: "
                message += "`ptxas` does not compile a kernel that has or calls this code"
                report = Report(MISSING_LABEL, mark, message, Severity.WARNING)
                found.labels.append((report, _part_around(block, use)))
        return found


def _may_hide_section(of_blocks: Iterable[list[Report]]) -> bool:
    """Whether there is a mistake among the reports of the blocks at which a section may be lost."""
    return not _HIDES_SECTION.isdisjoint(map(CODE, chain.from_iterable(of_blocks)))


def _lines_with_positions(runs: list[Lines]) -> list[str]:
    """The lines among these that are a `.loc`, in order; none if one of them may continue in the line below it.

    The parser has read none of them. A run may end before its last line, where the following one begins.
    """
    found: list[str] = []
    for run, following in zip(runs, [*runs[1:], None], strict=False):
        lines = run.lines
        if any(lines[place].lstrip().startswith(",") for place in run.unknown[:-1]):
            return []
        own = lines[: following.first - run.first] if following is not None else lines
        found += compress(own, map(is_, run.effects, repeat(POSITION)))  # for all lines: a loop takes longer
    return found


def _has_inlined(block: Block, mark: Mark) -> bool:
    """Whether the module has a version with inlined code at a place of the block.

    Otherwise every such `.loc` is reported already, if it is a mistake. A `.version` below the place does not count.
    """
    if block.entry is None or block.exit is None:
        return False
    written = block.exit.profile.written
    is_below = written is not None and written.holder is block and written.range.start > mark.range.start
    return (block.entry if is_below else block.exit).profile.version >= INLINED_SINCE


def _part_around(block: Block, use: Use) -> FunctionPart | None:
    """The part of a function in which a name is."""
    return next(
        (part for part in block.parts if part.start <= use.start and (part.stop is None or use.end <= part.stop)), None
    )


def _is_of_kernel(part: FunctionPart) -> bool:
    return part.body.symbol.kind is SymbolKind.ENTRY
