"""What a module refers to and does not have: functions, and the positions and labels of inlined code.

Another module must define the functions.

Observed: full compile with ptxas 12.4, 12.9 and 13.5: "Unresolved extern function", "Cannot take address of function".
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from ptx_lsp.analysis.block_map import BlockMap
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.system_calls import SYSTEM_CALLS
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import Block
from ptx_lsp.semantics.inlined_code import NOTHING, InlinedCode, Use, inlined_code, uses
from ptx_lsp.semantics.reports import Mark, Report
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.syntax.plain_text import NAME_TEXT, without_comments
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

UNDEFINED = "undefined-function"
POSITION, LABEL = "inlined-position", "inlined-function"
_NAME = lazy_pattern(rf"(?<![\w$%.]){NAME_TEXT}", re.A)
_ALIAS = lazy_pattern(rf"\.alias\s+({NAME_TEXT})\s*,\s*({NAME_TEXT})", re.A)
_VALUE = lazy_pattern(r"=([^;]*)")


def undefined_functions(block_map: BlockMap, root: Scope) -> list[Report]:
    """A report for each undefined function of the module scope `root` that is called or whose address is taken."""
    wanted = {name: symbols[0] for name, symbols in root.members.items() if _is_undefined(name, symbols)}
    if not wanted:
        return []
    used: set[str] = set()
    aliases: set[str] = set()
    for block in block_map.blocks:
        for part in block.parts:
            used.update(wanted.keys() & {*part.read.split(), *part.written.split()})
        outside = without_comments(_outside(block, block_map.text(block)))
        for alias, function in _ALIAS.findall(outside):
            aliases.add(alias)
            used.add(function)
        for value in _VALUE.findall(outside):
            used.update(wanted.keys() & set(_NAME.findall(value)))
    return [_report(symbol) for name, symbol in wanted.items() if name in used and name not in aliases]


def _is_undefined(name: str, symbols: list[Symbol]) -> bool:
    if name in SYSTEM_CALLS:
        return False
    return all(symbol.kind is SymbolKind.FUNCTION and not symbol.defined for symbol in symbols)


def _outside(block: Block, text: str) -> str:
    """The text of a block without its functions."""
    pieces, start = [], 0
    for part in block.parts:
        pieces.append(text[start : part.start])
        start = len(text) if part.stop is None else part.stop
    return "".join([*pieces, text[start:]])


def _report(symbol: Symbol) -> Report:
    message = f"`{symbol.name}` is used, but this module does not define it: another module must when they are linked"
    return Report(UNDEFINED, symbol.mark, message, default_severity(UNDEFINED))


class InlinedPositions:
    """The positions and labels of a module by block, and those that are missing.

    They are compared again only after a block was read whose positions or labels have changed: an edit of any other
    line costs nothing.
    """

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self._found: dict[Block, InlinedCode] = {}
        self._before: dict[Block, InlinedCode] = {}  # of blocks that were withdrawn and not read again
        self._changed = False
        self._missing: dict[Block, frozenset[str]] = {}  # the positions that no block above has
        self._labels: frozenset[str] = frozenset()

    def was_withdrawn(self, block: Block) -> None:
        """A block will be read again, or is no longer one of the document's."""
        found = self._found.pop(block, None)
        if found is not None:
            self._before[block] = found

    def was_read(self, block: Block, text: str) -> None:
        """A block with this text has been read."""
        found = inlined_code(text, _begins_in_comment(block))
        self._changed |= found != self._before.pop(block, NOTHING)
        if found is not NOTHING:
            self._found[block] = found

    def reports(self, settled: bool) -> list[Report]:
        """The reports about missing positions and labels; `settled` is True if every block has been read."""
        if settled and (self._changed or self._before):
            self._compare()
        return [report for block in self._missing for report in self._of_block(block)]

    def _compare(self) -> None:
        self._changed = False
        self._before.clear()
        self._missing = {}
        self._labels = frozenset[str]().union(*(found.labels for found in self._found.values()))
        wanted = {position for found in self._found.values() for position in found.wanted}
        above: set[str] = set()
        for block in self._block_map.blocks if wanted else ():
            found = self._found.get(block, NOTHING)
            if found.named:
                missing = frozenset(found.wanted) - above
                if missing or not self._labels.issuperset(found.named):
                    self._missing[block] = missing
            above |= found.given & wanted
        if not wanted:
            bad = (b for b, f in self._found.items() if not self._labels.issuperset(f.named))
            self._missing = dict.fromkeys(bad, frozenset())

    def _of_block(self, block: Block) -> Iterator[Report]:
        if block not in self._found:
            return
        text = self._block_map.text(block)
        starts = line_starts(text)
        wanted, named = uses(text, _begins_in_comment(block))
        for use in wanted:
            if use.what in self._missing[block]:
                message = f"this code is inlined at `{use.what}`, but no `.loc` above has this position"
                yield Report(POSITION, _mark(block, starts, use), message, default_severity(POSITION))
        for use in named:
            if use.what not in self._labels:
                message = f"`{use.what}` names the inlined function, but no `.section` has this label: "
                message += "`ptxas` does not compile a kernel that has or calls this code"
                severity = Severity.ERROR if _is_in_kernel(block, use) else Severity.WARNING
                yield Report(LABEL, _mark(block, starts, use), message, severity)


def _mark(block: Block, starts: list[int], use: Use) -> Mark:
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
