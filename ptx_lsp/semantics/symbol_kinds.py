"""The kinds of bare names, as the rows of operands write them: see judgement/kinds.py."""

from ptx_lsp.isa.types import OPAQUE_TYPES, TYPES
from ptx_lsp.judgement.kinds import UNKNOWN
from ptx_lsp.semantics.symbols import Symbol, SymbolKind

NAMELESS = {
    SymbolKind.FUNCTION: "func",
    SymbolKind.ENTRY: "entry",
    SymbolKind.PROTOTYPE: "prototype",
    SymbolKind.TARGETS: "targets",
    SymbolKind.LABEL: "label",
}
"""The kinds of the names that have no type: their meaning is more than their kind, such as a function's parameters."""


def symbol_kind(symbol: Symbol) -> str:
    """The kind of a bare name."""
    nameless = NAMELESS.get(symbol.kind)
    if nameless is not None:
        return nameless
    if not symbol.type or not symbol.space:
        return UNKNOWN  # its declaration is broken and has been reported
    if symbol.type in OPAQUE_TYPES and not symbol.dimensions:
        return symbol.type
    vector = f".v{symbol.vector}" if symbol.vector > 1 else ""
    if symbol.space == ".reg":
        return vector + symbol.type
    space = _parameter_space(symbol) if symbol.space == ".param" else symbol.space
    if not symbol.dimensions:
        return f"{space}:{vector}{symbol.type}"
    row = TYPES[symbol.type]
    return f"{space}:{vector}{symbol.type if row.declarable else f'.b{row.bits}'}[]"


def _parameter_space(symbol: Symbol) -> str:
    if symbol.kind is not SymbolKind.PARAMETER:
        return ".param.local"
    return ".param.entry" if symbol.of_entry else ".param.result" if symbol.result else ".param.func"
