"""Modules for the tests of features: a body in a kernel with registers of every kind, and a cursor written as `¦`."""

from collections.abc import Iterable

from ptx_lsp.analysis.module import Module
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.features.choices import Choices
from ptx_lsp.features.hover import hover
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed

CURSOR = "¦"

REGISTERS = """\
\t.reg .b32 %r<9>;
\t.reg .b64 %rd<9>;
\t.reg .f32 %f<99>;
\t.reg .f64 %fd<9>;
\t.reg .b16 %h<9>;
\t.reg .pred %p<9>;
"""
"""Declarations of registers of every kind."""

_BEFORE = (
    """.version {version}
.target {target}
.address_size 64
{globals}
.visible .entry k(.param .u64 input)
{{
"""
    + REGISTERS
)
_AFTER = "\n\tret;\n}\n"


def marked(text: str) -> tuple[Module, Position]:
    """A module without the cursor in the text, and the position of the cursor."""
    before, _, after = text.partition(CURSOR)
    module = analysed(before + after)
    line = before.count("\n")
    return module, Position(line, len(before) - before.rfind("\n") - 1)


def in_body(statements: str, declarations: str = "", version: str = "9.4", target: str = "sm_90a") -> str:
    """A module with these statements in a kernel's body and these declarations above it."""
    return _BEFORE.format(version=version, target=target, globals=declarations) + statements + _AFTER


def hover_text(text: str, authority: Authority = Authority.PTXAS) -> str:
    """The text of the hover at the cursor of a module, without Markdown; empty if no hover is shown."""
    module, position = marked(text)
    found = hover(module, position, Choices(authority))
    return "" if found is None else render_parts(found.parts, markdown=False)


def hover_at(text: str, at: str) -> str:
    """The hover at the beginning of the first `at` in a module, as plain text."""
    start = text.index(at)
    return hover_text(f"{text[:start]}{CURSOR}{text[start:]}")


def shown(module: Module, ranges: Iterable[Range]) -> list[str]:
    """The line of each range, without blanks around it and with brackets `«»` around the range."""
    lines = []
    for range_ in ranges:
        line = module.document.line(range_.line)
        assert range_.end_line == range_.line
        start, end = range_.column, range_.end_column
        lines.append(f"{line[:start]}«{line[start:end]}»{line[end:]}".strip())
    return lines
