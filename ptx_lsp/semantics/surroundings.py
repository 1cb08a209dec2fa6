"""The surroundings of a statement, which every check of it gets: profile, scope, function, and how to report.

Reports are findings that are kept relative to their block, so that an edit of another block moves them at no cost.
"""

from itertools import chain, repeat

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import NOTHING, Finding, Related, Severity, Tag
from ptx_lsp.isa.releases import NEWEST
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, Mapping, NamedTuple, Sequence, attrgetter, itemgetter
from ptx_lsp.semantics.symbols import Holder, Mark, Scope, Symbol, SymbolKind, place
from ptx_lsp.text.ranges import Range

if TYPE_CHECKING:
    from ptx_lsp.semantics.need_sets import StatementNeeds

MOST_USES = 1_000
"""The most uses of an undeclared name that are kept; each is reported if the name is a label."""


class Report(NamedTuple):
    """A finding whose places are marks. No message may name a line: lines move."""

    code: str
    mark: Mark
    message: str
    severity: Severity
    related: tuple[tuple[Mark, str], ...] = ()
    tags: tuple[Tag, ...] = ()
    data: Mapping[str, str] = NOTHING

    def __hash__(self) -> int:
        return hash(self[:-1])  # without the mapping, which has no hash


def resolved(report: Report, severity: Severity) -> Finding:
    """The finding of a report for the document as it is now, with this severity."""
    from ptx_lsp.findings.shortening import SHORT, shortened  # most modules have no reports

    code, mark, message, _, more, tags, data = report
    if len(message) > SHORT:
        message = shortened(message)
    related = tuple([Related(other.resolved(), shortened(text)) for other, text in more])
    return Finding(code, mark.resolved(), message, severity, related, tags, data)


_Place = tuple[Range, int]  # the range of a mark in its block, and the line where the block begins
_Kept = tuple[Report, list[Mark], list[_Place], Finding]  # the marks of a report, and where they were
_PLACE = attrgetter("range", "holder.line")
_FIRST, _MARKS, _PLACES, _FINDING = map(itemgetter, range(4))


class Levels(dict[tuple[str, Severity], Severity | None]):
    """The severity with which reports of a code and a default severity are shown, None for off, worked out once."""

    __slots__ = ("_level",)

    def __init__(self, level: Callable[[str, Severity], Severity | None]) -> None:
        self._level = level

    def __missing__(self, kind: tuple[str, Severity]) -> Severity | None:
        return self.setdefault(kind, self._level(*kind))


class KeptFindings:
    """The findings of the reports that were asked for last, each kept as long as the places of its report stay.

    After each edit the findings of a document are asked for two to five times, and nearly all are those of before: to
    make 280 of them takes 2 ms, to see that they are the same 0.1 ms, because no statement of Python runs for each.
    """

    __slots__ = ("_kept", "_levels", "_moves")

    def __init__(self, levels: Levels) -> None:
        self._levels = levels
        self._kept: dict[int, _Kept] = {}  # by the identity of the report, which is kept alive
        self._moves = 0  # the value of `Mark.moves` for which all of them are in place

    def findings(self, shown: Sequence[Report], *, keep: bool) -> list[Finding]:
        """The findings of reports, of which none is off, in the same order; with `keep`, for the next call."""
        known = list(map(self._kept.get, map(id, shown)))
        in_place = self._moves == Mark.moves or _are_in_place(list(filter(None, known)))
        now = [
            one if one is not None and (in_place or _are_in_place([one])) else self._made(report)
            for one, report in zip(known, shown, strict=True)
        ]
        if keep:
            self._kept, self._moves = dict(zip(map(id, shown), now, strict=True)), Mark.moves
        return list(map(_FINDING, now))

    def _made(self, report: Report) -> _Kept:
        severity = self._levels[LEVEL(report)]
        assert severity is not None, "a report that is off has no finding"
        marks = [report.mark, *map(_FIRST, report.related)]
        return report, marks, list(map(_PLACE, marks)), resolved(report, severity)


def _are_in_place(known: list[_Kept]) -> bool:
    """Whether all marks of these reports are where they were."""
    places = chain.from_iterable(map(_PLACES, known))
    return list(map(_PLACE, chain.from_iterable(map(_MARKS, known)))) == list(places)


