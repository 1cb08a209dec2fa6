"""What was meant by an undeclared name: a declared name, a special register, or a word of another language.

It is looked for when the findings are asked for, and not when a function is concluded: the best suggestion depends on
names that the function does not mention, and a long text with thousands of undeclared names would wait for suggestions
that the user does not see.
"""

from itertools import chain

from ptx_lsp.isa.special_registers import special_registers
from ptx_lsp.isa.types import TYPES
from ptx_lsp.light_classes import Callable, Iterable, Iterator, NamedTuple, Sequence, bisect_left, itemgetter, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.semantics.surroundings import CODE, UNDECLARED_FUNCTION, WITH_SUGGESTION, Report
from ptx_lsp.semantics.symbols import DIGITS, Mark, Scope, Symbol, SymbolKind, member_number, place

MOST_NAMES = 1000
"""A scope with more names above the use is not searched: each name is compared with each undeclared one."""

MOST_SUGGESTED = 50
"""Undeclared names of a module, the first in its text, for which another name is looked for."""

_SHORTEST = 3  # letters; shorter names differ in one letter by chance, not because of a typo
_FEW_NAMES = 256
# for each byte "0" if it is a digit, "\n" if it ends a line, and "a" for all others
_SIGNS = b"a" * 10 + b"\n" + b"a" * 37 + b"0" * 10 + b"a" * 198
_COMPONENTS = ("x", "y", "z", "w")
_ADDRESS, _GUARD = "[", "@"
_ADDRESSES = frozenset(name for name, row in TYPES.items() if row.letter in "bsu" and row.bits <= 64)
"""The types of registers that may be addresses. Observed: ptxas 13.5, "integer or bit only", and not `.b128`."""


class Suggestion(NamedTuple):
    """What to write instead of an undeclared name.

    `message` is the end of a sentence. `text` replaces the name; it is empty if a replacement needs another statement.
    `safe` is true if no other meaning is possible. `below` is the declaration of that very name below its use: then
    `message` is the whole sentence.
    """

    message: str
    text: str = ""
    safe: bool = False
    below: Symbol | None = None


NO_SUGGESTION = Suggestion("")
"""Nothing that is known is like the name."""


class _Visible:
    """The names that are declared above uses. The names of each scope are sorted once, for many uses."""

    __slots__ = ("_by_length", "_sorted")

    def __init__(self) -> None:
        self._by_length: dict[Scope, dict[int, list[Symbol]]] = {}  # by the lengths of the stems of their names
        self._sorted: dict[Scope, tuple[list[tuple[int, int, int]], list[Symbol]]] = {}

    def above(self, use: Mark, innermost: Scope | None, stem: str = "") -> list[Symbol]:
        """The names that are declared above a use, the innermost scope first, without scopes of too many names.

        The order in a scope is that of the text: the tables of a scope are in the order in which names were declared,
        and edits change that. If there is a `stem`, names that are clearly longer or shorter are left out.
        """
        where = place(use)
        found: list[Symbol] = []
        for scope in innermost.outward() if innermost is not None else ():
            if len(scope.members) + len(scope.families) <= MOST_NAMES:
                # few are alike: only their places are looked up
                near = self._alike(scope, stem)
                found += sorted((s for s in near if place(s.mark) < where), key=_place_of)
            else:
                places, symbols = self._of(scope)
                count = bisect_left(places, where)
                found += (s for s in symbols[:count] if count <= MOST_NAMES and _is_alike(s.name, stem))
        return found

    def _alike(self, scope: Scope, stem: str) -> list[Symbol]:
        """The names of a scope that are about as long as a stem; every name if the stem is empty."""
        if not stem:
            return [symbols[0] for symbols in _tables(scope)]
        by_length = self._by_length.get(scope)
        if by_length is None:
            by_length = self._by_length[scope] = {}
            for symbols in _tables(scope):
                by_length.setdefault(len(_stem(symbols[0].name)), []).append(symbols[0])
        return [symbol for more in (-1, 0, 1) for symbol in by_length.get(len(stem) + more, ())]

    def _of(self, scope: Scope) -> tuple[list[tuple[int, int, int]], list[Symbol]]:
        found = self._sorted.get(scope)
        if found is None:
            keyed = sorted(((place(symbols[0].mark), symbols[0]) for symbols in _tables(scope)), key=itemgetter(0))
            found = self._sorted[scope] = [key for key, _ in keyed], [symbol for _, symbol in keyed]
        return found


