"""Each recogniser alone: if it gives an effect, the parser gives the same effect and no report."""

import pytest

from ptx_lsp.memo import forget_all
from ptx_lsp.quick.debug_sections import section
from ptx_lsp.quick.declarations import local_declaration, variable
from ptx_lsp.quick.effect import Effect
from ptx_lsp.quick.headers import header
from ptx_lsp.quick.known import View
from ptx_lsp.quick.line_runs import Lines
from ptx_lsp.quick.statements import buried_statement, call, module_statement, statement
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.syntax.section_rows import rows_of
from tests.quick.effects import HEAD, Recogniser, at_offset, compare, effect_of, opened
from tests.quick.line_parts import INLINE, POSITIONS
from tests.quick.sample_lines import LINES, OUTSIDE, SECTIONS

BODY = """.entry k()
{
\t.reg .b32 %r<9>;
\t.reg .b64 %rd<9>;
\t.reg .f32 %f;
\t.reg .pred %p<3>;
"""


def run_of_lines(text: str, view: View, reader: BlockReader) -> Effect | None:
    """The effect of the first run of lines."""
    source = reader.source
    effect = Lines(source.text, source.lines, source.starts, 0, view).run(0, len(source.lines), view)
    effect.end = source.starts[effect.count] if effect.count < len(source.starts) else len(text)
    return effect if effect.count else None


def whole_section(text: str, view: View, reader: BlockReader) -> Effect | None:
    """The effect of a section."""
    rows = rows_of(text, 0)
    return section(text, 0, rows, view) if rows is not None else None


IN_FUNCTION: dict[str, Recogniser] = {
    "lines": run_of_lines,
    "statement": at_offset(statement),
    "local declaration": at_offset(local_declaration),
    "call": at_offset(call),
}
IN_MODULE: dict[str, Recogniser] = {
    "statement": at_offset(module_statement),
    "variable": at_offset(variable),
    "header": at_offset(header),
    "section": whole_section,
}


def tails(texts: tuple[str, ...]) -> list[str]:
    """Texts and their rests after each line end or blank."""
    found = {text[i:].lstrip(" ") for text in texts for i in range(len(text)) if i == 0 or text[i - 1] in "\n ;{"}
    return sorted(text + "\n\tret;\n" for text in found if text)


@pytest.mark.parametrize("name", IN_FUNCTION)
def test_in_a_function(name: str) -> None:
    forget_all()
    material = tails((*LINES, *INLINE, *POSITIONS))
    for _ in range(2):  # the second time, lines are remembered
        assert compare(name, HEAD + BODY, material, IN_FUNCTION[name]) >= 3


@pytest.mark.parametrize("name", IN_MODULE)
def test_in_a_module(name: str) -> None:
    material = [*tails(OUTSIDE), *(f".section .debug_x {text}\n" for text in SECTIONS)]
    assert compare(name, HEAD, material, IN_MODULE[name]) >= 6


def test_remembered_lines_together() -> None:
    """A run of lines that were remembered has the effects of all of them."""
    text = "\tadd.s32 %r1, %r2, 7;\n\tmov.b32 %r3, %r1;\n\n\t// a comment\n\tadd.s32 %r1, %r2, 7;\n\tret;\n"
    forget_all()
    for _ in range(2):
        assert compare("lines", HEAD + BODY, [text], run_of_lines) == 1
    reader = opened(HEAD + BODY, text)
    effect = run_of_lines(text, reader.view, reader)
    assert effect is not None
    assert effect.count == text.count("\n") + 1


def test_an_effect_of_one_line_is_a_run_of_one() -> None:
    reader = opened(HEAD + BODY, "\tadd.s32 %r1, %r2, %r3;\n\tfrob;\n")
    effect = run_of_lines(reader.source.text, reader.view, reader)
    assert effect is not None
    assert (effect.count, [line.written for line in effect.lines]) == (1, [("%r1",)])


@pytest.mark.parametrize("text", ["{", "}", ".reg .b32 %q;", ".local .b8 l[4];", "add.s32 %r1, %r2, %r3;", "$a:"])
def test_a_statement_that_is_too_deep(text: str) -> None:
    """Declarations there declare nothing; only braces have an effect."""
    effect = buried_statement(text, 0)
    assert (effect is not None) == (text[0] in "{}.")
    if effect is not None:
        assert (effect.declares, effect.opens, effect.closes) == ((), -1 + (text == "{"), -1 + (text == "}"))


@pytest.mark.parametrize("name", IN_FUNCTION)
def test_a_recogniser_changes_nothing(name: str) -> None:
    for text in tails((*LINES, *INLINE)):
        reader, untouched = opened(HEAD + BODY, text), opened(HEAD + BODY, text)
        IN_FUNCTION[name](text, reader.view, reader)
        assert effect_of(reader) == effect_of(untouched)
        assert [sorted(scope.members) for scope in reader.scopes] == [sorted(s.members) for s in untouched.scopes]
