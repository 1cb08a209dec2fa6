"""Reads the pages beside this file: an example in a fence that names its language, then what the scanner must find.

The `expect` fence has a line per statement: `word flags | template | operands | clobbers`. Flags: `volatile`,
`volatile?` (not known), `partial` (not whole), `symbol`. In the template, line ends and tabs are `\\n` and `\\t`, and a
hole is its source between `«` and `»`. An operand is `role name "constraint" expression => target`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ptx_lsp.hosts.scan import scan_lines
from ptx_lsp.hosts.statement import START, AsmStatement, Host, Operand

FOLDER = Path(__file__).parent
_EXAMPLE = re.compile(
    r"^## (?P<title>[^\n]+)\n(?P<prose>(?:(?!^## ).*\n)*?)```(?P<host>[\w-]+)\n(?P<text>[\s\S]*?)^```\n+"
    r"```expect\n(?P<expected>[\s\S]*?)^```$",
    re.M,
)


class Example(NamedTuple):
    """One example of a page: the text, its language, and the lines that describe its statements."""

    title: str
    host: Host
    text: str
    expected: list[str]


def examples() -> Iterator[Example]:
    """The examples of every page."""
    for page in sorted(FOLDER.glob("*.md")):
        text = page.read_text("utf-8")
        found = list(_EXAMPLE.finditer(text))
        assert len(found) == text.count("\n## ") == text.count("```expect"), page.name
        for example in found:
            title = f"{page.stem}: {example['title']}"
            yield Example(title, Host(example["host"]), example["text"], example["expected"].splitlines())


def described(text: str, statement: AsmStatement) -> str:
    """A statement of `text` as an expectation says it."""
    flags = {True: " volatile", False: "", None: " volatile?"}[statement.volatile]
    flags += "" if statement.whole else " partial"
    flags += " symbol" if statement.may_name_symbol else ""
    template = "".join(
        f"«{text[piece.start : piece.end]}»" if piece.text is None else piece.text
        for piece in statement.template.pieces
    )
    operands = "; ".join(_operand(text, operand) for operand in statement.operands)
    words = ", ".join(word.text for word in (*statement.clobbers, *statement.labels, *statement.options))
    shown = template.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t")
    return f"{statement.spelling}{flags} | {shown} | {operands} | {words}".rstrip()


def _operand(text: str, operand: Operand) -> str:
    parts = [operand.role.value, str(operand.number)]
    if operand.name:
        parts.append(operand.name)
    if operand.constraint is not None:
        parts.append(f'"{operand.constraint}"')
    if operand.expression:
        parts.append(text[slice(*operand.expression)])
    if operand.target:
        parts.append("=> " + text[slice(*operand.target)])
    return " ".join(parts)


def by_lines(text: str, host: Host, step: int) -> list[AsmStatement]:
    """The statements of a text that is scanned `step` lines at a time."""
    lines = text.splitlines(keepends=True)
    found: list[AsmStatement] = []
    state, offset = START, 0
    for index in range(0, len(lines), step):
        part = lines[index : index + step]
        statements, state = scan_lines(part, host, state, last=index + step >= len(lines))
        found += (statement.shifted(offset) for statement in statements)
        offset += sum(map(len, part))
    return found
