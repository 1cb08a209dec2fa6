"""Applies the effects of recognisers to a block that is being read. No other module does."""

from ptx_lsp.quick.effect import Effect
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.call_sequences import note_load, note_results
from ptx_lsp.reading.function_part import FunctionPart
from ptx_lsp.semantics.surroundings import LabelUse, Undeclared
from ptx_lsp.semantics.symbols import SymbolKind

_FUNCTIONS = (SymbolKind.FUNCTION, SymbolKind.ENTRY)


def apply_effect(reader: BlockReader, effect: Effect) -> None:
    """Apply the effect of a run of lines, or of one statement of a function."""
    part = reader.part
    assert part is not None, "an effect inside of functions has a function"
    part.lines += effect.lines
    _apply_places(reader, part, effect)
    if effect.declares:
        reader.declare(effect.declares)
    if effect.opens >= 0:
        reader.open_scope(effect.opens)
    elif effect.closes >= 0:
        reader.close_scope()
        if len(reader.scopes) == 1:
            reader.end_body(effect.closes)


def _apply_places(reader: BlockReader, part: FunctionPart, effect: Effect) -> None:
    mark, scope = reader.source.name_mark, reader.scopes[-1]
    for place in effect.branches:
        part.label_uses.append(LabelUse(scope, place.name, mark(*place)))
    for place in effect.labels:
        reader.declare_label(place.name, mark(*place), part)
    for place in effect.undeclared:
        part.undeclared_names.append(Undeclared(place.name, mark(*place)))
    for place in effect.loads:
        note_load(part, scope, place.name, mark(*place))
    if effect.results and effect.callee is not None:
        note_results(part, scope, effect.results, effect.callee)


def apply_module_effect(reader: BlockReader, effect: Effect) -> None:
    """Apply the effect of a declaration or header outside of functions."""
    reader.declare(effect.declares)
    if effect.body is not None:
        reader.begin_body(*effect.body)
    if any(symbol.kind in _FUNCTIONS for symbol in effect.declares):
        reader.closed, reader.stray_reported = None, False
