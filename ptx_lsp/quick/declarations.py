"""Recognises declarations of registers and variables, as compilers write them, each with one pattern."""

from itertools import chain, islice

from ptx_lsp.isa.directive_names import FUNC, INITIALISED, PROTOTYPE, TARGET_LISTS
from ptx_lsp.isa.types import TEXTURE
from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import Callable, Iterable, Iterator, NamedTuple, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.effect import Effect
from ptx_lsp.quick.known import View
from ptx_lsp.semantics.memory import is_within_limits
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import DIGITS, Mark, Scope, Symbol, SymbolKind
from ptx_lsp.syntax.known_values import find_values
from ptx_lsp.syntax.plain_text import NAME_TEXT, is_reserved

# the first version and architecture that have all that the patterns of declarations and headers match, but `.common`
PLAIN_SINCE = (Version(3, 2), 30)
# the same for declarations and headers without the words that are newer, and for those without other words too
_OLDER_SINCE = (Version(2, 1), 20)
_NEWER_WORDS = (".weak", ".ptr", "generic(")
_OLDEST_SINCE = (Version(1, 4), 10)
_OLDER_WORDS = (*_NEWER_WORDS, FUNC, "tid", "ctapersm", PROTOTYPE, *TARGET_LISTS)
TEXTURES_SINCE = Version(1, 5)
_COMMON_SINCE = Version(5, 0)
# the types of registers that not every such version and target has
NEWER_TYPES = {".f16": (Version(4, 2), 53), ".f16x2": (Version(4, 2), 53), ".b128": (Version(8, 3), 70)}
_ATTRIBUTE = ".attribute"
END_OF_LINE = lazy_pattern(r"[ \t]*+(?://[^\r\n]*+)?\r?(?:\n|\Z)")
EMPTY_LINES = lazy_pattern(r"(?:[ \t]*+(?://[^\r\n]*+)?\r?\n|(?!))*+")  # blank, or with a comment; also none
BLANK = r"[ \t\r\n\f]"
COUNT = r"[1-9][0-9]{0,8}"
ALIGNMENT = r"(?:1|2|4|8|16|32|64|128)"
TYPE = r"\.(?:[bsu](?:8|16|32|64)|f(?:32|64))"
_MORE = 6  # digits, after the first one, of the number of members of a family
# registers and variables of a function
_REGISTERS = lazy_pattern(
    rf"""[ \t]*+\.reg[ \t]*+(\.(?:pred|[bsu](?:8|16|32|64)|b128|f(?:16(?:x2)?|32|64)))[ \t]++
    ({NAME_TEXT}(?:[ \t]*+,[ \t]*+{NAME_TEXT}|(?!))*+)(?:<([1-9][0-9]{{0,{_MORE}}})>)?[ \t]*+;{END_OF_LINE.pattern}""",
    re.X | re.A,
)
_LOCAL = lazy_pattern(
    rf"""[ \t]*+\.(param|local|shared)[ \t]++(?:\.align[ \t]++({ALIGNMENT})[ \t]++)?
    ({TYPE})[ \t]++({NAME_TEXT})(?:\[({COUNT})\])?[ \t]*+;""",
    re.X | re.A,
)
_FLOAT = "(?:0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16})"
_INTEGER = r"-?[1-9][0-9]{0,18}"  # all have at most 64 bits
_VALUE = rf"(?:{_FLOAT}|0|{_INTEGER}|generic\({NAME_TEXT}\)(?:\+{COUNT})?|{NAME_TEXT})"
_VALUES = rf"{_VALUE}(?:{BLANK}*+,{BLANK}*+{_VALUE}|(?!))*+"
_VARIABLE = lazy_pattern(
    rf"""[ \t]*+(?:\.(visible|weak|common|extern)[ \t]++)?\.(global|const|shared)[ \t]++
    (?:\.attribute\((\.managed)\)[ \t]++)?
    (?:\.align[ \t]++({ALIGNMENT})[ \t]++)?({TYPE}|\{TEXTURE})[ \t]++({NAME_TEXT})(?:\[({COUNT}|)\]|(?!))?+
    (?:[ \t]*+=[ \t]*+(?:\{{{BLANK}*+({_VALUES}){BLANK}*+\}}|({_VALUE}))|(?!))?+[ \t]*+;""",
    re.X | re.A,
)
# the begin of a variable with values in braces
_BEFORE_VALUES = lazy_pattern(r"[ \t]*+(?:\.(?!(?:reg|file)\b)[a-z]\w*+[ \t]++)[^;={]*+=[ \t]*+\{", re.A)
_LONG_TABLE = 1 << 17  # characters
_FIRST_VALUES = 1 << 9  # characters, which show of what kind the values are
_NAMES = lazy_pattern(NAME_TEXT, re.A)
_FLOATS = {
    ".f32": lazy_pattern(rf"{BLANK}*+0[fF][0-9a-fA-F]{{8}}{BLANK}*+"),
    ".f64": lazy_pattern(rf"{BLANK}*+0[dD][0-9a-fA-F]{{16}}{BLANK}*+"),
}


