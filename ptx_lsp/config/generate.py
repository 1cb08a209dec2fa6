"""Output generated from the rows of settings: `package.json`'s configuration, a JSON schema, and a Markdown table.

`python -m ptx_lsp.config.generate package|schema|table` prints one of them.
"""

import json
import sys

from ptx_lsp.config.schema import LEVELS, SECTION, SETTINGS, Setting, ValueShape

JsonObject = dict[str, object]

_VERSION_PATTERN = r"^([0-9]+\.[0-9]+)?$"


def package_json_configuration() -> JsonObject:
    """The value of `contributes.configuration` in the VS Code extension's `package.json`."""
    properties = {row.key: _property(row) | {"scope": row.reach.value} for row in SETTINGS}
    return {"title": "PTX", "properties": properties}


def json_schema() -> JsonObject:
    """A JSON schema of the object that a client sends as `initializationOptions` or as the section `ptx`."""
    root: JsonObject = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of ptx-lsp",
        "type": "object",
        "properties": {},
    }
    for row in SETTINGS:
        if not row.client:
            _put(root, row.name.split("."), _property(row))
    return root


def settings_table() -> str:
    """A Markdown table of all settings: name, default, meaning."""
    lines = ["| setting | default | what it does |", "|---|---|---|"]
    for row in SETTINGS:
        meaning = row.description
        if row.shape is ValueShape.CHOICE:
            meaning += " " + "; ".join(f"`{value}`: {text}" for value, text in row.values.items()) + "."
        lines.append(f"| `{row.key}` | `{json.dumps(_plain(row.default))}` | {meaning.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


def _property(row: Setting) -> JsonObject:
    return _type(row) | {"default": _plain(row.default), "markdownDescription": row.description}


def _type(row: Setting) -> JsonObject:
    match row.shape:
        case ValueShape.SWITCH:
            return {"type": "boolean"}
        case ValueShape.COUNT:
            return {"type": "integer", "minimum": 0}
        case ValueShape.TEXT:
            return {"type": "string"}
        case ValueShape.TEXTS:
            return {"type": "array", "items": {"type": "string"}}
        case ValueShape.VERSION:
            return {"type": "string", "pattern": _VERSION_PATTERN}
        case ValueShape.CHOICE:
            texts = list(row.values.values())
            return {"type": "string", "enum": list(row.values), "markdownEnumDescriptions": texts}
        case ValueShape.LEVELS:
            return {"type": "object", "additionalProperties": {"type": "string", "enum": list(LEVELS)}}
        case ValueShape.TEXT_BY_TEXT:
            return {"type": "object", "additionalProperties": {"type": "string"}}
        case ValueShape.CODES_BY_PATH:
            return {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _put(schema: JsonObject, path: list[str], leaf: JsonObject) -> None:
    for part in path[:-1]:
        properties = schema["properties"]
        assert isinstance(properties, dict)
        schema = properties.setdefault(part, {"type": "object", "properties": {}})
    properties = schema["properties"]
    assert isinstance(properties, dict)
    properties[path[-1]] = leaf


_PRINTS = {
    "package": lambda: json.dumps(package_json_configuration(), indent=2),
    "schema": lambda: json.dumps(json_schema(), indent=2),
    "table": settings_table,
}

if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what not in _PRINTS:
        sys.exit(f"usage: python -m {SECTION}_lsp.config.generate {'|'.join(_PRINTS)}")
    print(_PRINTS[what]())
