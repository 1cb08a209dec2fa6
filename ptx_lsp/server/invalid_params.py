"""Parameters of a message that are not what the protocol says: which of them, in one line.

pygls itself answers only that the parameters are invalid, and writes a traceback.
"""

import re

from cattrs import transform_error
from cattrs.v import format_exception

MOST_NAMED = 3
"""Mistakes that are named, the first ones."""

LONGEST = 200
"""Characters of the description of one of them: it may quote a value of the client."""

_PLACE = re.compile(r" @ \$(?:\.params)?\.?(\S*)\Z")
_SNAKE = re.compile(r"_([a-z])")


class InvalidParamsError(Exception):
    """The parameters of a message are not what the protocol says; the text says which."""


def reasons(error: Exception) -> str:
    """What is wrong with a message, from the error of its conversion to a class of the protocol."""
    try:
        found = transform_error(error, format_exception=_what)
    except Exception:  # an error that has no places in the message
        found = [str(error) or type(error).__name__]
    named = [_PLACE.sub(_named, " ".join(each.split()))[:LONGEST] for each in found[:MOST_NAMED]]
    more = len(found) - len(named)
    return "; ".join(named) + (f"; and {more} more" if more else "")


def _what(error: BaseException, type_: type | None) -> str:
    """What is wrong with one value."""
    if type(error) is ValueError and str(error):
        return f"invalid value: {error}"
    return format_exception(error, type_)


def _named(place: re.Match[str]) -> str:
    """The place of a mistake as the protocol writes it."""
    path = _SNAKE.sub(lambda letter: letter[1].upper(), place[1])
    return f" at `{path}`" if path else ""
