"""Properties of every text, broken or not."""

import re
from itertools import pairwise
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_lsp.findings.codes import rules
from ptx_lsp.syntax.expressions import parse_whole_expression
from ptx_lsp.syntax.lexer import UNTERMINATED, Cursor
from ptx_lsp.syntax.names import names_in
from ptx_lsp.syntax.statements import parse_statements, read_statements
from ptx_lsp.syntax.tree import Expression, Problem, Statement, Term, TermKind

PUNCTUATION = [*',;()[]{}+-*/%!~@|:?<>=_.#"`\\\n\x00\x1a\x0b', "==", "<<", "&&", "/*", "*/", "//", "@@DWARF", "\u00e9"]
WORDS = re.findall(
    r"\S+",
    """.u32 .x .reg .param .align .global .version .target .loc .file .section .pragma .entry .func .visible .const
    .callprototype .branchtargets .alias .attribute .debug_info .maxntid .noreturn .regg .sectionn %r1 %3 foo
    generic add ret call WARP_SZ L1: 5 08 1.0 0f3F800000 0d3FF0000000000000 0xff 1e "x" (.s64) function_name""",
)
VALUES = ["{" + "1, 0x2, -3,\n" * 6, "= {" + "0f3F800000, 2.5 , " * 9]  # many values are read together
# a quotation mark may close one that is before it on the line, so that reading cannot begin between them; nor can it
# begin before a backslash that is passed over with the statement above it
UNQUOTED = [*(word for word in PUNCTUATION + WORDS if not set(word) & set("\"'`\\")), "\n", ";", ";\n"]
TOKEN = st.sampled_from(PUNCTUATION + WORDS + VALUES)
TEXT = st.lists(st.one_of(TOKEN, st.text(max_size=3)), max_size=40).map(" ".join)


@settings(max_examples=600)
@given(TEXT)
@example("@@")
@example(".section .a { L: ;")
@example(".regg %r1 = ,")
@example("A 0 :")
@example("; ; ;")
@example("A /**/ 0 :")
@example(".global x .u32")
@example(".entry k(.param x .u32")
@example(".global .u64 x = generic(5);")
@example(".global .u64 x = generic(")
def test_any_text_is_parsed_to_its_end(text: str) -> None:
    last = 0
    seen: list[Problem] = []
    for statement, problems in parse_statements(text):
        assert last <= statement.start <= statement.end <= len(text)
        assert statement.start < statement.end
        last = statement.end
        check_spans(statement)
        for name in names_in(statement):
            assert name.text
            assert "".join(text[name.start : name.end].split()) == name.text  # a label may have a blank in it
        seen += problems
    check_problems(seen, text)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(UNQUOTED), max_size=40).map(" ".join))
@example(".func f.i; NTERN(\n.param .b64 x,\n")  # the parser has read on after the `;` of the header
@example(".func f\n(.param .b64 p\n).loc 1 2 3;\n.param .b64 q,\n;;\n")
@example("x.alias gh, bar; .func bar(.param .b32 x); 14, %p9;\nret;\n")
@example("*/ .noreturn ,")
def test_the_statements_below_any_end_are_the_same_if_reading_begins_there(text: str) -> None:
    cursor = Cursor(text)
    whole = [(*parsed, cursor.fresh) for parsed in read_statements(cursor)]
    for number, ((statement, _, _), (_, _, fresh)) in enumerate(pairwise(whole), 1):
        below = read_statements(Cursor(text, statement.end, is_begin=False), fresh)
        assert list(below) == [(following, problems) for following, problems, _ in whole[number:]]


def check_spans(statement: Statement) -> None:
    """Every node is inside the statement, and inside the node that contains it."""
    pending: list[tuple[Any, int, int]] = [(statement, statement.start, statement.end)]
    while pending:
        node, start, end = pending.pop()
        if isinstance(node, tuple) and not hasattr(node, "_fields"):
            pending += ((inner, start, end) for inner in node)
            continue
        if not hasattr(node, "start"):
            continue
        assert start <= node.start <= node.end <= end, node
        start, end = node.start, node.end
        if isinstance(node, Expression):
            check_terms(node)
        assert isinstance(node, tuple), node
        pending += ((inner, start, end) for inner in node)


def check_terms(tree: Expression) -> None:
    """The terms of an expression are in postfix order, and each spans its operands."""
    assert tree.terms
    for index, term in enumerate(tree.terms):
        assert isinstance(term, Term)
        assert tree.start <= term.start <= term.at <= term.end <= tree.end
        for operand in term.operands:
            assert operand < index
            assert term.start <= tree.terms[operand].start <= tree.terms[operand].end <= term.end


def check_problems(problems: list[Problem], text: str) -> None:
    """Problems are in order within a statement and inside the text, and each has a rule."""
    for problem in problems:
        assert 0 <= problem.start <= problem.end <= len(text)
        assert problem.code in rules()
        assert problem.message[0].islower() or problem.message[0] == "`"
        assert all(0 <= start <= end <= len(text) for start, end, _ in problem.related)


@settings(max_examples=300)
@given(TEXT)
def test_any_text_is_an_expression_or_has_a_problem(text: str) -> None:
    tree, problems = parse_whole_expression(text)
    check_problems(list(problems), text)
    if tree is None:
        assert problems
    else:
        check_terms(tree)
        assert 0 <= tree.start <= tree.end <= len(text)
        assert problems or not any(t.kind in (TermKind.NAME, TermKind.MALFORMED) for t in tree.terms)


@example(", A .u32 =", 0)
@example(", foo , ; 08", 0)
@given(TEXT, st.integers(0, 200))
def test_parsing_can_begin_at_the_end_of_any_statement(text: str, pick: int) -> None:
    whole = list(parse_statements(text))
    endless = any(problem.code == UNTERMINATED for _, problems in whole for problem in problems)
    quoted = any(text.count(mark) > 1 for mark in "'`")
    # the reader remembers an open comment, on a line a quotation mark, and a backslash that it has passed over
    if whole and not endless and not quoted and "\\" not in text:
        at = whole[pick % len(whole)][0].end
        line = max(text.rfind(end, 0, at) for end in "\r\n") + 1
        fresh = not any(problems and line < s.end <= at for s, problems in whole)  # the reader remembers that too
        rest = [s for s, _ in read_statements(Cursor(text, at, is_begin=False), fresh)]
        assert rest == [s for s, _ in whole if s.start >= at]
