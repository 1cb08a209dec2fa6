"""Writes what is derived from ptx_lsp: the grammar's words, the settings, the version, the shells' completions.

`python editors/generate.py` writes the files; with `--check` it writes nothing and exits with 1 if one is out of date.
"""

import json
import plistlib
import re
import sys
from collections.abc import Callable
from pathlib import Path

from grammar import JsonObject, Keywords, grammar
from publication import address, pictures_elsewhere, read_elsewhere
from shells import completion, manual_page

from ptx_lsp import __version__
from ptx_lsp.config.generate import package_json_configuration, project_schema, project_table, settings_table
from ptx_lsp.config.project import FILE
from ptx_lsp.config.schema import SETTINGS, Reach
from ptx_lsp.isa.directives import directives
from ptx_lsp.isa.instructions import modifier_words, opcodes
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.special_registers import special_registers
from ptx_lsp.isa.types import TYPES

EDITORS = Path(__file__).resolve().parent
ROOT = EDITORS.parent
DOCS = ROOT / "docs"
NOTE = re.compile(r"^<!-- .* -->\n", re.M)
SCHEMA = EDITORS / "vscode" / "schemas" / "ptx-lsp.schema.json"
COMPLETIONS = ROOT / "ptx_lsp" / "cli" / "completions"
SETTINGS_HERE = re.compile(
    r"(?<=<!-- settings: written by editors/generate.py -->\n).*?(?=<!-- end of settings -->)", re.S
)

PROJECT_SETTINGS_HERE = re.compile(
    r"(?<=<!-- project settings: written by editors/generate.py -->\n).*?(?=<!-- end of project settings -->)", re.S
)

PICTURES_HERE = re.compile(
    r"(?<=<!-- pictures: written by editors/generate.py -->\n).*?(?=<!-- end of pictures -->)", re.S
)

FILE_HERE = re.compile(r"(?<=<!-- file: )(\S+)( -->\n```\w+\n).*?(?=^```$)", re.S | re.M)


def grammar_file(_: str) -> str:
    """The text of the TextMate grammar."""
    return _json(grammar(keywords()))


def property_list_file(_: str) -> str:
    """The grammar as a property list, which Sublime Text reads."""
    found = {name: value for name, value in grammar(keywords()).items() if not name.startswith("$")}
    return plistlib.dumps(found | {"fileTypes": ["ptx"]}).decode("utf-8")


def package_file(old: str) -> str:
    """package.json with the settings and the version of ptx_lsp."""
    package: JsonObject = json.loads(old)
    package["version"] = __version__
    contributes, capabilities = package["contributes"], package["capabilities"]
    assert isinstance(contributes, dict)
    assert isinstance(capabilities, dict)
    contributes["configuration"] = package_json_configuration()
    # the extension "Even Better TOML" reads this: it completes and checks the file
    contributes["tomlValidation"] = [{"fileMatch": FILE, "url": f"./schemas/{SCHEMA.name}"}]
    restricted = [row.key for row in SETTINGS if row.client and row.reach is Reach.MACHINE]
    capabilities["untrustedWorkspaces"]["restrictedConfigurations"] = restricted
    published = address()
    links: JsonObject = {
        "repository": {"type": "git", "url": published},
        "homepage": published,
        "bugs": {"url": f"{published}/issues"},
    }
    for key, value in links.items():
        package.pop(key, None)
        if published:
            package[key] = value
    return _json(package)


def settings_page(old: str) -> str:
    """The page about the settings with their table."""
    return SETTINGS_HERE.sub(lambda _: "\n" + settings_table() + "\n", old)


def configuration_page(old: str) -> str:
    """The page about configuration files with the table of their settings."""
    return PROJECT_SETTINGS_HERE.sub(lambda _: "\n" + project_table() + "\n", old)


def editor_page(old: str) -> str:
    """The page about an editor with the files that it shows."""
    return FILE_HERE.sub(lambda found: found[1] + found[2] + (ROOT / found[1]).read_text("utf-8"), old)


def package_page(_: str) -> str:
    """The description of the package, which is the README."""
    return read_elsewhere(NOTE.sub("", readme()))


def mason_file(_: str) -> str:
    """The entry for the registry of Mason, from which Neovim installs programs; it takes none without a homepage."""
    homepage = f"homepage: {address()}\n" if address() else ""
    return f"""---
name: ptx-lsp
description: The language server for PTX, NVIDIA's GPU virtual assembly, and its checker for the command line
{homepage}licenses:
  - MIT
languages:
  - PTX
categories:
  - LSP
  - Linter
  - Formatter

source:
  id: pkg:pypi/ptx-lsp@{__version__}

bin:
  ptx-lsp: pypi:ptx-lsp

neovim:
  lspconfig: ptx_lsp
"""


def gallery_page(old: str) -> str:
    """The page of the extension in the gallery, with the pictures of the README if they have an address."""
    return PICTURES_HERE.sub(lambda _: pictures_elsewhere(readme()), old)


def readme() -> str:
    """The README of the repository."""
    return (ROOT / "README.md").read_text("utf-8")


def keywords() -> Keywords:
    """The words of PTX, from the rows of the instruction set."""
    return Keywords(
        opcodes=frozenset(opcodes()),
        types=frozenset(TYPES),
        spaces=SPACE_WORDS,
        directives=frozenset(name for name in directives() if name.startswith(".")),
        modifiers=modifier_words(),
        registers=frozenset(special_registers()),
    )


FILES: dict[Path, Callable[[str], str]] = {
    EDITORS / "vscode" / "syntaxes" / "ptx.tmLanguage.json": grammar_file,
    EDITORS / "sublime" / "PTX.tmLanguage": property_list_file,
    EDITORS / "vscode" / "package.json": package_file,
    EDITORS / "vscode" / "README.md": gallery_page,
    EDITORS / "neovim" / "mason" / "package.yaml": mason_file,
    SCHEMA: lambda _: _json(project_schema()),
    DOCS / "settings.md": settings_page,
    DOCS / "configuration.md": configuration_page,
    **dict.fromkeys(sorted((DOCS / "editors").glob("*.md")), editor_page),
    ROOT / "README.package.md": package_page,
    COMPLETIONS / "ptx-lsp.bash": lambda _: completion("bash"),
    COMPLETIONS / "ptx-lsp.zsh": lambda _: completion("zsh"),
    COMPLETIONS / "ptx-lsp.fish": lambda _: completion("fish"),
    ROOT / "ptx_lsp" / "cli" / "ptx-lsp.1": lambda _: manual_page(),
}


def outdated() -> list[Path]:
    """The files that are not as they would be written now."""
    return [path for path, write in FILES.items() if _read(path) != write(_read(path))]


def main() -> int:
    """Write the files that are out of date, or only name them with `--check`. The exit code."""
    stale = outdated()
    for path in stale:
        print(path.relative_to(ROOT).as_posix())
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(FILES[path](_read(path)), "utf-8", newline="\n")
    return 1 if stale and "--check" in sys.argv else 0


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
