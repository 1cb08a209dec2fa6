"""Code lenses on functions: the memory that they declare, and how often they are called."""

from collections.abc import Generator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.calls import DirectCall, calls
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.memory import parameter_bytes, size_of
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.text.ranges import Range

_SHARED, _LOCAL, _EXTERN = ".shared", ".local", ".extern"


class FunctionLens(NamedTuple):
    """A line of text above a function; `range` is that of its name."""

    range: Range
    title: str


def function_lenses(module: Module) -> Generator[None, None, list[FunctionLens]]:
    """The lenses of the functions with a body, in steps between which the caller may pause."""
    made: dict[str, list[DirectCall]] = {}
    for some in calls(module):
        for call in some:
            made.setdefault(call.callee, []).append(call)
        yield
    used = yield from _used_names(module)
    found = []
    for body in module.bodies():
        title = ", ".join(_facts(module, body, used.get(body.symbol.name, frozenset()), made.get(body.symbol.name, [])))
        if title:
            found.append(FunctionLens(body.symbol.mark.resolved(), title))
        yield
    return found


def _used_names(module: Module) -> Generator[None, None, dict[str, frozenset[str]]]:
    """The shared variables of the module that each function names, by the name of the function."""
    shared = frozenset(symbol.name for symbol in module.symbols() if symbol.space == _SHARED)
    used: dict[str, frozenset[str]] = {}
    for block in list(module.block_map.blocks) if shared else ():
        for part in block.parts:
            name = part.body.symbol.name
            here = shared.intersection(part.read.split()) | shared.intersection(part.written.split())
            used[name] = used.get(name, frozenset()) | here
        yield
    return used


def _facts(module: Module, body: Body, used: frozenset[str], made: list[DirectCall]) -> list[str]:
    facts = []
    if body.symbol.kind is SymbolKind.ENTRY and (size := parameter_bytes(body.symbol)):
        facts.append(f"parameters {_bytes(size)}")
    own = [symbol for symbols in body.scope.members.values() for symbol in symbols[:1]]
    outer = [symbol for name in sorted(used) for symbol in module.declarations(name)[:1]]
    facts += _memory("shared", [symbol for symbol in (*own, *outer) if symbol.space == _SHARED])
    facts += _memory("local", [symbol for symbol in own if symbol.space == _LOCAL])
    if made or body.symbol.kind is SymbolKind.FUNCTION:
        facts.append(_callers(made))
    return facts


def _memory(name: str, symbols: list[Symbol]) -> list[str]:
    """The bytes of some variables; those of `.extern` arrays without a size are chosen at the launch."""
    size = sum(size_of(symbol) for symbol in symbols)
    dynamic = any(symbol.linkage == _EXTERN and not size_of(symbol) for symbol in symbols)
    found = [f"{name} {_bytes(size)}"] if size else []
    return [*found, f"dynamic {name} memory"] if dynamic else found


def _bytes(size: int) -> str:
    return f"{size:,} byte" + ("" if size == 1 else "s")


def _callers(made: list[DirectCall]) -> str:
    callers = len({call.caller.name for call in made})
    if not made:
        return "no direct calls"
    calls_text = "1 call" if len(made) == 1 else f"{len(made):,} calls"
    return (
        calls_text if callers == len(made) == 1 else f"{calls_text} in {callers} function{'' if callers == 1 else 's'}"
    )
