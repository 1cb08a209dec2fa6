"""Reads the options of a command: like argparse, but faster to import and with messages in the style of findings."""

from ptx_lsp.cli.command_table import Option
from ptx_lsp.light_classes import Iterable, Mapping, NamedTuple

_MOST_DIGITS = 9


class UsageError(Exception):
    """The arguments of a command are wrong; the message says why."""


class Options(NamedTuple):
    """The arguments: flags without a value, options with their values, and all other arguments in their order.

    Flags and options have their long names.
    """

    flags: frozenset[str]
    values: Mapping[str, str]
    rest: list[str]


def read_options(arguments: list[str], options: tuple[Option, ...]) -> Options:
    """Divide arguments into flags, options with a value (`--name value` or `--name=value`), and the rest.

    After `--` every argument belongs to the rest; so does a single `-`. Raises UsageError for an unknown option, or for
    a missing or wrong value.
    """
    rows = {name: option for option in options for name in (option.name, option.short) if name}
    found: set[str] = set()
    values: dict[str, str] = {}
    rest: list[str] = []
    remaining = iter(arguments)
    for argument in remaining:
        name, equals, value = argument.partition("=")
        row = rows.get(argument if not equals else name)
        if argument == "--":
            rest.extend(remaining)
        elif not argument.startswith("-") or argument == "-":
            rest.append(argument)
        elif row is not None and not row.value and not equals:
            found.add(row.name)
        elif row is not None and row.value:
            given = _checked(row, value if equals else next(remaining, None))
            values[row.name] = f"{values[row.name]},{given}" if row.many and row.name in values else given
        else:
            raise UsageError(f"there is no option `{argument}`{_nearest(name, rows)}")
    return Options(frozenset(found), values, rest)


def whole_number(text: str) -> int | None:
    """The number in decimal digits; None if the text has other characters or more than nine digits."""
    digits = text.lstrip("0") or text[-1:]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS else None


def _nearest(name: str, names: Iterable[str]) -> str:
    from ptx_lsp.nearest_word import nearest

    near = nearest(name, names)
    return f", did you mean `{near}`?" if near and near != name else ""


def _checked(row: Option, value: str | None) -> str:
    if value is None:
        raise UsageError(f"`{row.name}` needs a value")
    allowed = row.value.split("|") if "|" in row.value else []
    if allowed and value not in allowed:
        listed = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
        raise UsageError(f"`{row.name}` takes {listed}, not `{value}`{_nearest(value, allowed)}")
    return value
