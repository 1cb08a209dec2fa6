"""Effects, the results of recognisers: what a line, a run of lines, or one statement does in its block.

An effect changes nothing: `ptx_lsp/reading/` applies it. A recogniser that is not sure that a text is fine returns
None, and the parser reads the text.

The effects of lines are remembered: they are fine in every place where their names have the same kinds.
Compilers number the registers of every function from one, so that two of three lines of a large module repeat an
earlier line. Only its text, the kinds of its names, the version and the target decide whether a plain line is fine. The
same is true of inline assembly between braces that has no effect except the registers that it writes.
"""

from __future__ import annotations

from itertools import chain, pairwise, repeat
from sys import intern

from ptx_lsp.isa.special_registers import WARP_SIZE, special_register
from ptx_lsp.light_classes import Collection, NamedTuple, Sequence, bisect_left, bisect_right, itemgetter
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.operand_kinds import OWN, SPECIAL, KindTable, typed
from ptx_lsp.quick.operand_text import Unclear
from ptx_lsp.semantics.surroundings import NamePlace
from ptx_lsp.semantics.symbols import NAMELESS, Mark, Symbol

PARAMETER = "_param_"  # compilers write it between the name of a function and the number of its parameter
SHORT = 16  # characters; a name of at most this length may also occur in other functions
MOST_INNER_BRACES = 16  # in inline assembly that is remembered
LONGEST_INLINE = 12  # lines of inline assembly that is remembered
_WITHOUT_TYPE = frozenset(NAMELESS.values())


class LineEffect(NamedTuple):
    """What a line, or inline assembly of a few lines, does.

    `words` are its names with their kinds (`typed`): if they have these kinds, the line is fine. `names` are the names
    that may be registers of the function, `written` those of them that it writes. `declared` are the names that inline
    assembly declares between its own braces.
    """

    words: tuple[str, ...]
    names: Collection[str]
    written: Collection[str]
    declared: tuple[str, ...]


WORDS, NAMES, WRITTEN, DECLARED = map(itemgetter, range(4))
LineMemory = Memo[str, LineEffect]  # by text; inline assembly may be several lines, joined by line ends
NOTHING = LineEffect((), (), (), ())  # of a blank line or a comment; compared by identity
POSITION = LineEffect((), (), (), ())  # of a `.loc`, which may continue after comments; compared by identity


def remember(
    memory: LineMemory, line: str, table: KindTable, names: Sequence[str], written: Sequence[str]
) -> LineEffect:
    """Remember a line that is fine, that mentions these names and writes some of them; return its effect.

    It is not remembered if the meaning of a name is more than its kind, or if a name is long and not a register: names
    of variables often contain the name of their function, so that the line will hardly occur again. One of the names
    may be a parameter whose name begins with that of the function: then the line is remembered for every function.
    """
    words: list[str] = []
    mentioned: list[str] = []
    try:
        for name in names:
            if name[0] != "%" and name.startswith(table.function + PARAMETER):
                if line[0] == OWN or ":" not in table[name]:
                    return LineEffect((), tuple(names), tuple(written), ())
                words.append(typed(OWN + name[len(table.function) :], table[name]))
                line = own_form(line, table.function)
                if not line:
                    return LineEffect((), tuple(names), tuple(written), ())
            elif name[0] == "%" or len(name) <= SHORT:
                mentioned.append(intern(name))
                words.append(intern(f"{name} {table[name]}"))  # `typed`, without a call, for speed
            else:
                return LineEffect((), tuple(names), tuple(written), ())
    except Unclear:
        return LineEffect((), tuple(names), tuple(written), ())
    if len(memory) >= memory.limit:
        memory.drop_oldest()
    # `setdefault` is faster than the assignment of a memo; this is done for every new line
    return memory.setdefault(line, LineEffect(tuple(words), tuple(mentioned), tuple(map(intern, written)), ()))


def parameters_among(kinds: dict[str, str], function: str) -> dict[str, str]:
    """The parameters of a function among these names with their kinds, with the words of them for an effect.

    The size of an array may matter too: such a parameter is not among them.
    """
    own = function + PARAMETER
    return {
        name: typed(OWN + name[len(function) :], kind)
        for name, kind in kinds.items()
        if name.startswith(own) and "[]" not in kind
    }


def own_form(line: str, function: str) -> str:
    """A line with `OWN` in place of the name of its function; empty if no parameter in it begins with that name.

    The result begins with `OWN` too, so that it differs from the text of every line.
    """
    at = line.find(function + PARAMETER)
    if at <= 0 or line[at - 1] not in "[ \t,":
        return ""
    return OWN + line[:at] + OWN + line[at + len(function) :]


