"""The positions and labels that each `.loc` names for inlined code, and those that a module has; found without a tree.

Observed: ptxas 13.5. The position after `inlined_at` is that of a `.loc` above, in any function; a `.loc_intermediate`
does not count. The label after `function_name` is one of any `.section`, above or below.
"""

from ptx_lsp.isa.directive_names import FUNCTION_NAME, LOCATION, SECTION
from ptx_lsp.isa.special_registers import WARP_SIZE
from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import Callable, Iterable, NamedTuple, itemgetter
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.plain_text import NAME_TEXT, without_comments
from ptx_lsp.syntax.section_rows import rows_of

INLINED_SINCE = Version(7, 0)  # the first version that has `function_name`; `requirements.py` has it too
_BEGINS_ALIKE = ".local"  # the state space, which occurs often, and whose name begins with that of the directive


class Use(NamedTuple):
    """A name or a position in a `.loc`, normalised, and its range: offsets into the text."""

    what: str
    start: int
    end: int


class InlinedCode(NamedTuple):
    """What a text has: `given` are the positions of its `.loc`, `labels` the labels of its sections.

    `wanted` are the positions after `inlined_at` that no `.loc` above has in the same text, and `named` the labels
    after `function_name`. `uses` finds their places. `rest` is the end of the text, without comments, from the word
    `.section` on if that section does not end in the text, otherwise empty; `continued_labels` finds its labels.
    """

    given: frozenset[str]
    wanted: frozenset[str]
    labels: frozenset[str]
    named: frozenset[str]
    rest: str = ""

    @property
    def has_inlined(self) -> bool:
        """Whether the text names inlined code, by a label or by a section."""
        return bool(self.named or self.wanted)


NOTHING = InlinedCode(frozenset(), frozenset(), frozenset(), frozenset())
UNKNOWN = NOTHING._replace()  # of a text that names no inlined code; compared by identity

# A pattern that begins with a word is found faster than one that begins with a condition: the condition follows.
_LOC = lazy_pattern(
    rf"\.loc(?<![\w.$%]\.loc)\s+(\w+)\s+(\w+)\s+(\w+)"
    rf"(?:\s*,\s*function_name\s+(?:({NAME_TEXT})|\.\w+)(?:\s*\+\s*\w+)?\s*,\s*inlined_at\s+((\w+)\s+(\w+)\s+(\w+)))?",
    re.A,
)
_BLANKS = " \t\n\r\f\v"  # all that can follow the word `.loc`
_NUMBER = "(?:0|[1-9][0-9]{0,8}+)"
_PLACE = rf"{_NUMBER} {_NUMBER} {_NUMBER}"
# the rest of a `.loc` as compilers write it: the position is normalised already
_PLAIN_REST = rf"[ \t]++({_PLACE})(?:, function_name ((?!{WARP_SIZE}\b){NAME_TEXT}), inlined_at ({_PLACE})|(?!))?+[ \t]*+(?://[^\r\n]*+)?\r?$"
_PLAIN_LOC = lazy_pattern(rf"^[ \t]*+\.loc{_PLAIN_REST}(?!(?:\s|//[^\n]*+\n|(?!))*+,)", re.A | re.M)
# lines of positions alone
_POSITIONS = lazy_pattern(rf"(?:\t\.loc[ \t]++{_PLACE}[ \t]*+(?://[^\r\n]*+)?\r?\n|(?!))*+", re.A)
# one match a line; its groups are empty if the line is not plain, or has another indentation than compilers write
_LINES = lazy_pattern(rf"^(?:\t\.loc{_PLAIN_REST}|.*$)", re.A | re.M)
# The same with the indentation that compilers write, which is found four times as fast. A line below that begins with
# anything but a blank, a comment or a comma is no part of the statement: to see that first takes half as long.
_INDENTED_LOC = lazy_pattern(r"\n(\t\.loc[ \t][^\n]*+)(?:(?=\n\t?+[^\s/,])|(?!(?:\s|//[^\n]*+\n|(?!))*+,))")
_MOST_LOCS = 20_000  # texts of `.loc` that are remembered
_POSITION = itemgetter(0)
_MOST_BLANKS = 80  # before the brace that ends a section
# each begins at a place only if no text before it can belong to the same match: the time is linear in the text
_SECTION_HEAD = r"\.section(?<![\w.$%]\.section)\s++[\w.$]*+[^{};.]*+"
_SECTION = lazy_pattern(rf"{_SECTION_HEAD}\{{([^{{}}]*+)\}}", re.A)
_OPEN_SECTION = lazy_pattern(rf"{_SECTION_HEAD}(?:\{{[^{{}}]*+)?\Z", re.A)
_LAST_NAME = lazy_pattern(rf"(?<![%$\w])({NAME_TEXT})\Z", re.A)

