"""Broken text: each mistake is reported once, at its place, and the text around it is parsed as usual."""

import pytest

from ptx_lsp.syntax import headers
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.syntax.statements import parse_statements, read_statements
from ptx_lsp.syntax.tree import Declaration, Problem
from tests.syntax.shown import marked, problems_of, statements

# a statement, and the one problem in it
ONE = [
    # punctuation between operands
    ("add.s32 %r1 %r2, 4;", 'missing-comma "%r2"'),
    ("add.s32 %r1,, %r2, 4;", 'extra-comma ","'),
    ("add.s32 , %r1, %r2, 4;", 'extra-comma ","'),
    ("add.s32 %r1, %r2, 4,;", 'extra-comma ","'),
    ("mov.b64 %rd1, {%r1 %r2};", 'missing-comma "%r2"'),
    ("mov.b64 %rd1, {%r1, %r2,};", 'extra-comma ","'),
    ("mov.b64 %rd1, {,%r1};", 'extra-comma ","'),
    ("mov.b64 %rd1, {};", 'expected-operand "{}"'),
    ("ld.global.b32 %r1, [];", 'expected-operand "[]"'),
    ("call (r), f, (%r1 %r2);", 'missing-comma "%r2"'),
    ("call (r), f, (%r1,);", 'extra-comma ","'),
    (".reg .b32 x,;", 'extra-comma ","'),
    (".reg .b32 x,,y;", 'extra-comma ","'),
    (".reg .b32 x y;", 'missing-comma "y"'),
    (".global .b32 x[2] = {1,,2};", 'extra-comma ","'),
    (".global .b32 x[2] = {1, 2,};", 'extra-comma ","'),
    (".global .b32 x[2] = {1 2};", 'missing-comma "2"'),
    (".global .b32 x[2][2] = {{1}{2}};", 'missing-comma "{"'),
    (".func (d.param.b64);", 'stray-token "d"'),
    ("L: .branchtargets a,;", 'extra-comma ","'),
    ("L: .branchtargets a b;", 'missing-comma "b"'),
    # brackets
    ("ld.global.b32 %r1, [%rd1+8;", 'unclosed-bracket ";"'),
    ("ld.global.b32 %r1, %rd1+8];", 'unmatched-bracket "]"'),
    ("ld.global.v2.f32 {%f1, %f2, [%rd1];", 'unclosed-bracket ","'),
    ("mov.u32 %r1, (1;", 'unclosed-bracket ";"'),
    ("mov.u32 %r1, 1);", 'unmatched-bracket ")"'),
    ("call (r, f, (x);", 'unclosed-bracket ","'),
    ("call (r), f, (x;", 'unclosed-bracket ";"'),
    ("call (r), f, x);", 'unmatched-bracket ")"'),
    (".reg .b32 %r<9;", 'unclosed-bracket ";"'),
    (".shared .b32 s[4;", 'unclosed-bracket ";"'),
    (".global .b32 x[2] = {1, 2;", 'unclosed-bracket ";"'),
    (".func f(.param .b32 a;", 'unclosed-bracket ";"'),
    (".func f(.param .b32 a {", 'unclosed-bracket "{"'),
    (".entry k()) {", 'unmatched-bracket ")"'),
    # missing parts
    ("mov.u32 %r1, 1+;", 'expected-operand "+"'),
    ("mov.u32 %r1, *1;", 'expected-operand "*"'),
    ("mov.u32 %r1, g[];", 'expected-operand "]"'),
    (".reg .b32 5;", 'expected-name "5"'),
    (".entry () {", 'expected-name ".entry"'),
    ("@ 5 ret;", 'bad-guard "@"'),
    ("@!!%p1 ret;", 'bad-guard "@!"'),
    ("@%p1 { ", 'bad-guard "@%p1"'),
    ("@ add.s32 %r1, %r2, %r3;", 'bad-guard "@"'),
    ("@ bra there;", 'bad-guard "@"'),
    ('.pragma "x" foo;', 'stray-token "foo"'),
    (".pragma nounroll;", 'expected-operand "nounroll"'),
    (".alias a b;", 'missing-comma "b"'),
    (".loc 1 2 ;", 'expected-operand "2"'),
    (".loc 1 2 3, inlined_at 1 2 3", 'extra-comma ","'),
    (".section {}", 'expected-name "{"'),
    # tokens that are not allowed at their place
    ("mov.u32 %r1, 1 @ 2;", 'stray-token "@"'),
    ("mov.u32 %r1, 1 = 2;", 'stray-token "="'),
    (";", 'stray-token ";"'),
    (";;\t ;", 'stray-token ";;\t ;"'),
    (") ret;", 'unmatched-bracket ")"'),
    ("5;", 'stray-token "5"'),
    ("%r1;", 'stray-token "%r1"'),
    ("add.s32 %r1, %r2-4, 4;", 'negative-offset "-4"'),
    ("ld.global.b32 %r1, [g-8];", 'negative-offset "-8"'),
    (".global .u64 x = g-4;", 'negative-offset "-4"'),
    ("add.s32 %r1, %r2*4, 4;", 'operand-arithmetic "*"'),
    ("add.s32 %r1, -%r2+4, 4;", 'operand-arithmetic "+"'),
    ("mov.f32 %f1, %v1.x+1;", 'operand-arithmetic "+"'),
    ("mov.b64 %rd1, {%r1+1, %r2};", 'operand-arithmetic "%r1+1"'),
    ("mov.b64 %rd1, {-%r1, %r2};", 'operand-arithmetic "-%r1"'),
    ("add.s32 %r1, ~%r2, 4;", 'expected-constant "%r2"'),
    ("add.s32 %r1, (%r2), 4;", 'stray-token "(%r2)"'),
    ("add.s32 %r1, 4+%r2, 4;", 'expected-constant "%r2"'),
    ("add.s32 %r1, %r1+%r2, 4;", 'expected-constant "%r2"'),
    ("mov.u32 %r1, 7 %3;", 'percent-name "%3"'),
    ("mov.f32 %f1, -0f3F800000;", 'single-in-expression "0f3F800000"'),
    ("ld.global.b32 %r1, [-%rd1];", 'bad-address "-%rd1"'),
    ("ld.global.b32 %r1, [g[3]];", 'bad-address "g[3]"'),
    ("ld.global.b32 %r1, [%tid.x];", 'bad-address "%tid.x"'),
    ("ld.global.b32 %r1, [%rd1, 4];", 'bad-address "4"'),
    ("ld.global.b32 %r1, [{%r1}, %r2];", 'bad-address "{%r1}"'),
    ("setp.eq.s32 %p1|%p2|%p3, %r1, 4;", 'destination-pair "|"'),
    ("setp.eq.s32 %p1|1, %r1, 4;", 'destination-pair "|"'),
    ("setp.eq.s32 %p1, %r1|%r2, 4;", 'destination-pair "%r1|%r2"'),
    ("mov.u32 %r1, _;", 'destination-pair "_"'),
    ("call;", 'call-operands "call"'),
    ("call (r);", 'call-operands "call"'),
    ("call (r), (x);", 'call-operands "(x)"'),
    ("call 5, (x);", 'call-operands "5"'),
    ("call f, (x), (y);", 'call-operands "(y)"'),
    ("call f, (%r1+4);", 'operand-arithmetic "%r1+4"'),
    ("call f, (%tid.x);", 'operand-arithmetic "%tid.x"'),
    (".reg .b32 %r<4+1>;", 'literal-required "4+1"'),
    (".shared .b32 s[(4)];", 'literal-required "(4)"'),
    (".shared .b32 s[n];", 'literal-required "n"'),
    (".shared .b32 s[4][];", 'literal-required "[]"'),
    (".param .align 4+4 .b8 x[16];", 'literal-required "4+4"'),
    (".loc -1 2 3", 'literal-required "-1"'),
    (".global .u64 x = generic(g+4);", 'operand-arithmetic "+"'),
    (".global .u64 x = generic(4);", 'expected-name "4"'),
    # characters
    ("\u00e9 ret;", 'non-ascii "\u00e9"'),
    ('.file 1 "\u00e9"', 'non-ascii ""\u00e9""'),
    ('.file 1 "x', 'unterminated-string ""x"'),
    ("mov.b32 %r1, `1;", 'invalid-character "`"'),
    ("#pragma once\n", 'preprocessor-line "#pragma"'),
    ("mov.f64 %fd1, 1e;", 'malformed-number "1e"'),
    # misspelt directives are parsed as the directive that was meant
    (".sectionn .debug_str { .b8 1 }", 'unknown-directive ".sectionn"'),
    (".fun f(.param .b32 a);", 'unknown-directive ".fun"'),
    (".visible .fun f(.param .b32 a);", 'unknown-directive ".fun"'),
    (".extern .funcx (.param .b32 r) f(.param .b32 a);", 'unknown-directive ".funcx"'),
    (".weak .entryx k(.param .b32 a)\n{\n}", 'unknown-directive ".entryx"'),
    ('.pragm "x";', 'unknown-directive ".pragm"'),
]


