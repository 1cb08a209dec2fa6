"""The help of the commands, from their rows, for a terminal of 80 columns."""

from itertools import groupby
from textwrap import fill

from ptx_lsp.cli.command_table import COMMANDS, HELP, Option

WIDTH = 80
_COLUMN = 26
"""The column where the purpose of an option begins, from 0."""


def overview() -> str:
    """The text that `ptx-lsp` without arguments prints."""
    width = max(len(name) for name in COMMANDS)
    lines = [f"  {name:<{width}} {command.purpose}" for name, command in COMMANDS.items()]
    return (
        "ptx-lsp - the language server for PTX, NVIDIA's GPU virtual assembly\n\n"
        "usage: ptx-lsp COMMAND [ARGUMENT...]\n\n" + "\n".join(lines) + "\n\n"
        "`ptx-lsp COMMAND --help` describes a command, `ptx-lsp version` prints the\nversion.\n"
    )


def help_of(name: str) -> str:
    """What `ptx-lsp NAME --help` prints. Raises KeyError if there is no such command."""
    command = COMMANDS[name]
    parts = [f"usage: {usage_of(name)}", _paragraph(command.about)]
    for group, options in groupby((*command.options, HELP), key=lambda option: option.group):
        parts.append("\n".join((f"{group}:", *map(_described, options))))
    if command.exits:
        parts.append(_paragraph(f"Exit code: {command.exits}"))
    return "\n\n".join(parts) + "\n"


def usage_of(name: str) -> str:
    """How a command is called, in one line."""
    return " ".join(part for part in ("ptx-lsp", name, COMMANDS[name].usage) if part)


def head_of(option: Option) -> str:
    """The names of an option, with the placeholder of its value: `-j, --jobs N`."""
    names = ", ".join(name for name in (option.short, option.name) if name)
    return f"{names} {option.value}".rstrip()


def _described(option: Option) -> str:
    indent = " " * _COLUMN
    text = fill(option.purpose, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    head = f"  {head_of(option)}"
    return head + text[len(head) :] if len(head) < _COLUMN - 1 else f"{head}\n{text}"


def _paragraph(text: str) -> str:
    return fill(text, WIDTH, break_on_hyphens=False)
