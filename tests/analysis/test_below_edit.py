"""A brace too few is shown, and its report taken back, before the rest of its function has been read again."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.first_news import lines_read, shown, shown_first

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
FUNCTION = """.visible .entry {0}()
{{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	mov.b32 %r1, 0;
	setp.eq.s32 %p1, %r1, 0;
{1}	ret;
}}
"""
STEPS = "".join(f"$L{n}:\n\tadd.s32 %r1, %r1, {n};\n\tmov.b32 %r2,\n\t\t%r1;\n\t@%p1 bra $L{n};\n" for n in range(600))
COMMENTS = ("\t// " + "long " * 20 + "\n") * 2_000  # only a short function is searched for another brace
LAST = FUNCTION.format("last", "")
BELOW = ["", LAST, ".extern .shared .b32 memory[];\n" + LAST, '\t.file\t1 "a.py"\n']


def settle(module: Module) -> None:
    """Work to the end in slices, as the server does: long blocks are not read at once then."""
    while not module.work(0.0):
        pass


@pytest.mark.parametrize("body", [STEPS, STEPS + COMMENTS], ids=["short", "long"])
@pytest.mark.parametrize("below", BELOW, ids=["nothing", "kernel", "variable", "file"])
def test_a_brace_is_shown_and_taken_back_at_once(monkeypatch: pytest.MonkeyPatch, body: str, below: str) -> None:
    module = Module(HEAD + FUNCTION.format("edited", body) + below)
    settle(module)
    line = next(n for n in range(module.document.line_count) if module.document.line(n) == "$L300:")
    lengths = lines_read(monkeypatch, "incremental", "foreseen.edited_piece")
    for _ in range(2):  # the first edit divides a long block
        module.edit(Range(line, 0, line, 0), "{ ")
        first = shown_first(module)
        assert [code for code, _ in first] == ["unclosed-brace"]
        assert sum(lengths) < STEPS.count("\n") / 4
        settle(module)
        assert first <= shown(module)
        lengths.clear()
        module.edit(Range(line, 0, line, 2), "")
        first = shown_first(module)
        assert {code for code, _ in first} <= {"undefined-label"}  # of labels in the scope
        assert sum(lengths) < STEPS.count("\n") / 4
        settle(module)
        assert module.findings() == []
        lengths.clear()


@pytest.mark.parametrize("below", ["\tbra $L1;\n}\n", "\t}\n}\n"])
def test_a_brace_that_closes_nothing_else_is_read(below: str) -> None:
    """Where it is uncertain what a brace more changes, nothing is shown that is not right."""
    text = HEAD + FUNCTION.format("edited", STEPS).removesuffix("}\n") + below + LAST
    module = Module(text)
    assert module.work()
    line = next(n for n in range(module.document.line_count) if module.document.line(n) == "$L300:")
    module.edit(Range(line, 0, line, 0), "{ ")
    first = shown_first(module)
    assert module.work()
    assert first <= shown(module)


def test_a_comment_that_may_contain_a_brace_shows_no_other_brace() -> None:
    half = "".join(STEPS.splitlines(keepends=True)[:1500])
    module = Module(HEAD + FUNCTION.format("edited", f"\t{{\n{half}\t}}\n{half.replace('$L', '$M')}"))
    settle(module)
    assert module.findings() == []
    line = next(n for n in range(module.document.line_count) if module.document.line(n) == "$M0:") - 1
    for removed, typed in ((0, " "), (1, "/* "), (3, " "), (1, "/* ")):  # the first edit divides a long block
        module.edit(Range(line, 0, line, removed), typed)
        codes: set[str] = set()
        while not module.work(0.0):
            codes |= {code for code, _ in shown(module)}
        assert codes <= {"unterminated-comment"}
        assert {finding.code for finding in module.findings()} == ({"unterminated-comment"} if "/*" in typed else set())


@pytest.mark.parametrize("below", ["", LAST])
@pytest.mark.parametrize(("removed", "typed"), [(0, "{ "), (2, "")])
@pytest.mark.parametrize("header", [(3, 15, "x"), (4, 0, "{"), (5, 0, "}\n")])
def test_an_edit_of_the_header_with_that_of_a_brace(
    below: str, removed: int, typed: str, header: tuple[int, int, str]
) -> None:
    text = HEAD + FUNCTION.format("edited", STEPS.replace("$L300:", "{ $L300:") if removed else STEPS) + below
    module = Module(text)
    settle(module)
    line = next(n for n in range(module.document.line_count) if module.document.line(n).endswith("$L300:"))
    module.edit(Range(header[0], header[1], header[0], header[1]), header[2])
    line += header[2].count("\n")
    module.edit(Range(line, 0, line, removed), typed)
    settle(module)
    assert shown(module) == shown(analysed(module.document.whole()))


def test_the_first_use_in_inner_braces_is_shown_before_the_lines_above_it_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner = "\t{\n\t.reg .b32 %in;\n\tmov.b32 %in, 0;\n\tadd.s32 %more1, %in, 1;\n\t}\n"
    text = HEAD + FUNCTION.format("edited", STEPS + "\t.reg .b32 %more<9>;\n" + STEPS.replace("$L", "$M") + inner)
    module = Module(text)
    assert module.work()
    line = text.split("\n").index("\t.reg .b32 %more<9>;")
    lengths = lines_read(monkeypatch, "incremental", "foreseen.edited_piece")
    module.edit(Range(line, 16, line, 16), "x")
    first = shown_first(module)
    assert [code for code, _ in first] == ["undeclared"]
    assert sum(lengths) < 20
    settle(module)
    assert first <= shown(module)
