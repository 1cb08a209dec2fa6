"""Pages of the site that are written from the program's own tables: rules, settings, commands, instructions.

`mkdocs` calls `on_files` before it builds the site, and `on_page_markdown` for each page.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from ptx_lsp.cli.command_table import COMMANDS, Option
from ptx_lsp.cli.help import head_of, usage_of
from ptx_lsp.cli.isa import description
from ptx_lsp.findings.codes import FAMILIES, Rule, rules
from ptx_lsp.isa.instructions import instruction, opcodes
from ptx_lsp.isa.manual import page_url

ROOT = Path(__file__).resolve().parents[1]
_TEST = re.compile(r"\[([^\]]+)\]\(\.\./tests/[^)]+\)")
_FENCE = re.compile(r"^```(\w+)[^\n]*$", re.M)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site with the generated pages."""
    for path, text in pages():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(text: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The text of a page, whose links to files beside `docs/` lead to the pages that are made of them.

    The site has no pages for tests: of a link to a test, its text remains.
    """
    text = _TEST.sub(r"\1", text)
    return text.replace("](../ARCHITECTURE.md)", "](architecture.md)")


def pages() -> Iterator[tuple[str, str]]:
    """The path and the Markdown text of each generated page."""
    yield "architecture.md", (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    yield "commands.md", "# Command line\n\n" + "\n".join(_command(name) for name in COMMANDS)
    yield "rules/index.md", _rule_index()
    for rule in rules().values():
        yield f"rules/{rule.code}.md", _rule(rule)
    names = sorted(opcodes())
    listed = "\n".join(f"* [`{name}`]({_file(name)})" for name in names)
    yield "instructions/index.md", f"# Instructions\n\nThe forms of every instruction of PTX ISA 9.5.\n\n{listed}\n"
    for name in names:
        yield f"instructions/{_file(name)}", f"# {name}\n\n```text\n{_forms(name)}```\n"


def _forms(opcode: str) -> str:
    found = instruction(opcode)
    return "" if found is None else description(found.forms)


def _file(opcode: str) -> str:
    return f"{opcode.replace('.', '-')}.md"


def _command(name: str) -> str:
    row = COMMANDS[name]
    parts = [f"## {name}\n", f"```text\n{usage_of(name)}\n```\n", row.about + "\n"]
    if row.options:
        parts.append("| option | what it does |\n|---|---|\n" + "\n".join(map(_option, row.options)) + "\n")
    if row.exits:
        parts.append(f"Exit code: {row.exits}\n")
    return "\n".join(parts)


def _option(option: Option) -> str:
    return f"| `{head_of(option).replace('|', chr(92) + '|')}` | {option.purpose.replace('|', chr(92) + '|')} |"


def _rule_index() -> str:
    parts = ["# Rules\n"]
    for family, about in FAMILIES.items():
        rows = [f"| [{each.code}]({each.code}.md) | {_level(each)} | {each.title} |" for each in _of(family)]
        parts.append(f"## {family}\n\n{about}\n\n| code | severity | what |\n|---|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _of(family: str) -> list[Rule]:
    return [rule for rule in rules().values() if rule.family == family]


def _level(rule: Rule) -> str:
    return "off" if rule.severity is None else rule.severity.name.lower()


def _rule(rule: Rule) -> str:
    body = _FENCE.sub(r"```\1", rule.page)  # the tests read more after the language
    manual = f", [the manual]({page_url(rule.section)})" if rule.section else ""
    return f"# {rule.code}\n\n{rule.title} ({_level(rule)}, family `{rule.family}`{manual})\n\n{body}"