def remember_inline(
    memory: LineMemory, text: str, table: KindTable, names: list[str], written: list[str], inner: list[str]
) -> LineEffect | None:
    """Remember inline assembly that is fine, that mentions and writes these names, and declares the `inner` ones.

    Returns its effect, or None if it is not remembered. It is not remembered if a name that it declares has another
    meaning outside of it, or if the meaning of a name is more than its kind.
    """
    if text.count("{") > MOST_INNER_BRACES or ".loc" in text:
        return None  # the lines of positions are looked up one by one
    words = []
    for name in dict.fromkeys(names):
        try:
            kind = table[name]
        except Unclear:
            kind = SPECIAL if special_register(name) is not None or name == WARP_SIZE else ""
        if (name in inner) is (kind != "") or ":" in kind or kind in _WITHOUT_TYPE:
            return None  # the size and alignment of a variable may matter too, and so may the parameters of a function
        if kind:
            words.append(typed(name, kind))
    if not words and (names or inner) and "\n" not in text:
        return None  # the effect of a known line without words is empty
    mentioned, assigned, declared = (tuple(map(intern, dict.fromkeys(which))) for which in (names, written, inner))
    memory[text] = effect = LineEffect(tuple(words), mentioned, assigned, declared)
    return effect


class NewBody(NamedTuple):
    """The beginning of a function body: the symbol, its results and then its parameters, and the offset of the `{`."""

    symbol: Symbol
    parameters: tuple[Symbol, ...]
    brace: int


class Effect:
    """What a run of lines, or one statement, does. One line is a run of one.

    `count` is the number of lines of a run, `end` the offset of the end of a statement. `lines` have the names that
    are mentioned and written, with their kinds. `labels`, `branches` (uses of labels) and `undeclared` (undeclared
    registers) are in the order of the text. `inner_labels` are labels between inner braces, to which nothing
    branches. `declares` are the names that the innermost scope declares. Declarations are the last lines of their run,
    because they may change the meaning of a name. `loads` are the loads from `.param` variables of the body.
    `results` are the variables in which a call returns its results, `callee` is the place where its function is
    declared, None without a call. `scopes` are those of the `lines` that are of the scope of a call or of inline
    assembly in a run, each after the first line of the scope in the block (from 0). The change of scope is `opens`, the
    offset of a `{`, or `closes`, the offset of a `}`, or `body`, a function that begins; these are -1 or None without
    it. If a run ended at a line that no recogniser of lines knows, `stopped_at` has the groups of that line, otherwise
    it is empty.
    """

    __slots__ = (
        *("body", "branches", "callee", "closes", "count", "declares", "end", "inner_labels", "labels"),
        *("lines", "loads", "opens", "results", "scopes", "stopped_at", "undeclared"),
    )

    def __init__(self, end: int = 0) -> None:
        self.count = 0
        self.stopped_at: tuple[str, ...] = ()
        self.end = end
        self.lines: list[LineEffect] = []
        self.labels: list[NamePlace] = []
        self.inner_labels: list[NamePlace] = []
        self.branches: list[NamePlace] = []
        self.undeclared: list[NamePlace] = []
        self.loads: list[NamePlace] = []
        self.results: list[str] = []
        self.callee: Mark | None = None
        self.scopes: list[tuple[int, LineEffect]] = []
        self.declares: tuple[Symbol, ...] = ()
        self.opens = -1
        self.closes = -1
        self.body: NewBody | None = None

    def hidden_scope(self) -> int:
        """The line of the first scope of the run with a name that a label above it in the run may hide; -1 without one.

        The names of a run are looked up before its labels are declared.
        """
        labels = {label.name: label.line for label in self.labels}
        if labels.keys().isdisjoint(chain.from_iterable([line.names for _, line in self.scopes])):
            return -1
        hidden = (at for at, line in self.scopes if any(labels.get(name, at) < at for name in line.names))
        return min(hidden, default=-1)

    @classmethod
    def of_declaration(cls, end: int, symbols: tuple[Symbol, ...]) -> Effect:
        """The effect of a declaration that ends at the offset `end`."""
        effect = cls(end)
        effect.declares = symbols
        return effect


# --- the lines of scopes in a body ------------------------------------------------------------------------------------