@pytest.mark.parametrize(("text", "problem"), ONE)
def test_one_problem(text: str, problem: str) -> None:
    assert marked(text)[:1] == [problem]
    assert len({text[: p.start].count("\n") for p in problems_of(text)}) == 1


@pytest.mark.parametrize(("text", "problem"), [case for case in ONE if case[0].endswith(";") and case[0] != "#"])
def test_the_statements_around_a_mistake_are_parsed(text: str, problem: str) -> None:
    around = f"add.s32 %a, %b, %c;\n{text}\n@%p sub.s32 %a, %b, %c;\nL:\n"
    assert marked(around) == [problem]
    found = statements(around)
    assert (found[0], found[-2:]) == ("add.s32 %a %b %c", ["@%p sub.s32 %a %b %c", "label L"])


NEXT = [
    ("sub.s32 %a, %b, %c;", "sub.s32 %a %b %c"),
    ("@%p ret;", "@%p ret"),
    ("ret;", "ret"),
    ("L:", "label L"),
    ("{", "open"),
    ("}", "close"),
    (".reg .b32 %x<4>;", "declare .reg .b32 %x<4>"),
    (".loc 1 2 3", "directive .loc 1 2 3"),
    (".param .b64 retval0;", "declare .param .b64 retval0"),
    (".shared .b32 s;", "declare .shared .b32 s"),
    (".visible .entry k {", "header .visible .entry k ..."),
    ("call (r), f, (x);", "call (r) f (x)"),
]
BEFORE = [
    ("add.s32 %r1, %r2, %r3", "add.s32 %r1 %r2 %r3"),
    ("st.global.b32 [%rd1+4], 5", "st.global.b32 [(+ %rd1 4)] 5"),
    ("mov.b64 {%r1, %r2}, %rd1", "mov.b64 {%r1, %r2} %rd1"),
    ("@%p bra there", "@%p bra there"),
    ("ret", "ret"),
    ("bar.sync 0", "bar.sync 0"),
    ("call f, (x)", "call f (x)"),
    (".reg .b32 %r<4>", "declare .reg .b32 %r<4>"),
    (".local .b8 s[4]", "declare .local .b8 s[4]"),
    ('.pragma "x"', 'directive .pragma "x"'),
    ("P: .branchtargets a, b", "list P: .branchtargets a b"),
    ("P: .callprototype _ ()", "header P: .callprototype _ ()"),
]


