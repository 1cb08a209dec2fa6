"""A function loses its closing brace, with other functions or debug information below it: little is read again."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.reading import reader
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.text.ranges import Range
from tests.analysis.incremental import disagreement, shown
from tests.analysis.read_blocks import noted_lines, work

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
BODY = "{\n.reg .b32 %r<9>;\n" + "add.s32 %r1, %r2, 3;\n" * 4
FIRST = HEAD + f".entry first()\n{BODY}ret;\n}}\n"
BRACE = FIRST.count("\n") - 1  # the line of the closing brace
LONG = f".entry second()\n{BODY}" + "add.s32 %r1, %r2, 5;\n" * 3_000 + "ret;\n}\n.entry third()\n{\nret;\n}\n"
SECTION = ".section .debug_x\n{\n" + ".b8 1,2,3,4,5,6,7,8,9,10,11,12\n" * 6_000 + "}\n"
FILES = '.file 1 "a.cu"\n.file 2 "b.cu"\n'


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of lines of the blocks that have been read."""
    return noted_lines(monkeypatch)


@pytest.mark.parametrize("below", ["", "/* a */ ", "mov.b32 %r1, %r3;\n", "L1:\n"])
def test_the_function_below_is_not_read_again(below: str, lines: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    module = Module(FIRST + LONG.replace(".entry third", f"{below}.entry third"))
    work(module)
    for end, text in ((1, ""), (0, "}"), (1, ""), (0, "}")):
        lines.clear()
        module.edit(Range(BRACE, 0, BRACE, end), text)
        work(module)
        assert sum(lines) < 1_500
        codes = {finding.code for finding in module.findings()}
        assert ("unclosed-brace" in codes) == (text == "")
        assert disagreement(module) is None


def test_a_name_of_the_outer_function_is_not_seen_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the inner function ends, the outer one continues: that is read again."""
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    outer = FIRST.replace("ret;\n}", ".reg .f32 %f<2>;\nret;\n}")
    module = Module(outer + LONG.replace(".entry third()\n{\n", "mov.f32 %f1, %f1;\n"))
    work(module)
    for end, text in ((1, ""), (0, "}")):
        module.edit(Range(BRACE + 1, 0, BRACE + 1, end), text)
        work(module)
        assert disagreement(module) is None


@pytest.mark.parametrize("between", ["", FILES, "\n", "// a\n", "{\n", ".loc 1 2 3\n"])
@pytest.mark.parametrize("begin", [".section", "\t.section", "*/ .section", "@ .section"])
def test_a_section_below_is_the_same_for_recognisers_and_the_parser(
    between: str, begin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = SECTION[:200].rpartition("\n")[0] + "\n}\n"
    text = FIRST[:-2] + between + few.replace(".section", begin, 1) + few.replace("_x", "_y")
    found = Module(text)
    found.work()
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    parsed = Module(text)
    parsed.work()
    assert found.findings()
    assert shown(found) == shown(parsed)


@pytest.mark.parametrize("between", ["", FILES])
def test_few_tokens_of_the_sections_below_are_read(between: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No `;` is in a section, so that the tokens up to the next one may be those of the rest of the text."""
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    module = Module(FIRST + between + SECTION)
    work(module)
    tokens = 0
    read_tokens = Cursor._read_tokens

    def counted(cursor: Cursor, initial: bool) -> bool:
        nonlocal tokens
        before, done = len(cursor.kinds), read_tokens(cursor, initial)
        tokens += len(cursor.kinds) - before
        return done

    monkeypatch.setattr(Cursor, "_read_tokens", counted)
    module.edit(Range(BRACE, 0, BRACE, 1), "")
    work(module)
    assert tokens < SECTION.count(",") // 2
    assert disagreement(module) is None


def test_a_comment_below_the_header_is_read_in_short_steps(lines: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The last directive of the header ends with its line: the text below the comment is not needed."""
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    module = Module(HEAD + "/*\n" + "a text of many words\n" * 3_000 + "*/\n" + LONG)
    work(module)
    for end, text in ((1_500, "*/"), (1_502, "")):
        lines.clear()
        module.edit(Range(1_500, 1, 1_500, end - 1_499), text)
        work(module)
        assert max(lines) < 600
    assert disagreement(module) is None