def suggest(report: Report, scope: Scope, visible: _Visible, before: str) -> Suggestion | None:
    """A suggestion for an undeclared name that is used in a function with the scope `scope`; None without one.

    `visible` has the names of the scopes sorted, for many uses; `before` is the text of its line before it.
    """
    name, sign = report.data.get("name", ""), _sign(before)
    near = _declared_name(name, report.mark, scope, visible, sign)
    if near:
        return Suggestion(f"did you mean `{near}`?", near)
    from ptx_lsp.isa.intended_words import name_habit  # here and below: short files have few undeclared names

    habit = name_habit(name)
    if habit is not None:
        return Suggestion(habit.message)
    if name.startswith("$") and name[1:].isdecimal():
        return Suggestion(f"a constant is written without `$`, `{name[1:]}`", name[1:])
    special = special_name(name)
    if special and not (sign == _GUARD and special_registers()[special.partition(".")[0]].type != ".pred"):
        safe = special.lower() == name.lower()
        return Suggestion(f"did you mean the special register `{special}`?", special, safe)
    return None


_Made = tuple[Report, Suggestion, bool, Report]
"""A report, its suggestion, whether all declarations were known, and the report with the suggestion."""


class Suggested:
    """The suggestions that are known, by the use of the undeclared name, until a declaration changes."""

    def __init__(self) -> None:
        self._known: dict[Mark, Suggestion] = {}
        self._by_name: dict[str, Suggestion] = {}
        self._made: dict[int, _Made] = {}  # by the identity of the report without a suggestion, which is kept alive

    def add_to(
        self,
        reports: list[Report],
        scope_of: Callable[[Mark], Scope | None],
        before: Callable[[Mark], str],
        root: Scope,
        *,
        complete: bool,
    ) -> list[Report]:
        """The reports; those of the first undeclared names of the text say which name was meant.

        `scope_of` gives the scope of the function around the use of a name that the function does not declare, None for
        other uses; `before` gives the text of its line before a use; `root` is the module's scope. If `complete` is
        false, declarations are missing: only what was suggested before is used.
        """
        unnamed = [number for number, code in enumerate(map(CODE, reports)) if code in WITH_SUGGESTION]
        if len(unnamed) > MOST_SUGGESTED:
            unnamed = _first(MOST_SUGGESTED, unnamed, reports)
        reports = list(reports)
        known: dict[Mark, Suggestion] = {}
        made: dict[int, _Made] = {}
        visible = _Visible()
        for number in unnamed:
            report = reports[number]
            found = self._known.get(report.mark)
            if found is None and not complete:
                found = self._by_name.get(report.data.get("name", ""))
                if found is None:
                    continue
            if found is None or (complete and found.below is not None):  # the place of a declaration may have changed
                found = _look_for(report, scope_of(report.mark) or root, visible, before(report.mark))
            known[report.mark] = found
            if complete:
                self._by_name[report.data.get("name", "")] = found
            reports[number], made[id(report)] = self._with(report, found, complete)
        self._made = made
        if complete:
            self._known = known
        return reports

    def _with(self, report: Report, found: Suggestion, complete: bool) -> tuple[Report, _Made]:
        """The report with a suggestion: the same object as last time if nothing has changed."""
        made = self._made.get(id(report))
        if made is None or made[1] is not found or made[2] is not complete:
            made = (report, found, complete, _with(report, found, complete=complete))
        return made[3], made


