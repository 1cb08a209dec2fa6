"""Functions that a module uses but does not define: another module must define them.

Observed: full compile with ptxas 12.4, 12.9 and 13.5: "Unresolved extern function", "Cannot take address of function".
"""

import re

from ptx_lsp.analysis.block_map import BlockMap
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.isa.system_calls import SYSTEM_CALLS
from ptx_lsp.reading.block import Block
from ptx_lsp.semantics.reports import Report
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind

UNDEFINED = "undefined-function"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_NAME = re.compile(r"(?<![\w$%.])[%$_a-zA-Z][\w$]*+", re.A)
_ALIAS = re.compile(r"\.alias\s+([%$_a-zA-Z][\w$]*+)\s*,\s*([%$_a-zA-Z][\w$]*+)", re.A)
_VALUE = re.compile(r"=([^;]*)")


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
        outside = _COMMENT.sub(" ", _outside(block, block_map.text(block)))
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