@pytest.mark.parametrize(("following", "second"), NEXT, ids=[text for text, _ in NEXT])
@pytest.mark.parametrize(("broken", "first"), BEFORE, ids=[text for text, _ in BEFORE])
def test_a_missing_semicolon(broken: str, first: str, following: str, second: str) -> None:
    text = f"{broken} // why\n\t{following}"
    assert marked(text) == [f'missing-semicolon "{broken[-1]}"']
    assert statements(text) == [first, second]


@pytest.mark.parametrize("following", ["add.s32 %a, %b, %c;", "ret;", "M: ret;", "@%p ret;", ".reg .b32 x;", "}"])
def test_a_label_without_its_colon(following: str) -> None:
    assert marked(f"$L__BB0_2\n\t{following}") == ['missing-colon "$L__BB0_2"']
    assert statements(f"$L__BB0_2\n\t{following}")[0] == "label $L__BB0_2"


@pytest.mark.parametrize("typed", ["add", "add.", "shfl", "@%p add"])
def test_an_opcode_alone_on_its_line_is_an_instruction_that_is_being_typed(typed: str) -> None:
    text = f"\t{typed}\n\tmul.lo.s32 %a, %b, %c;"
    assert [statement.split()[-1] for statement in statements(text)] == [typed.split()[-1].rstrip("."), "%c"]
    assert not any("missing-colon" in problem for problem in marked(text))


