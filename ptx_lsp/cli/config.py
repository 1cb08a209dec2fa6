"""`ptx-lsp config`: the settings that hold for a file, and where each is set."""

import json
import os
import sys
from collections.abc import Iterator, Mapping

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.options import UsageError, read_options
from ptx_lsp.cli.printable import printable
from ptx_lsp.cli.project_files import project_of
from ptx_lsp.cli.selection import chosen_configuration, values_of
from ptx_lsp.config.project import Project
from ptx_lsp.config.schema import SETTINGS
from ptx_lsp.config.settings import PathPattern, Values, combined
from ptx_lsp.config.values import ALL
from ptx_lsp.findings.codes import EVERY_CODE
from ptx_lsp.light_classes import NamedTuple

DEFAULT, COMMAND_LINE = "default", "command line"


class Effective(NamedTuple):
    """One value that holds: its key in a configuration file, and where it is set."""

    key: str
    value: object
    origin: str


def run(arguments: list[str]) -> int:
    """Print the settings of the file in `arguments`; 1 if its configuration has a mistake. Raises UsageError."""
    options = read_options(arguments, COMMANDS["config"].options)
    if len(options.rest) > 1:
        raise UsageError("which file? `config` takes one")
    path = next(iter(options.rest), ".")
    inside = os.path.join(path, "any.ptx") if os.path.isdir(path) else path
    project = project_of(inside, chosen_configuration(options))
    found = list(effective(project, values_of(options)))
    if options.values.get("--format") == "json":
        for each in found:
            print(json.dumps({"key": each.key, "value": _plain(each.value), "origin": each.origin}))
    else:
        print(_as_text(found, project), end="")
    return _print_problems(project)


def effective(project: Project | None, command_line: Values) -> Iterator[Effective]:
    """Every setting that a configuration file may have, with its value and its origin; tables entry by entry."""
    layers: list[tuple[str, Values]] = [] if project is None else [(os.path.relpath(project.path), project.values)]
    layers.append((COMMAND_LINE, command_line))
    values = combined(*(layer for _, layer in layers))
    for row in SETTINGS:
        if not row.project:
            continue
        value = values.get(row.name, row.default)
        if not isinstance(value, Mapping) or not value:
            yield Effective(row.toml_key, value, _origin(layers, row.name))
            continue
        for entry, inner in value.items():
            shown = entry.glob if isinstance(entry, PathPattern) else str(entry)
            yield Effective(f"{row.toml_key}.{_quoted(shown)}", inner, _origin(layers, row.name, entry))


def _origin(layers: list[tuple[str, Values]], name: str, entry: object = None) -> str:
    for origin, layer in reversed(layers):
        value = layer.get(name)
        if value is not None and (entry is None or (isinstance(value, Mapping) and entry in value)):
            return origin
    return DEFAULT


def _as_text(found: list[Effective], project: Project | None) -> str:
    lines = [f"{each.key} = {json.dumps(_plain(each.value), ensure_ascii=False)}" for each in found]
    width = max(map(len, lines))
    where = "no configuration file" if project is None else f"configuration file: {os.path.relpath(project.path)}"
    listed = (f"{line:<{width}}  # {each.origin}" for line, each in zip(lines, found, strict=True))
    return "".join(f"{printable(line)}\n" for line in (f"# {where}", *listed))


def _print_problems(project: Project | None) -> int:
    if project is None:
        return 0
    for problem in project.problems:
        place = f"{os.path.relpath(project.path)}:{problem.range.line + 1}:{problem.range.column + 1}"
        print(printable(f"{place}: error: {problem.message}"), file=sys.stderr)
    return 1 if project.problems else 0


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [ALL if each == EVERY_CODE else each for each in value] if isinstance(value, tuple) else value


def _quoted(key: str) -> str:
    return key if key.replace("-", "").isalnum() and key.isascii() else json.dumps(key, ensure_ascii=False)