ORDER = itemgetter(1, 3, 0, 2)
"""The order of findings in a text, for sorting: range, severity, code and message."""

CODE, LEVEL = itemgetter(0), itemgetter(0, 3)
"""The code of a report; its code and its severity."""

UNDECLARED_FUNCTION = "undeclared-function"
WITH_SUGGESTION = frozenset((UNDECLARED_FUNCTION, "undeclared", "initialiser-symbol"))
"""The codes of reports about names that are not declared: `suggestions.py` says which names were meant."""

NARROW, WIDE = 32, 64
"""The sizes of addresses in bits."""


class Profile(NamedTuple):
    """The version, target and address size that a module is written for.

    `version` and `target` are those of `.version` and `.target`, or the newest known ones if these are missing or
    unreadable. `known` is false if the version is newer than the newest known one, so that unknown words are no errors.
    `maximum` is the highest version that the user's tools accept, None if there is no limit. `compiled_for` is the
    target that the user compiles for, None if it is the one of `.target`. `has_target` is false if `.target` is
    missing or unreadable: what needs another target is not reported then.
    """

    version: Version
    target: Target
    options: frozenset[str] = frozenset()  # of .target: texmode_independent, debug, map_f64_to_f32 ...
    address_size: int = WIDE
    known: bool = True
    maximum: Version | None = None
    compiled_for: Target | None = None
    has_target: bool = True
    written: Mark | None = None  # the place of the number in `.version`
    debug: Mark | None = None  # the place of `debug` in `.target`, if it is there

    @property
    def chip(self) -> Target:
        """The target whose limits the module must keep."""
        return self.compiled_for or self.target

    # profiles that differ in places only are equal
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Profile) and self[:-2] == other[:-2]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-2])


UNDECLARED_PROFILE = Profile(NEWEST, Target(121, "a"), has_target=False)
"""The profile before the header, and without a readable one: everything that is known here is allowed."""


class ScopedUse:
    """A use of a name that is looked up later, such as that of a label in a branch: its place and scope."""

    __slots__ = ("mark", "name", "scope")

    def __init__(self, scope: Scope, name: str, mark: Mark) -> None:
        self.scope = scope
        self.name = name
        self.mark = mark


class Undeclared:
    """A use of a name that is not declared above it.

    `as_label` is the message for the case that a label of the function has this name; empty without one, and None if
    the instruction takes a label.
    """

    __slots__ = ("as_label", "mark", "name", "scope")

    def __init__(self, scope: Scope, name: str, mark: Mark, as_label: str | None = "") -> None:
        self.scope = scope
        self.name = name
        self.mark = mark
        self.as_label = as_label


class UndeclaredUses:
    """The uses of an undeclared name, or of undeclared registers `%r1`, `%r2` of one stem.

    `uses` are the first `MOST_USES`, in order. `highest` is the name with the highest number. `several` is true if
    there is more than one name.
    """

    __slots__ = ("highest", "several", "uses")

    def __init__(self) -> None:
        self.uses: list[Undeclared] = []
        self.highest = ""
        self.several = False

    def add(self, use: Undeclared) -> None:
        """Add one use."""
        name = use.name
        if len(self.uses) < MOST_USES:
            self.uses.append(use)
        if name != self.highest:
            self.several |= bool(self.highest)
            self.highest = max(self.highest, name, key=_by_number)

    def merge(self, other: "UndeclaredUses") -> None:
        """Add the uses of another part of the function or of another name of the family."""
        if self.uses and other.uses and place(other.uses[0].mark) < place(self.uses[-1].mark):
            self.uses = sorted(self.uses + other.uses, key=lambda use: place(use.mark))[:MOST_USES]
        else:
            self.uses += other.uses[: MOST_USES - len(self.uses)]
        self.several |= other.several or (bool(self.highest) and self.highest != other.highest)
        self.highest = max(self.highest, other.highest, key=_by_number)


def _by_number(name: str) -> tuple[int, str]:
    return len(name), name


class NamePlace(NamedTuple):
    """A name with its line in the block and its column, both from 0."""

    name: str
    line: int
    column: int