def test_a_prototype_whose_label_has_no_colon() -> None:
    text = "proto .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (a), %rd1, (b), proto;"
    assert marked(text) == ['missing-colon "proto"']
    assert statements(text)[0] == "header proto: .callprototype (.param .b32 _) _ (.param .b32 _)"


@pytest.mark.parametrize("stray", [")", "]", "@", "5", "=", "%r1", ">", '"x"', "1.5", "*", "|"])
def test_a_stray_token_after_a_statement(stray: str) -> None:
    text = f"add.s32 %a, %b, %c; {stray}\n\tsub.s32 %a, %b, %c;"
    assert len(problems_of(text)) == 1
    assert statements(text)[-1] == "sub.s32 %a %b %c"


def test_a_body_without_its_brace() -> None:
    text = ".entry k()\n\t.reg .b32 x;\n\tret;\n}"
    assert marked(text) == ['missing-brace ")"']
    assert statements(text) == ["header .entry k () ...", "declare .reg .b32 x", "ret", "close"]


def test_a_section_without_its_brace() -> None:
    text = ".section .debug_str\n\n.b8 1, 2\n.b8 3\n}\n.version 1.0"
    assert marked(text) == ['missing-brace "r"']
    assert statements(text) == ["section .debug_str {.b8 1 2; .b8 3}", "directive .version 1.0"]


def test_an_open_comment_ends_the_text() -> None:
    text = "ret;\n/* exit;\nret;"
    assert statements(text) == ["ret", "broken"]
    assert marked(text) == ['unterminated-comment "/*"']


def test_twenty_mistakes_give_twenty_problems() -> None:
    broken = [text for text, _ in ONE if text.endswith(";") and text[0] not in ".#"][:20]
    text = "\n".join(f"{line}\nadd.s32 %a, %b, %c;" for line in broken)
    assert [text[: p.start].count("\n") for p in problems_of(text)] == list(range(0, 40, 2))


def test_a_byte_order_mark_is_named() -> None:
    """ptxas 13.5: "Unexpected non-ASCII character encountered on line 1"."""
    messages = [problem.message for problem in problems_of("\ufeff.version 8.5\n")]
    assert messages == ["a byte order mark: the assembler takes only a file without one"]


def test_a_broken_statement_is_reported_at_its_beginning() -> None:
    text = "call f,\n(\n\tparam0\n;"
    (problem,) = problems_of(text)
    assert text[problem.start : problem.end] == ";"
    assert [text[start:end] for start, end, _ in problem.related] == ["("]


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("add.s32 %r1, %r2, %r3\nret;", "add.s32 %r1, %r2, %r3;\nret;"),
        ("ld.b32 %r1, [%rd1;", "ld.b32 %r1, [%rd1];"),
        ("L\nret;", "L:\nret;"),
        (".entry k()\n ret;", ".entry k() {\n ret;"),
    ],
)
def test_the_data_of_a_problem_fixes_it(text: str, fixed: str) -> None:
    (problem,) = problems_of(text)
    result = apply(text, problem)
    assert result == fixed
    assert problems_of(result) == []


def apply(text: str, problem: Problem) -> str:
    """The text after the edit in the problem's data: its range is replaced, or text is inserted after it."""
    data = dict(problem.data)
    kept = data.get("replacement", text[problem.start : problem.end] + data.get("insert", ""))
    return text[: problem.start] + kept + text[problem.end :]


