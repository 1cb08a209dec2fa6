"""The text of a body without the names that vary from function to function: the key under which it is remembered.

Templates and small functions that are not inlined give many functions whose bodies differ only in names: that of the
function, with which the names of its parameters begin, its number in the names of its labels, the names of the
functions and variables that it uses, and numbered names that the body declares.
"""

from __future__ import annotations

from ptx_lsp.isa.directive_names import BRANCH_TARGETS, PROTOTYPE
from ptx_lsp.light_classes import Container, NamedTuple, TypeVar
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.effect import PARAMETER, SEQUENCE
from ptx_lsp.syntax.plain_text import INDENTED_LOCATION, RESERVED

T = TypeVar("T")

LONGEST_BODY = 300_000  # characters
MOST_BODIES_SEEN = 50_000  # of one version and target
MOST_CHARACTERS_SEEN = 8_000_000  # of the bodies that were read once, of one version and target
MOST_TEMPLATES = 64  # of one shape
MOST_CHARACTERS = 8_000_000  # of all templates of one version and target
MOST_BRACES_AT_MARGIN = 4096  # of one body
# No text that recognisers read has this character. In the key of a body, the character alone replaces the name of the
# function; followed by `L`, it replaces the beginning of the names of its labels; two of them with a number in between
# replace the name of a function or variable of the module, and with `V` and a number a name that the body declares:
# that of a variable, of a list of targets or of a prototype.
VARYING_MARK = "\x01"
_BEFORE_NAMES = "[ \t"
LABELS_BEGIN = "$L__BB"  # compilers write it, the number of the function, and `_` before the number of a label
BEGINS_LABEL = "$L__"  # of debug code too, as in `$L__func_begin8` and `$L__tmp20`
_LABEL_AND_MORE = 32  # characters: a label with its number
_FEW_LINES = 1_000
_SEQUENCE_AND_MORE = 24  # characters: the word with the number of the call
_MOST_DIGITS = 9
_OWN, LABELS_MARK = VARYING_MARK + PARAMETER, f"{VARYING_MARK}L"  # how a parameter and a label begin in a key
NAME = lazy_pattern(r"[a-zA-Z_$][\w$]*+", re.A)
_FEW = 200  # braces
_SEPARATORS = str.maketrans(dict.fromkeys(",;()[]{}+-|!", " "))
_QUOTED = lazy_pattern(r'"[^\n]*+')  # a string begins there, or a character of a comment
_SPACES = (".shared ", ".local ")
_VARIABLE = lazy_pattern(
    r"\.(?:shared|local) (?:\.align [0-9]++ )?\.\w++[ \t]++([a-zA-Z_$][\w$]*+)(?:\[[0-9]++\])?;", re.A
)
_LISTS = (BRANCH_TARGETS, PROTOTYPE)
_LISTED = lazy_pattern(rf"^[ \t]*+([a-zA-Z_$][\w$]*+)[ \t]*+:[ \t]*+(?:\{BRANCH_TARGETS}|\{PROTOTYPE})\b", re.M | re.A)
_COMMENTED = lazy_pattern(r"//[^\n]*[{}][^\n]*")
VARYING_NAME = lazy_pattern(rf"{VARYING_MARK}(?:L|V?[0-9]++{VARYING_MARK}|(?={PARAMETER}))")


class Names(NamedTuple):
    """The names that vary in a body.

    They are that of the function, the beginning of the names of its labels, those that the module declares, and those
    of the variables, lists of targets and prototypes that the body declares.
    """

    function: str
    labels: str
    outer: tuple[str, ...]
    variables: tuple[str, ...]


class BodyText(NamedTuple):
    """A body in a text: the offsets of the line after its `{` and of its `}`, the key for the memory, and its names."""

    start: int
    brace: int
    key: str
    names: Names


class BodiesSeen(dict[int, "tuple[str, str] | None"]):
    """The measures, and the hashes of the keys, of the bodies that were read; it is emptied when it is full.

    To remember a body costs half as much as to read it, so that only bodies with a key that was seen before are
    remembered. The key costs much more than the measures: the first body of its measures is kept with the name of its
    function, and gets a key when there is a second one.
    """

    __slots__ = ("_characters",)

    def __init__(self) -> None:
        super().__init__()
        self._characters = 0

    def is_first(self, measured: int, text: str, start: int, end: int, function: str) -> bool:
        """Whether no body with these measures was read before this one, which `body_at` would take; notes it."""
        if measured in self:
            return False
        self._make_room()
        kept = self._characters + end - start <= MOST_CHARACTERS_SEEN
        self[measured] = (function, text[start : end + 1]) if kept else None
        self._characters += end - start if kept else 0
        return True

    def take_first(self, measured: int, members: Container[str]) -> BodyText | None:
        """The first body with these measures, with its key, if its text is kept; later it is known by the key alone."""
        first = self.get(measured)
        if first is None:
            return None
        function, text = first
        self[measured] = None
        self._characters -= len(text) - 1
        body = body_at(text, 0, len(text) - 1, function, members)
        if body is not None:
            self[hash(body.key)] = None
        return body

    def is_repeated(self, key: str) -> bool:
        """Whether a body with this key was probably read before this one; notes it."""
        hashed = hash(key)
        if hashed in self:
            return True
        self._make_room()
        self[hashed] = None
        return False

    def _make_room(self) -> None:
        if len(self) >= MOST_BODIES_SEEN:
            self.clear()
            self._characters = 0


