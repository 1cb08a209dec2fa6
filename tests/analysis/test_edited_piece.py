"""The first edit in a long block shows what follows from it before the lines above it in the block are read."""

import re

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range
from tests.analysis.first_news import lines_read, shown, shown_first
from tests.analysis.random_edits import SIZES, chunk_sizes

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.func (.param .b32 out) outside(.param .b32 in) { ret; }\n"
CALL = """	{ // the variables of a call
	.param .b32 in;
	st.param.b32 [in], %r1;
	.param .b32 out;
	call (out), outside, (in);
	ld.param.b32 %r2, [out];
	st.shared.v2.b32 [%rd1], {%r1, %r2};
	mov.b32 %r2, %r1;
	} // the end
"""
STEP = """	add.s32 %r1, %r1, 1;
	st.shared.v2.b32 [%rd1], {{%r1, %r2}};
	setp.eq.s32 %p1, %r1, {0};
	@%p1 bra $L{0};
	mov.b32 %r2,
		%r1;
	.reg .b32 %more{0};
	mov.b32 %more{0}, %r1;
$L{0}:
	// a line without a statement
"""
FUNCTION = """.visible .entry {0}()
{{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<2>;
	mov.b32 %r1, 0;
	mov.b64 %rd1, 0;
{1}	ret;
}}
"""
LONG = "".join((CALL if number % 3 == 0 and number > 9 else "") + STEP.format(number) for number in range(24))
SHORT = "".join(STEP.format(number) for number in range(2))
TEXT = HEAD + "".join(FUNCTION.format(*each) for each in [("first", SHORT), ("long", LONG), ("last", SHORT + CALL)])
LINES = TEXT.split("\n")

STEPS = "".join(STEP.format(number) for number in range(48))
CUT = HEAD + FUNCTION.format("cut", STEPS).removesuffix("}\n") + FUNCTION.format("last", SHORT)
"""The first function has no closing brace."""


def opened() -> Module:
    module = Module(TEXT)
    assert module.work()
    assert module.findings() == []
    return module


def shows_at_once(
    monkeypatch: pytest.MonkeyPatch,
    module: Module,
    lines: list[str],
    text: str,
    before: str,
    code: str,
    typed: str = "x",
) -> None:
    """Type something into a line of the long function: one finding is shown, few lines are read, and it is right."""
    line = lines.index(text, next(number for number, line in enumerate(lines) if "long" in line))
    lengths = lines_read(monkeypatch, "incremental", "foreseen.edited_piece")
    column = text.index(before)
    module.edit(Range(line, column, line, column), typed)
    first = shown_first(module)
    assert [found for found, _ in first] == [code]
    assert sum(lengths) < 40
    assert module.work()
    assert first <= shown(module)


@pytest.mark.parametrize(
    ("text", "before", "code"),
    [
        ("	setp.eq.s32 %p1, %r1, 23;", ".eq", "unknown-opcode"),
        ("$L20:", ":", "undefined-label"),
        ("	.reg .b32 %r<9>;", "<9>", "undeclared"),
        ("	.reg .b32 %more20;", ";", "undeclared"),
        (".visible .entry last()", " last", "unknown-directive"),
    ],
)
def test_few_lines_are_read_before_a_mistake_is_shown(
    monkeypatch: pytest.MonkeyPatch, text: str, before: str, code: str
) -> None:
    shows_at_once(monkeypatch, opened(), LINES, text, before, code)


@pytest.mark.parametrize(
    "text", ["	setp.eq.s32 %p1, %r1, 23;", "	// a line without a statement", *CALL.split("\n")[2:5]]
)
def test_few_lines_are_read_before_a_brace_that_ends_a_function_is_shown(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """In the scope of a call, the brace after it is the one that ends the function now."""
    shows_at_once(monkeypatch, opened(), LINES, text, "\t", "early-brace", "}")


@pytest.mark.parametrize(
    ("text", "before", "code"),
    [
        ("	setp.eq.s32 %p1, %r1, 23;", ".eq", "unknown-opcode"),
        ("$L20:", ":", "undefined-label"),
        ("	@%p1 bra $L20;", ";", "undefined-label"),
        ("	.reg .b32 %more20;", ";", "undeclared"),
    ],
)
@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        pytest.param(r"\n", "\r\n", id="lines as Windows ends them"),
        pytest.param(r"(?m)(mov\.b32 %more.*)", r"\1 // { and } {", id="braces in comments"),
    ],
)
def test_few_lines_are_read_in_texts_that_are_written_otherwise(
    monkeypatch: pytest.MonkeyPatch, text: str, before: str, code: str, pattern: str, replacement: str
) -> None:
    module = Module(re.sub(pattern, replacement, TEXT))
    assert module.work()
    assert module.findings() == []
    shows_at_once(monkeypatch, module, LINES, text, before, code)