# Part of the comments with which LLVM begins and ends the scope of a call: `{ // callseq 5, 0` and `} // callseq 5`.
# LLVM 3 has `// Callseq Start 5` in the line above the brace, and `}// Callseq End 5`.
SEQUENCE = "allseq"
_ABOVE = "// Callseq"  # how such a comment of LLVM 3 begins
# a line with one instruction in a scope of its own, as headers of CUDA have it in inline assembly; the group is it
_SCOPED = lazy_pattern(r"[ \t]*+\{[ \t]*+([@a-z](?:[^{}\"/;]++|\{[^{}\"/;]++\}|(?!))*+;)[ \t]*+\}")
BLOCK_LABEL = "BB"  # part of the label of a basic block that may have no `$` (`semantics/compiler_labels.py`)


def calls_among(text: str, lines: list[str], starts: Sequence[int], first: int) -> dict[int, int]:
    """The scopes of calls in these lines, which have this text: the place of the last line by that of the first one.

    `starts` are offsets at which lines begin: the lines are those from number `first` on.
    """
    # most texts have no calls, and many no brace; to find that takes little time
    begin, at = starts[first], text.find(SEQUENCE) if "{" in text else -1
    if at < 0:
        return {}
    commented: dict[int, None] = {}
    while at >= 0:
        commented[bisect_right(starts, begin + at) - 1 - first] = None
        at = text.find(SEQUENCE, at + len(SEQUENCE))
    if _ABOVE in text:
        below = [place + 1 for place in commented if place + 1 < len(lines) and begins_call(lines, place + 1)]
        commented = dict.fromkeys(sorted([*commented, *below]))
    return {first: last for first, last in pairwise(commented) if "{" in lines[first] and "}" in lines[last]}


def effects_around(
    calls: dict[int, int], lines: list[str], known: dict[str, LineEffect]
) -> tuple[list[LineEffect | None], list[int]]:
    """The effects of the lines that are known, and the places of the others.

    The lines inside of these scopes of calls, which are recognised as a whole, have neither an effect nor a place.
    """
    effects: list[LineEffect | None] = []
    unknown: list[int] = []
    begin = 0
    for first, last in (*calls.items(), (len(lines), len(lines))):
        effects += map(known.get, lines[begin : first + 1])
        unknown += [place for place, effect in enumerate(effects[begin:], begin) if effect is None]
        effects += repeat(None, last - first - 1)
        begin = last
    return effects, unknown


def inline_among(text: str, lines: list[str], calls: dict[int, int], places: list[int]) -> dict[int, int]:
    """The scopes of inline assembly that begin at these places, as `calls_among` has those of the `calls`."""
    # a search in each line takes three times as long
    if "{" not in text or text.count("{") == len(calls):
        return {}
    return _inline_among(lines, [place for place in places if "{" in lines[place] and place not in calls])


def _inline_among(lines: list[str], places: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    end = 0
    for place in places:
        line = lines[place]
        continues = line.count("{") > line.count("}")  # most scopes have one line: it is a line like others
        if continues and place >= end and begins_scope(line) and (length := scope_length(lines, place)) > 1:
            end = place + length
            found[place] = end - 1
    return found


def outside(scopes: dict[int, int], places: list[int]) -> list[int]:
    """Those of these places, which are sorted, that are not inside of these scopes."""
    kept: list[int] = []
    begin = 0
    for first, last in scopes.items():
        kept += places[begin : bisect_left(places, first) + 1]
        begin = bisect_left(places, last)
    return kept + places[begin:]


def without_scope(line: str) -> str:
    """A line, without the braces around it if it is one instruction in a scope of its own.

    A scope in which nothing is declared changes nothing.
    """
    found = _SCOPED.fullmatch(line)
    return line if found is None else found[1]


def begins_call(lines: list[str], at: int) -> bool:
    """Whether the comment of a line with a brace, or the one above it, is about the scope of a call."""
    if SEQUENCE in lines[at]:
        return True
    above = lines[at - 1] if at > 0 and "{" in lines[at] else ""
    return SEQUENCE in above and "{" not in above and "}" not in above


def begins_scope(line: str) -> bool:
    """Whether a line begins with a brace."""
    return line.lstrip(" \t")[:1] == "{"


def scope_length(lines: list[str], at: int) -> int:
    """The number of lines from the line `at`, which opens a brace, to the line that closes it; 0 if none does soon.

    Braces in comments are counted too: the number is a guess. What these lines do is remembered only if all scopes are
    as before after they have been read.
    """
    depth = 0
    for number in range(at, min(at + LONGEST_INLINE, len(lines))):
        line = lines[number]
        depth += line.count("{") - line.count("}")
        if depth <= 0:
            return number - at + 1
    return 0
