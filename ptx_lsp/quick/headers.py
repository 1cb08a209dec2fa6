"""Recognises headers of kernels and functions, and the head of a module, in the form that compilers write.

The header of a declared function, which has no body, is remembered without the name: others differ only in that. Its
parameters are made at the first request for the signature, because few of them are asked for.
"""

from __future__ import annotations

from ptx_lsp.isa.directive_names import ADDRESS_SIZE, DEBUG, HEADER, NO_DOUBLES, TARGET, TEXTURE_MODES, VERSION
from ptx_lsp.isa.releases import RELEASES
from ptx_lsp.isa.targets import FIRST_WITH_DOUBLES, TARGETS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.late_modules import late_module
from ptx_lsp.light_classes import TYPE_CHECKING, Any, Callable, NamedTuple, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.declarations import (
    ALIGNMENT,
    BLANK,
    COUNT,
    EMPTY_LINES,
    END_OF_LINE,
    PLAIN_SINCE,
    TYPE,
    has_plain,
    is_plain,
    is_since,
)
from ptx_lsp.quick.effect import PARAMETER, Effect, NewBody
from ptx_lsp.quick.known import View
from ptx_lsp.semantics.memory import ONCE_LARGE, parameter_bytes, parameter_limit
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import UNBOUNDED, Holder, Launch, Mark, Places, Scope, Signature, Symbol, SymbolKind
from ptx_lsp.syntax.plain_text import NAME_TEXT, NEXT_HEADER, OF_HEADER, RESERVED, is_reserved
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

if TYPE_CHECKING:
    from ptx_lsp.semantics import header_differences, redeclarations, signatures
else:
    header_differences = late_module("ptx_lsp.semantics.header_differences")
    redeclarations = late_module("ptx_lsp.semantics.redeclarations")
    signatures = late_module("ptx_lsp.semantics.signatures")