def test_few_lines_are_read_between_braces_of_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """The block begins between these braces."""
    inner = "	{\n	.reg .b32 %inner;\n	{\n" + LONG * 3 + "	mov.b32 %inner, %r1;\n	}\n	}\n"
    lines = (HEAD + FUNCTION.format("long", re.sub(r"\$L|bra", "$M", inner).replace("$M $M", "bra $M"))).split("\n")
    lines = [line for line in lines if "$M" not in line and "%more" not in line]
    module = Module("\n".join(lines))
    assert module.work()
    assert module.findings() == []
    line = max(number for number, line in enumerate(lines) if "setp" in line) - 40
    line = next(number for number in range(line, len(lines)) if "setp" in lines[number])
    lengths = lines_read(monkeypatch, "incremental", "foreseen.edited_piece")
    column = lines[line].index(".eq")
    module.edit(Range(line, column, line, column), "x")
    assert shown_first(module) == {("unknown-opcode", Range(line, 1, line, column + 1))}
    assert sum(lengths) < 40


def test_a_removed_name_is_shown_before_its_use_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time, the block is short: it is read, and no block below it."""
    module = opened()
    line = next(number for number, text in enumerate(LINES) if "long" in text) + 3
    lengths = lines_read(monkeypatch, "incremental", "foreseen.edited_piece")
    column = LINES[line].index("<")
    for _ in range(3):
        lengths.clear()
        module.edit(Range(line, column, line, column), "x")
        assert [code for code, _ in shown_first(module)] == ["undeclared"]
        assert sum(lengths) < 20
        assert not module.settled
        assert module.work()
        module.edit(Range(line, column, line, column + 1), "")
        assert module.work()
        assert module.findings() == []


def test_a_removed_name_is_shown_at_once_in_a_function_that_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = lines_read(monkeypatch, "incremental", "foreseen.edited_piece")
    early = 0
    lines = [(line, text) for line, text in enumerate(CUT.split("\n")) if ".reg" in text]
    for line, text in lines[::5]:
        for inserted in ("x", ""):
            module = Module(CUT)
            assert module.work()
            assert [code for code, _ in shown(module)] == ["unclosed-brace"]
            lengths.clear()
            column = text.index("%") + 2
            module.edit(Range(line, column - 1, line, column), inserted)
            first = shown_first(module)
            early += not module.settled and "undeclared" in {code for code, _ in first} and sum(lengths) < 20
            assert module.work()
            assert first <= shown(module), line
    assert early > 12


def test_the_directives_above_many_comments_are_looked_at_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    module = Module(TEXT.replace(".func", "// a comment\n" * 90 + ".func"))
    assert module.work()
    lengths = lines_read(monkeypatch, "foreseen.edited_piece")
    column = len(".target sm_")
    for range_, text, codes in (
        (Range(1, column, 1, column), "9", {"unsupported-target"}),
        (Range(1, column, 1, column + 1), "", set[str]()),
        (Range(1, column, 1, column), "9", {"unsupported-target"}),
    ):
        lengths.clear()
        module.edit(range_, text)
        assert {code for code, _ in shown_first(module)} == codes
        assert lengths
        assert lengths[0] < 5
        assert module.work()


@pytest.mark.parametrize("inserted", ["x", ";", ","])
def test_what_is_shown_first_is_right(inserted: str) -> None:
    early = 0
    for line in range(6, len(LINES) - 1, 7):
        with chunk_sizes(SIZES):
            module = opened()
            column = len(LINES[line]) // 2
            module.edit(Range(line, column, line, column), inserted)
            first = shown_first(module)
            early += not module.settled and bool(first)
            assert module.work()
            assert first <= shown(module), line
    assert early > 10


@pytest.mark.parametrize("inserted", ["x", "1", ""])
def test_what_is_shown_first_of_labels_and_declarations_is_right(inserted: str) -> None:
    """Another name, one that is there already, and one that is a character shorter."""
    early = 0
    for line, text in enumerate(LINES):
        if not (text.startswith("$L") or ".reg" in text or "entry" in text):
            continue
        module = opened()
        column = len(text.rstrip(":;()")) - 1
        module.edit(Range(line, column, line, column + 1), inserted)
        first = shown_first(module)
        early += not module.settled and bool(first)
        assert module.work()
        assert first <= shown(module), line
    assert early > 10


@pytest.mark.parametrize(
    ("text", "before", "code"),
    [
        ("	setp.eq.s32 %p1, %r1, 23;", ".eq", "unknown-opcode"),
        ("	$L20: /* 20 */", ":", "undefined-label"),
        ("	.reg .b32 %more20; /* %more20 */", ";", "undeclared"),
    ],
)
def test_closed_comments_are_no_hindrance(monkeypatch: pytest.MonkeyPatch, text: str, before: str, code: str) -> None:
    lines = TEXT.replace("	mov.b32 %r2,\n", "	mov.b32 %r2, /* {\n */\n")
    lines = re.sub(r"(?m)^\$L(\d+):$", r"\t$L\1: /* \1 */", lines)
    lines = re.sub(r"(?m)(%more\d+);$", r"\1; /* \1 */", lines)
    module = Module(lines)
    assert module.work()
    assert module.findings() == []
    shows_at_once(monkeypatch, module, lines.split("\n"), text, before, code)


@pytest.mark.parametrize(("removed", "inserted"), [("", "/*"), ("", "*/"), ("*", ""), ("/", ""), (" ", '"'), ("", "x")])
def test_what_is_shown_first_is_right_if_a_comment_is_edited(removed: str, inserted: str) -> None:
    text = TEXT.replace("	mov.b32 %r2,\n", "	mov.b32 %r2, /* ; */\n").replace("%p1, %r1", "%p1, /* %r2 */ %r1")
    lines = text.split("\n")
    for line in range(100, 120):
        each = lines[line]
        for column in [found.start() for found in re.finditer(r"/\*|\*/|%r2", each)]:
            for at in range(column, min(column + 4, len(each))):
                if not each.startswith(removed, at):
                    continue
                module = Module(text)
                assert module.work()
                module.edit(Range(line, at, line, at + len(removed)), inserted)
                first = shown_first(module)
                assert module.work()
                assert first <= shown(module), (line, at)


def test_an_edited_label_does_not_repeat_itself() -> None:
    """Below lines with comments, the state is known at the begin of the block, in the function that has the label."""
    lines = "".join(f"\tbar.sync 0; // wait\n\tbra $L{n}; // there\n" * 5 + f"$L{n}:\n" for n in range(50))
    module = Module(HEAD + ".visible .entry k()\n{\n" + lines + "}\n")
    assert module.work()
    begin = module.block_map.blocks[1].line
    line = next(n for n in range(begin + 8, begin + 20) if module.document.line(n).startswith("$"))
    column = module.document.line(line).index(":")
    module.edit(Range(line, column, line, column + 1), "\tret;")
    assert {code for code, _ in shown_first(module)} == {"missing-colon"}
    assert not module.settled


TABLE = "".join(f"\t{', '.join(str(1000 * row + column) for column in range(16))},\n" for row in range(3_000))


@pytest.mark.parametrize(
    ("begin", "row", "typed", "code"),
    [
        (".global .align 4 .b32 table[48001] = {\n", 2_000, "x", "malformed-number"),
        (".visible .const .b32 table[] = {\n", 5, "44444444", "constant-truncated"),
        (".global .f32 table[48001] = {", 40, "", "initialiser-type"),
        (".global .u64 table[48001] = {", 0, "$", "malformed-number"),
        (".global .u64 table[48001] = {", 100, ",", "extra-comma"),
        (".global .u64 table[48001] = {\n", 1_500, ";", "stray-token"),
        (".global .u64 table[48001] = {\n", 1_500, "}", "expected-name"),
        (".global .u64 table[48001] = {", 2_000, '"', "unterminated-string"),
    ],
)
def test_few_values_of_a_table_are_read_before_a_mistake_is_shown(
    monkeypatch: pytest.MonkeyPatch, begin: str, row: int, typed: str, code: str
) -> None:
    table = re.sub(r"\d+,", "1.5,", TABLE) if ".f32" in begin else TABLE
    module = Module(f"{HEAD}{begin}{table}7{'.5' * ('.f32' in begin)}}};\n")
    assert module.work()
    assert module.findings() == []
    line = next(number for number in range(9) if "table" in module.document.line(number)) + begin.count("\n") + row
    column = module.document.line(line).rindex(",") if ".f32" not in begin else module.document.line(line).rindex(".")
    lengths = lines_read(monkeypatch, "long_sections", "incremental")
    removed = 0 if typed else 2
    old = module.document.text(Range(line, column, line, column + removed))
    for _ in range(2):
        lengths.clear()
        module.edit(Range(line, column, line, column + removed), typed)
        first = shown_first(module)
        assert [found for found, _ in first] == [code]
        assert sum(lengths) < 5
        assert module.work()
        assert first == shown(module)
        lengths.clear()
        module.edit(Range(line, column, line, column + len(typed)), old)
        assert shown_first(module) == set()
        assert sum(lengths) < 5
        assert module.work()
        assert module.findings() == []


@pytest.mark.parametrize("typed", [",", "}", ";", '"', "//", "/*", "{", "(", "\n", "4, 5", "other"])
def test_what_is_shown_first_of_a_table_is_right(typed: str) -> None:
    module = Module(
        f"{HEAD}.global .u64 table[48001] = {{\n{TABLE}other}};\n".replace(".func", ".global .b8 other;\n.func")
    )
    assert module.work()
    assert module.findings() == []
    for line in (100, 2_000):
        column = module.document.line(line).index(",") + 2
        module.edit(Range(line, column, line, column), typed)
        first = shown_first(module)
        assert module.work()
        assert first <= shown(module)
        module.edit(Range(line, column, line + typed.count("\n"), 0 if "\n" in typed else column + len(typed)), "")
        assert module.work()
        assert module.findings() == []


def test_a_statement_in_the_parameters_shows_what_is_settled() -> None:
    """Which mistake it is depends on the text below the header."""
    module = Module(TEXT.replace("last()\n", "last(\n\t.param .b32 one,\n\t.param .b32 two\n)\n"))
    assert module.work()
    line = next(n for n in range(module.document.line_count) if "two" in module.document.line(n))
    column = len(module.document.line(line))
    module.edit(Range(line, column, line, column), "\tshr.u32 %r1, %r1, 8;")
    first = shown_first(module)
    assert module.work()
    assert first <= shown(module)


@pytest.mark.parametrize("below", [FUNCTION.format("last", SHORT), "", '\t.file\t1 "a.py"\n'])
@pytest.mark.parametrize(
    ("line", "removed", "typed"), [("\t} // the end", "}", ""), ("\tst.shared", "", "{"), ("}", "}", "")]
)
def test_a_brace_too_few_in_a_long_function_is_shown_before_the_rest_is_read(
    monkeypatch: pytest.MonkeyPatch, line: str, removed: str, typed: str, below: str
) -> None:
    comments = ("\t// " + "long " * 20 + "\n") * 4_000  # a short function is searched for another brace
    text = HEAD + FUNCTION.format("long", SHORT + CALL + comments) + below
    module = Module(text)
    assert module.work()
    number = next(n for n in range(module.document.line_count) if module.document.line(n).startswith(line))
    lengths, column = lines_read(monkeypatch, "incremental"), line.startswith("\t")
    module.edit(Range(number, column, number, column + len(removed)), typed)
    first = shown_first(module)
    assert [code for code, _ in first] == ["unclosed-brace"]
    assert lengths == []
    assert module.work()
    assert first <= shown(module)


@pytest.mark.parametrize(
    ("below", "before", "shows"),
    [("", "", True), ("", "\t", True), ("// */\n", "", False), ("", "// ", False)],
)
def test_a_comment_without_an_end_is_shown_before_the_lines_above_it_are_read(
    monkeypatch: pytest.MonkeyPatch, below: str, before: str, shows: bool
) -> None:
    line = LINES.index("$L20:")
    rows = [*LINES[:line], f"{before}{LINES[line]}", *LINES[line + 1 :]]
    module = Module("\n".join(rows) + below)
    assert module.work()
    lengths = lines_read(monkeypatch, "incremental", "foreseen.edited_piece")
    module.edit(Range(line, len(before), line, len(before)), "/*")
    place = Range(line, len(before), line, len(before) + 2)
    first = shown_first(module)
    assert (first == {("unterminated-comment", place)} and not lengths) is shows
    assert module.work()
    assert [f.range for f in module.findings() if f.code == "unterminated-comment"] == [place] * shows
