"""The completion of the command line in shells, and its manual page, from the rows of the commands."""

import argparse

from ptx_lsp import __version__
from ptx_lsp.cli.command_table import COMMANDS, HELP, Option, Subcommand
from ptx_lsp.cli.help import head_of, usage_of

_FILES = {"bash": "_shtab_compgen_files", "zsh": "_files", "fish": "__fish_complete_path"}


def completion(shell: str) -> str:
    """The script for bash, zsh or fish. Needs `shtab`, a development dependency."""
    import shtab

    shtab.FILE.update(_FILES)
    text = shtab.complete(_parser(), shell=shell)
    return text.rstrip("\n") + "\n"


def _parser() -> argparse.ArgumentParser:
    """The rows as argparse knows them, for `shtab` only: the commands themselves do not use argparse."""
    parser = argparse.ArgumentParser("ptx-lsp", add_help=False)
    commands = parser.add_subparsers()
    for name, row in COMMANDS.items():
        command = commands.add_parser(name, help=row.purpose, add_help=False)
        for option in (*row.options, HELP):
            _add_option(command, option)
        _add_argument(command, row)
    return parser


def _add_option(command: argparse.ArgumentParser, option: Option) -> None:
    names = [name for name in (option.short, option.name) if name]
    purpose = option.purpose.replace("%", "%%")
    if not option.value:
        command.add_argument(*names, help=purpose, action="store_true")
        return
    choices = option.value.split("|") if "|" in option.value else None
    action = command.add_argument(*names, help=purpose, choices=choices, metavar=option.value)
    if option.files:
        action.complete = _FILES  # type: ignore[attr-defined]  # the attribute that shtab reads


def _add_argument(command: argparse.ArgumentParser, row: Subcommand) -> None:
    if row.choices:
        command.add_argument("argument", choices=row.choices.split("|"))
    elif row.usage:
        action = command.add_argument("argument", nargs="*", help=row.usage)
        if row.files:
            action.complete = _FILES  # type: ignore[attr-defined]  # the attribute that shtab reads


def manual_page() -> str:
    """The manual page `ptx-lsp.1`, in the language of `man`."""
    parts = [
        f'.TH PTX-LSP 1 "" "ptx-lsp {__version__}" "User Commands"',
        ".SH NAME\nptx-lsp \\- the language server for PTX, NVIDIA's GPU virtual assembly",
        ".SH SYNOPSIS\n.B ptx-lsp\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...]",
        ".SH COMMANDS",
    ]
    for name, row in COMMANDS.items():
        parts.append(f".SS {_escaped(usage_of(name))}\n{_escaped(row.about)}")
        for option in row.options:
            parts.append(f".TP\n\\fB{_escaped(head_of(option))}\\fR\n{_escaped(option.purpose)}")
        if row.exits:
            parts.append(f".PP\nExit code: {_escaped(row.exits)}")
    return "\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return escaped if not escaped.startswith(".") else "\\&" + escaped
