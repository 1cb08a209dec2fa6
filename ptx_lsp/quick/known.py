"""What the process has remembered for a version and target: the tables that recognisers look into and add to.

All documents share them. A recogniser gets them in its `View`.
"""

from __future__ import annotations

from ptx_lsp.isa.directive_names import SEPARATE_SAMPLERS
from ptx_lsp.isa.special_registers import SpecialRegister, special_register
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, NamedTuple, Sequence, attrgetter, lru_cache
from ptx_lsp.memo import Memo, forgettable
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.body_text import BodiesSeen, Templates
from ptx_lsp.quick.effect import LineEffect, LineMemory
from ptx_lsp.quick.operand_kinds import KindTable, is_available, typed
from ptx_lsp.quick.operand_text import JOINED, SELECTED, SEPARATORS, Unclear, is_literal, shape_of, with_zeros
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import DIGITS, Mark, Scope, Signature, Symbol, SymbolKind

if TYPE_CHECKING:
    from ptx_lsp.judgement.verdict import OperandCheck
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
MOST_KINDS = 1_000  # register families, and names without numbers; compilers use twenty
_LINES_TO_JUDGE_BY, _MOST_TO_JUDGE_BY = 400, 2_000  # if few of them occur again, and if some do
_MOST_PIECES = 10_000

# The checks of the literals of a line: the index of the piece, the check, and literals that are known to pass it.
# `other` of a check is the index of a piece too.
Literals = tuple[tuple[int, "OperandCheck", set[str]], ...]
# The number of the first names in a line that the instruction writes; the checks of its literals; and True if the
# line must not have a guard.
Outcome = tuple[int, Literals, bool]
Outcomes = dict[tuple[str, ...], Outcome]
# The opcode text, after `@` if there is a guard, and the rest of the line without its numbers. A mark is in place of
# the name of a variable.
ShapeKey = tuple[str, str]
# The same with all digits, each of which is a zero, and with the name of a variable.
DigitsKey = tuple[str, str]
# The text between the registers of inline assembly, their kinds, and which of them are the same one.
InlineKey = tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]


# What an argument must agree with: the type, space and form of a parameter, or of a result.
Formal = tuple[object, ...]
# The same of all results and of all parameters of a function.
Formals = tuple[tuple[Formal, ...], tuple[Formal, ...]]
# The same of a call with its variables, without its function, and the results and parameters of this.
CallKey = tuple[InlineKey, Formals]
# The same of the variable of one argument with the stores that set it, and its parameter.
ArgumentKey = tuple[InlineKey, Formal]
# The same of all other text of a call, and the results of its function.
FrameKey = tuple[InlineKey, tuple[Formal, ...]]


# A register with a number; the group is its name without the `%`. A pattern that begins with a character is found
# faster than one that begins with a condition.
_REGISTER = lazy_pattern(r"%(?<![\w$%.]%)([a-zA-Z_]++(?:0|[1-9][0-9]*+))(?![\w$.])")


def inline_key(text: str, table: KindTable) -> tuple[InlineKey, list[str]] | None:
    """The key of inline assembly, and its different registers with a number; None if one is not declared."""
    parts = _REGISTER.split(text)
    numbers: dict[str, int] = {}
    places = tuple([numbers.setdefault(name, len(numbers)) for name in parts[1::2]])
    names = ["%" + name for name in numbers]
    try:
        kinds = tuple(map(table.__getitem__, names))
    except Unclear:
        return None
    return (tuple(parts[::2]), kinds, places), names


_new = tuple.__new__  # the constructor of a named tuple takes three times as long
_FORMAL = attrgetter("type", "space", "vector", "dimensions", "alignment")  # what an argument must agree with
_LONGEST = 20_000  # characters of a call with its variables
_BEGIN = "\t{ // callseq"
_ENDS = ("\t} // callseq", "\t}// Callseq End")  # how LLVM ends the scope of a call, and how LLVM 3 did


def formals_of(function: str, view: View) -> Formals | None:
    """What the arguments of a call of a function must agree with; None unless it is one that is known."""
    symbol = view.scope.lookup(function)
    if symbol is None or symbol.kind is not SymbolKind.FUNCTION:
        return None
    formals = view.formals.get(symbol)
    if formals is None and (model := symbol.model) is not None and not model.unknown:
        formals = view.formals[symbol] = tuple(map(_FORMAL, model.returns)), tuple(map(_FORMAL, model.parameters))
    return formals


def end_of_call(text: str, start: int) -> int:
    """The offset of the end of the scope whose brace ends its line before `start`; -1 unless LLVM has written it."""
    return text.find(_ENDS[text[start - 2] == "{"], start, start + _LONGEST)


class RepeatedCall(NamedTuple):
    """A call with its variables that is known by its text: its key, function and registers, and its effect.

    `fixed` are its other names with their kinds. `words` has the names of both when it occurs again.
    """

    key: CallKey
    function: str
    registers: list[str]
    fixed: tuple[str, ...]
    line: LineEffect
    words: set[str]


