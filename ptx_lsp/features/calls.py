"""The direct calls of a module: which function calls which, and where."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.occurrences.plain_blocks import statement_around
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.names import Name, names_in
from ptx_lsp.syntax.tree import Arguments, Instruction
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

_FUNCTIONS = (SymbolKind.FUNCTION, SymbolKind.ENTRY)
_CALL = lazy_pattern(r"(?<![\w$%.])call(?![\w$])")


class DirectCall(NamedTuple):
    """A call; `caller` is the function around it, `range` is that of the name of the called function."""

    caller: Symbol
    callee: str
    range: Range


def calls(module: Module) -> Iterator[list[DirectCall]]:
    """The calls of functions that the module declares, in the order of the text, in lists of one block each."""
    if module.foreign is not None:
        return
    for block in list(module.block_map.blocks):
        text = module.block_map.text(block)
        found: list[DirectCall] = []
        for match in _CALL.finditer(text) if CALL in text else ():
            at = match.start()
            part = next((p for p in block.parts if p.start <= at and (p.stop is None or at < p.stop)), None)
            name = None if part is None else _callee(text, at, part.start)
            if part is not None and name is not None and is_function(module, name.text):
                found.append(DirectCall(part.body.symbol, name.text, _range(text, name).shifted(block.line)))
        yield found


def is_function(module: Module, name: str) -> bool:
    """Whether the module declares a function with this name."""
    return any(symbol.kind in _FUNCTIONS for symbol in module.declarations(name))


def _callee(text: str, at: int, begin: int) -> Name | None:
    """The name of the function that the call at an offset names; None if no call begins there."""
    statement = statement_around(text, at, begin)
    if not isinstance(statement, Instruction) or statement.opcode.start != at:
        return None
    operands = statement.operands
    index = int(len(operands) > 1 and isinstance(operands[0], Arguments))  # the results come first
    return next((name for name in names_in(statement) if name.path == (index,)), None)


def _range(text: str, name: Name) -> Range:
    starts = line_starts(text)
    line = bisect_right(starts, name.start) - 1
    return Range(line, name.start - starts[line], line, name.end - starts[line])
