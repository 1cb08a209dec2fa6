"""The kinds of operand texts, by the declarations of their names in the open scopes."""

from __future__ import annotations

from sys import intern

from ptx_lsp.isa.special_registers import SpecialRegister, special_register
from ptx_lsp.judgement.kinds import SINK
from ptx_lsp.light_classes import Iterable, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.operand_text import JOINED, SELECTED, Unclear, pieces, shape_of
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import DIGITS, LONGEST_NUMBER, Scope, Symbol, symbol_kind

OWN = "\n"  # replaces the name of the function; no line contains it
SPECIAL = "special"  # replaces the kind of a special register that the version and the target have
_CONFIRMED_TOGETHER = 128  # members of a family; most functions have no more members of one family
_ENTERED_TOGETHER = 32  # members of a family: a line that uses one is often followed by lines that use its neighbours
_PLAIN_NEEDS = lazy_pattern(r"ptx ([0-9]++)\.([0-9]++)(?: sm_([0-9]++))?")
_MOST_HANDED_ON = 50_000  # kinds in one table; a larger table is not used for the next block, which has a new one


def typed(name: str, kind: str) -> str:
    """A name with its kind."""
    return intern(f"{name} {kind}")


class KindTable(dict[str, str]):
    """The kinds of pieces in one scope, by their text. An entry is made at its first look-up, or before.

    A piece is the text between two commas: an operand, or the first, a middle or the last part of an operand in braces
    or brackets. The kind of a piece has these too: `{%r1` is `{.b32`. Joined by commas, the kinds of the pieces are
    those of the operands.
    Raises `Unclear` for a text that is not a plain operand or contains an undeclared name.

    `profile` has the version and target for which the names are looked up. `function` is the name of the function.
    `undeclared` are names that were looked up and found in no scope.
    """

    __slots__ = (
        *("_around", "_confirmed", "_of_kinds", "_own_stems", "_seen", "_unshadowed"),
        *("function", "profile", "scope", "undeclared"),
    )

    def __init__(self, scope: Scope, profile: Profile, around: KindTable | None = None, function: str = "") -> None:
        self.profile = profile
        self.function = function
        self.undeclared: set[str] = set()
        self.scope = scope
        self._around = around  # the table of the scope around, if that is a scope of the function too
        # the names that a scope inside a function declares, without their digits
        self._own_stems: set[str] = set()
        if around is not None:
            self._own_stems.update(name.rstrip(DIGITS) for name in (*scope.members, *scope.families))
        self._seen: set[str] = set()  # the names that were asked for, without their digits
        # for each stem, a family that no other declaration shadows: its number of members, and their kind
        self._unshadowed: dict[str, tuple[int, str]] = {}
        self._confirmed: set[str] = set()  # names with the kinds that they have here
        self._of_kinds: set[str] = set()  # names that `not_of_kinds` has found to have the kinds that they must have

    def holds_for(self, scope: Scope, profile: Profile, around: set[int]) -> bool:
        """Whether these are the kinds in a scope for a version and target. `around` has the `id`s of the tables."""
        if self.scope is not scope or self.profile != profile:
            return False
        return self._around is None or id(self._around) in around

    def declared(self, symbols: tuple[Symbol, ...]) -> None:
        """Forget what may change because the scope has declared these names."""
        stems = [symbol.name.rstrip(DIGITS) for symbol in symbols]
        self._own_stems.update(stems)
        if not self._seen.isdisjoint(stems):
            self.clear()
            self._seen.clear()
            self._unshadowed.clear()
            self._confirmed.clear()
            self._of_kinds.clear()
        self.undeclared.clear()

    def __missing__(self, text: str) -> str:
        if text in self.undeclared:
            raise Unclear
        # most are registers, whose names need no pattern
        is_register = text[:1] == "%" and text[1:].isalnum() and text.isascii()
        before, name, after = ("", text, "") if is_register else shape_of(text)
        if not name:
            kind = before
        elif name == text:
            kind = self._name(name)
        elif name == JOINED:
            kind = "|".join(map(self.__getitem__, text.strip(" \t").split("|")))
        elif name == SELECTED:
            kind = self._element(text.strip(" \t").partition(".")[0])
        else:
            kind = before + self[name] + after
        self[text] = kind
        return kind

    def of_name(self, name: str) -> str:
        """The kind of a name, or an empty text if it is not declared."""
        try:
            return self.get(name) or self.setdefault(name, self._name(name))
        except Unclear:
            return ""

    def kind(self, operand: str) -> str:
        """The kind of a whole operand."""
        return ",".join(map(self.__getitem__, pieces(operand)))

    def confirm(self, words: set[str]) -> bool:
        """Whether these names have these kinds here; a word is a name with its kind, as `typed` writes it."""
        if not self._confirmed:
            self._enter_families()
        for word in words - self._confirmed:
            if word not in self._confirmed:
                if not self._confirm(word):
                    return False
                self._confirmed.add(word)
        return True

    def not_of_kinds(self, names: set[str], kinds: dict[str, str], special: dict[str, str]) -> set[str]:
        """Those of these names that do not have the kind that `kinds` has for them, without the digits at their end.

        A name may be an element of a special register, with the kind of that register. `special` has names that have
        their kinds if no scope declares the special register.
        """
        if not self._of_kinds:
            self._enter_members(kinds)
        wrong = set()
        for name in names - self._of_kinds:
            if name in special and name not in self._of_kinds:
                self._enter_special(special)
            if name not in self._of_kinds and not self._is_of_kind(name, kinds):
                wrong.add(name)
        return wrong

    def _enter_members(self, kinds: dict[str, str]) -> None:
        # lines use the first members of most families: to enter each family at its first use takes longer
        if not self._confirmed:
            self._enter_families()
        for stem, (count, kind) in self._unshadowed.items():
            if kinds.get(stem) == kind:
                self._of_kinds.update(_members(stem, 0, _CONFIRMED_TOGETHER)[:count])

    def _enter_special(self, special: dict[str, str]) -> None:
        # to look for each name at its first use takes ten times as long
        names = set(special.values())
        stems = {name.rstrip(DIGITS) for name in names}
        for scope in self.scope.outward():
            if not (scope.members.keys().isdisjoint(names) and scope.families.keys().isdisjoint(stems)):
                return
        self._seen.update(stems)
        self._of_kinds.update(special)

    def _is_of_kind(self, name: str, kinds: dict[str, str]) -> bool:
        stem = name.rstrip(DIGITS)
        kind = kinds.get(stem)
        if kind is None:
            return False
        if not self._confirmed:
            self._enter_families()
        count, of = self._unshadowed.get(stem, (0, ""))
        digits = name[len(stem) :]
        if of == kind and 0 < len(digits) < LONGEST_NUMBER and (number := int(digits)) < count:
            first = number - number % _CONFIRMED_TOGETHER
            self._of_kinds.update(_members(stem, first, _CONFIRMED_TOGETHER)[: count - first])
            return True
        if not self.confirm({typed(name.partition(".")[0], kind)}):
            return False
        self._of_kinds.add(name)
        return True

    def _enter_families(self) -> None:
        # lines use the first members of most families of the scope
        self._seen.update(self.scope.families)
        for stem, count, kind in _lone_families(self.scope):
            self._unshadowed[stem] = (count, kind)
            self._confirmed.update(_typed_members(stem, 0, kind)[:count])

    def _confirm(self, word: str) -> bool:
        name, _, kind = word.partition(" ")
        if name[0] == OWN:
            name = self.function + name[1:]
        stem = name.rstrip(DIGITS)
        self._seen.add(stem)
        if self._around is not None and stem not in self._own_stems:
            return self._around.confirm({word})
        if kind == SPECIAL:
            return self.scope.lookup(name) is None
        if name == SINK:
            return True
        count, of = self._unshadowed.get(stem, (0, ""))
        digits = name[len(stem) :]
        if of == kind and 0 < len(digits) < LONGEST_NUMBER and int(digits) < count:
            first = int(digits) // _CONFIRMED_TOGETHER * _CONFIRMED_TOGETHER
            self._confirmed.update(_typed_members(stem, first, kind)[: count - first])
            return True
        try:
            return self._declared_kind(name, stem) == kind
        except Unclear:
            return False

    def _name(self, name: str) -> str:
        stem = name.rstrip(DIGITS)
        self._seen.add(stem)
        table = self
        while table._around is not None and stem not in table._own_stems:
            table = table._around
        if table is not self:
            return table[name]
        known = self._unshadowed.get(stem)
        if known is not None and stem != name:
            count, kind = known
            digits = name[len(stem) :]
            if len(digits) < LONGEST_NUMBER and (number := int(digits)) < count:
                first = number - number % _ENTERED_TOGETHER
                self.update(dict.fromkeys(_members(stem, first, _ENTERED_TOGETHER)[: count - first], kind))
                return kind
        return self._declared_kind(name, stem)

    def _declared_kind(self, name: str, stem: str) -> str:
        symbol = self.scope.lookup(name)
        if symbol is not None:
            kind = symbol_kind(symbol)
            if symbol.count is not None and symbol.name == stem and self.scope.is_lone_family(stem):
                self._unshadowed[stem] = (symbol.count, kind)
            return kind
        special = special_register(name)
        if special is None or not is_available(special, self.profile):
            raise Unclear
        return special.kind

    def _element(self, name: str) -> str:
        self._seen.add(name)
        special = special_register(name)
        if special is None or not special.vector or self.scope.lookup(name) is not None:
            raise Unclear
        if not is_available(special, self.profile):
            raise Unclear
        return special.element_kind


