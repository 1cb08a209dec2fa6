"""Declarations and calls as compilers write them: read by one pattern each, without a tree.

As the quick scan, which calls them, they stand in front of the full way: what is not surely fine is left to it.
"""

import re

from ptx_lsp.analysis.calls import accepts
from ptx_lsp.analysis.declarations import RESERVED
from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.memory import aligned_alike
from ptx_lsp.analysis.pieces import NAME
from ptx_lsp.analysis.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.versions import Version

PLAIN_SINCE = (Version(3, 0), 20)  # the first version and architecture that have all that is plain
# registers and variables of a function, of a type that every version and target has
_DECLARATION = re.compile(
    rf"""[ \t]*+\.(?:reg[ \t]*+(\.(?:pred|[bsu](?:16|32|64)|f(?:32|64)))[ \t]++
      ({NAME}(?:[ \t]*+,[ \t]*+{NAME})*+)(?:<([1-9][0-9]{{0,6}})>)?
    | (param|local)[ \t]++(?:\.align[ \t]++(1|2|4|8|16|32|64|128)[ \t]++)?(\.(?:[bsu](?:8|16|32|64)|f(?:32|64)))[ \t]++
      ({NAME})(?:\[([1-9][0-9]{{0,8}})\])?
    )[ \t]*+;""",
    re.X | re.A,
)
_NAMES = re.compile(NAME, re.A)
_LIST = rf"\s*+({NAME}(?:\s*+,\s*+{NAME})*+)?\s*+"
_CALL = re.compile(
    rf"""[ \t]*+(?:@!?({NAME})[ \t]++)?call(?:\.uni)?+\s*+(?:\({_LIST}\)\s*+,\s*+)?({NAME})\s*+
    (?:,\s*+\({_LIST}\)\s*+)?;[ \t]*+(?://[^\r\n]*+)?\r?(?:\n|\Z)""",
    re.X | re.A,
)


def declare(fold: Fold, start: int) -> int:
    """Declare what the declaration at the offset `start` does. Returns where it ends, 0 where it is not so plain."""
    match = _DECLARATION.match(fold.text, start)
    if match is None or not _has_all(fold):
        return 0
    scope = fold.scopes[-1]
    type_, _, count, space, align, of, name, size = match.groups()
    if space is not None:
        if _is_taken(name, scope):
            return 0
        mark = fold.mark(*match.span(7))
        dimensions = (int(size),) if size else ()
        alignment = int(align) if align else None
        symbol = Symbol(name, SymbolKind.VARIABLE, mark, f".{space}", of, 1, dimensions, None, alignment)
        fold.declare((symbol,))
        return match.end()
    found = [(match[0], *match.span()) for match in _NAMES.finditer(fold.text, *match.span(2))]
    if len({name for name, _, _ in found}) < len(found) or (count and len(found) > 1):
        return 0
    if any(_is_taken(name, scope) or scope.numbered.get(name) for name, _, _ in found):
        return 0
    number = int(count) if count else None
    fold.declare(
        tuple(
            Symbol(name, SymbolKind.REGISTER, fold.mark(begin, end), ".reg", type_, 1, (), number)
            for name, begin, end in found
        )
    )
    return match.end()


def _has_all(fold: Fold) -> bool:
    profile = fold.profile
    version, architecture = PLAIN_SINCE
    return profile.version >= version and profile.target.number >= architecture and profile.maximum is None


def _is_taken(name: str, scope: Scope) -> bool:
    taken = scope.own(name) or scope.labels.get(name) or scope.families.get(name)
    return bool(taken) or name in RESERVED or special_register(name) is not None


def call(fold: Fold, start: int) -> int:
    """Take the call at the offset `start`, of a function known. Returns where its last line ends, 0 for other calls."""
    match = _CALL.match(fold.text, start)
    if match is None or fold.part is None:
        return 0
    guard, results, name, arguments = match.groups()
    scope = fold.scopes[-1]
    callee = scope.lookup(name)
    if callee is None or callee.kind is not SymbolKind.FUNCTION or callee.signature is None or callee.signature.unknown:
        return 0
    if guard and fold.table.get(guard) != ".pred":
        return 0
    given, taken = _NAMES.findall(results or ""), _NAMES.findall(arguments or "")
    signature = callee.signature
    if not (_agree(given, signature.returns, scope) and _agree(taken, signature.parameters, scope)):
        return 0
    fold.part.mentions += (guard or "", name, *given, *taken)
    fold.part.writes += (name, *given, *taken)  # what a call does to a register is not looked at
    return match.end()


def _agree(names: list[str], formals: tuple[Symbol, ...], scope: Scope) -> bool:
    if len(names) != len(formals):
        return False
    for name, formal in zip(names, formals, strict=True):
        symbol = scope.lookup(name)
        if symbol is None or symbol.space not in (".reg", ".param") or not symbol.type or not formal.type:
            return False
        if symbol.kind is SymbolKind.PARAMETER and symbol.space == ".param":
            return False
        if not (accepts(formal, symbol) and aligned_alike(formal, symbol)):
            return False
    return True