def _first(count: int, numbers: list[int], reports: list[Report]) -> list[int]:
    """The numbers of the first `count` reports in the text, in its order."""
    blocks = [reports[number].mark.holder.index for number in numbers]
    last = sorted(blocks)[count - 1]
    near = [number for number, block in zip(numbers, blocks, strict=True) if block <= last]
    return sorted(near, key=lambda number: place(reports[number].mark))[:count]


def _look_for(report: Report, scope: Scope, visible: _Visible, before: str) -> Suggestion:
    name = report.data.get("name", "")
    below = scope.lookup(name)
    if below is not None and place(below.mark) > place(report.mark):
        return _declared_below(below, is_called=report.code == UNDECLARED_FUNCTION)
    if report.code != UNDECLARED_FUNCTION:
        return suggest(report, scope, visible, before) or NO_SUGGESTION
    from ptx_lsp.isa.intended_words import head_habit

    near, habit = near_function(name, report.mark, scope, visible), head_habit(name)
    if near:
        return Suggestion(f"did you mean `{near}`?", near)
    return Suggestion(habit.message) if habit is not None else NO_SUGGESTION


def _declared_below(symbol: Symbol, *, is_called: bool) -> Suggestion:
    where = f"`{symbol.name}` is declared below this line"
    if is_called and symbol.kind is SymbolKind.FUNCTION:
        return Suggestion(f"{where}: write its header, with a `;` at its end, above", below=symbol)
    return Suggestion(f"{where}: a declaration has to be above every use", below=symbol)


def _with(report: Report, found: Suggestion, *, complete: bool) -> Report:
    if found is NO_SUGGESTION:
        return report
    if found.below is not None:
        # while declarations are missing, this one may have been removed
        related = ((found.below.mark, f"`{found.below.name}` is declared here"),) if complete else ()
        return report._replace(message=found.message, related=(*related, *report.related))
    data = {**report.data, "meant": found.text} | ({"safe": "yes"} if found.safe else {})
    return report._replace(message=f"{report.message.partition(': ')[0]}: {found.message}", data=data)


@forgettable
@lru_cache(10_000)
def special_name(name: str) -> str:
    """The special register that `name` misspells, with the component if `name` has one; empty if no register fits.

    Examples of such names are `%laneId`, `laneid`, `%tidx`, `%tid_x` and `%ctadi`.
    """
    bare = bare_name(name)
    for known, register in special_registers().items():
        own = bare_name(known)
        if own == bare:
            return known
        if register.vector and bare[:-1].rstrip("_") == own and bare[-1:] in _COMPONENTS:
            return f"{known}.{bare[-1]}"
    if name[:1] == "%" and len(bare) > _SHORTEST:
        return next((known for known in special_registers() if is_typo(bare, bare_name(known))), "")
    return ""


def near_name(name: str, names: Iterable[str]) -> str:
    """The first of `names` that `name` misspells; empty for none.

    A name of another case, or without its `%`, goes before one with one wrong letter.
    """
    bare, stem = bare_name(name), _stem(name)
    slip = ""
    for other in without_other_digits(name, list(names)):
        if abs(len(_stem(other)) - len(stem)) > 1:
            continue
        if bare_name(other) == bare:
            return other
        if not slip and is_typo(bare, bare_name(other)):
            slip = other
    return slip


def without_other_digits(name: str, names: Sequence[str]) -> list[str]:
    """Those of `names` that `name` may misspell by the digits at their ends: `r1` is never meant by `r2`.

    Few of the ten thousand labels of a long function are left.
    """
    digits = name[len(name.rstrip(DIGITS)) :]
    if digits and len(names) > _FEW_NAMES and (text := "\n".join((*names, ""))).isascii():
        # a search in one text, and in one of letters and digits alone, takes half as long as a look at each name
        signs = text.encode().translate(_SIGNS).decode()
        ends = sorted((*_places(text, f"{digits}\n", len(digits)), *_places(signs, "a\n", 1)))
        return [text[text.rfind("\n", 0, end) + 1 : end] for end in ends]
    return [other for other in names if (digits and other.endswith(digits)) or other[-1:] not in DIGITS]