def is_available(special: SpecialRegister, profile: Profile) -> bool:
    """Whether a module with this version and target has a special register."""
    if not special.conditions or has_plain_needs(special.conditions, profile):
        return True
    from ptx_lsp.semantics.requirements import is_met

    return is_met(special.needs, profile)


def has_plain_needs(conditions: str, profile: Profile) -> bool:
    """Whether these conditions are one version and maybe one target, as in `ptx 2.0 sm_20`, and are met for certain.

    The exact way imports a hundred kilobytes of code.
    """
    match = _PLAIN_NEEDS.fullmatch(conditions)
    if match is None or profile.maximum is not None:
        return False
    major, minor, target = map(int, match.groups("0"))
    return profile.version >= (major, minor) and profile.target.number >= target


@forgettable
@lru_cache(maxsize=8192)
def _members(stem: str, first: int, count: int) -> tuple[str, ...]:
    # members of a register family, those from number `first` on
    return tuple(f" {stem}".join(_numbers(first, count)).split(" ")[1:])  # three times as fast as to format each


@forgettable
@lru_cache(maxsize=512)
def _numbers(first: int, count: int) -> tuple[str, ...]:
    return "", *map(str, range(first, first + count))


@forgettable
@lru_cache(maxsize=512)
def _typed_members(stem: str, first: int, kind: str) -> tuple[str, ...]:
    return tuple([typed(f"{stem}{number}", kind) for number in range(first, first + _CONFIRMED_TOGETHER)])


