"""Recognises headers of kernels and functions, and the head of a module, in the form that compilers write."""

from collections.abc import Callable
from math import prod

from ptx_lsp.isa.directive_names import ADDRESS_SIZE, DEBUG, HEADER, TARGET, VERSION
from ptx_lsp.isa.releases import RELEASES
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.declarations import ALIGNMENT, BLANK, COUNT, END_OF_LINE, PLAIN_SINCE, TYPE, has_plain, is_reserved
from ptx_lsp.quick.effect import Effect, NewBody, View
from ptx_lsp.semantics.declarations import RESERVED
from ptx_lsp.semantics.functions import ONCE_LARGE, difference
from ptx_lsp.semantics.launch import BLOCKS as MIN_BLOCKS
from ptx_lsp.semantics.launch import faults
from ptx_lsp.semantics.memory import parameter_bytes
from ptx_lsp.semantics.redeclarations import earlier
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import UNBOUNDED, Launch, Mark, Scope, Signature, Symbol, SymbolKind
from ptx_lsp.syntax.plain_text import NAME_TEXT

_PARAMETER = lazy_pattern(
    rf"""{BLANK}*+\.param{BLANK}++(?:\.align{BLANK}++({ALIGNMENT}){BLANK}++)?({TYPE}){BLANK}++
    (\.ptr{BLANK}++(?:\.(?:global|const|shared|local){BLANK}++)?(?:\.align{BLANK}++{ALIGNMENT}{BLANK}++)?)?
    ({NAME_TEXT})(?:\[({COUNT})\])?{BLANK}*+""",
    re.X | re.A,
)
_GAP = rf"(?:{BLANK}|//[^\n]*+\n|(?!))*+"  # clang writes the name of the function in a comment before the brace
_NUMBERS = rf"{BLANK}++{COUNT}(?:{BLANK}*+,{BLANK}*+{COUNT}|(?!)){{0,2}}+{BLANK}*+"
_HEADER = lazy_pattern(
    rf"""[ \t]*+(?:\.(visible|weak|extern){BLANK}++)?\.(entry|func)(?=[\s(]){BLANK}*+
    (?:\(([^(){{}};]++)\){BLANK}*+)?({NAME_TEXT}){BLANK}*+(?:\(([^(){{}};]*+)\){_GAP})?
    (\.(?:maxntid|reqntid){_NUMBERS}(?:(?<=\s)\.minnctapersm{BLANK}++{COUNT}{BLANK}*+)?)?{_GAP}([{{;])""",
    re.X | re.A,
)
_DIGITS = lazy_pattern("[0-9]++")
_NEXT_LINE = rf"{END_OF_LINE.pattern}(?:[ \t]*+(?://[^\r\n]*+)?\r?\n|(?!))*+"
# Groups: version, number and letter of the target, option, size of addresses. Another directive follows, so that the
# last one is complete.
_MODULE_HEAD = lazy_pattern(
    rf"""[ \t]*+\{VERSION}[ \t]++([1-9])\.([0-9]){_NEXT_LINE}
    [ \t]*+\{TARGET}[ \t]++sm_([1-9][0-9]{{1,2}})([af]?)
    (?:[ \t]*+,[ \t]*+({DEBUG}|texmode_(?:independent|unified)))?{_NEXT_LINE}
    (?:[ \t]*+\{ADDRESS_SIZE}[ \t]++(64){_NEXT_LINE})?(?=[ \t]*+\.(?!target|address_size)[a-z]{{4}})""",
    re.X | re.A,
)
_KINDS = {"entry": SymbolKind.ENTRY, "func": SymbolKind.FUNCTION}


class ModuleHead(NamedTuple):
    """The effect of the head of a module: the offset after it, the names of its directives, and the profile."""

    end: int
    directives: tuple[str, ...]
    profile: Profile