_PARAMETER = lazy_pattern(
    rf"""{BLANK}*+\.param{BLANK}++(?:\.align{BLANK}++({ALIGNMENT}){BLANK}++)?({TYPE}){BLANK}++
    (\.ptr{BLANK}++(?:\.(?:global|const|shared|local){BLANK}++)?(?:\.align{BLANK}++{ALIGNMENT}{BLANK}++)?)?
    ({NAME_TEXT})(?:\[({COUNT}|)\])?{BLANK}*+""",
    re.X | re.A,
)
_UNSIZED_SINCE = Version(5, 1)
SIZE_SINCE = Version(2, 3)
CLUSTERS_SINCE = (Version(7, 8), 90)
NORETURN_SINCE = (Version(6, 4), 30)
_GAP = rf"(?:{BLANK}|//[^\n]*+\n|(?!))*+"  # clang writes the name of the function in a comment before the brace
_NUMBERS = rf"{BLANK}++{COUNT}(?:{BLANK}*+,{BLANK}*+{COUNT}|(?!)){{0,2}}+{BLANK}*+"
# the same for other statements that compilers before CUDA 5 write below such declarations
_NEXT = rf"(?:{NEXT_HEADER}|\.(?:file|const|global|shared)[ \t])"
# what follows `.noreturn;`: a `{` below it would make its semicolon a mistake
_STATEMENT = r"\.(?:visible|weak|extern|entry|func|global|const|shared|file|section)\b"
# a list of parameters after a wrong brace or semicolon, whose end may be below the text
_LIST = rf"{BLANK}*+(?:\(|\.(?:param|reg)\b[^(){{}};]*+(?:\)|\Z))"
_HEADER = lazy_pattern(
    rf"""[ \t]*+(?:\.(visible|weak|extern){BLANK}++)?\.(entry|func)(?=[\s(]){BLANK}*+
    (?:\(([^(){{}};]++)\){BLANK}*+)?({NAME_TEXT}){BLANK}*+(?:\(([^(){{}};]*+)\){_GAP})?
    (\.(?:(?:maxntid|reqntid){_NUMBERS}(?:(?<=\s)\.minnctapersm{BLANK}++{COUNT}{BLANK}*+)?
        |maxnreg{BLANK}++{COUNT}{BLANK}*+))?
    ((?<=[\s)])\.explicitcluster{BLANK}++
        (?:\.reqnctapercluster{_NUMBERS}|\.maxclusterrank{BLANK}++{COUNT}{BLANK}*+)?)?{_GAP}
    ((?<=[\s)])\.noreturn{_GAP})?
    (?:([{{;])(?!{_LIST})(?(5)|(?:(?<=;)|(?!{BLANK}*+\Z)))
        (?(8)(?:(?<=\{{)|(?={_GAP}{_STATEMENT}))|)|(?(5)(?={_NEXT}|\Z)|(?!)))""",
    re.X | re.A,
)
# the header of a declared function, at the begin of a line
_DECLARED = lazy_pattern(
    rf"^(?:\.(visible|weak|extern)[ \t]++)?\.func[ \t]++(?:\([^(){{}};]++\)[ \t]*+)?({NAME_TEXT})"
    rf"(?:{BLANK}*+\([^(){{}};]*+\))?(?:[^{{}};.]++|\.(?!{OF_HEADER})|(?!))*+;",
    re.A | re.M,
)
_NAME_MARK = "\x01"  # replaces the name in the key of a header; no text that recognisers read has this character
_DIGITS = lazy_pattern("[0-9]++")
_NEXT_LINE = rf"{END_OF_LINE.pattern}{EMPTY_LINES.pattern}"
# Groups: version, number and letter of the target, option, size of addresses
_DIRECTIVES = rf"""[ \t]*+\{VERSION}[ \t]++([1-9])\.([0-9]){_NEXT_LINE}
    [ \t]*+\{TARGET}[ \t]++sm_([1-9][0-9]{{1,2}})([af]?)
    (?:[ \t]*+,[ \t]*+({"|".join((DEBUG, *TEXTURE_MODES, NO_DOUBLES))}))?{_NEXT_LINE}
    (?:[ \t]*+\{ADDRESS_SIZE}[ \t]++(64){_NEXT_LINE})?"""
# another directive follows, so that the last one is complete
_MODULE_HEAD = lazy_pattern(rf"{_DIRECTIVES}(?=[ \t]*+\.(?!target|address_size)[a-z]{{4}})", re.X | re.A)
_HEAD_WITHOUT_END = lazy_pattern(rf"{_DIRECTIVES}\Z", re.X | re.A)
_KINDS = {"entry": SymbolKind.ENTRY, "func": SymbolKind.FUNCTION}
MakeMark = Callable[[int, int], Mark]  # from two offsets


class ModuleHead(NamedTuple):
    """The effect of the head of a module: the offset after it, the names of its directives, and the profile."""

    end: int
    directives: tuple[str, ...]
    profile: Profile


def module_head(text: str, start: int, profile: Profile, mark: MakeMark) -> ModuleHead | None:
    """The effect of the `.version`, `.target` and `.address_size` that a module begins with; None unless they are fine.

    The first one is at the offset `start`, and `profile` is that of a module without a header.
    """
    match = _MODULE_HEAD.match(text, start)
    if match is None or profile.maximum is not None or profile.compiled_for is not None:
        return None
    groups = match.groups()
    of_head = _profile_of_head(profile, *groups)
    if of_head is None:
        return None
    debug = mark(*match.span(5)) if groups[4] == DEBUG else None
    read = Profile(*of_head[:-2], mark(match.start(1), match.end(2)), debug)  # `_replace` takes three times as long
    return ModuleHead(match.end(), HEADER if groups[5] else HEADER[:2], read)


