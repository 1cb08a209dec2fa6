"""Strings over several lines, which ptxas takes (observed: ptxas 13.5).

A `"` without another one on its line is usually a mistake. It begins a long string only if the lines below, as far as
is looked, have a line with an odd number of `"`, which is otherwise a mistake too, and if what follows the end of the
string can follow one.
"""

MOST_LINES = 16
"""The number of lines below a `"` in which the end of its string is looked for."""


def end_of_long_string(text: str, start: int, limit: int) -> int:
    """The end of the string that begins at `start` and is not closed on its line; -1 if it is not closed below."""
    end = text.find("\n", start, limit)
    closing = -1
    for _ in range(MOST_LINES):
        if not 0 <= end < limit:
            return -1
        begin = end + 1
        end = text.find("\n", begin, limit)
        stop = end if end >= 0 else limit
        if closing < 0:
            closing = text.find('"', begin, stop)
        if text.count('"', begin, stop) % 2:
            return closing + 1 if _may_follow(text, closing + 1, stop) else -1
    return -1


def _may_follow(text: str, start: int, stop: int) -> bool:
    """Whether the rest of a line may follow a string: it begins with no word and no other string."""
    rest = text[start:stop].lstrip(" \t\r\f")
    return not rest or not (rest[0].isalnum() or rest[0] in '_$%"\\')


def has_lines_for_string(text: str, offset: int, limit: int) -> bool:
    """Whether the text has, before `limit`, all lines in which the end of a string above an offset is looked for."""
    for _ in range(MOST_LINES + 1):
        offset = text.find("\n", offset, limit) + 1
        if not offset:
            return False
    return True


def may_end_below(text: str, line_end: int) -> bool:
    """Whether a string may end below the line that ends at an offset: there is another `"` as far as is looked."""
    end = line_end
    for _ in range(MOST_LINES):
        end = text.find("\n", end + 1)
        if end < 0:
            break
    return text.find('"', line_end, end if end >= 0 else len(text)) >= 0