def repeated_call(inside: str, view: View) -> LineEffect | None:
    """The effect of the scope of a call with this text inside, if it is known and fine here."""
    known = view.known.shapes.repeated.get(inside)
    if known is None or not view.shallow:
        return None
    (_, kinds, _), formals = known.key
    if formals_of(known.function, view) != formals:
        return None
    if not known.words:
        known.words.update(known.fixed, map(typed, known.registers, kinds))
    return known.line if view.table.confirm(known.words) else None


def inside_of_call(text: str, starts: Sequence[int], first: int, last: int) -> str:
    """The text inside of the scope of a call that LLVM has written, between the braces of two lines; otherwise empty.

    `starts` are the offsets of the lines of the text. Empty without a line `last` below the `first`.
    """
    if last <= first or not (text.startswith(_BEGIN, starts[first]) and text.startswith(_ENDS[0], starts[last])):
        return ""
    return text[starts[first + 1] : starts[last]]


def remember_call(text: str, call: tuple[CallKey, str, list[str], tuple[str, ...], LineEffect], view: View) -> None:
    """Remember the text of a call that is fine, without labels and addresses of variables: see `RepeatedCall`."""
    repeated = view.known.shapes.repeated
    if len(repeated) >= repeated.limit:
        repeated.drop_oldest()
    repeated.setdefault(text, _new(RepeatedCall, (*call, set())))  # faster than the assignment of a memo


def may_be_learnt(key: InlineKey) -> bool:
    """Whether the kinds of the registers in a key say all about them."""
    return all(kind[0] == "." and ":" not in kind for kind in key[1])


class Variable(NamedTuple):
    """The one name in the lines of a shape that is no register: the place of its word in the rest of a line.

    `opcode` is the opcode text of the lines. `kinds` says for the kinds of such names whether the lines are fine.
    """

    at: int
    opcode: str
    kinds: dict[str, str]


class LineShape(NamedTuple):
    """What the lines of a shape do. `written` has a 1 for each word of the rest that they write, and 0 for others.

    `literals` are the checks of their literals. `guarded` is true if the first word is a guard. `variable` is None
    if all names are registers.
    """

    guarded: bool
    written: bytes
    literals: Literals
    variable: Variable | None


class SeenLines(set[int]):
    """The hashes of lines. They also say whether lines that are read once mostly occur again."""

    __slots__ = ("_again", "_noted")

    def __init__(self) -> None:
        super().__init__()
        self._again = self._noted = 0

    def mostly_repeat(self, lines: list[str], places: list[int]) -> bool:
        """Whether lines that are read once mostly occur again, to judge by the first ones, which are noted.

        If most of them occur once, as in optimised code, to remember the others costs more than it saves: it takes as
        long as to recognise seven by their shapes. The new ones are the `lines` at these `places`.
        """
        if self._noted < (_LINES_TO_JUDGE_BY if 4 * self._again <= self._noted else _MOST_TO_JUDGE_BY):
            hashes = {hash(lines[place]) for place in places}
            self._again += len(places) - len(hashes - self)
            self._noted += len(places)
            if 2 * self._again <= self._noted:
                self |= hashes  # otherwise those that repeat are remembered before the new ones are noted
        return 2 * self._again > self._noted


class PieceKinds(Memo[str, str]):
    """The kinds of the pieces of lines without their numbers (see `line_shapes.py`), by their text.

    Every register has the kind that `kinds` has for its name without the digits at the end; a special register that the
    profile has gets it there. `special` has such registers, also with an element, with the name of each. Raises
    `Unclear` for a text that is not a plain operand, or that has another name.
    """

    __slots__ = ("_kinds", "_profile", "special")

    def __init__(self, kinds: dict[str, str], profile: Profile) -> None:
        super().__init__(_MOST_PIECES, nested=True)
        self._kinds = kinds
        self._profile = profile
        self.special: dict[str, str] = {}

    def __missing__(self, text: str) -> str:
        before, name, after = shape_of(text)
        if not name and not all(map(is_literal, text.translate(SEPARATORS).split())):
            raise Unclear
        if name == JOINED:
            kind = "|".join(map(self.__getitem__, text.strip(" \t").split("|")))
        elif name == SELECTED:
            element = text.strip(" \t")
            special = special_register(element.partition(".")[0])
            if special is None or not special.vector:
                raise Unclear
            if element not in self._kinds:
                self._enter(element, element, special)
            kind = special.element_kind
        else:
            kind = before + (self._kind(name) if name else "") + after
        self[text] = kind
        return kind

    def _kind(self, name: str) -> str:
        return self._kinds.get(stem := name.rstrip(DIGITS)) or self._enter(name, stem, special_register(name))

    def _enter(self, name: str, stem: str, special: SpecialRegister | None) -> str:
        # the text does not show the digits in a name
        if special is None or "0" in with_zeros([stem])[0] or not is_available(special, self._profile):
            raise Unclear
        self.special[name] = special.name
        return self._kinds.setdefault(stem, special.kind)