@forgettable
@lru_cache(maxsize=64)
def _profile_of_head(
    before: Profile, major: str, minor: str, number: str, letter: str, option: str | None, size: str | None
) -> Profile | None:
    """The profile of a head with these words, without places; None unless recognisers know what they allow."""
    version, target = Version(int(major), int(minor)), Target(int(number), letter)
    if version not in RELEASES or target not in TARGETS or version < TARGETS[target]:
        return None
    if not _has_plain_head(version, target, option, size):
        return None
    options = frozenset((option,) if option else ())
    return before._replace(version=version, target=target, options=options, has_target=True)


def _has_plain_head(version: Version, target: Target, option: str | None, size: str | None) -> bool:
    """Whether a module with this version and target can have the option and the directive with the size."""
    if option == NO_DOUBLES:
        fits = target.number < FIRST_WITH_DOUBLES
    else:
        fits = not option or version >= PLAIN_SINCE[0]
    return fits and (not size or version >= SIZE_SINCE)


def is_open_head(text: str, start: int) -> bool:
    """Whether the head of a module begins at the offset `start` and may continue below the text."""
    return _HEAD_WITHOUT_END.match(text, start) is not None


def header(text: str, start: int, view: View, at_end: bool = False) -> Effect | None:
    """The effect of the header at the offset `start`, with its brace or semicolon; None unless it is fine.

    `at_end` is true if nothing follows below the text, or another header.
    """
    # no semicolon is before the brace of a body, and to find that costs a tenth of the pattern
    declared = _DECLARED.match(text, start) if text.find("{", start, text.find(";", start)) < 0 else None
    return _plain_header(text, start, view, at_end) if declared is None else _declared_function(declared, view)


def _plain_header(text: str, start: int, view: View, at_end: bool = False) -> Effect | None:
    """The effect of a header, by its text alone; None unless it is fine."""
    match, profile = _HEADER.match(text, start), view.known.profile
    if match is None or not is_plain(match[0], profile):
        return None
    linkage, kind, _, name, _, tuning, clusters, noreturn, end = match.groups()
    entry, body, stop = kind == "entry", end == "{", match.end() if end else match.end(5) + 1
    if entry and not body and not has_plain(profile):
        return None  # a kernel that is only declared
    if not end and (entry or (match.end() == len(text) and not at_end)):
        return None
    if is_reserved(name) or (entry and match[3]) or (linkage == "extern" and body):
        return None
    if ((tuning or clusters) and not (entry and body)) or (clusters and not is_since(CLUSTERS_SINCE, profile)):
        return None
    if noreturn and (entry or match[3] or not end or not is_since(NORETURN_SINCE, profile)):
        return None  # a function that never returns has no result
    signature = _signature(match, entry, view.mark)
    if signature is None or not _is_possible(signature.launch, profile.chip):
        return None
    if "[]" in match[0] and any(map(_is_unsized, signature.parameters)) and (entry or profile.version < _UNSIZED_SINCE):
        return None
    mark = view.mark(*match.span(4))
    symbol = Symbol(
        name, _KINDS[kind], mark, linkage=f".{linkage}" if linkage else "", defined=body, signature=signature
    )
    again = redeclared(symbol, view.scope)
    if again is None or (entry and not _fit(again, profile)):
        return None
    effect = Effect.of_declaration(stop, (again,))
    if body:
        effect.body = NewBody(again, (*signature.returns, *signature.parameters), match.end() - 1)
    return effect


def _fit(symbol: Symbol, profile: Profile) -> bool:
    """Whether the parameters of a kernel are not too large for a version."""
    return parameter_bytes(symbol) <= min(ONCE_LARGE, parameter_limit(profile.version))