NameMark = Callable[[str, int, int], Mark]  # from a name, its line and its column


class Registers(NamedTuple):
    """Registers of one declaration: their type, names with their columns in its text, and the count of a family.

    `different` has the names alone, and `stems` has them without the digits at the end.
    """

    type: str
    names: tuple[tuple[str, int], ...]
    members: int | None
    different: frozenset[str]
    stems: frozenset[str]


def has_plain(profile: Profile) -> bool:
    """Whether version and target have all that the patterns match."""
    return is_since(PLAIN_SINCE, profile)


def is_plain(text: str, profile: Profile) -> bool:
    """Whether version and target have what a declaration or header with this text needs, which a pattern matches."""
    if has_plain(profile):
        return True
    if not has_function_parameters(profile) and not is_since(_OLDEST_SINCE, profile):
        return False
    words = _NEWER_WORDS if has_function_parameters(profile) else _OLDER_WORDS
    return not any(word in text for word in words) and ("[]" not in text or ".shared" in text)


def has_function_parameters(profile: Profile) -> bool:
    """Whether version and target have parameters of functions, and all else but `_NEWER_WORDS`."""
    return is_since(_OLDER_SINCE, profile)


def is_since(first: tuple[Version, int], profile: Profile) -> bool:
    """Whether version and target have what came with a version and an architecture, and no limit may exclude it."""
    version, architecture = first
    return profile.version >= version and profile.target.number >= architecture and profile.maximum is None


def plain_registers(text: str, scope: Scope, profile: Profile) -> Registers | None:
    """The registers of a declaration in a scope that is one line and fine; None if the recogniser is not sure."""
    registers = _registers(text)
    if registers is None or not (is_plain(text, profile) and _has_type(registers, profile)):
        return None
    if not scope.is_empty or scope.labels:
        for name, _ in registers.names:
            if scope.own(name) or name in scope.labels or name in scope.families or scope.numbered.get(name):
                return None
    return registers


def _has_type(registers: Registers, profile: Profile) -> bool:
    return (since := NEWER_TYPES.get(registers.type)) is None or is_since(since, profile)


class _DeclaredNames:
    """The names of declarations, with those of their stems and of families, to see which other registers may follow."""

    __slots__ = ("_families", "_names", "_stems")

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        self._names, self._stems = set[str](), set[str]()
        self._families: set[str] = set()  # the stems of families
        for symbol in symbols:
            names = self._stems if symbol.count is None else self._families
            self._names.add(symbol.name)
            names.add(symbol.name.rstrip(DIGITS))
        self._stems |= self._families

    def take(self, registers: Registers) -> bool:
        """Whether no name, here or there, changes what another one means; then these registers are added.

        All are different, and the name of a family differs from every other one in more than the digits at the end.
        """
        if registers.members is not None:
            if not self._stems.isdisjoint(registers.stems):
                return False
            self._families |= registers.stems
        elif not (self._families.isdisjoint(registers.stems) and self._names.isdisjoint(registers.different)):
            return False
        self._names |= registers.different
        self._stems |= registers.stems
        return True


def other_registers(lines: Iterable[str], declared: tuple[Symbol, ...], view: View) -> Iterator[Registers]:
    """The registers of the first of these lines, up to one that is not surely fine after those that are `declared`."""
    names = _DeclaredNames(declared)
    for line in lines:
        registers = plain_registers(line, view.scope, view.known.profile)
        if registers is None or not names.take(registers):
            return
        yield registers


