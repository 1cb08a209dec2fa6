"""The direct calls of a module: which function calls which, and where."""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.occurrences.code_text import code_of_block
from ptx_lsp.occurrences.line_statements import LineStatements
from ptx_lsp.occurrences.plain_blocks import part_at
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.symbols import FUNCTION_KINDS, Symbol
from ptx_lsp.syntax.names import Name, names_in
from ptx_lsp.syntax.tree import Arguments, Instruction
from ptx_lsp.text.ranges import Range

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
        # without the sections below the functions, which may have megabytes
        text = code_of_block(module, block, block.parts[-1].stop) if block.parts else ""
        found: list[DirectCall] = []
        lines = LineStatements(text if CALL in text else "")
        for match in _CALL.finditer(text) if CALL in text else ():
            part = part_at(block, match.start())
            name = None if part is None else _callee(lines, match.start(), part.start)
            if part is not None and name is not None and is_function(module, name.text):
                place = lines.range_of(name.start, name.end).shifted(block.line)
                found.append(DirectCall(part.body.symbol, name.text, place))
        yield found


def is_function(module: Module, name: str) -> bool:
    """Whether the module declares a function with this name."""
    return any(symbol.kind in FUNCTION_KINDS for symbol in module.declarations(name))


def _callee(lines: LineStatements, at: int, begin: int) -> Name | None:
    """The name of the function that the call at an offset names; None if no call begins there."""
    statement = lines.around(at, begin)
    if not isinstance(statement, Instruction) or statement.opcode.start != at:
        return None
    operands = statement.operands
    index = int(len(operands) > 1 and isinstance(operands[0], Arguments))  # the results come first
    return next((name for name in names_in(statement) if name.path == (index,)), None)
