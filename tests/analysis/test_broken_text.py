"""Text that is no PTX, or PTX with the same mistake in each line: it is read in short steps, also after an edit."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range
from tests.analysis.incremental import disagreement, play
from tests.analysis.random_edits import Edits, Sizes, Step, chunk_sizes
from tests.analysis.read_blocks import noted_lines, work

SIZES = Sizes(16, 512, 4, broken=8)
MOST = 2 * SIZES.lines + SIZES.broken  # lines that are read in one step
LOOP = "for (int i = 0; i < 9; i++) { x = i * 2u; }\n"
TOKENS = 24  # of a broken statement
LINES = 150
HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
ENTRY = HEAD + ".entry k()\n{\n.reg .b32 %r<9>;\n.reg .pred %p<3>;\n"
BROKEN = {
    "no semicolons": ENTRY + "\tadd.s32 %r1, %r2, 3\n" * LINES + "}\n",
    "no semicolons after declarations": ENTRY + "".join(f".reg .b32 %a{n}\n" for n in range(LINES)) + "}\n",
    "no commas": ENTRY + "\tadd.s32 %r1 %r2 3;\n" * LINES + "}\n",
    "open parentheses": ENTRY + "\tadd.s32 %r1, (%r2, 3;\n" * LINES + "}\n",
    "open brackets": ENTRY + "\tadd.s32 %r1, [%r2, 3;\n" * LINES + "}\n",
    "open quotes": ENTRY + '\tadd.s32 %r1, "%r2, 3;\n' * LINES + "}\n",
    "open quotes before positions": ENTRY + '"\n\t.loc 1 2 3\n' * LINES + "}\n",
    "ends of comments": ENTRY + "\tadd.s32 %r1, %r2, 3; */\n" * LINES + "}\n",
    "words after the end of a comment": HEAD + "/* a */\n" + "some text of a licence, which is long\n" * LINES + "*/\n",
    "C++": HEAD + "  for (int i = 0; i < n; i++) {\n    x[i] += (float)(i * 3u);\n  }\n" * (LINES // 3),
    "Python": HEAD + "def f(x):\n    return [x for x in 'abc']\n\n" * (LINES // 3),
    "unknown directives": ENTRY + "".join(f".foo{n} bar, {n}\n" for n in range(LINES)) + "}\n",
    "lines for the preprocessor": HEAD + "".join(f"#define N{n} {n}\n" for n in range(LINES)) + ".entry k() { ret; }\n",
    "lines for the preprocessor at the end": ENTRY + "".join(f"#define N{n} {n}\n" for n in range(LINES)),
    "HTML": HEAD + '<div class="a"><p>Some text here &amp; more</p></div>\n' * LINES,
    "HTML in a function": ENTRY + '<div class="a"><p>Some text here &amp; more</p></div>\n' * LINES + "}\n",
    "sentences": ENTRY + "Permission is granted, free of charge; obtaining a copy of (this).\n" * LINES + "}\n",
    "prototypes without an end": ENTRY + "".join(f"p{n}: .callprototype\n" for n in range(LINES)),
    "LLVM": HEAD + "  %1 = add nsw i32 %0, 1\n  store i32 %1, ptr %p, align 4\n" * (LINES // 2),
}

ONE_STATEMENT = {
    "words": HEAD + "".join(f"word{n}\n" for n in range(LINES)),
    "words in a function": ENTRY + "".join(f"word{n}\n" for n in range(LINES)) + "}\n",
    "comma-separated values": HEAD + "".join(f"{n},abc,{n}.5,x\n" for n in range(LINES)),
    "comma-separated values in a function": ENTRY + "".join(f"{n},abc,{n}.5,x\n" for n in range(LINES)) + "}\n",
    "a list": HEAD + "".join(f"* an item, number {n}: see `this`.\n" for n in range(LINES)),
    "JSON": HEAD + "{\n" + "".join(f'  "k{n}": {{"a": [1, {n}], "b": null}},\n' for n in range(LINES)),
    "a log": ENTRY + "".join(f"[2024-01-01 00:00:{n}] INFO: took {n} ms (ok)\n" for n in range(LINES)),
}
"""A broken statement of very many lines: where it is divided, and what is read again, may change with every edit."""


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of lines that have been read, one for each step."""
    return noted_lines(monkeypatch)


@pytest.mark.parametrize("name", [*BROKEN, *ONE_STATEMENT])
def test_broken_text_is_read_in_short_steps(name: str, steps: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    for place in ("long_mistakes", "statements"):
        monkeypatch.setattr(f"ptx_lsp.syntax.{place}.MOST_TOKENS", TOKENS)
    most = MOST + TOKENS * (name in ONE_STATEMENT)
    with chunk_sizes(SIZES):
        module = Module({**BROKEN, **ONE_STATEMENT}[name])
        work(module)
        assert max(steps) <= most
        lines = module.document.line_count
        for line, text in ((lines // 2, "x"), (lines // 2 + 1, "x"), (lines // 3, ";\n"), (lines // 2, "\n")):
            steps.clear()
            module.edit(Range(line, 1, line, 1), text)
            work(module)
            assert max(steps) <= most
            assert name in ONE_STATEMENT or sum(steps) <= 3 * MOST
        assert disagreement(module) is None


def test_a_line_end_in_the_parentheses_of_a_loop_of_c_at_the_end_of_a_chunk() -> None:
    text = "\n.visible .entry kernel(\n\tcvta.to.global.u64 %rd3, %rd1;\n\tmov.u32 %r2, %tid.x;\n" + LOOP * 5
    steps = (Step(Range(7, 16, 7, 26), "\n", "all"),)
    assert play(Edits(text, Sizes(4, 256, 2, broken=3), steps, ())) is None


@pytest.mark.parametrize("head", ["", HEAD, "\n\t// .globl\tgaussian\n// a comment\n\n"])
@pytest.mark.parametrize("count", [1, 3, 4])
@pytest.mark.parametrize("end", ["", "\t.shared .align 4 .b8 tile[1056];\n\n", "{\n\tret;\n}\n"])
def test_a_brace_in_the_place_of_a_parenthesis_whose_list_is_in_another_block(head: str, count: int, end: str) -> None:
    """That the list of parameters follows decides what the brace is."""
    parameters = ",\n".join(f"\t.param .u64 parameter_{number}" for number in range(count))
    text = f"{head}.visible .entry gaussian(\n{parameters}\n)\n{end}"
    line = head.count("\n")
    steps = (Step(Range(line, 24, line, 25), "{", "all"),)
    assert play(Edits(text, Sizes(16, 512, 4, broken=3), steps, ())) is None


def test_a_statement_of_many_short_lines_is_complete_at_the_bound_of_its_tokens(steps: list[int]) -> None:
    work(Module(ENTRY + "^.section @ vote.sync\n" * 2 * LINES))
    assert max(steps) <= LINES