def _signature(match: re.Match[str], entry: bool, mark: MakeMark) -> Signature | None:
    """The signature of a header that matches `_HEADER`; None unless its parameters are fine."""
    returns, parameters, tuning = match[3], match[5], match[6]
    name = match[4]
    results = _parameters(match.start(3), returns, name, mark, entry=False, result=True) if returns else ()
    listed = parameters and parameters.strip()
    given = _parameters(match.start(5), parameters, name, mark, entry=entry, result=False) if listed else ()
    if results is None or given is None or len(results) > 1:
        return None
    if "[]" in match[0] and any(map(_is_unsized, (*results, *given[:-1]))):
        return None
    if len({p.name for p in (*results, *given)}) < len(results) + len(given):
        return None
    return Signature(results, given, match[8] is not None, launch=_launch(tuning) if tuning else UNBOUNDED)


def _is_unsized(parameter: Symbol) -> bool:
    return parameter.dimensions == (0,)


def redeclared(symbol: Symbol, scope: Scope) -> Symbol | None:
    """The symbol, with the linkage of an earlier declaration; None if it does not match an earlier one."""
    named = scope.members.get(symbol.name)
    if named is None or (len(named) == 1 and _is_definition_of(symbol, named[0], scope)):
        return symbol
    before = redeclarations.earlier(scope, symbol.name)
    if not before:
        return symbol
    last = before[-1]
    if last.kind is not symbol.kind or any(other.defined for other in before):
        return None
    if header_differences.difference(symbol, last):
        return None
    return symbol if symbol.linkage or not last.linkage else symbol.changed(linkage=last.linkage)


def _is_definition_of(symbol: Symbol, declared: Symbol, scope: Scope) -> bool:
    """Whether a function is surely that of a declaration, as most of a debug build are; others may be too."""
    mine, theirs = symbol.model, declared.model
    if mine is None or theirs is None or declared.defined or not scope.sees(declared):
        return False
    same = declared.kind is symbol.kind and declared.linkage == symbol.linkage
    return same and signatures.are_alike(mine, theirs)


def _launch(tuning: str) -> Launch:
    from math import prod

    from ptx_lsp.semantics.launch import BLOCKS, REGISTERS  # here and below: few short files have bounds

    if tuning.startswith(REGISTERS):
        return Launch(0, 0, int(tuning.removeprefix(REGISTERS)))
    # the numbers of `.maxntid` or `.reqntid`, and the number of `.minnctapersm`
    threads, _, blocks = tuning.partition(BLOCKS)
    return Launch(prod(map(int, _DIGITS.findall(threads))), int(blocks) if blocks else 0)


def _is_possible(launch: Launch, chip: Target) -> bool:
    """Whether a kernel with these bounds can be launched on a chip."""
    if launch is UNBOUNDED:
        return True
    from ptx_lsp.semantics.launch import faults

    return not any(faults(launch, chip))


def _parameters(
    start: int, listed: str, function: str, make: MakeMark, *, entry: bool, result: bool
) -> tuple[Symbol, ...] | None:
    """The parameters of a function in a list that begins at the offset `start`; None if one of them is not plain."""
    # most lists differ from an earlier one in the name of the function alone
    rows = _listed(listed if function[0] == "%" else listed.replace(function, _NAME_MARK)) or _listed(listed)
    found, longer, kind = [], len(function) - len(_NAME_MARK), SymbolKind.PARAMETER
    for name, of, dimensions, alignment, is_pointer, at, marks in rows or ():
        name = name.replace(_NAME_MARK, function)
        if name in RESERVED or (is_pointer and not entry):
            return None
        begin = start + at + marks * longer
        mark = make(begin, begin + len(name))
        found.append(
            Symbol(name, kind, mark, ".param", of, 1, dimensions, None, alignment, "", True, None, (), entry, result)
        )
    return tuple(found) if rows else None


