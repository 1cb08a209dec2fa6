"""What is known for a version and target: the outcomes that are shipped, and the tables that recognisers add to.

All documents share the tables. A recogniser gets them in its `View`.

The first verdict on an instruction takes a tenth of a millisecond, after its rows have been read: for a file of a
thousand lines, that is as long as everything else. So the outcomes of the plain instructions that compilers write most
are shipped: the keys in `shipped_outcomes.txt` need no verdict. `python -m tests.quick.shipped_outcomes` writes the
file. It contains no rule: a test compares it with the judge. A key with a duty that is newer than the file is not used,
so a new duty is right at once.
"""

from __future__ import annotations

from ptx_lsp.isa.directive_names import SEPARATE_SAMPLERS
from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.targets import read_target
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.verdict import Obligation, ObligationKind
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, Iterable, NamedTuple, cache, lru_cache
from ptx_lsp.memo import Memo, forgettable
from ptx_lsp.package_data import read_text
from ptx_lsp.quick.body_text import BodiesSeen, Templates
from ptx_lsp.quick.effect import LineEffect, LineMemory
from ptx_lsp.quick.operand_kinds import KindTable
from ptx_lsp.semantics import duties
from ptx_lsp.semantics.duties import UNGUARDED, StatementDuty
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import Mark, Scope, Signature

if TYPE_CHECKING:
    from ptx_lsp.quick.body_memory import BodyMemory
    from ptx_lsp.quick.function_memory import FunctionTemplate

MOST_OUTCOMES = 50_000  # of one version and target
MOST_LINES = 50_000  # of one version and target; they take some 500 bytes each
MOST_BODIES = 1_000  # of one version and target
MOST_HEADERS = 2_000  # of one version and target
PROFILES = 8  # versions and targets that are remembered; while the user types one, each keystroke makes another one
MOST_SHAPES = 20_000  # of one version and target, as the numbers below
MOST_SHAPE_LITERALS = 50_000
MOST_INLINE_SHAPES = 5_000
MOST_SEEN = 100_000

# The obligations of the literals of a line: the index of the piece, the obligation, and literals known to satisfy it.
# `other` of an obligation is the index of a piece too.
Literals = tuple[tuple[int, Obligation, set[str]], ...]
# The number of the first names in a line that the instruction writes; the obligations of its literals; and True if the
# line must not have a guard.
Outcome = tuple[int, Literals, bool]
Outcomes = dict[tuple[str, ...], Outcome]
# The opcode text, after `@` if there is a guard, and the rest of the line without its numbers.
ShapeKey = tuple[str, str]
# The text between the registers of inline assembly, their kinds, and which of them are the same one.
InlineKey = tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]


# The same of a call with its variables, without its function, and the types of the results and parameters of this.
CallKey = tuple[InlineKey, tuple[tuple[object, ...], tuple[object, ...]]]


class LineShape(NamedTuple):
    """What the lines of a shape do: they write the names from the place `first` to `last` (exclusive) in the rest.

    `literals` are the obligations of their literals.
    """

    first: int
    last: int
    literals: Literals


class ShapeMemory(NamedTuple):
    """The shapes of lines (see `line_shapes.py`), by key; None for a shape whose lines are recognised one by one.

    `kinds` has for the stem of each register family in them the kind of its members. It is never emptied, because the
    shapes depend on it. `literals` are plain literals that occurred in their lines. `seen` has the hashes of lines
    that were recognised by their shapes. `rare` has the number of lines of each shape that is not learnt yet.
    `inline` has the shapes of inline assembly, `calls` those of calls with their variables.
    """

    table: Memo[ShapeKey, LineShape | None]
    kinds: dict[str, str]
    literals: Memo[str, None]
    seen: set[int]
    rare: Memo[ShapeKey, int]
    inline: Memo[InlineKey, InlineShape]
    calls: Memo[CallKey, InlineShape]


