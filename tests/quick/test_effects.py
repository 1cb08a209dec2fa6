"""Each recogniser alone: if it gives an effect, the parser gives the same effect and no report."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from ptx_lsp.memo import forget_all
from ptx_lsp.quick.debug_sections import section
from ptx_lsp.quick.declarations import local_declaration, variable
from ptx_lsp.quick.effect import Effect
from ptx_lsp.quick.headers import header
from ptx_lsp.quick.known import View
from ptx_lsp.quick.line_runs import Lines
from ptx_lsp.quick.statements import buried_statement, call, module_statement, statement
from ptx_lsp.reading import reader as reading
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.block_reader import BlockReader, apply_effect, apply_module_effect
from ptx_lsp.reading.copied_blocks import copy_to_read
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import NOTHING_BELOW, State
from ptx_lsp.semantics.surroundings import UNDECLARED_PROFILE
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.syntax.section_rows import rows_of
from tests.quick.sample_lines import LINES, OUTSIDE, SECTIONS
from tests.quick.test_line_memory import INLINE, POSITIONS

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n.func f(.param .b32 p)\n{\n\tret;\n}\n"
BODY = """.entry k()
{
\t.reg .b32 %r<9>;
\t.reg .b64 %rd<9>;
\t.reg .f32 %f;
\t.reg .pred %p<3>;
"""
Recogniser = Callable[[str, View, BlockReader], Effect | None]


def opened(head: str, text: str) -> BlockReader:
    """A reader at the beginning of a block with this text, after a block with that head."""
    block = Block(1, text.count("\n"))
    block.index, block.line, block.entry = 1, head.count("\n"), state_after(head)
    return BlockReader(copy_to_read(block), text)


@cache
def state_after(head: str) -> State:
    """The state after a text that is right; a reader needs a copy, as it declares names in the scopes."""
    first = Block(1, head.count("\n"))
    first.entry = State((Scope(),), None, None, False, False, (), UNDECLARED_PROFILE)
    before = BlockReader(first, head)
    read(before, NOTHING_BELOW)
    assert before.reports == []
    assert before.exit is not None
    return before.exit


def parsed(head: str, text: str) -> BlockReader:
    """A reader that has read a block with this text, and parsed every statement."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "RECOGNISERS", False)
        reader = opened(head, text)
        read(reader, NOTHING_BELOW)
    return reader


def symbols(reader: BlockReader) -> list[object]:
    """The symbols that the block declares, with their places."""
    return [(d.symbol, d.symbol.mark.range, d.scope.opening and d.scope.opening.range) for d in reader.declared]


def effect_of(reader: BlockReader) -> dict[str, Any]:
    """Everything that has changed because the block was read."""
    seen: dict[str, Any] = {"declared": symbols(reader), "depth": len(reader.scopes), "header": reader.header}
    seen["state"] = (reader.buried, reader.stray_reported, reader.profile, reader.body and reader.body.symbol)
    for number, part in enumerate(reader.parts):
        if part.registers is None:  # no reader has read the block to its end
            part.seal()
        # names that are not registers have no effect
        seen[f"read {number}"] = {name for name in part.read.split() if name[0] == "%"}
        seen[f"written {number}"] = {name for name in part.written.split() if name[0] == "%"}
        seen[f"labels {number}"] = [(label.name, label.mark.range) for label in part.labels]
        for what in ("label_uses", "loads", "results"):
            uses = [(use.name, use.mark.range) for use in getattr(part, what)]
            # the name alone shows in which variable a call returns its result
            seen[f"{what} {number}"] = [name for name, _ in uses] if what == "results" else uses
        uses_of_names = [unknown.uses for unknown in part.undeclared.values()]
        seen[f"undeclared {number}"] = [[(use.name, use.mark.range) for use in uses] for uses in uses_of_names]
        seen[f"end {number}"] = (part.ends, part.closing and part.closing.range)
    return seen


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


def at_offset(recognise: Callable[[str, int, View], Effect | None]) -> Recogniser:
    """A recogniser that is called at the beginning of the text."""
    return lambda text, view, _: recognise(text, 0, view)


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


def reports_of(reader: BlockReader) -> list[tuple[Any, ...]]:
    """The reports of a block, without what does not depend on its text."""
    return [(r.code, r.mark.range, r.message) for r in reader.reports]


@cache
def of_parser(head: str, text: str) -> tuple[list[tuple[Any, ...]], dict[str, Any]]:
    """The reports and the effect of a text if every statement is parsed; several recognisers are compared with them."""
    reader = parsed(head, text)
    return reports_of(reader), effect_of(reader)


def compare(name: str, head: str, material: list[str], recognise: Recogniser) -> int:
    """Compare a recogniser with the parser on texts, and on the rests of each; return the number of its effects."""
    given = 0
    for text in material:
        reader = opened(head, text)
        effect = recognise(text, reader.view, reader)
        if effect is None:
            continue
        given += 1
        (apply_effect if reader.part is not None else apply_module_effect)(reader, effect)
        reports = reports_of(reader)
        wanted, wanted_effect = of_parser(head, text[: effect.end])
        # a duplicate label is found when the effect is applied
        assert reports == wanted, (name, text)
        assert {code for code, *_ in reports} <= {"duplicate-label"}, (name, text)
        assert effect_of(reader) == wanted_effect, (name, text)
    return given


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
