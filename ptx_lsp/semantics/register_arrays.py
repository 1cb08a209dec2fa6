"""The report of an array in the state space `.reg`, and what was meant by it."""

from ptx_lsp.semantics.specifiers import Traits
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.tree import Declarator


def array_of_registers(declarator: Declarator, symbol: Symbol, traits: Traits, surroundings: Surroundings) -> Symbol:
    """Report that a register is an array, unless its declaration has a report. Return the symbol, without a type.

    An array with an alignment was meant to be in memory: then its state space is wrong.
    """
    start, end = declarator.dimensions[0].start, declarator.dimensions[-1].end
    message = f"registers have no arrays: for {max(symbol.dimensions[0], 2)} of them declare `{symbol.name}<N>`"
    if traits.align is not None and traits.space is not None:
        start, end = traits.space.start, traits.space.end
        message = f"registers have no arrays: `{symbol.name}` with its alignment is a variable in memory"
        symbol = symbol.changed(kind=SymbolKind.VARIABLE)
    if not traits.broken:
        surroundings.report("register-array", start, end, message)
    return symbol.changed(dimensions=(), type="")