class InlineShape(NamedTuple):
    """What inline assembly does whose registers with a number are replaced; `written` are the numbers of those.

    `fixed` has all other names, in its `names`, `written` and `declared`, and in its `words` with their kinds.
    """

    fixed: LineEffect
    written: tuple[int, ...]


def shape_memory() -> ShapeMemory:
    """A memory without shapes."""
    literals: Memo[str, None] = Memo(MOST_SHAPE_LITERALS, nested=True)
    inline: Memo[InlineKey, InlineShape] = Memo(MOST_INLINE_SHAPES, nested=True)
    calls: Memo[CallKey, InlineShape] = Memo(MOST_INLINE_SHAPES, nested=True)
    rare: Memo[ShapeKey, int] = Memo(MOST_SHAPES, nested=True)
    return ShapeMemory(Memo(MOST_SHAPES, nested=True), {}, literals, set(), rare, inline, calls)


class Known(NamedTuple):
    """What the process has remembered for one version and target: outcomes by key, fine lines and bodies by their text.

    `shipped` has for the text of each key whose outcome is shipped the first line of its group, and `groups` has the
    outcomes of the groups that were needed; both are empty if the shipped outcomes are not for this profile.
    `seen` are the bodies that were read. `templates` are those of fine functions. `shapes` are those of lines that
    differ only in their numbers. `headers` has the signatures of declared functions, by the text of the header without
    the name (see `headers.py`).
    """

    profile: Profile
    shipped: dict[str, str]
    groups: dict[str, Outcome | None]
    outcomes: Outcomes
    lines: LineMemory
    bodies: BodyMemory
    seen: BodiesSeen
    templates: Templates[FunctionTemplate]
    shapes: ShapeMemory
    headers: Memo[str, Signature]


@forgettable
@lru_cache(maxsize=PROFILES)
def known_for(profile: Profile) -> Known:
    """What is remembered for a version and target; at first nothing."""
    usual = profile.known and profile.maximum is None and SEPARATE_SAMPLERS not in profile.options
    outcomes: Outcomes = Memo(MOST_OUTCOMES, nested=True)
    lines: LineMemory = Memo(MOST_LINES, nested=True)
    bodies: BodyMemory = Memo(MOST_BODIES, nested=True)
    headers: Memo[str, Signature] = Memo(MOST_HEADERS, nested=True)
    templates: Templates[FunctionTemplate] = Templates()
    shapes, seen, shipped_heads = shape_memory(), BodiesSeen(), heads() if usual else {}
    return Known(profile, shipped_heads, {}, outcomes, lines, bodies, seen, templates, shapes, headers)


class View(NamedTuple):
    """The part of the module's state that a recogniser may use.

    `scope` is the innermost open scope and `table` has the kinds of operands in it. `known` is what the process has
    remembered for the version and target of the module. `mark` makes a mark from two offsets in the text. `shallow` is
    true if inline assembly may open its braces here without becoming too deep for the assembler.
    """

    scope: Scope
    table: KindTable
    known: Known
    mark: Callable[[int, int], Mark]
    shallow: bool = True


# --- outcomes that are shipped ----------------------------------------------------------------------------------------

DUTIES_ARE = "// Duties: "  # begins the last line of the file's head: the duties that existed when it was written
MOST_GROUPS = 1_000  # that are remembered
Key = tuple[str, ...]  # of a plain line: opcode text and the kinds of its pieces


class ShippedOutcome(NamedTuple):
    """The outcome of a key: how many names its lines write, and the obligations of the literals, by index of the piece.

    `unguarded` is true if its lines must not have a guard.
    """

    written: int
    literals: tuple[tuple[int, Obligation], ...] = ()
    unguarded: bool = False


class Group(NamedTuple):
    """Keys with the same outcome that are fine since a version and a target. The suffix of the target is ignored."""

    version: Version
    target: Target
    answer: ShippedOutcome
    keys: tuple[Key, ...]


