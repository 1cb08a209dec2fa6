"""Declarations, headers and calls as compilers write them: read by one pattern each, without a tree.

As the quick scan, which calls them, they stand in front of the full way: what is not surely fine is left to it.
"""

import re
from dataclasses import replace

from ptx_lsp.analysis.fold import CHECKED, Fold
from ptx_lsp.analysis.pieces import NAME
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.versions import Version
from ptx_lsp.semantics.calls import accepts
from ptx_lsp.semantics.declarations import RESERVED
from ptx_lsp.semantics.functions import ONCE_LARGE, difference
from ptx_lsp.semantics.memory import aligned_alike, is_within_limits, parameter_bytes
from ptx_lsp.semantics.redeclarations import earlier
from ptx_lsp.semantics.symbols import Scope, Signature, Symbol, SymbolKind

PLAIN_SINCE = (Version(5, 0), 30)  # the first version and architecture that have all that is plain
_BLANK = r"[ \t\r\n\f]"
_COUNT = r"[1-9][0-9]{0,8}"
_ALIGNMENT = r"(?:1|2|4|8|16|32|64|128)"
_TYPE = r"\.(?:[bsu](?:8|16|32|64)|f(?:32|64))"
# registers and variables of a function, of a type that every version and target has
_DECLARATION = re.compile(
    rf"""[ \t]*+\.(?:reg[ \t]*+(\.(?:pred|[bsu](?:16|32|64)|f(?:32|64)))[ \t]++
      ({NAME}(?:[ \t]*+,[ \t]*+{NAME}|(?!))*+)(?:<([1-9][0-9]{{0,6}})>)?
    | (param|local|shared)[ \t]++(?:\.align[ \t]++({_ALIGNMENT})[ \t]++)?({_TYPE})[ \t]++({NAME})(?:\[({_COUNT})\])?
    )[ \t]*+;""",
    re.X | re.A,
)
_VARIABLE = re.compile(
    rf"""[ \t]*+(?:\.(visible|weak|common|extern)[ \t]++)?\.(global|const|shared)[ \t]++
    (?:\.align[ \t]++({_ALIGNMENT})[ \t]++)?({_TYPE})[ \t]++({NAME})(?:\[({_COUNT}|)\]|(?!))?+
    (?:[ \t]*+=[ \t]*+\{{[ \t]*+((?:0|{_COUNT})(?:[ \t]*+,[ \t]*+(?:0|{_COUNT})|(?!))*+)[ \t]*+\}}|(?!))?+[ \t]*+;""",
    re.X | re.A,
)
_NAMES = re.compile(NAME, re.A)
_LIST = rf"{_BLANK}*+({NAME}(?:{_BLANK}*+,{_BLANK}*+{NAME}|(?!))*+)?{_BLANK}*+"
_CALL = re.compile(
    rf"""[ \t]*+(?:@[ \t]*+!?[ \t]*+({NAME})[ \t]++)?call(?:\.uni)?+{_BLANK}*+
    (?:\({_LIST}\){_BLANK}*+,{_BLANK}*+)?({NAME})
    {_BLANK}*+(?:,{_BLANK}*+\({_LIST}\){_BLANK}*+)?;[ \t]*+(?://[^\r\n]*+)?\r?(?:\n|\Z)""",
    re.X | re.A,
)
_PARAMETER = re.compile(
    rf"""\.param{_BLANK}++(?:\.align{_BLANK}++({_ALIGNMENT}){_BLANK}++)?({_TYPE}){_BLANK}++
    (\.ptr{_BLANK}++(?:\.(?:global|const|shared|local){_BLANK}++)?(?:\.align{_BLANK}++{_ALIGNMENT}{_BLANK}++)?)?
    ({NAME})(?:\[({_COUNT})\])?""",
    re.X | re.A,
)
_ONE = re.sub(r"(?<!\\)\((?!\?)", "(?:", _PARAMETER.pattern)
_NUMBERS = rf"{_BLANK}++{_COUNT}(?:{_BLANK}*+,{_BLANK}*+{_COUNT}|(?!)){{0,2}}+{_BLANK}*+"
_HEADER = re.compile(
    rf"""[ \t]*+(?:\.(visible|weak|extern){_BLANK}++)?\.(entry|func){_BLANK}*+
    (?:\({_BLANK}*+({_ONE}){_BLANK}*+\){_BLANK}*+)?
    ({NAME}){_BLANK}*+(?:\({_BLANK}*+((?:{_ONE}{_BLANK}*+(?:,{_BLANK}*+{_ONE}{_BLANK}*+|(?!))*+)?)\){_BLANK}*+)?
    (\.(?:maxntid|reqntid){_NUMBERS}(?:\.minnctapersm{_BLANK}++{_COUNT}{_BLANK}*+)?)?([{{;])""",
    re.X | re.A,
)
_KINDS = {"entry": SymbolKind.ENTRY, "func": SymbolKind.FUNCTION}


