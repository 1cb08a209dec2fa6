"""The values of long tables, looked up piece by piece: an edit changes one of perhaps 20,000 lines.

A piece is whole lines. Where it ends depends on its text and not on what is above it, so that the pieces below an edit
are those of before.
"""

from ptx_lsp.light_classes import Iterator, NamedTuple, lru_cache
from ptx_lsp.memo import Memo, forgettable
from ptx_lsp.patterns import lazy_pattern, re

_SHORTEST, _LONGEST = 6_000, 10_000  # characters of a piece
_MOST_PIECES = 1024  # that are remembered
_MOST_OTHERS = 2  # pieces one after the other that are no values, above the end of a table
_EXACT = ("0f", "0F", "0d", "0D")  # the begin of a float in hexadecimal
_DIGITS = 19  # literals with fewer characters than this are below 2**64 and need no evaluation

_BLANKS = r"[ \t\r\n\f]*+"
_VALUE = (
    r"(?:0[xX][0-9a-fA-F]{1,16}|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|-?(?:0|[1-9][0-9]{0,19})(?:\.[0-9]{1,16})?)"
)
# at least 16 values, each before a comma: what is before something else may be part of an expression
_VALUES = lazy_pattern(rf"{_BLANKS}({_VALUE}(?:{_BLANKS},{_BLANKS}{_VALUE}(?={_BLANKS},)|(?!)){{15,}}+)", re.A)
_MORE_VALUES = lazy_pattern(rf"(?:{_BLANKS},{_BLANKS}{_VALUE}(?={_BLANKS},)|(?!))*+", re.A)
_PIECE = lazy_pattern(rf"(?:{_BLANKS}{_VALUE}{_BLANKS},|(?!))++{_BLANKS}", re.A)


class Values(NamedTuple):
    """Values that are single literals: their `number`, and the least and greatest of the integers among them.

    Without integers, the least one is 0 and the greatest one -1. `has_floats` is true if there are floats, `is_certain`
    if no value needs an evaluation.
    """

    number: int
    least: int
    greatest: int
    has_floats: bool
    is_certain: bool

    def fit(self, integers: int, floats: bool) -> bool:
        """Whether all surely fit a type that has this number of different integers, and takes floats or not."""
        fit = -(integers >> 1) <= self.least and self.greatest < integers
        return fit and self.is_certain and (floats or not self.has_floats)


_known: Memo[str, Values | None] = Memo(_MOST_PIECES)  # None: not a piece of values


def find_values(text: str, start: int, limit: int) -> tuple[int, int] | None:
    """The begin and end of many values below `start`, each of which has a comma after it and before `limit`.

    None if there are less than 16. `start` is after a brace or a comma of an initialiser.
    """
    near = min(start + _SHORTEST, limit)
    found = _VALUES.match(text, start, near) or (_VALUES.match(text, start, limit) if near < limit else None)
    if found is None:
        return None  # as after most commas
    begin, end = found.span(1)
    first = _next_piece(text, start, limit) if near < limit else -1
    more = _MORE_VALUES.match(text, end, limit if first < 0 else first)
    end = end if more is None else more.end()
    is_at_piece = first >= 0 and text[end:first].strip() == ","
    if is_at_piece and (at := _end_of_pieces(text, first, limit)) > first:
        end = text.rindex(",", first, at)
    more = _MORE_VALUES.match(text, end, limit)
    return begin, end if more is None else more.end()


@forgettable
@lru_cache(maxsize=2)  # a statement with a mistake is read several times
def _end_of_pieces(text: str, start: int, limit: int) -> int:
    """The end of the pieces of values that follow one another from the begin of a piece on."""
    while (following := _next_piece(text, start, limit)) >= 0 and values_in(text[start:following]) is not None:
        start = following
    return start


def pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int, Values]]:
    """Where the pieces of values that `find_values` has found begin and end, and the values of each.

    What is below a line that ends without a comma is one piece.
    """
    while (following := _next_piece(text, start, end)) >= 0 and (found := values_in(text[start:following])) is not None:
        yield start, following, found
        start = following
    yield start, end, _values(text[start:end])


def values_in(piece: str) -> Values | None:
    """The values of a piece; None unless it consists of them, with a comma after each."""
    if piece in _known:
        return _known[piece]
    values = _known[piece] = None if _PIECE.fullmatch(piece) is None else _values(piece)
    return values


def remember_values(texts: Iterator[str]) -> Iterator[None]:
    """Look at the values of a table, in steps of one text; `texts` are the parts of a text that begins above them.

    `find_values` finds what was looked at in little time.
    """
    text, others = "", 0
    for more in texts:
        text, at = text + more, 0
        while (following := _next_piece(text, at, len(text))) >= 0:
            others = others + 1 if values_in(text[at:following]) is None else 0
            if others > _MOST_OTHERS:
                return
            at = following
        text = text[at:]
        yield


def _next_piece(text: str, start: int, end: int) -> int:
    """The begin of the piece below the one at `start`: the first line in order; -1 if little is left."""
    last = text.rfind("\n", start + _SHORTEST, min(start + _LONGEST, end))
    if last < 0 or end - start < _LONGEST:
        return -1
    first = text.find("\n", start + _SHORTEST)
    return text.find("\n" + min(text[first + 1 : last].split("\n")), first) + 1


def _values(text: str) -> Values:
    """The values of a text, which has commas between them, and perhaps one after them."""
    texts = text.split(",")
    count = len(texts)
    if not texts[-1].strip():
        count -= 1
        del texts[-1]
    different = set(texts)  # a long table repeats its values
    try:
        integers = set(map(int, different))
        return Values(count, min(integers), max(integers), False, True)
    except ValueError:
        pass
    stripped = [value.strip() for value in different]
    decimal = [int(value) for value in stripped if value.removeprefix("-").isdecimal()]
    integers = {*decimal, *(int(value, 16) for value in stripped if value[:2] in ("0x", "0X"))}
    floats = [value for value in stripped if value[:2] in _EXACT or "." in value]
    uncertain = any(value[0] == "-" or len(value) >= _DIGITS for value in floats)
    return Values(count, min(integers, default=0), max(integers, default=-1), bool(floats), not uncertain)