Shape = tuple[str, int]  # the text before the name of a function, and the number of its lines


class Templates(dict[Shape, "list[T | None]"]):
    """The templates of one version and target by shape, the last one first; None for a function that has no template.

    The table is emptied when it has too much text.
    """

    __slots__ = ("size",)

    def __init__(self) -> None:
        super().__init__()
        self.size = 0

    def add(self, shape: Shape, template: T | None, size: int) -> None:
        """Add a template with `size` characters."""
        self.size += size
        if self.size > MOST_CHARACTERS:
            self.clear()
            self.size = size
        others = self.setdefault(shape, [])
        others.insert(0 if template is not None else len(others), template)
        del others[MOST_TEMPLATES:]


def measures(text: str, start: int, end: int, lines: int) -> int:
    """A number that bodies with the same key have in common; most others have another one. It costs much less.

    `lines` is the number of lines from one offset to the other.
    """
    first = text.find(BEGINS_LABEL, start, end)
    # in debug code that is the number of the function, which the key has too
    label = "" if first < 0 or text.startswith(LABELS_BEGIN, first) else text[first : first + _LABEL_AND_MORE]
    # calls are numbered throughout a module; long bodies seldom have as many lines and commas as another one
    called = text.find(SEQUENCE, start, end) if lines < _FEW_LINES else -1
    call = "" if called < 0 else text[called : called + _SEQUENCE_AND_MORE].partition("\n")[0]
    return hash((label.partition("\n")[0], call, lines, text.count(",", start, end)))  # no name has a comma


def body_at(text: str, start: int, end: int, function: str, members: Container[str]) -> BodyText | None:
    """The body that begins at the offset `start`, after the line of its `{`; None if it has an odd character.

    `end` is that of `body_end`, `members` are the names that the module declares.
    """
    key = text[start : end + 1]
    if "\r" in key or VARYING_MARK in key:
        return None
    own = function + PARAMETER
    if own in key:
        for before in _BEFORE_NAMES:
            key = key.replace(before + own, before + _OWN)
        if own in key:
            return None
    labels = _begin_of_labels(key)
    if labels:
        key = key.replace(labels, LABELS_MARK)
    outer: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    separated = _without_positions(key).translate(_SEPARATORS)
    has_lists = any(word in separated for word in _LISTS)
    words = (separated.replace(": ", " ") if has_lists else separated).split()
    quoted = _quoted(key)
    key, outer = _without_names(key, words, members, "", quoted)
    declared = _VARIABLE.findall(key) if any(space in key for space in _SPACES) else []
    if has_lists:
        declared += _LISTED.findall(key)
    if declared:
        key, variables = _without_names(key, words, set(declared), "V", quoted)
    return BodyText(start, end + 1, key, Names(function, labels, outer, variables))


def body_like(
    other: BodyText, text: str, start: int, end: int, function: str, members: Container[str]
) -> BodyText | None:
    """As `body_at`, for a body that has the key of another one with the same `members`; None if that is not certain.

    It does not look at each word: this takes a tenth of the time.
    """
    body = text[start : end + 1]
    if VARYING_MARK in body:
        return None
    labels = _begin_of_labels(body)
    key = body.replace(function + PARAMETER, _OWN)
    key = key.replace(labels, LABELS_MARK) if labels else key
    outer, variables = marks_of(other.names)
    quoted = _quoted(body) if outer or variables else ""
    names: dict[str, str] = {}
    for mark in sorted((*outer, *variables), key=other.key.index):
        found = NAME.match(key, other.key.index(mark))  # unless the keys differ, they are the same up to there
        name = found[0] if found is not None else ""
        if not name or may_be_word(name) or name in quoted or (name in members) is (mark in variables):
            return None
        key, names[mark] = key.replace(name, mark), name
    if key != other.key:
        return None
    given = Names(function, labels, tuple([names[mark] for mark in outer]), tuple([names[mark] for mark in variables]))
    return BodyText(start, end + 1, key, given)


