"""Reading a command's options: as argparse would, but started in no time and with messages in our voice."""

from collections.abc import Mapping
from typing import NamedTuple

_MOST_DIGITS = 9


class UsageError(Exception):
    """The command was called in a way that it does not know; the message says how."""


class Options(NamedTuple):
    """What was given: flags without a value, options with one, and everything else in order."""

    flags: frozenset[str]
    values: Mapping[str, str]
    rest: list[str]


def read_options(
    arguments: list[str], flags: tuple[str, ...] = (), choices: Mapping[str, str] | None = None
) -> Options:
    """Sort arguments into flags, options with a value (`--name value` or `--name=value`), and the rest.

    `choices` holds each option that takes a value, with the allowed values joined by `|` (empty: any). After `--`
    everything is rest; a lone `-` is rest. Raises UsageError for unknown options and missing or wrong values.
    """
    allowed = choices or {}
    found: set[str] = set()
    values: dict[str, str] = {}
    rest: list[str] = []
    remaining = iter(arguments)
    for argument in remaining:
        name, equals, value = argument.partition("=")
        if argument == "--":
            rest.extend(remaining)
        elif not argument.startswith("-") or argument == "-":
            rest.append(argument)
        elif argument in flags:
            found.add(argument)
        elif name in allowed:
            values[name] = _checked(name, value if equals else next(remaining, None), allowed[name])
        else:
            raise UsageError(f"there is no option `{argument}`")
    return Options(frozenset(found), values, rest)


def whole_number(text: str) -> int | None:
    """The number that a text writes in decimal digits; None where it has other characters, or more than nine digits."""
    digits = text.lstrip("0") or text[-1:]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS else None


def _checked(name: str, value: str | None, allowed: str) -> str:
    if value is None:
        raise UsageError(f"`{name}` needs a value")
    if allowed and value not in allowed.split("|"):
        raise UsageError(f"`{name}` takes {allowed.replace('|', ' or ')}, not `{value}`")
    return value