def prologue(text: str, start: int, lines: list[str], first: int, view: View, name_mark: NameMark) -> Effect | None:
    """The effect of the declarations with which a body begins at the offset `start`, the begin of the line `first`.

    Other declarations may follow: these are lines with registers that are surely fine, and a variable in the line above
    them. None if the first line is another one.
    """
    scope, profile = view.scope, view.known.profile
    if not has_plain(profile) or scope.families or scope.labels:
        return None
    at = first
    symbols: list[Symbol] = []
    if ".local" in lines[at] and (local := local_declaration(text, start, view)) is not None:
        if local.end != start + len(lines[at]):
            return None
        symbols += local.declares
        at += 1
    shapes, kind = view.known.shapes, SymbolKind.REGISTER
    names = _DeclaredNames(chain(chain.from_iterable(scope.members.values()), symbols))
    for line in islice(lines, at, None):
        registers = _registers(line) if ".reg" in line else None
        if registers is None or not (_has_type(registers, profile) and names.take(registers)):
            break
        of, listed, count, *_ = registers
        for name, column in listed:
            symbols.append(Symbol(name, kind, name_mark(name, at, column), ".reg", of, 1, (), count))
        if listed[0][0] not in shapes.kinds:
            shapes.learn_family(listed[0][0], of)
        at += 1
    effect = Effect.of_declaration(0, tuple(symbols))
    effect.count = at - first
    return effect if symbols else None


def register_symbols(registers: Registers, start: int, mark: Callable[[int, int], Mark]) -> tuple[Symbol, ...]:
    """The symbols of registers whose declaration begins at the offset `start`."""
    kind, type_, count = SymbolKind.REGISTER, registers.type, registers.members
    return tuple(
        Symbol(name, kind, mark(start + column, start + column + len(name)), ".reg", type_, 1, (), count)
        for name, column in registers.names
    )


@forgettable
@lru_cache(maxsize=4096)
def _registers(text: str) -> Registers | None:
    before, _, after = text.partition("<")
    count = after[:-2]
    if after[-2:] == ">;" and count.isdecimal() and count.isascii() and count[0] != "0" and len(count) <= 1 + _MORE:
        family = _matched(f"{before}<1>;")  # most declarations differ from an earlier one in the number alone
        return family and Registers(family.type, family.names, int(count), family.different, family.stems)
    return _matched(text)


@forgettable
@lru_cache(maxsize=1024)
def _matched(text: str) -> Registers | None:
    match = _REGISTERS.fullmatch(text)
    if match is None:
        return None
    names = tuple((found[0], found.start()) for found in _NAMES.finditer(text, *match.span(2)))
    different = frozenset([name for name, _ in names])
    if len(different) < len(names) or (match[3] and len(names) > 1):
        return None
    if any(is_reserved(name) for name in different):
        return None
    stems = frozenset([name.rstrip(DIGITS) for name in different])
    return Registers(match[1], names, int(match[3]) if match[3] else None, different, stems)


def local_declaration(text: str, start: int, view: View) -> Effect | None:
    """The effect of the declaration inside a function at the offset `start`; None unless it is fine."""
    end = text.find(";", start) + 1
    declaration = text[start:end]
    if ".reg" in declaration and _registers(declaration) is not None:
        registers = plain_registers(declaration, view.scope, view.known.profile)
        if registers is None:
            return None
        return Effect.of_declaration(end, register_symbols(registers, start, view.mark))
    match = _LOCAL.match(text, start)
    if match is None or not is_plain(match[0], view.known.profile):
        return None
    space, align, of, name, size = match.groups()
    if is_taken(name, view.scope) or (space == "param" and not has_function_parameters(view.known.profile)):
        return None
    symbol = _variable(name, view.mark(*match.span(4)), space, of, size, align, "")
    if not is_within_limits(symbol, view.scope, view.known.profile.chip, in_function=True):
        return None
    return Effect.of_declaration(match.end(), (symbol,))


def declaration_end(text: str, start: int) -> int:
    """The offset of the end of the declaration inside a function at the offset `start`; 0 if it is not plain."""
    end = text.find(";", start) + 1
    if _registers(text[start:end]) is not None:
        return end
    match = _LOCAL.match(text, start)
    return match.end() if match is not None else 0


def _has_attribute(attribute: str, profile: Profile) -> bool:
    """Whether a module with this version and target can have a variable with this attribute."""
    from ptx_lsp.semantics.requirements import has  # few short files have attributes

    return has(_ATTRIBUTE, profile) and has(attribute, profile)


