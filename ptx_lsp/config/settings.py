"""The settings as the program uses them, combined from layers: configuration file, editor, command line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ptx_lsp.config.globs import matches
from ptx_lsp.config.schema import SECTION, SETTINGS, setting
from ptx_lsp.config.values import Step, codes_of, expected, near, read_value, read_version
from ptx_lsp.findings.codes import EVERY_CODE, SEVERITIES, default_severity, is_off, rules
from ptx_lsp.findings.finding import Severity
from ptx_lsp.light_classes import NamedTuple

_COUNTS = ("diagnostics.maximum", "diagnostics.workspaceFiles", "workspace.maximumFiles")
NO_LEVELS: Mapping[str, Severity | None] = MappingProxyType({})

Values = Mapping[str, object]
"""Valid values by the name of their setting; tables have a mapping."""


class PathPattern(NamedTuple):
    """A pattern for paths. `base` is the folder that it is relative to; empty: each folder of the workspace."""

    glob: str
    base: str = ""

    def fits(self, path: str, inside: tuple[str, ...]) -> bool:
        """Whether an absolute path, whose spellings relative to the workspace are `inside`, matches the pattern."""
        if not self.base:
            return any(matches(self.glob, each) for each in (path, *inside))
        folder = self.base.rstrip("/") + "/"
        return path.startswith(folder) and (
            matches(self.glob, path[len(folder) :]) or (self.glob.startswith("/") and matches(self.glob, path))
        )


@dataclass(frozen=True, slots=True)
class Hints:
    """The inlay hints to show: a flag is true if the hints of the setting `hints.` with its name are shown.

    `operand_names` is `matrix`, `all` or `off`.
    """

    folded_values: bool = True
    hex_floats: bool = True
    truncated_values: bool = True
    operand_names: str = "matrix"
    lookup_tables: bool = True
    byte_selectors: bool = True
    float_bits: bool = True
    hex_immediates: bool = True
    synchronization: bool = True


@dataclass(frozen=True, slots=True)
class Embedded:
    """The choices for inline PTX in other languages.

    `languages` are the identifiers of the languages that are checked. `expressions` is true if operands get a hint with
    their expression.
    """

    languages: tuple[str, ...] = ("cuda-cpp", "cpp", "c", "python")
    expressions: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, with the defaults of the schema.

    `enable` is true if findings are reported. `maximum` is the number of findings shown for one file, None if it is not
    limited. `workspace_files` and `indexed_files` are the numbers of files that are checked without being open, and
    searched for names. `source_paths` are pairs: the beginning of a path, and its replacement.

    `severity` maps codes to a severity, None if they are off. `ignore` holds path patterns with the codes that are not
    reported there (`*` for all). `select` holds the codes that are reported, None for those that are on by default;
    `extend_select` those that are reported too. `maximum_version` is the newest PTX ISA version that may be needed,
    None without a limit. `targets` are names such as `sm_90`, empty for the module's own target, and for any target of
    inline PTX. `authority` is `ptxas` or `isa`. `format_on_type` is true if a completed line is formatted. `embedded`
    are the choices for inline PTX.
    """

    enable: bool = True
    maximum: int | None = 1000
    workspace_files: int = 200
    indexed_files: int = 2000
    source_paths: tuple[tuple[str, str], ...] = ()
    severity: Mapping[str, Severity | None] = field(default_factory=lambda: NO_LEVELS, hash=False)
    ignore: tuple[tuple[PathPattern, frozenset[str]], ...] = ()
    select: frozenset[str] | None = None
    extend_select: frozenset[str] = frozenset()
    maximum_version: tuple[int, int] | None = None
    targets: tuple[str, ...] = ()
    authority: str = "ptxas"
    hints: Hints = field(default_factory=Hints)
    format_on_type: bool = False
    embedded: Embedded = field(default_factory=Embedded)

    def ignored(self, path: str, *inside: str) -> frozenset[str]:
        """The codes that are not reported in a file, given by its absolute path and those relative to the workspace."""
        found: set[str] = set()
        for pattern, codes in self.ignore:
            if pattern.fits(path, inside):
                found |= codes
        return frozenset(found)

    def levels(self, ignored: frozenset[str], *, in_editor: bool) -> Mapping[str, Severity | None]:
        """By code, the severities that are not those of the rules; None for a rule that is off.

        `ignored` are the codes that are off in a file. `in_editor`: true if those that are off in
        editors count as off.
        """
        chosen = (self.select or frozenset()) | self.extend_select
        found: dict[str, Severity | None] = {}
        if self.select is not None:
            found.update(dict.fromkeys(rules().keys() - chosen))
        found |= {code: default_severity(code) for code in chosen if is_off(code, in_editor)}
        for code, severity in self.severity.items():
            if code not in found or found[code] is not None:
                found[code] = severity
        found.update(dict.fromkeys(ignored - {EVERY_CODE}))
        return found

    def asks_for_hints(self, code: str) -> bool:
        """Whether findings of this code are shown where hints usually are not: the user has selected the rule."""
        return code in self.extend_select or code in (self.select or ())