Location = tuple[str, str, str]
"""A position, and the label after `function_name` and the position after `inlined_at`, each empty without it."""

# by line; the position is empty if it is not plain
_locations: Memo[str, Location] = Memo(_MOST_LOCS)


def named_code(text: str, in_comment: bool, lines: Callable[[], list[str]] | None) -> InlinedCode:
    """What a text with a position or a section has, if it names inlined code; otherwise UNKNOWN.

    `in_comment` is True if the text begins inside a `/* */` comment. `lines`, if given, has lines of the text that are
    a `.loc` which does not continue below, in order: maybe all.
    """
    if LOCATION in text and FUNCTION_NAME in text:
        return inlined_code(text, in_comment, lines)
    return UNKNOWN


def inlined_code(text: str, in_comment: bool, lines: Callable[[], list[str]] | None = None) -> InlinedCode:
    """What a text has; `in_comment` is True if the text begins inside a `/* */` comment. `lines`: see `named_code`."""
    count = text.count(LOCATION)
    has_comment = "*" in text and "/*" in text  # to search for one character takes a fiftieth
    is_plain = not (in_comment or has_comment)
    given_lines = lines() if lines is not None and is_plain and count else []
    if len(given_lines) < count:
        count -= text.count(_BEGINS_ALIKE)
    if not count and SECTION not in text:
        return NOTHING
    found: list[Location] | None = None if count or in_comment else []
    if count and is_plain:
        found = _of_lines(given_lines, count) or _indented(text, count) or _plain(text)
    if found is None:
        text, has_comment = without_comments(text, in_comment), False
        found = [
            (_position(loc[1], loc[2], loc[3]), loc[4] or "", _position(loc[6], loc[7], loc[8]) if loc[5] else "")
            for loc in _LOC.finditer(text)
        ]
    given: set[str] = set()
    wanted, named = [], []
    for position, name, at in found:
        if name:
            named.append(name)
        if at and at not in given and _is_position(at):
            wanted.append(at)
        given.add(position)
    labels, rest = _labels(text, has_comment)
    return InlinedCode(frozenset(given), frozenset(wanted), labels, frozenset(named), rest)


def uses(text: str, in_comment: bool, *, positions: bool = True) -> tuple[list[Use], list[Use]]:
    """The `wanted` positions and the `named` labels of a text, with their places; no positions unless `positions`.

    `in_comment` is True if the text begins inside a `/* */` comment.
    """
    text = without_comments(text, in_comment)
    given: set[str] = set()
    wanted, named = [], []
    for loc in _LOC.finditer(text):
        if loc[4] is not None:
            named.append(Use(loc[4], *loc.span(4)))
        if not positions:
            continue
        if loc[5] is not None:
            place = _position(loc[6], loc[7], loc[8])
            if place not in given and _is_position(place):
                wanted.append(Use(place, *loc.span(5)))
        given.add(_position(loc[1], loc[2], loc[3]))
    return wanted, named


def are_positions(lines: list[str]) -> bool:
    """Whether these lines are a `.loc` each as compilers write it, without inlined code."""
    return _POSITIONS.fullmatch("\n".join([*lines, ""])) is not None


def locations(lines: list[str]) -> list[Location]:
    """The locations of lines that are a `.loc`; one that compilers do not write like that has no position.

    It is not known whether the statement of such a line continues below it.
    """
    found = list(map(_locations.get, lines))
    if None in found:
        new = list({line for line, location in zip(lines, found, strict=True) if location is None})
        read: dict[str, Location] = dict(zip(new, _LINES.findall("\n".join(new)), strict=True))
        _locations.add_all(read)
        found = [location or read[line] for line, location in zip(lines, found, strict=True)]
    return found  # type: ignore[return-value]  # all are known now


