"""Output generated from the rows of settings: `package.json`'s configuration, a JSON schema, and a Markdown table.

`python -m ptx_lsp.config.generate package|schema|project|table` prints one of them.
"""

import json
import sys

from ptx_lsp.config.schema import LEVELS, SECTION, SETTINGS, Setting, ValueShape
from ptx_lsp.config.values import ALL, TARGETS_PATTERN, VERSION_PATTERN
from ptx_lsp.findings.codes import FAMILIES, rules

JsonObject = dict[str, object]

_RULE: JsonObject = {"$ref": "#/definitions/rule"}


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


def project_schema() -> JsonObject:
    """A JSON schema of `ptx-lsp.toml`, and of `[tool.ptx-lsp]` in `pyproject.toml`, in the form of SchemaStore."""
    root: JsonObject = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://json.schemastore.org/ptx-lsp.json",
        "title": "Configuration of ptx-lsp",
        "description": "Rules and values of ptx-lsp for the PTX files in and below the folder of this file",
        "type": "object",
        "additionalProperties": False,
        "definitions": {"rule": {"type": "string", "enum": [ALL, *FAMILIES, *rules()]}},
        "properties": {},
    }
    for row in SETTINGS:
        if row.project:
            _put(root, row.toml_key.split("."), _type(row, _RULE) | _words_of(row))
    return root


def _words_of(row: Setting) -> JsonObject:
    return {"default": _plain(row.default), "description": row.description}


def settings_table() -> str:
    """A Markdown table of all settings: name, default, meaning."""
    lines = ["| setting | default | what it does |", "|---|---|---|"]
    for row in SETTINGS:
        meaning = row.description
        if row.shape is ValueShape.CHOICE:
            meaning += " " + "; ".join(f"`{value}`: {text}" for value, text in row.values.items()) + "."
        lines.append(_table_row(row.key, row, meaning))
    return "\n".join(lines) + "\n"


def project_table() -> str:
    """A Markdown table of the settings of a configuration file: key, default, meaning."""
    lines = ["| key | default | what it does |", "|---|---|---|"]
    for row in SETTINGS:
        if row.project:
            lines.append(_table_row(row.toml_key, row, row.description))
    return "\n".join(lines) + "\n"


def _table_row(key: str, row: Setting, meaning: str) -> str:
    escaped = meaning.replace("|", "\\|")
    return f"| `{key}` | `{json.dumps(_plain(row.default))}` | {escaped} |"


def _property(row: Setting) -> JsonObject:
    kind = _type(row, {"type": "string"})
    if row.shape is ValueShape.CHOICE:
        kind["markdownEnumDescriptions"] = list(row.values.values())
    return kind | {"default": _plain(row.default), "markdownDescription": row.description}


def _type(row: Setting, rule: JsonObject) -> JsonObject:
    """The JSON type of a setting; `rule` is that of a code or family."""
    codes: JsonObject = {"type": "array", "items": rule}
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
            return {"type": "string", "pattern": f"^({VERSION_PATTERN})?$"}
        case ValueShape.TARGETS:
            return {"type": "string", "pattern": f"^({TARGETS_PATTERN})?$"}
        case ValueShape.CODES:
            return codes
        case ValueShape.CHOICE:
            return {"type": "string", "enum": list(row.values)}
        case ValueShape.LEVELS:
            names: JsonObject = {"propertyNames": rule} if rule == _RULE else {}
            levels: JsonObject = {"type": "string", "enum": list(LEVELS)}
            return {"type": "object", "additionalProperties": levels} | names
        case ValueShape.TEXT_BY_TEXT:
            return {"type": "object", "additionalProperties": {"type": "string"}}
        case ValueShape.CODES_BY_PATH:
            return {"type": ["array", "object"], "items": rule, "additionalProperties": codes}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _put(schema: JsonObject, path: list[str], leaf: JsonObject) -> None:
    for part in path[:-1]:
        properties = schema["properties"]
        assert isinstance(properties, dict)
        group: JsonObject = {"type": "object", "properties": {}}
        if "additionalProperties" in schema:
            group["additionalProperties"] = False
        schema = properties.setdefault(part, group)
    properties = schema["properties"]
    assert isinstance(properties, dict)
    properties[path[-1]] = leaf


_PRINTS = {
    "package": lambda: json.dumps(package_json_configuration(), indent=2),
    "schema": lambda: json.dumps(json_schema(), indent=2),
    "project": lambda: json.dumps(project_schema(), indent=2),
    "table": settings_table,
}

if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what not in _PRINTS:
        sys.exit(f"usage: python -m {SECTION}_lsp.config.generate {'|'.join(_PRINTS)}")
    print(_PRINTS[what]())