def declare(fold: Fold, start: int) -> int:
    """Declare what the declaration at the offset `start` does. Returns where it ends, 0 where it is not so plain."""
    match = _DECLARATION.match(fold.text, start)
    if match is None or not _has_all(fold):
        return 0
    if fold.buried:
        return match.end()
    scope = fold.scopes[-1]
    type_, _, count, space, align, of, name, size = match.groups()
    if space is not None:
        if _is_taken(name, scope):
            return 0
        symbol = _variable(fold, match.span(7), space, of, size, align, "")
        if not is_within_limits(symbol, scope, in_function=True):
            return 0
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


def _variable(
    fold: Fold, name: tuple[int, int], space: str, of: str, size: str | None, align: str | None, linkage: str
) -> Symbol:
    dimensions = () if size is None else (int(size or 0),)
    alignment = int(align) if align else None
    mark = fold.mark(*name)
    text = fold.text[name[0] : name[1]]
    return Symbol(text, SymbolKind.VARIABLE, mark, f".{space}", of, 1, dimensions, None, alignment, linkage)


def declare_global(fold: Fold, start: int) -> int:
    """Declare the variable of the module at the offset `start`; as `declare`."""
    match = _VARIABLE.match(fold.text, start)
    if match is None or not _has_all(fold) or CHECKED not in fold.header:
        return 0
    linkage, space, align, of, name, size, values = match.groups()
    if _is_taken(name, fold.scopes[-1]) or (linkage == "common" and space != "global"):
        return 0
    if (size == "" and linkage != "extern") or (values and not _fit(values, size, of, space, linkage)):
        return 0
    symbol = _variable(fold, match.span(5), space, of, size, align, f".{linkage}" if linkage else "")
    if not is_within_limits(symbol, fold.scopes[-1], in_function=False):
        return 0
    fold.declare((symbol,))
    return match.end()


def _fit(values: str, size: str | None, of: str, space: str, linkage: str | None) -> bool:
    # whether these numbers are initial values for an array of unsigned or untyped integers
    if not size or of[1] not in "bu" or space == "shared" or linkage in ("extern", "common"):
        return False
    numbers = list(map(int, values.split(",")))
    return len(numbers) <= int(size) and max(numbers) < 1 << int(of[2:])


def header(fold: Fold, start: int) -> int:
    """Take the header of a kernel or function at the offset `start`; as `declare`, its brace included."""
    match = _HEADER.match(fold.text, start)
    if match is None or not _has_all(fold) or CHECKED not in fold.header:
        return 0
    linkage, kind, returns, name, parameters, tuning, end = match.groups()
    entry, body = kind == "entry", end == "{"
    if (entry and returns) or (linkage == "extern" and body) or (tuning and not (entry and body)):
        return 0
    results = _parameters(fold, match.span(3), False, True) if returns else ()
    given = _parameters(fold, match.span(5), entry, False) if parameters else ()
    if results is None or given is None or len({p.name for p in (*results, *given)}) < len(results) + len(given):
        return 0
    symbol = Symbol(
        name,
        _KINDS[kind],
        fold.mark(*match.span(4)),
        linkage=f".{linkage}" if linkage else "",
        defined=body,
        signature=Signature(results, given),
    )
    before = earlier(fold.scopes[-1], name)
    if before:
        last = before[-1]
        if last.kind is not symbol.kind or any(other.defined for other in before) or difference(symbol, last):
            return 0
        symbol = symbol if symbol.linkage else replace(symbol, linkage=last.linkage)
    if entry and parameter_bytes(symbol) > ONCE_LARGE:
        return 0
    fold.declare((symbol,))
    if body:
        fold.begin_body(symbol, (*results, *given), match.end() - 1)
    fold.closed, fold.astray = None, False
    return match.end()


def _parameters(fold: Fold, span: tuple[int, int], entry: bool, result: bool) -> tuple[Symbol, ...] | None:
    found = []
    for match in _PARAMETER.finditer(fold.text, *span):
        align, of, pointer, name, size = match.groups()
        if pointer and not entry:
            return None
        dimensions = (int(size),) if size else ()
        alignment = int(align) if align else None
        mark = fold.mark(*match.span(4))
        kind = SymbolKind.PARAMETER
        found.append(
            Symbol(name, kind, mark, ".param", of, 1, dimensions, None, alignment, of_entry=entry, result=result)
        )
    return tuple(found)


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