def _quoted(body: str) -> str:
    return "\n".join(_QUOTED.findall(body)) if '"' in body else ""


def _without_positions(body: str) -> str:
    """A body without its `.loc`, which are half of its text with line information: a name in them does not vary."""
    first, *others = body.split(f"\n{INDENTED_LOCATION}")
    return "\n".join([first, *[other.partition("\n")[2] for other in others]])


def _begin_of_labels(body: str) -> str:
    """How the names of the labels of a body begin, with the number of its function; empty if they have no number."""
    begin = body.find(LABELS_BEGIN)
    first = begin + len(LABELS_BEGIN)
    end = body.find("_", first, first + _MOST_DIGITS) if begin >= 0 else -1
    return body[begin : end + 1] if end >= 0 and body[first:end].isdecimal() else ""


def _without_names(
    body: str, words: list[str], names: Container[str], kind: str, quoted: str
) -> tuple[str, tuple[str, ...]]:
    """A body of these words with `kind` and a number in place of those of these names that it has, and these names."""
    counts: dict[str, int] = {}
    for name in filter(names.__contains__, words):
        counts[name] = counts.get(name, 0) + 1
    found: list[str] = []
    for name, count in counts.items():
        # A name that is also a part of another word stays, and so does one in the `quoted` text, or one that may be an
        # opcode: opcodes have small letters and digits only, and a statement that is fine has no other name at the
        # place of an opcode.
        if not may_be_word(name) and name not in quoted and body.count(name) == count:
            body = body.replace(name, f"{VARYING_MARK}{kind}{len(found)}{VARYING_MARK}")
            found.append(name)
    return body, tuple(found)


def may_be_word(name: str) -> bool:
    """Whether a name may also be a word of PTX at the same place."""
    return (name.isalnum() and name == name.lower()) or name[0] == "%" or name in RESERVED


def body_end(text: str, start: int) -> int:
    """The offset before the line of the `}` that probably ends a body; -1 without one.

    Inner braces may be at the margin too. Some braces in comments are counted: a wrong end is noticed when the body is
    read.
    """
    counted, end, depth = start, start - 1, 0
    for _ in range(MOST_BRACES_AT_MARGIN):
        end = text.find("\n}\n", end, start + LONGEST_BODY)
        if end < 0:
            return end
        if not depth and text.find("{", counted, end) < 0:
            return end  # to find no brace takes a tenth of the time of the counts
        depth += _few(text, "{", counted, end) - _few(text, "}", counted, end)
        if depth > 0:  # a comment may be a line of the source
            depth -= sum(found[0].count("{") - found[0].count("}") for found in _COMMENTED.finditer(text, counted, end))
        if depth <= 0:
            return end
        counted, end = end, end + 1
    return -1


def _few(text: str, brace: str, start: int, end: int) -> int:
    """As `str.count`, which compares each character: for few braces, this takes a tenth of its time."""
    for count in range(_FEW):
        start = text.find(brace, start, end) + 1
        if not start:
            return count
    return _FEW + text.count(brace, start, end)


def marks_of(names: Names) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the key has in place of the names of the module, and of those that the body declares, in their order."""
    outer = tuple([f"{VARYING_MARK}{number}{VARYING_MARK}" for number in range(len(names.outer))])
    return outer, tuple([f"{VARYING_MARK}V{number}{VARYING_MARK}" for number in range(len(names.variables))])


def written_out(name: str, names: Names) -> str:
    """A name as the text has it; `name` is written as in the key."""
    if name[0] != VARYING_MARK:
        return name
    if name[1] == "L":
        return names.labels + name[2:]
    if name[-1] != VARYING_MARK:
        return names.function + name[1:]
    return names.variables[int(name[2:-1])] if name[1] == "V" else names.outer[int(name[1:-1])]


def growth(varying: str, names: Names) -> int:
    """How much longer a name is than what the key has in its place."""
    written = names.function if varying == VARYING_MARK else written_out(varying, names)
    return len(written) - len(varying)


def column_in_key(line: str, column: int, names: Names) -> int:
    """The column in a line of the key of a column in that line of the body."""
    grown = 0
    if not -1 < line.find(VARYING_MARK) < column:
        return column  # most names are alone in their lines, or are the first that varies
    for found in VARYING_NAME.finditer(line):
        if found.start() + grown >= column:
            break
        grown += growth(found[0], names)
    return column - grown


def shortened(name: str, named: dict[str, str], names: Names) -> str:
    """A name as the key has it; `named` are the names of the module."""
    if name in named:
        return named[name]
    if name.startswith(names.function + PARAMETER):
        return VARYING_MARK + name[len(names.function) :]
    return VARYING_MARK + "L" + name[len(names.labels) :] if names.labels and name.startswith(names.labels) else name
