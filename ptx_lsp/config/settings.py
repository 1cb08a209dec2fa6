"""The settings as the server uses them, read tolerantly from whatever JSON a client sends."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ptx_lsp.config.globs import matches
from ptx_lsp.config.schema import LEVELS, SECTION, SETTINGS, Setting, ValueShape, setting
from ptx_lsp.findings.codes import SEVERITIES, rule
from ptx_lsp.findings.finding import Severity

EVERY_CODE = "*"
NO_LEVELS: Mapping[str, Severity | None] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Hints:
    """The inlay hints to show; `operand_names` is `matrix`, `all` or `off`."""

    folded_values: bool = True
    hex_floats: bool = True
    truncated_values: bool = True
    operand_names: str = "matrix"


@dataclass(frozen=True, slots=True)
class Embedded:
    """The choices for inline PTX in other languages.

    `languages` are the identifiers of the languages that are checked, `targets` the names of the targets that it is
    written for (empty: any). `expressions` is true if operands get a hint with their expression.
    """

    languages: tuple[str, ...] = ("cuda-cpp", "cpp", "c", "python")
    targets: tuple[str, ...] = ()
    expressions: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, with the defaults of the schema.

    `severity` maps codes to a severity, None if they are off. `ignore` holds path patterns with the codes that are not
    reported there (`*` for all). `authority` is `ptxas` or `isa`. `maximum` is None if findings are not limited.
    `source_paths` are pairs: the beginning of a path, and what replaces it. `format_on_type` is true if a completed
    line is formatted. `embedded` are the choices for inline PTX.
    """

    enable: bool = True
    maximum: int | None = 1000
    workspace_files: int = 200
    indexed_files: int = 2000
    source_paths: tuple[tuple[str, str], ...] = ()
    severity: Mapping[str, Severity | None] = field(default_factory=lambda: NO_LEVELS, hash=False)
    ignore: tuple[tuple[str, frozenset[str]], ...] = ()
    maximum_version: tuple[int, int] | None = None
    authority: str = "ptxas"
    hints: Hints = field(default_factory=Hints)
    format_on_type: bool = False
    embedded: Embedded = field(default_factory=Embedded)

    def ignored(self, *paths: str) -> frozenset[str]:
        """The codes that are not reported in a file, given as one or more spellings of its path with `/`."""
        found: set[str] = set()
        for pattern, codes in self.ignore:
            if any(matches(pattern, path) for path in paths):
                found |= codes
        return frozenset(found)


def read_settings(*sources: object) -> tuple[Settings, tuple[str, ...]]:
    """The settings in what a client sent, and a sentence for each invalid value.

    A source is the section `ptx`, with or without that name around it, nested (`{"hints": {"hexFloats": ...}}`),
    dotted (`{"hints.hexFloats": ...}`) or both. A value that is missing, null or invalid keeps its
    previous value, at first the default. Never raises.
    """
    messages: list[str] = []
    values: dict[str, object] = {row.name: row.default for row in SETTINGS}
    for source in sources:
        for name, value in _flattened(source, messages):
            row = setting(name)
            if row is None:
                messages.append(_unknown(name))
            elif value is not None:
                _take(row, value, values, messages)
    return _settings(values), tuple(messages)


def _flattened(sent: object, messages: list[str]) -> Iterator[tuple[str, object]]:
    """Every value with its dotted name; objects are flattened down to the names in the schema."""
    if sent is None:
        return
    if not isinstance(sent, Mapping):
        messages.append("the settings are not an object, the defaults are used")
        return
    pending: list[tuple[str, object]] = [("", sent)]
    while pending:
        name, value = pending.pop()
        if isinstance(value, Mapping) and (not name or name in _GROUPS):
            for key, inner in reversed(list(value.items())):
                full = f"{name}.{key}" if name else str(key)
                pending.append((full.removeprefix(SECTION + ".") if full != SECTION else "", inner))
        elif name:
            yield name, value


_GROUPS = frozenset(row.name.rsplit(".", 1)[0] for row in SETTINGS if "." in row.name)


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, [row.name for row in SETTINGS], 1)
    hint = f", did you mean `{SECTION}.{near[0]}`?" if near else ""
    return f"there is no setting `{SECTION}.{name[:80]}`{hint}"