def read_values(*sources: object) -> tuple[Values, tuple[str, ...]]:
    """The valid values in what a client sent, and a sentence for each invalid one. Never raises.

    A source is the section `ptx`, with or without that name around it, nested (`{"hints": {"hexFloats": ...}}`),
    dotted (`{"hints.hexFloats": ...}`) or both. The last valid value of a setting counts.
    """
    messages: list[str] = []
    values: dict[str, object] = {}
    for source in sources:
        for name, value in _flattened(source, messages):
            _take(name, value, values, messages)
    return values, tuple(messages)


def combined(*layers: Values) -> Values:
    """The values of all layers: the last layer that has a value counts. Tables are combined by their entries."""
    found: dict[str, object] = {}
    for layer in layers:
        for name, value in layer.items():
            before = found.get(name)
            # an entry that is set again moves to the end, because the last matching entry counts
            found[name] = {**before, **value} if isinstance(before, Mapping) and isinstance(value, Mapping) else value
    return found


def settings_of(values: Values) -> Settings:
    """The settings with these values; those that are missing have their defaults."""
    value = {row.name: row.default for row in SETTINGS} | dict(values)
    selected = value["select"]
    maximum, files, indexed = (value[name] for name in _COUNTS)
    assert isinstance(maximum, int)
    assert isinstance(files, int)
    assert isinstance(indexed, int)
    paths = value["source.paths"]
    assert isinstance(paths, Mapping)
    return Settings(
        enable=bool(value["diagnostics.enable"]),
        maximum=maximum or None,
        workspace_files=files,
        indexed_files=indexed,
        source_paths=tuple(paths.items()),
        severity=_severities(value["severity"]),
        ignore=tuple((_pattern(glob), _ignored_codes(codes)) for glob, codes in _entries(value["ignore"])),
        select=codes_of(_names(selected)) if selected else None,
        extend_select=codes_of(_names(value["extendSelect"])),
        maximum_version=read_version(str(value["maximumVersion"])),
        targets=tuple(each.strip() for each in str(value["target"]).split(",") if each.strip()),
        authority=str(value["authority"]),
        hints=Hints(
            folded_values=bool(value["hints.foldedValues"]),
            hex_floats=bool(value["hints.hexFloats"]),
            truncated_values=bool(value["hints.truncatedValues"]),
            operand_names=str(value["hints.operandNames"]),
            lookup_tables=bool(value["hints.lookupTables"]),
            byte_selectors=bool(value["hints.byteSelectors"]),
            float_bits=bool(value["hints.floatBits"]),
            hex_immediates=bool(value["hints.hexImmediates"]),
            synchronization=bool(value["hints.synchronization"]),
        ),
        format_on_type=bool(value["format.onType"]),
        embedded=Embedded(
            languages=_names(value["embedded.languages"]),
            expressions=bool(value["embedded.expressions"]),
        ),
    )


def _severities(table: object) -> Mapping[str, Severity | None]:
    """The severity by code; an entry for a code has priority over one for its family."""
    entries = [(name, SEVERITIES.get(str(level))) for name, level in _entries(table)]
    found = {code: severity for name, severity in entries for code in codes_of((str(name),))}
    return MappingProxyType(found | {str(name): severity for name, severity in entries if name in found})


def _entries(table: object) -> list[tuple[object, tuple[str, ...]]]:
    assert isinstance(table, Mapping)
    return list(table.items())


def _names(value: object) -> tuple[str, ...]:
    assert isinstance(value, tuple)
    return value


def _ignored_codes(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset((EVERY_CODE,)) if EVERY_CODE in names else codes_of(names)


def _pattern(glob: object) -> PathPattern:
    return glob if isinstance(glob, PathPattern) else PathPattern(str(glob))


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
        if isinstance(value, Mapping) and (not name or name in GROUPS):
            for key, inner in reversed(list(value.items())):
                full = f"{name}.{key}" if name else str(key)
                pending.append((full.removeprefix(SECTION + ".") if full != SECTION else "", inner))
        elif name:
            yield name, value


GROUPS = frozenset(row.name.rsplit(".", 1)[0] for row in SETTINGS if "." in row.name)
"""The names that settings have before their last dot."""


def _take(name: str, value: object, values: dict[str, object], messages: list[str]) -> None:
    row = setting(name)
    if row is None:
        known = [row.key for row in SETTINGS]
        messages.append(f"there is no setting `{SECTION}.{name[:80]}`{near(f'{SECTION}.{name}', known)}")
        return
    if value is None:
        return

    def complain(message: str, path: tuple[Step, ...]) -> None:
        messages.append(f"`{row.key}`: {message}")

    usable = read_value(row, value, complain)
    if usable is None:
        messages.append(f"`{row.key}` takes {expected(row)}, it is left out")
    else:
        values[name] = usable