def _places(text: str, sought: str, length: int) -> Iterator[int]:
    """The offsets in a text that are `length` characters below the begin of each `sought`."""
    at = text.find(sought)
    while at >= 0:
        yield at + length
        at = text.find(sought, at + 1)


def near_function(name: str, use: Mark, root: Scope, visible: _Visible | None = None) -> str:
    """The function that is declared above `use` at module level and that `name` misspells; empty for none.

    `visible` has the names of the scopes sorted, for many uses.
    """
    found = (visible or _Visible()).above(use, root)
    return near_name(name, (symbol.name for symbol in found if symbol.kind is SymbolKind.FUNCTION))


def _sign(before: str) -> str:
    """The sign that says which kinds of names may follow, at the end of a text: `[` or `@`; empty without one."""
    text = before.rstrip()
    sign = text[-1:] if not text.endswith("!") else text[:-1].rstrip()[-1:]
    return sign if sign in (_ADDRESS, _GUARD) else ""


def _may_follow(sign: str, symbol: Symbol) -> bool:
    """Whether a symbol may be an address, after a `[`, or a guard, after a `@`."""
    if sign == _GUARD:
        return symbol.kind is SymbolKind.REGISTER and symbol.type == ".pred"
    return not (sign and symbol.kind is SymbolKind.REGISTER and symbol.type not in _ADDRESSES)


def _declared_name(name: str, use: Mark, scope: Scope, visible: _Visible, sign: str) -> str:
    stem = _stem(name)
    digits = name[len(name.rstrip(DIGITS)) :]
    names: dict[str, None] = {}
    for symbol in visible.above(use, scope, stem):
        if not _may_follow(sign, symbol):
            continue
        if symbol.count is None:
            names[symbol.name] = None
        elif digits and member_number(digits) < symbol.count:
            names[symbol.name + digits] = None
    names.pop(name, None)
    return near_name(name, names)


def _tables(scope: Scope) -> Iterable[list[Symbol]]:
    return chain(scope.members.values(), scope.families.values())


def _place_of(symbol: Symbol) -> tuple[int, int, int]:
    return place(symbol.mark)


def _is_alike(name: str, stem: str) -> bool:
    """Whether a name is about as long as a stem; every name if the stem is empty."""
    return not stem or abs(len(_stem(name)) - len(stem)) <= 1


@forgettable
@lru_cache(10_000)
def _stem(name: str) -> str:
    return bare_name(name).rstrip(DIGITS)


@forgettable
@lru_cache(10_000)
def bare_name(name: str) -> str:
    """A name in lower case, without its percent signs."""
    return name.lstrip("%").lower()


def is_typo(word: str, other: str) -> bool:
    """Whether one letter is wrong, missing, too many, or swapped with its neighbour; digits are no letters."""
    stem, other_stem = _stem(word), _stem(other)
    if word[len(stem) :] != other[len(other_stem) :]:
        # `tile4` for `tile`, but never `r1` for `r2`
        return stem == other and len(stem) > _SHORTEST
    if min(len(stem), len(other_stem)) < _SHORTEST or abs(len(stem) - len(other_stem)) > 1:
        return False
    first = 0
    while first < min(len(stem), len(other_stem)) and stem[first] == other_stem[first]:
        first += 1
    rest, other_rest = stem[first:], other_stem[first:]
    return (
        rest[1:] == other_rest[1:]
        or rest[1:] == other_rest
        or rest == other_rest[1:]
        or (rest[:2] == other_rest[1::-1] and rest[2:] == other_rest[2:])
    )