@pytest.mark.parametrize(
    "text", ["{" * 9_000 + "add", "[" * 9_000, "(" * 9_000, "add " * 9_000, ".a(" * 9_000, "@" * 9_000]
)
def test_hostile_text_is_parsed_to_its_end(text: str) -> None:
    last = list(parse_statements(text))[-1][0]
    assert last.end == len(text.rstrip())


@pytest.mark.parametrize(
    "text", ["ret;" + " " * 300_000, "#" + " " * 300_000 + "\n", "# 1\n" * 20_000, '"' + "\n" * 300_000]
)
def test_the_time_is_proportional_to_the_length(text: str) -> None:
    # each of these once took minutes: the time grew with the square of the length
    assert list(parse_statements(text))


WORDS = (".param", ".reg", ".b64", ".entry", ".section", "d.param.b64", "x", "add.s32", "mov", ";", "}", "{ 1, 2 }")


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(
    "statement",
    [
        ".func ( .param .b64 d ) f ( .param .b32 a , .param .b64 b ) ;",
        ".global .align 4 .b32 x [ 4 ] = { 1 , 2 , 3 } ;",
        ".reg .pred %p<3> , q ;",
        "@%p1 add.s32 %r1 , %r2 , 4 ;",
        '.file 1 "a.cu" ;',
    ],
)
def test_no_token_is_lost_while_what_is_wrong_is_searched_for(statement: str, word: str) -> None:
    tokens = statement.split(" ")
    for at in range(len(tokens) + 1):
        for end in range(at, min(at + 2, len(tokens)) + 1):
            text = " ".join((*tokens[:at], word, *tokens[end:], "\n.global .b32 last;"))
            found = [each for each, _ in parse_statements(text)]
            starts = [each.start for each in found]
            assert starts == sorted(set(starts)), text
            assert text.index("last") < max(each.end for each in found), text


def test_a_mistake_far_below_the_begin_of_a_header_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No word is taken out of the first line."""
    lists = list[Cursor]()
    parse = headers._parse_parameters

    def noted(cursor: Cursor, results: bool = False) -> tuple[Declaration, ...]:
        lists.append(cursor)
        return parse(cursor, results)

    monkeypatch.setattr(headers, "_parse_parameters", noted)
    parameters = ["\t.param .u64 p{}".format(n if n != 90 else "90 x") for n in range(100)]
    ((_, found), _) = parse_statements(".visible .entry k(\n" + ",\n".join(parameters) + "\n)\n{\n}\n")
    assert [problem.start for problem in found]
    assert len(lists) == 1


def test_a_statement_after_the_end_of_a_comment_from_above_is_that_of_a_new_line() -> None:
    below = "*/L1{\n}\n"
    codes = [problem.code for _, problems in parse_statements(below, len("*/")) for problem in problems]
    assert codes == ["missing-colon"]  # as for `/*`, a line end and this text


@pytest.mark.parametrize("text", ["(", "(.param .b32 r", "(.param .b32 r)", "(.param .b32 r) f"])
def test_results_at_the_end_of_a_text_may_be_those_of_a_function_that_is_named_below(text: str) -> None:
    cursor = Cursor(text)
    next(read_statements(cursor))
    assert cursor.short


@pytest.mark.parametrize("line", ["<p>Some text here &amp; more</p>\n", "Granted, free of charge; obtaining (this).\n"])
def test_the_rest_of_a_broken_line_ends_with_the_line_if_a_semicolon_is_in_the_middle_of_each(line: str) -> None:
    starts = {statement.start for statement, _ in parse_statements(line * 3)}
    assert {0, len(line), 2 * len(line)} <= starts


def test_the_rest_of_a_broken_call_ends_with_its_semicolon() -> None:
    """Compilers write calls on several lines, whose semicolon is the last token of its line."""
    text = "call; (r), \nf, \n(\na, \nb\n);\nret;\n"
    assert [text[one.start : one.end] for one, _ in parse_statements(text)][-1] == "ret;"
    assert sum(bool(problems) for _, problems in parse_statements(text)) == 1