def groups() -> list[Group]:
    """The groups of `shipped_outcomes.txt`. Each begins with a line such as this one; its keys are indented below it.

        ptx 6.0  sm_30  writes 1  unguarded  SHIFT_COUNT at=2 bits=32

    After the number of names come `unguarded`, if the lines must not have a guard, and the obligations of literals: the
    kind, which piece, and the numbers of `Obligation`.
    """
    written, new = written_groups()
    if not new:
        return written
    return [group._replace(keys=tuple(key for key in group.keys if not owes(key, new))) for group in written]


def written_groups() -> tuple[list[Group], list[StatementDuty]]:
    """The groups as the file has them, and the duties that are newer than the file."""
    groups, new = _written()
    return [_group(text) for text in groups], new


def _written() -> tuple[list[str], list[StatementDuty]]:
    head, *groups = read_text("quick", "shipped_outcomes.txt").split("\n\n")
    known = set(head.rstrip().rpartition("\n")[2].removeprefix(DUTIES_ARE).split(", "))
    return groups, [duty for duty in duties.DUTIES if duty.name not in known]


def owes(key: Key, some: Iterable[StatementDuty]) -> bool:
    """Whether a key has one of some duties."""
    return any(duty.owed(key[0], operand_kinds(key)) for duty in some)


def operand_kinds(key: Key) -> tuple[str, ...]:
    """The kinds of the operands of a key, which has the kinds of the pieces between commas."""
    from ptx_lsp.judgement.fit import split_kind  # only for duties that are newer than the file

    return tuple(filter(None, split_kind(",".join(key[1:]))))


def _group(text: str) -> Group:
    head, *keys = text.rstrip("\n").split("\n  ")
    return Group(*_head(head), tuple(map(_key, keys)))


@forgettable
@lru_cache(maxsize=MOST_GROUPS)
def _head(text: str) -> tuple[Version, Target, ShippedOutcome]:
    since, on, writes, *literals = text.split("  ")
    version, target = read_version(since.removeprefix("ptx ")), read_target(on)
    assert version is not None, text
    assert target is not None, text
    unguarded = literals[:1] == [UNGUARDED]
    answer = ShippedOutcome(int(writes.removeprefix("writes ")), tuple(map(_literal, literals[unguarded:])), unguarded)
    return version, target, answer


def _literal(text: str) -> tuple[int, Obligation]:
    kind, *fields = text.split(" ")
    given = {name: value for name, _, value in (field.partition("=") for field in fields)}
    low, high, bits, modulo = (int(given.get(name, 0)) for name in ("low", "high", "bits", "modulo"))
    values, other = (tuple(int(v) for v in given.get(name, "").split("|") if v) for name in ("values", "other"))
    step = int(given.get("step", 1))
    obligation = Obligation(ObligationKind[kind], (), "", low, high, step, bits, values, modulo, other)
    return int(given["at"]), obligation


@forgettable
@cache
def heads() -> dict[str, str]:
    """The first line of its group by the text of each key: its parts with a blank between two of them."""
    groups, new = _written()
    found: dict[str, str] = {}
    for text in groups:
        head, _, keys = text.partition("\n  ")
        found.update(dict.fromkeys(keys.rstrip("\n").split("\n  "), head))
    for text in [text for text in found if " " not in text]:
        found[" ".join(_key(text))] = found.pop(text)
    if not new:
        return found
    return {key: head for key, head in found.items() if not owes(_key(key), new)}


def _key(text: str) -> Key:
    # a key without operands has one empty piece, which the file does not have
    return tuple(text.split(" ")) if " " in text else (text, "")


def shipped(group: str, version: Version, target: Target) -> ShippedOutcome | None:
    """The outcome of the keys of a group, by its first line, in a version and target; None if they are not fine."""
    since, on, answer = _head(group)
    return answer if version >= since and target.number >= on.number else None