def _of_lines(lines: list[str], count: int) -> list[Location] | None:
    """What `_plain` gives, if these are all lines of the text with the word `.loc`, which occurs `count` times."""
    if len(lines) != count:
        return None
    found = locations(list(dict.fromkeys(lines)))  # the first of several equal ones decides
    return found if all(map(_POSITION, found)) else None


def _indented(text: str, count: int) -> list[Location] | None:
    """What `_plain` gives, if the word `.loc` occurs in a text only as compilers write it, `count` times; or None."""
    return _of_lines(_INDENTED_LOC.findall("\n" + text), count)


def _plain(text: str) -> list[Location] | None:
    """The location of each `.loc` of a text without block comments; None if compilers do not write one of them so."""
    count = sum(text.count(LOCATION + blank) for blank in _BLANKS)
    found: list[Location] = _PLAIN_LOC.findall(text) if count else []
    return found if len(found) == count else None


def continued_labels(rest: str, below: Iterable[tuple[str, bool]]) -> frozenset[str]:
    """The labels of the section that continues below a text; `rest` is that of the text, see `InlinedCode`.

    `below` are the texts below it, each with True if it begins inside a `/* */` comment; no more of them are taken
    than the section may reach into. The labels of other sections that end in these texts may be among the result.
    """
    found: frozenset[str] = frozenset()
    pieces = [rest]
    for text, in_comment in below:
        more = without_comments(text, in_comment)
        pieces.append(more)
        if len(pieces) > 2 and "{" not in more and "}" not in more:
            continue  # rows; they are looked at together, as there may be thousands of texts
        joined = "".join(pieces)
        found |= _labels_in(joined)
        rest = _open_section(joined)
        if len(rest) <= len(more):
            break  # it has ended, or is not a section; another text has the section that begins in `more`
        pieces = [rest]
    return found


def _labels(text: str, has_comment: bool) -> tuple[frozenset[str], str]:
    """The labels of the sections that end in a text, and the `rest` of the text; text in comments does not count.

    `has_comment` is true with a `/*`.
    """
    start = text.find(SECTION)
    if start < 0:
        return frozenset(), ""
    plain = _plain_labels(text, start) if not has_comment else None
    if plain is not None:
        return frozenset(plain), ""
    # a block comment may begin above
    text = without_comments(text if has_comment else text[text.rfind("\n", 0, start) + 1 :])
    return _labels_in(text), _open_section(text)


def _labels_in(text: str) -> frozenset[str]:
    # a section has megabytes of numbers and few colons
    before_colons = (piece for section in _SECTION.findall(text) for piece in section.split(":")[:-1])
    lasts = (_LAST_NAME.search(piece[piece.rstrip().rfind("\n") + 1 :].rstrip()) for piece in before_colons)
    return frozenset(last[1] for last in lasts if last is not None)


def _open_section(text: str) -> str:
    """The end of a text from `.section` on, if that section does not end in the text; otherwise empty."""
    start = text.rfind("}") + 1
    found = _OPEN_SECTION.search(text, start) if text.find(SECTION, start) >= 0 else None
    return found[0] if found is not None else ""


def _plain_labels(text: str, start: int) -> list[str] | None:
    """The labels of the sections from that at the offset `start` on, or None: only if compilers write them like that.

    The text has no block comment.
    """
    found: list[str] = []
    while start >= 0:
        rows = rows_of(text, text.rfind("\n", 0, start) + 1)
        if rows is None or text[rows.end : rows.end + _MOST_BLANKS].lstrip(" \t")[:1] != "}":
            return None
        found += rows.labels(text)
        start = text.find(SECTION, rows.end)
    return found


def _position(file: str, line: str, column: str) -> str:
    return f"{_normalised(file)} {_normalised(line)} {_normalised(column)}"


def _is_position(text: str) -> bool:
    """Whether a normalised position has three numbers: another check reports a word that is no number."""
    return text.replace(" ", "").isdecimal()


def _normalised(number: str) -> str:
    """A literal in decimal."""
    if number.isdecimal() and (number[0] != "0" or len(number) == 1):
        return number
    digits = number.removesuffix("U")
    try:
        return str(int(digits, 8 if digits.isdecimal() and digits[0] == "0" else 0))
    except ValueError:
        return number  # another check reports it