def _take(row: Setting, value: object, values: dict[str, object], messages: list[str]) -> None:
    usable = _usable(row, value, messages)
    if usable is None:
        messages.append(f"`{row.key}` takes {_expected(row)}, it is left out")
    else:
        values[row.name] = usable


def _expected(row: Setting) -> str:
    if row.shape is ValueShape.CHOICE:
        return "one of " + ", ".join(f"`{value}`" for value in row.values)
    return str(row.shape.value)


def _usable(row: Setting, value: object, messages: list[str]) -> object | None:
    """The value in the form that `_settings` takes, or None if its type is wrong."""
    match row.shape, value:
        case ValueShape.SWITCH, bool():
            return value
        case ValueShape.COUNT, int() if not isinstance(value, bool) and value >= 0:
            return value
        case ValueShape.TEXT, str():
            return value
        case ValueShape.TEXTS, [*texts] if all(isinstance(text, str) for text in texts):
            return tuple(texts)
        case ValueShape.CHOICE, str() if value in row.values:
            return value
        case ValueShape.VERSION, str() if not value.strip() or _version(value):
            return value.strip()
        case ValueShape.LEVELS, Mapping():
            return _levels(row, value, messages)
        case ValueShape.TEXT_BY_TEXT, Mapping() if all(isinstance(text, str) for text in value.values()):
            return {str(key): text for key, text in value.items()}
        case ValueShape.CODES_BY_PATH, Mapping():
            return _codes_by_path(row, value, messages)
    return None


def _version(text: str) -> tuple[int, int] | None:
    parts = text.strip().split(".")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        return None
    return int(parts[0]), int(parts[1])


def _levels(row: Setting, value: Mapping[object, object], messages: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for code, level in value.items():
        if not isinstance(level, str) or level not in LEVELS:
            messages.append(f"`{row.key}`: severity of `{code}` is not one of " + ", ".join(f"`{v}`" for v in LEVELS))
        elif not _known_code(code):
            messages.append(f"`{row.key}`: there is no code `{code}`")
        else:
            found[str(code)] = level
    return found


def _codes_by_path(row: Setting, value: Mapping[object, object], messages: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for pattern, codes in value.items():
        if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
            messages.append(f"`{row.key}`: `{pattern}` takes a list of codes")
            continue
        unknown = [code for code in codes if code != EVERY_CODE and not _known_code(code)]
        messages.extend(f"`{row.key}`: there is no code `{code}`" for code in unknown)
        found[str(pattern)] = tuple(codes)
    return found


def _known_code(code: object) -> bool:
    plain = isinstance(code, str) and code.replace("-", "").isalnum() and code.isascii()
    return plain and rule(str(code)) is not None


def _settings(values: Mapping[str, object]) -> Settings:
    severity, ignore, paths = values["severity"], values["ignore"], values["source.paths"]
    assert isinstance(paths, Mapping)
    assert isinstance(severity, Mapping)
    assert isinstance(ignore, Mapping)
    maximum, files = values["diagnostics.maximum"], values["diagnostics.workspaceFiles"]
    indexed = values["workspace.maximumFiles"]
    assert isinstance(maximum, int)
    assert isinstance(indexed, int)
    assert isinstance(files, int)
    return Settings(
        enable=bool(values["diagnostics.enable"]),
        maximum=maximum or None,
        workspace_files=files,
        indexed_files=indexed,
        source_paths=tuple(paths.items()),
        severity=MappingProxyType({code: SEVERITIES.get(level) for code, level in severity.items()}),
        ignore=tuple((pattern, frozenset(codes)) for pattern, codes in ignore.items()),
        maximum_version=_version(str(values["maximumVersion"])),
        authority=str(values["authority"]),
        hints=Hints(
            folded_values=bool(values["hints.foldedValues"]),
            hex_floats=bool(values["hints.hexFloats"]),
            truncated_values=bool(values["hints.truncatedValues"]),
            operand_names=str(values["hints.operandNames"]),
        ),
        format_on_type=bool(values["format.onType"]),
        embedded=Embedded(
            languages=_texts(values["embedded.languages"]),
            targets=_texts(values["embedded.targets"]),
            expressions=bool(values["embedded.expressions"]),
        ),
    )


def _texts(value: object) -> tuple[str, ...]:
    assert isinstance(value, tuple | list)
    return tuple(map(str, value))