@forgettable
@lru_cache(maxsize=1024)
def _listed(text: str) -> tuple[tuple[str, str, tuple[int, ...], int | None, bool, int, int], ...] | None:
    """The parameters of a list, which may have a mark in place of the name of its function; None if one is not plain.

    Each has its name, type, dimensions, alignment, True for a pointer, its offset, and the number of marks before it.
    """
    found, start = [], 0
    for piece in text.split(","):
        # what is a name with `_` is one with each name without `%`, and no other word of a parameter has a `_`
        match = _PARAMETER.fullmatch(piece.replace(_NAME_MARK, "_"))
        if match is None:
            return None
        align, of, pointer, name, size = match.groups()
        at = start + match.start(4)
        dimensions, alignment = (int(size or 0),) if size is not None else (), int(align) if align else None
        marks = text.count(_NAME_MARK, 0, at)
        found.append((text[at : at + len(name)], of, dimensions, alignment, pointer is not None, at, marks))
        start += len(piece) + 1
    return tuple(found)


# --- declared functions ----------------------------------------------------------------------------------------------


def _declared_function(declared: re.Match[str], view: View) -> Effect | None:
    """The effect of the header of a declared function; None unless it is fine.

    The match begins at the begin of a line and ends with the `;`. Its groups are the linkage and the name.
    """
    key = _key(declared)
    signature = view.known.headers.get(key)
    if signature is not None:
        return _known_header(declared, signature, view)
    effect = _plain_header(declared.string, declared.start(), view)
    if effect is not None and key and effect.end == declared.end():
        signature = _without_places(effect.declares[0].signature)
        if not signature.noreturn:  # what follows it has a meaning
            view.known.headers[key] = signature
    return effect


class DeclaredFunction(Symbol):
    """A declared function whose header is known; its signature is made at the first request."""

    __slots__ = ("_header", "_holder", "_line", "_model")

    def __init__(self, name: str, mark: Mark, linkage: str, model: Signature, header: str, line: int) -> None:
        """`header` is the text of the header, which begins with the line `line` of its block (from 0)."""
        super().__init__(name, SymbolKind.FUNCTION, mark, linkage=linkage, defined=False)
        del self.signature
        self._model = model
        self._header = header
        self._holder: Holder = mark.holder
        self._line = line

    def __getattr__(self, name: str) -> Any:
        if name != "signature":
            raise AttributeError(name)
        match = _HEADER.match(self._header)
        assert match is not None, "a known header has this form"
        mark = Places(self._holder, line_starts(self._header)).mark
        self.signature = signature = _signature(match, False, lambda start, end: _moved(mark(start, end), self._line))
        return signature

    @property
    def model(self) -> Signature:
        """The signature of the first such header."""
        return self._model


def _moved(mark: Mark, lines: int) -> Mark:
    return Mark(mark.holder, mark.range.shifted(lines))


def _key(declared: re.Match[str]) -> str:
    """The header of a declared function without its name; empty if parts of other words are equal to the name."""
    text, name = declared[0], declared[2]
    if text.count(name) != 1 + text.count(f" {name}{PARAMETER}"):
        return ""
    return text.replace(name, _NAME_MARK)


def _known_header(declared: re.Match[str], signature: Signature, view: View) -> Effect | None:
    name, linkage = declared[2], f".{declared[1]}" if declared[1] else ""
    if is_reserved(name):
        return None
    mark = view.mark(*declared.span(2))
    header = declared[0]
    line = mark.range.line - header.count("\n", 0, declared.start(2) - declared.start())
    symbol = DeclaredFunction(name, mark, linkage, signature, header, line)
    again = redeclared(symbol, view.scope)
    return Effect.of_declaration(declared.end(), (again,)) if again is not None else None


class _Nowhere:
    line = index = 0


_NO_PLACE = Mark(_Nowhere(), Range(0, 0, 0, 0))


def _without_places(signature: Signature | None) -> Signature:
    """A signature that keeps no block alive."""
    assert signature is not None, "a header has a signature"
    returns, parameters = (
        tuple(parameter.changed(mark=_NO_PLACE) for parameter in listed)
        for listed in (signature.returns, signature.parameters)
    )
    return signature._replace(returns=returns, parameters=parameters)