class ShapeMemory(NamedTuple):
    """The shapes of lines (see `line_shapes.py`), by key; None for a shape whose lines are recognised one by one.

    `by_digits` has the shapes of lines without a variable by their text with zeros: without the checks that all numbers
    of this length pass. Such a text is made faster than a key, and some thirty lines of compiled code have the same.
    `kinds` has for the stem of each register in them its kind, which all members of a family have. It is never emptied,
    because the shapes depend on it. `pieces` has the kinds of the pieces of keys. `literals` are plain literals that
    occurred in their lines. `seen` has the hashes of lines that were recognised by their shapes. `rare` has the number
    of lines of each shape that is not learnt yet. `inline` has the shapes of inline assembly, `calls` those of calls
    with their variables. `arguments` has the arguments of such calls, and `frames` all the rest of them. `repeated` has
    calls with their variables by their text.
    """

    table: Memo[ShapeKey, LineShape | None]
    by_digits: Memo[DigitsKey, LineShape]
    kinds: dict[str, str]
    pieces: PieceKinds
    literals: set[str]
    seen: SeenLines
    rare: Memo[ShapeKey, int]
    inline: Memo[InlineKey, InlineShape]
    calls: Memo[CallKey, InlineShape]
    arguments: Memo[ArgumentKey, bool]
    frames: Memo[FrameKey, InlineShape]
    repeated: Memo[str, RepeatedCall]

    def learn_family(self, name: str, of: str) -> None:
        """Take the type of a declared register or family for the kind of its name in all shapes, if they have none.

        The digits in a name are those of a number: such a name is not taken.
        """
        if name not in self.kinds and len(self.kinds) < MOST_KINDS and name[:1] == "%" and name[1:].isalpha():
            self.kinds[name] = of

    def agrees(self, name: str, kind: str) -> bool:
        """Whether a name without its digits has this kind in all shapes; it gets this kind if they have none yet."""
        return self.kinds.setdefault(name, kind) == kind and len(self.kinds) <= MOST_KINDS


class InlineShape(NamedTuple):
    """What inline assembly does whose registers with a number are replaced; `written` are the numbers of those.

    `fixed` has all other names, in its `names`, `written` and `declared`, and in its `words` with their kinds.
    """

    fixed: LineEffect
    written: tuple[int, ...]


def shape_memory(profile: Profile) -> ShapeMemory:
    """A memory without shapes, for a version and target."""
    inline: Memo[InlineKey, InlineShape] = Memo(MOST_INLINE_SHAPES, nested=True)
    calls: Memo[CallKey, InlineShape] = Memo(MOST_INLINE_SHAPES, nested=True)
    arguments: Memo[ArgumentKey, bool] = Memo(MOST_INLINE_SHAPES, nested=True)
    frames: Memo[FrameKey, InlineShape] = Memo(MOST_INLINE_SHAPES, nested=True)
    repeated: Memo[str, RepeatedCall] = Memo(MOST_INLINE_SHAPES, nested=True)
    rare: Memo[ShapeKey, int] = Memo(MOST_SHAPES, nested=True)
    kinds: dict[str, str] = {}
    table: Memo[ShapeKey, LineShape | None] = Memo(MOST_SHAPES, nested=True)
    by_digits: Memo[DigitsKey, LineShape] = Memo(MOST_SHAPES, nested=True)
    calls_of = calls, arguments, frames, repeated
    return ShapeMemory(table, by_digits, kinds, PieceKinds(kinds, profile), set(), SeenLines(), rare, inline, *calls_of)


class Known(NamedTuple):
    """What the process has remembered for one version and target: outcomes by key, fine lines and bodies by their text.

    `has_shipped` is true if the shipped outcomes are for this profile. `groups` has those of the groups that were
    needed, by the text of the group.
    `seen` are the bodies that were read. `templates` are those of fine functions. `shapes` are those of lines that
    differ only in their numbers. `headers` has the signatures of declared functions, by the text of the header without
    the name (see `headers.py`).
    """

    profile: Profile
    has_shipped: bool
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
    shapes, seen = shape_memory(profile), BodiesSeen()
    return Known(profile, usual, {}, outcomes, lines, bodies, seen, templates, shapes, headers)


class View(NamedTuple):
    """The part of the module's state that a recogniser may use.

    `scope` is the innermost open scope and `table` has the kinds of operands in it. `known` is what the process has
    remembered for the version and target of the module. `mark` makes a mark from two offsets in the text. `formals` has
    what `formals_of` has found, by the function. `shallow` is true if inline assembly may open its braces here without
    becoming too deep for the assembler.
    """

    scope: Scope
    table: KindTable
    known: Known
    mark: Callable[[int, int], Mark]
    formals: dict[Symbol, Formals]
    shallow: bool = True