class LabelSymbol(Symbol):
    """A label of a block. Files with debug data have one every few lines: its mark is made when it is asked for."""

    __slots__ = ("_holder", "_place")

    kind = SymbolKind.LABEL
    space = type = linkage = ""
    vector = 1
    dimensions: tuple[int, ...] = ()
    count = alignment = signature = None
    defined = True
    names: tuple[str, ...] = ()
    of_entry = result = unified = False

    def __init__(self, holder: Holder, place: NamePlace) -> None:
        self.name = place[0]
        self._holder = holder
        self._place = place

    def __getattr__(self, attribute: str) -> Mark:
        """The mark, which is kept. Raises AttributeError for other attributes."""
        self.mark = _late_mark(attribute, self._holder, self._place)
        return self.mark


class LabelUse(ScopedUse):
    """A branch to a label, with a mark that is made when it is asked for."""

    __slots__ = ("_holder", "_place")

    def __init__(self, scope: Scope, holder: Holder, place: NamePlace) -> None:
        self.scope = scope
        self.name = place[0]
        self._holder = holder
        self._place = place

    def __getattr__(self, attribute: str) -> Mark:
        """The mark, which is kept. Raises AttributeError for other attributes."""
        self.mark = _late_mark(attribute, self._holder, self._place)
        return self.mark


def may_be_hidden(uses: list[ScopedUse]) -> bool:
    """Whether a scope of these uses of labels may declare the name of one of them as something else."""
    names = {use.name for use in uses}
    for innermost in {use.scope for use in uses}:
        for scope in innermost.outward():
            if any(map(scope.members.__contains__, names)):
                return True
            if scope.families and any(map(str.startswith, names, repeat(tuple(filter(None, scope.families))))):
                return True
    return False


def _late_mark(attribute: str, holder: Holder, place: NamePlace) -> Mark:
    if attribute != "mark":
        raise AttributeError(attribute)
    name, line, column = place
    return Mark(holder, Range(line, column, line, column + len(name)))


class Surroundings(NamedTuple):
    """The argument of every check of a statement: what is around the statement, and where to report.

    `scope` is the innermost scope, with every declaration above the statement. `function` is the symbol of the
    function around it, None at module level. `depth` is the number of open braces (0 at module level). If `needs` is
    not None, the checks add to it what the statement needs of the version and target of any module.
    """

    profile: Profile
    scope: Scope
    function: Symbol | None
    depth: int
    text: str
    mark: Callable[[int, int], Mark]
    reports: list[Report]
    undeclared: list[Undeclared]
    label_uses: list[ScopedUse]
    needs: "list[StatementNeeds] | None" = None

    def report(
        self,
        code: str,
        start: int,
        end: int,
        message: str,
        *,
        related: tuple[tuple[Mark, str], ...] = (),
        severity: Severity | None = None,
        tags: tuple[Tag, ...] = (),
        data: Mapping[str, str] = NOTHING,
    ) -> None:
        """Report about the text from `start` to `end` (offsets as in the nodes of the statement)."""
        if code == "requires-target" and not self.profile.has_target:
            return
        level = default_severity(code) if severity is None else severity
        if not message.isprintable():
            message = in_one_line(message)
        self.reports.append(Report(code, self.mark(start, end), message, level, related, tags, data))

    def source(self, start: int, end: int) -> str:
        """The text from `start` to `end` (offsets as in the nodes of the statement), as it is in the document."""
        return self.text[start:end]

    def note_undeclared(self, name: str, start: int, end: int, as_label: str = "") -> None:
        """Note a use of an undeclared name; at the end of the function it is known whether the name is a label."""
        self.undeclared.append(Undeclared(self.scope, name, self.mark(start, end), as_label))

    def note_label_use(self, name: str, start: int, end: int) -> None:
        """Note the use of a label in a branch or list; the label may be defined below."""
        self.label_uses.append(ScopedUse(self.scope, name, self.mark(start, end)))


def in_one_line(message: str) -> str:
    """A message without line ends, control characters and bytes that are not UTF-8, which quoted texts can contain."""
    return " ".join("".join(c if c.isprintable() else " " if c.isspace() else "?" for c in message).split())
