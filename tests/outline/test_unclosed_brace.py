"""Which `{` of a function lacks its `}`: the one that a person would say."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.outline.unclosed_brace import unclosed_brace

HEADER = ".version 9.4\n.target sm_90\n.address_size 64\n"
KERNEL = ".entry k()\n{\n\t.reg .b32 %r<2>;\n\t{\n\tmov.b32 %r1, 0;\n\tret;\n}\n"
NEXT = ".entry l()\n{\n\tret;\n}\n"


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("{\n  {\n  ret;\n}\n", 1),
        ("{\n  {\n  ret;\n  }\n", 0),
        ("{\n{\nret;\n}\nret;\n", 0),
        ("{\n  {\n  ret;\n}\nret;\n", 1),
        ("{\n  {\n    {\n    ret;\n  }\n}\n", 2),
        ("{\n  {\n    {\n    ret;\n    }\n}\n", 1),
        ("{\n  {\n{\n  ret;\n  }\n  exit;\n}\n", 2),
        ("{\n  {\n  a;\n  }\n  {\n  b;\n  {\n  c;\n  }\n  ret;\n}\n", 2),
        ("{\n.reg .b32 a;\n{\n.reg .b32 b;\n{\nmov.b32 a, b;\n}\nret;\n}\n", 2),
        ('{\n// {\n/* } */ .pragma "}";\n{\nret;\n}\n', 1),
        ("{\nret;\n\n{}\n", 1),
        ("{\n  {\n  L:\n  }\n  {\n  ret;\n}\n", 2),
        ("{\n  mov.b64 d, {a,\n b};\n  {\n  mov.b64 {a, b}, d;\n}\n", 1),
        ("{", 0),
    ],
)
def test_the_brace_that_a_person_would_say_is_found(text: str, opening: int) -> None:
    found = unclosed_brace(text)
    assert found is not None
    comments_and_lists = text.replace("// {", "// (").replace("{a", "(a").replace("b}", "b)")
    scopes = [at for at, sign in enumerate(comments_and_lists) if sign == "{"]
    assert found.opening == scopes[opening]


@pytest.mark.parametrize("text", ["{ret;}", "{\n{\n{\nret;\n", "{\n}\n}\n{", "{{ ret; "])
def test_the_count_decides_if_not_exactly_one_brace_is_open(text: str) -> None:
    assert unclosed_brace(text) is None


@pytest.mark.parametrize("below", ["", NEXT, ".global .b32 x;\n" + NEXT])
def test_the_finding_names_the_brace_that_closes_it_by_count(below: str) -> None:
    module = Module(HEADER + KERNEL + below)
    while not module.work(None):
        pass
    (found,) = [finding for finding in module.findings() if finding.severity.name == "ERROR"]
    assert (found.range.start.line, found.range.start.column) == (6, 1)
    lines = [related.range.start.line for related in found.related]
    entries = [10 + below.count("x;")] if below else []
    assert lines == [9, *entries]