def module_head(text: str, start: int, profile: Profile, mark: Callable[[int, int], Mark]) -> ModuleHead | None:
    """The effect of the `.version`, `.target` and `.address_size` that a module begins with; None unless they are fine.

    The first one is at the offset `start`, and `profile` is that of a module without a header.
    """
    match = _MODULE_HEAD.match(text, start)
    if match is None or profile.maximum is not None or profile.compiled_for is not None:
        return None
    major, minor, number, letter, option, size = match.groups()
    version, target = Version(int(major), int(minor)), Target(int(number), letter)
    if version not in RELEASES or version < PLAIN_SINCE[0] or target not in TARGETS or version < TARGETS[target]:
        return None
    read = profile._replace(version=version, target=target, written=mark(match.start(1), match.end(2)))
    if option:
        read = read._replace(options=frozenset((option,)))
        if option == DEBUG:
            read = read._replace(debug=mark(*match.span(5)))
    return ModuleHead(match.end(), HEADER if size else HEADER[:2], read)


def header(text: str, start: int, view: View) -> Effect | None:
    """The effect of the header at the offset `start`, with its brace or semicolon; None unless it is fine."""
    match = _HEADER.match(text, start)
    if match is None or not has_plain(view.known.profile):
        return None
    linkage, kind, _, name, _, tuning, end = match.groups()
    entry, body = kind == "entry", end == "{"
    if is_reserved(name) or (entry and match[3]) or (linkage == "extern" and body) or (tuning and not (entry and body)):
        return None
    signature = _signature(match, entry, view)
    if signature is None:
        return None
    mark = view.mark(*match.span(4))
    symbol = Symbol(
        name, _KINDS[kind], mark, linkage=f".{linkage}" if linkage else "", defined=body, signature=signature
    )
    again = redeclared(symbol, view.scope)
    if again is None or (entry and parameter_bytes(again) > ONCE_LARGE):
        return None
    effect = Effect.of_declaration(match.end(), (again,))
    if body:
        effect.body = NewBody(again, (*signature.returns, *signature.parameters), match.end() - 1)
    return effect


def _signature(match: re.Match[str], entry: bool, view: View) -> Signature | None:
    """The signature of a header; None unless its parameters and launch bounds are fine."""
    returns, parameters, tuning = match[3], match[5], match[6]
    results = _parameters(match.start(3), returns, view, entry=False, result=True) if returns else ()
    listed = parameters and parameters.strip()
    given = _parameters(match.start(5), parameters, view, entry=entry, result=False) if listed else ()
    if results is None or given is None or len(results) > 1:
        return None
    if len({p.name for p in (*results, *given)}) < len(results) + len(given):
        return None
    launch = _launch(tuning) if tuning else UNBOUNDED
    if launch is not UNBOUNDED and any(faults(launch, view.known.profile.chip)):
        return None
    return Signature(results, given, launch=launch)


def redeclared(symbol: Symbol, scope: Scope) -> Symbol | None:
    """The symbol, with the linkage of an earlier declaration; None if it does not match an earlier one."""
    before = earlier(scope, symbol.name)
    if not before:
        return symbol
    last = before[-1]
    if last.kind is not symbol.kind or any(other.defined for other in before) or difference(symbol, last):
        return None
    return symbol if symbol.linkage else symbol.changed(linkage=last.linkage)


def _launch(tuning: str) -> Launch:
    # the numbers of `.maxntid` or `.reqntid`, and the number of `.minnctapersm`
    threads, _, blocks = tuning.partition(MIN_BLOCKS)
    return Launch(prod(map(int, _DIGITS.findall(threads))), int(blocks) if blocks else 0)


def _parameters(start: int, listed: str, view: View, *, entry: bool, result: bool) -> tuple[Symbol, ...] | None:
    """The parameters of a list that begins at the offset `start`; None if one of them is not plain."""
    found = []
    for text in listed.split(","):
        match = _PARAMETER.fullmatch(text)
        if match is None or (match[3] and not entry):
            return None
        align, of, _, name, size = match.groups()
        if name in RESERVED:
            return None
        dimensions = (int(size),) if size else ()
        alignment = int(align) if align else None
        begin = start + match.start(4)
        mark = view.mark(begin, begin + len(name))
        kind = SymbolKind.PARAMETER
        found.append(
            Symbol(name, kind, mark, ".param", of, 1, dimensions, None, alignment, of_entry=entry, result=result)
        )
        start += len(text) + 1
    return tuple(found)
