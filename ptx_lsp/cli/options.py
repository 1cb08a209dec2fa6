"""Reads the options of a command: like argparse, but faster to import and with messages in the style of findings."""

from collections.abc import Mapping
from typing import NamedTuple

_MOST_DIGITS = 9


class UsageError(Exception):
    """The arguments of a command are wrong; the message says why."""


class Options(NamedTuple):
    """The arguments: flags without a value, options with their values, and all other arguments in their order."""

    flags: frozenset[str]
    values: Mapping[str, str]
    rest: list[str]


def read_options(
    arguments: list[str], flags: tuple[str, ...] = (), choices: Mapping[str, str] | None = None
) -> Options:
    """Divide arguments into flags, options with a value (`--name value` or `--name=value`), and the rest.

    `choices` holds each option that takes a value, with the allowed values joined by `|` (empty: any). After `--`
    every argument belongs to the rest; so does a single `-`. Raises UsageError for an unknown option, or for a missing
    or wrong value.
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
    """The number in decimal digits; None if the text has other characters or more than nine digits."""
    digits = text.lstrip("0") or text[-1:]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS else None


def _checked(name: str, value: str | None, allowed: str) -> str:
    if value is None:
        raise UsageError(f"`{name}` needs a value")
    if allowed and value not in allowed.split("|"):
        raise UsageError(f"`{name}` takes {allowed.replace('|', ' or ')}, not `{value}`")
    return value
