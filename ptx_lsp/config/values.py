"""One value of a setting, as a client sends it or a configuration file has it: valid, or what is wrong and where."""

from ptx_lsp.config.schema import LEVELS, Setting, ValueShape
from ptx_lsp.findings.codes import EVERY_CODE, FAMILIES, rule, rules
from ptx_lsp.light_classes import Callable, Iterable, Mapping
from ptx_lsp.nearest_word import nearest
from ptx_lsp.patterns import lazy_pattern

ALL = "all"
"""What users write for every code; `EVERY_CODE` means the same."""

EVERYWHERE = "**"
"""The pattern that every path matches."""

Step = str | int
Complain = Callable[[str, tuple[Step, ...]], None]
"""Takes what is wrong, and the keys and indices that lead from the value of the setting to the wrong part."""

VERSION_PATTERN = r"[0-9]{1,3}\.[0-9]{1,3}"
TARGETS_PATTERN = r"sm_[0-9]{1,4}[af]?(?:\s*,\s*sm_[0-9]{1,4}[af]?)*"
_VERSION = lazy_pattern(VERSION_PATTERN)
_TARGETS = lazy_pattern(TARGETS_PATTERN)


def read_value(row: Setting, value: object, complain: Complain) -> object | None:
    """The value in the form that `settings_of` takes, or None if its type is wrong.

    Tables and lists keep their valid entries; `complain` is called for each of the others.
    """
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
        case ValueShape.VERSION, str() if not value.strip() or read_version(value):
            return value.strip()
        case ValueShape.TARGETS, str() if not value.strip() or _TARGETS.fullmatch(value.strip()):
            return value.strip()
        case ValueShape.CODES, [*codes]:
            return _codes(codes, (), complain)
        case ValueShape.LEVELS, Mapping():
            return _levels(value, complain)
        case ValueShape.TEXT_BY_TEXT, Mapping() if all(isinstance(text, str) for text in value.values()):
            return {str(key): text for key, text in value.items()}
        case ValueShape.CODES_BY_PATH, [*codes]:
            return {EVERYWHERE: _codes(codes, (), complain)}
        case ValueShape.CODES_BY_PATH, Mapping():
            return _codes_by_path(value, complain)
    return None


def expected(row: Setting) -> str:
    """What a setting takes, for a message."""
    if row.shape is ValueShape.CHOICE:
        return "one of " + ", ".join(f"`{value}`" for value in row.values)
    return str(row.shape.value)


def read_version(text: str) -> tuple[int, int] | None:
    """The two numbers of a version such as `8.4`; None if the text is not one."""
    if _VERSION.fullmatch(text.strip()) is None:
        return None
    major, minor = text.split(".")
    return int(major), int(minor)


def codes_of(names: Iterable[str]) -> frozenset[str]:
    """The codes that are meant by codes, families and `*`, which is every code. An unknown name counts as a code."""
    found: set[str] = set()
    for name in names:
        if name == EVERY_CODE:
            found |= set(rules())
        elif name in FAMILIES:
            found |= {code for code, row in rules().items() if row.family == name}
        else:
            found.add(name)
    return frozenset(found)


def near(name: str, names: Iterable[str]) -> str:
    """The words `, did you mean ...?` if one of the names is similar; else nothing."""
    close = nearest(name, names)
    return f", did you mean `{close}`?" if close else ""


def _codes(names: list[object], path: tuple[Step, ...], complain: Complain) -> tuple[str, ...]:
    found = []
    for index, name in enumerate(names):
        if isinstance(name, str) and name in (ALL, EVERY_CODE):
            found.append(EVERY_CODE)
        elif _is_known(name):
            found.append(str(name))
        else:
            complain(_no_code(name), (*path, index))
    return tuple(found)


def _levels(value: Mapping[object, object], complain: Complain) -> dict[str, object]:
    found: dict[str, object] = {}
    for code, level in value.items():
        if not isinstance(level, str) or level not in LEVELS:
            listed = ", ".join(f"`{each}`" for each in LEVELS)
            complain(f"severity of `{code}` is not one of {listed}", (str(code),))
        elif not _is_known(code):
            complain(_no_code(code), (str(code),))
        else:
            found[str(code)] = level
    return found


def _codes_by_path(value: Mapping[object, object], complain: Complain) -> dict[str, object]:
    found: dict[str, object] = {}
    for pattern, codes in value.items():
        if isinstance(codes, list):
            found[str(pattern)] = _codes(codes, (str(pattern),), complain)
        else:
            complain(f"`{pattern}` takes a list of codes", (str(pattern),))
    return found


def _is_known(code: object) -> bool:
    plain = isinstance(code, str) and code.replace("-", "").isalnum() and code.isascii()
    return plain and (code in FAMILIES or rule(str(code)) is not None)


def _no_code(code: object) -> str:
    return f"there is no code `{str(code)[:80]}`{near(str(code), (*rules(), *FAMILIES))}"