def variable(text: str, start: int, view: View) -> Effect | None:
    """The effect of the declaration of a module's variable at the offset `start`; None unless it is fine.

    Long tables of numbers are left to the parser, which looks them up piece by piece.
    """
    if _is_long_table(text, start):
        return None
    match = _VARIABLE.match(text, start)
    if match is None or not is_plain(match[0], view.known.profile):
        return None
    linkage, space, attribute, align, of, name, size, values, value = match.groups()
    if linkage == "common" and (space != "global" or view.known.profile.version < _COMMON_SINCE):
        return None
    if attribute and not (space == "global" and _has_attribute(attribute, view.known.profile)):
        return None
    if is_taken(name, view.scope):
        return None
    if size == "" and linkage != "extern":
        return None
    if of == TEXTURE and not (match[0].split() == [".global", of, f"{name};"] and _has_textures(view.known.profile)):
        return None
    names: tuple[str, ...] = ()
    if values or value:
        # an array has its values in braces
        if (size is None) is not (values is None) or space == "shared" or linkage in ("extern", "common"):
            return None
        listed = values or value
        if of != ".u64" and of not in _FLOATS and listed.lower() != listed.upper():
            return None  # there is a name, which is seen before a long table is split
        named = _names_in_values(listed.split(","), of, int(size or 1), view)
        if named is None or (named and not has_function_parameters(view.known.profile)):
            return None
        names = named
    symbol = _variable(name, view.mark(*match.span(6)), space, of, size, align, f".{linkage}" if linkage else "", names)
    if not is_within_limits(symbol, view.scope, view.known.profile.chip, in_function=False):
        return None
    return Effect.of_declaration(match.end(), (symbol,))


def _has_textures(profile: Profile) -> bool:
    return profile.version >= TEXTURES_SINCE and profile.maximum is None


def may_be_unfinished(text: str, start: int) -> bool:
    """Whether the text ends in the values of a variable whose declaration begins at the offset `start`."""
    begin = _BEFORE_VALUES.match(text, start)
    return begin is not None and text.find(";", begin.end()) < 0 and text.find("}", begin.end()) < 0


def _is_long_table(text: str, start: int) -> bool:
    """Whether a variable that begins at an offset has very many values, which seem to be numbers."""
    if len(text) - start < _LONG_TABLE or (begin := _BEFORE_VALUES.match(text, start)) is None:
        return False
    if text.find(";", start, start + _LONG_TABLE) >= 0:
        return False
    return find_values(text, begin.end(), begin.end() + _FIRST_VALUES) is not None


def _variable(
    name: str,
    mark: Mark,
    space: str,
    of: str,
    size: str | None,
    align: str | None,
    linkage: str,
    names: tuple[str, ...] = (),
) -> Symbol:
    dimensions = () if size is None else (int(size or 0),)
    alignment = int(align) if align else None
    kind = SymbolKind.VARIABLE
    return Symbol(name, kind, mark, f".{space}", of, 1, dimensions, None, alignment, linkage, names=names)


def is_taken(name: str, scope: Scope) -> bool:
    """Whether no variable of a scope can have this name, because something in the scope has it or may have it."""
    taken = scope.own(name) or scope.labels.get(name) or scope.families.get(name)
    return bool(taken) or is_reserved(name)


def _names_in_values(values: list[str], of: str, size: int, view: View) -> tuple[str, ...] | None:
    """The names in the initial values of `size` elements of a type; None unless all values are surely fine.

    Floats are in hexadecimal and have no names. Other values are integers that an unsigned or untyped type can hold,
    perhaps as a negative number of its signed type.
    """
    if len(values) > size:
        return None
    different = dict.fromkeys(values)  # a long table repeats its values
    if of in _FLOATS:
        return () if all(map(_FLOATS[of].fullmatch, different)) else None
    if of[1] not in "bu":
        return None
    bits = int(of[2:])
    try:
        integers = set(map(int, different))
        return () if max(integers) < 1 << bits and min(integers) >= -1 << (bits - 1) else None
    except ValueError:  # there are addresses, which are few
        pass
    named: dict[str, str] = {}
    for value in different:
        if not (text := value.strip()).isdecimal():
            named[value] = _addressed(text, view) if of == ".u64" else ""
            if not named[value]:
                return None
        elif int(text) >> 64:
            return None
    return tuple([named[value] for value in values if value in named])


def _addressed(value: str, view: View) -> str:
    """The variable or function whose address a value is; empty unless it is fine."""
    # `PLAIN_SINCE` has all of these values
    name = value.removeprefix("generic(").partition(")")[0]
    symbol = view.scope.lookup(name)
    if symbol is None:
        return ""
    variable = symbol.kind is SymbolKind.VARIABLE and symbol.space in INITIALISED
    return name if variable or (symbol.kind is SymbolKind.FUNCTION and name == value) else ""
