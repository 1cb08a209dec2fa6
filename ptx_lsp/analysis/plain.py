"""Declarations, headers and calls as compilers write them: read by one pattern each, without a tree.

As the quick scan, which calls them, they stand in front of the full way: what is not surely fine is left to it.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from math import prod
from typing import NamedTuple

from ptx_lsp.analysis.fold import CHECKED, Fold
from ptx_lsp.analysis.pieces import NAME
from ptx_lsp.analysis.scan import END_OF_LINE
from ptx_lsp.analysis.sequences import note_results
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.versions import Version
from ptx_lsp.semantics.calls import accepts
from ptx_lsp.semantics.declarations import RESERVED
from ptx_lsp.semantics.functions import ONCE_LARGE, difference
from ptx_lsp.semantics.launch import BLOCKS as MIN_BLOCKS
from ptx_lsp.semantics.launch import faults
from ptx_lsp.semantics.memory import aligned_alike, is_within_limits, parameter_bytes
from ptx_lsp.semantics.redeclarations import earlier
from ptx_lsp.semantics.reports import Mark
from ptx_lsp.semantics.symbols import UNBOUNDED, Launch, Scope, Signature, Symbol, SymbolKind
from ptx_lsp.text.ranges import Range

PLAIN_SINCE = (Version(5, 0), 30)  # the first version and architecture that have all that is plain
_BLANK = r"[ \t\r\n\f]"
_COUNT = r"[1-9][0-9]{0,8}"
_ALIGNMENT = r"(?:1|2|4|8|16|32|64|128)"
_TYPE = r"\.(?:[bsu](?:8|16|32|64)|f(?:32|64))"
# registers and variables of a function, of a type that every version and target has
_REGISTERS = re.compile(
    rf"""[ \t]*+\.reg[ \t]*+(\.(?:pred|[bsu](?:16|32|64)|f(?:32|64)))[ \t]++
    ({NAME}(?:[ \t]*+,[ \t]*+{NAME}|(?!))*+)(?:<([1-9][0-9]{{0,6}})>)?[ \t]*+;{END_OF_LINE.pattern}""",
    re.X | re.A,
)
_LOCAL = re.compile(
    rf"""[ \t]*+\.(param|local|shared)[ \t]++(?:\.align[ \t]++({_ALIGNMENT})[ \t]++)?
    ({_TYPE})[ \t]++({NAME})(?:\[({_COUNT})\])?[ \t]*+;""",
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
    rf"""{_BLANK}*+\.param{_BLANK}++(?:\.align{_BLANK}++({_ALIGNMENT}){_BLANK}++)?({_TYPE}){_BLANK}++
    (\.ptr{_BLANK}++(?:\.(?:global|const|shared|local){_BLANK}++)?(?:\.align{_BLANK}++{_ALIGNMENT}{_BLANK}++)?)?
    ({NAME})(?:\[({_COUNT})\])?{_BLANK}*+""",
    re.X | re.A,
)
_NUMBERS = rf"{_BLANK}++{_COUNT}(?:{_BLANK}*+,{_BLANK}*+{_COUNT}|(?!)){{0,2}}+{_BLANK}*+"
_HEADER = re.compile(
    rf"""[ \t]*+(?:\.(visible|weak|extern){_BLANK}++)?\.(entry|func){_BLANK}*+
    (?:\(([^(){{}};]++)\){_BLANK}*+)?({NAME}){_BLANK}*+(?:\(([^(){{}};]*+)\){_BLANK}*+)?
    (\.(?:maxntid|reqntid){_NUMBERS}(?:\.minnctapersm{_BLANK}++{_COUNT}{_BLANK}*+)?)?([{{;])""",
    re.X | re.A,
)
_DIGITS = re.compile("[0-9]++")
_KINDS = {"entry": SymbolKind.ENTRY, "func": SymbolKind.FUNCTION}


class _Registers(NamedTuple):
    """Registers of one declaration: their type, names and the columns at which these begin; a family's count."""

    type: str
    names: tuple[tuple[str, int], ...]
    size: int | None


def declare_registers(fold: Fold, line: str, number: int) -> bool:
    """Declare the registers that the line `number` (from 0) of a block does; False where it is not so plain."""
    registers = _registers(line)
    return registers is not None and _declare(fold, registers, number, 0)


def declare(fold: Fold, start: int) -> int:
    """Declare what the declaration at the offset `start` does. Returns where it ends, 0 where it is not so plain."""
    end = fold.text.find(";", start) + 1
    registers = _registers(fold.text[start:end])
    if registers is not None:
        number = bisect_right(fold.starts, start) - 1
        return end if _declare(fold, registers, number, start - fold.starts[number]) else 0
    match = _LOCAL.match(fold.text, start)
    if match is None or not has_all(fold):
        return 0
    if fold.buried:
        return match.end()
    scope = fold.scopes[-1]
    space, align, of, name, size = match.groups()
    if _is_taken(name, scope):
        return 0
    symbol = _variable(fold, match.span(4), space, of, size, align, "")
    if not is_within_limits(symbol, scope, fold.profile.target, in_function=True):
        return 0
    fold.declare((symbol,))
    return match.end()


@lru_cache(maxsize=4096)
def _registers(line: str) -> _Registers | None:
    """The registers that a line declares; None where it does not declare plain registers only."""
    match = _REGISTERS.fullmatch(line)
    if match is None:
        return None
    names = tuple((found[0], found.start()) for found in _NAMES.finditer(line, *match.span(2)))
    alone = {name for name, _ in names}
    if len(alone) < len(names) or (match[3] and len(names) > 1):
        return None
    if any(name in RESERVED or special_register(name) is not None for name in alone):
        return None
    return _Registers(match[1], names, int(match[3]) if match[3] else None)


def _declare(fold: Fold, registers: _Registers, number: int, column: int) -> bool:
    if not has_all(fold):
        return False
    if fold.buried:
        return True
    type_, names, count = registers
    scope = fold.scopes[-1]
    if not scope.is_empty or scope.labels:
        for name, _ in names:
            if scope.own(name) or name in scope.labels or name in scope.families or scope.numbered.get(name):
                return False
    symbols = []
    for name, start in names:
        begin = column + start
        mark = Mark(fold.block, Range(number, begin, number, begin + len(name)))
        symbols.append(Symbol(name, SymbolKind.REGISTER, mark, ".reg", type_, 1, (), count))
    fold.declare(tuple(symbols))
    return True


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
    if match is None or not has_all(fold) or CHECKED not in fold.header:
        return 0
    linkage, space, align, of, name, size, values = match.groups()
    if _is_taken(name, fold.scopes[-1]) or (linkage == "common" and space != "global"):
        return 0
    if (size == "" and linkage != "extern") or (values and not _fit(values, size, of, space, linkage)):
        return 0
    symbol = _variable(fold, match.span(5), space, of, size, align, f".{linkage}" if linkage else "")
    if not is_within_limits(symbol, fold.scopes[-1], fold.profile.target, in_function=False):
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
    if match is None or not has_all(fold) or CHECKED not in fold.header:
        return 0
    linkage, kind, returns, name, parameters, tuning, end = match.groups()
    entry, body = kind == "entry", end == "{"
    if (entry and returns) or (linkage == "extern" and body) or (tuning and not (entry and body)):
        return 0
    results = _parameters(fold, match.start(3), returns, False, True) if returns else ()
    given = _parameters(fold, match.start(5), parameters, entry, False) if parameters and parameters.strip() else ()
    if results is None or given is None or len(results) > 1:
        return 0
    if len({p.name for p in (*results, *given)}) < len(results) + len(given):
        return 0
    launch = _launch(tuning) if tuning else UNBOUNDED
    if launch is not UNBOUNDED and any(faults(launch, fold.profile.target)):
        return 0
    symbol = Symbol(
        name,
        _KINDS[kind],
        fold.mark(*match.span(4)),
        linkage=f".{linkage}" if linkage else "",
        defined=body,
        signature=Signature(results, given, launch=launch),
    )
    before = earlier(fold.scopes[-1], name)
    if before:
        last = before[-1]
        if last.kind is not symbol.kind or any(other.defined for other in before) or difference(symbol, last):
            return 0
        symbol = symbol if symbol.linkage else symbol.changed(linkage=last.linkage)
    if entry and parameter_bytes(symbol) > ONCE_LARGE:
        return 0
    fold.declare((symbol,))
    if body:
        fold.begin_body(symbol, (*results, *given), match.end() - 1)
    fold.closed, fold.astray = None, False
    return match.end()


def _launch(tuning: str) -> Launch:
    # the numbers of `.maxntid` or `.reqntid`, and that of `.minnctapersm`
    threads, _, blocks = tuning.partition(MIN_BLOCKS)
    return Launch(prod(map(int, _DIGITS.findall(threads))), int(blocks) if blocks else 0)


def _parameters(fold: Fold, start: int, listed: str, entry: bool, result: bool) -> tuple[Symbol, ...] | None:
    """The parameters of a list that begins at the offset `start`; None where one is not so plain."""
    found = []
    for text in listed.split(","):
        match = _PARAMETER.fullmatch(text)
        if match is None or (match[3] and not entry):
            return None
        align, of, _, name, size = match.groups()
        dimensions = (int(size),) if size else ()
        alignment = int(align) if align else None
        begin = start + match.start(4)
        mark = fold.mark(begin, begin + len(name))
        kind = SymbolKind.PARAMETER
        found.append(
            Symbol(name, kind, mark, ".param", of, 1, dimensions, None, alignment, of_entry=entry, result=result)
        )
        start += len(text) + 1
    return tuple(found)


def has_all(fold: Fold) -> bool:
    """Whether version and target have all that is plain."""
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
    fold.part.mentions += (*((guard,) if guard else ()), name, *given, *taken)
    fold.part.writes += (name, *given, *taken)  # what a call does to a register is not looked at
    note_results(fold.part, scope, given, callee.mark)
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
