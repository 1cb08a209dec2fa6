"""Reads the configuration file of a project: `ptx-lsp.toml`, or `[tool.ptx-lsp]` in `pyproject.toml`.

The file may come from a stranger. It can change which findings are reported and how values are shown, and nothing else:
it names no program, no other file and no folder to search.
"""

import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ptx_lsp.config.project import SHARED_FILE, Project
from ptx_lsp.config.schema import SETTINGS, Setting
from ptx_lsp.config.settings import GROUPS, PathPattern
from ptx_lsp.config.toml_places import Path, Span, has_long_keys, places
from ptx_lsp.config.values import Step, expected, near, read_value
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

TABLE: Path = ("tool", "ptx-lsp")
"""The table in `pyproject.toml`."""

SOURCE = "ptx-lsp configuration"
_NO_CODE = ""  # the codes are those of rules for PTX
_ROWS = {row.toml_key: row for row in SETTINGS}
_ALLOWED = {key: row for key, row in _ROWS.items() if row.project}
_PLACE = lazy_pattern(r"\(at line ([0-9]+), column ([0-9]+)\)")
_TOP = Range(0, 0, 0, 0)


def read_project(text: str, path: str) -> Project | None:
    """What the text of a configuration file says; None for a `pyproject.toml` without our table. Never raises."""
    table = TABLE if path.endswith(SHARED_FILE) else ()
    try:
        if has_long_keys(text):
            raise RecursionError
        root = tomllib.loads(text)
        found = places(text)
    except tomllib.TOMLDecodeError as error:
        # a broken `pyproject.toml` without our table is reported by other tools
        return _broken(text, path, str(error)) if not table or f"[{'.'.join(map(str, table))}" in text else None
    except RecursionError:
        return None if table else unusable(path, "its values are nested too deeply")
    ours: object = root
    for part in table:
        ours = ours.get(part) if isinstance(ours, Mapping) else None
    if ours is None:
        return None
    reading = _Reading(path, found, line_starts(text), table)
    if isinstance(ours, Mapping):
        for key, value in _flattened(ours):
            reading.take(key, value)
    else:
        reading.complain("`tool.ptx-lsp` is not a table", ())
    return Project(path, reading.folder, MappingProxyType(reading.values), tuple(reading.problems))


class _Reading:
    """The values and problems of one file while it is read."""

    def __init__(self, path: str, found: Mapping[Path, Span], starts: list[int], table: Path) -> None:
        self.folder = path.rpartition("/")[0]
        self.values: dict[str, object] = {}
        self.problems: list[Finding] = []
        self._places = found
        self._starts = starts
        self._table = table

    def take(self, key: Path, value: object) -> None:
        """Take the value of a setting, or complain about it."""
        name = ".".join(map(str, key))
        row = _ALLOWED.get(name)
        if row is None:
            self.complain(_unknown(name), key)
            return

        def complain(message: str, path: tuple[Step, ...]) -> None:
            self.complain(message, (*key, *path))

        usable = read_value(row, value, complain)
        if usable is None:
            self.complain(f"`{name}` takes {_expected(row)}", key)
        elif row.name == "ignore" and isinstance(usable, Mapping):
            self.values[row.name] = {PathPattern(glob, self.folder): codes for glob, codes in usable.items()}
        else:
            self.values[row.name] = usable

    def complain(self, message: str, path: Path) -> None:
        """Report a mistake at the innermost key on the path that has a place."""
        full = (*self._table, *path)
        while full and full not in self._places:
            full = full[:-1]
        span = self._places.get(full)
        place = _TOP if span is None else Range(*self._position(span[0]), *self._position(span[1]))
        self.problems.append(_problem(message, place))

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]


def _flattened(table: Mapping[str, object]) -> Iterator[tuple[Path, object]]:
    for key, value in table.items():
        if key in GROUPS and isinstance(value, Mapping):
            for inner, deeper in value.items():
                yield (key, inner), deeper
        else:
            yield (key,), value


def _unknown(name: str) -> str:
    if name in _ROWS:
        return f"`{name}` is a setting of the editor only"
    return f"there is no setting `{name[:80]}`{near(name, _ALLOWED)}"


def _expected(row: Setting) -> str:
    return expected(row).replace("an object", "a table")


def _broken(text: str, path: str, message: str) -> Project:
    at = _PLACE.search(message)
    line, column = (int(at[1]) - 1, int(at[2]) - 1) if at else (text.count("\n"), 0)
    reason = message[: at.start()].strip() if at else message.removesuffix("(at end of document)").strip()
    place = Range(line, column, line, column + 1)
    return Project(path, path.rpartition("/")[0], {}, (_problem(f"this is not TOML: {_lower(reason)}", place),))


def unusable(path: str, message: str) -> Project:
    """The configuration in a file that cannot be read, with a finding that says why."""
    return Project(path, path.rpartition("/")[0], {}, (_problem(message, _TOP),))


def _problem(message: str, place: Range) -> Finding:
    return Finding(_NO_CODE, place, message, Severity.ERROR, source=SOURCE)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