class KindTables:
    """The kind tables of the open scopes, by depth (0 for the module). A table is made at its first use.

    A scope that declares only labels has no table: it uses the table of the scope around it.
    """

    __slots__ = ("_profile", "_scopes", "_serving", "_tables")

    def __init__(self, scopes: Iterable[Scope], profile: Profile, before: KindTables | None = None) -> None:
        """`before` are tables of an earlier block: those of the same scopes and profile are used again."""
        module, *others = scopes
        self._profile = profile
        self._scopes = [module]
        self._serving = [0]  # by depth, the depth of the table that the scope uses
        self._tables: dict[int, KindTable] = {}
        for scope in others:
            self.opened(scope)
        if before is not None:
            self._take_over(before)

    def _take_over(self, before: KindTables) -> None:
        taken: set[int] = set()  # by identity: a search of all tables for each of them would be quadratic
        for depth, scope in enumerate(self._scopes):
            table = before._tables.get(depth)
            if table is None or len(table) >= _MOST_HANDED_ON:
                continue
            if table.holds_for(scope, self._profile, taken):
                self._tables[depth] = table
                taken.add(id(table))

    def innermost(self, function: str) -> KindTable:
        """The table that the innermost scope uses; `function` is the name of the function, empty outside of any."""
        depth = self._serving[-1]
        table = self._tables.get(depth)
        return self._make(depth, function) if table is None else table

    def _make(self, depth: int, function: str) -> KindTable:
        missing = [depth]
        while missing[-1] > 1 and missing[-1] not in self._tables:
            missing.append(self._serving[missing[-1] - 1])
        for each in reversed(missing):
            if each not in self._tables:
                around = self._tables[self._serving[each - 1]] if each > 1 else None
                self._tables[each] = KindTable(self._scopes[each], self._profile, around, function)
        return self._tables[depth]

    def set_profile(self, profile: Profile) -> None:
        """Forget all kinds, because the version or target decides which special registers and addresses there are."""
        self._profile = profile
        self._tables.clear()

    def opened(self, scope: Scope) -> None:
        """Add a scope that has been opened; it becomes the innermost one."""
        depth = len(self._scopes)
        self._serving.append(self._serving[-1] if depth > 1 and scope.is_empty else depth)
        self._scopes.append(scope)

    def closed(self) -> None:
        """Remove the innermost scope, which has been closed."""
        self._scopes.pop()
        self._serving.pop()
        self._tables.pop(len(self._scopes), None)

    def declared(self, symbols: tuple[Symbol, ...]) -> None:
        """Forget the kinds that may have changed because the innermost scope has declared these names."""
        depth = len(self._scopes) - 1
        table = self._tables.get(depth)
        if table is not None:
            table.declared(symbols)
        if symbols:
            self._serving[-1] = depth


def _lone_families(scope: Scope) -> list[tuple[str, int, str]]:
    """The register families of a scope that no other declaration shadows: name, number of members, and their kind."""
    scopes = list(scope.outward())
    declared: dict[str, int] = {}  # the number of families by stem
    for each in scopes:
        for name, symbols in each.families.items():
            stem = name.rstrip(DIGITS)
            declared[stem] = declared.get(stem, 0) + len(symbols)
    stems = declared.keys()
    shadowed = {stem for each in scopes for stem in stems & each.numbered.keys() if each.numbered[stem]}
    return [
        (stem, symbol.count, symbol_kind(symbol))
        for stem, (symbol, *_) in scope.families.items()
        if declared.get(stem) == 1 and symbol.count and stem not in shadowed and scope.sees(symbol)
    ]
