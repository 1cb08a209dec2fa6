"""Where a list of parameters with mistakes ends, is looked for once: not again for each of its tokens."""

import pytest

from ptx_lsp.syntax.statements import parse_statements
from tests.growth import LINEAR, growth


@pytest.mark.parametrize("part", [".noreturn, ", "\n.reg.quad", "\n.reg\n+=\n->\n^, "])
def test_a_broken_list_takes_linear_time(part: str) -> None:
    def parse(text: str) -> None:
        list(parse_statements(text))

    assert growth(parse, f".func f({part * 500})", f".func f({part * 2_000})") < LINEAR


def test_the_end_is_found_again_in_the_next_list() -> None:
    text = ".func f(.reg .b32 a + .reg .b32 b);\n.func g(.reg .b32 a + .reg .b32 b { ret; }\n.func h(.reg .b32 a);\n"
    codes = [[each.code for each in problems] for _, problems in parse_statements(text)]
    assert codes == [["stray-token"], ["unclosed-bracket"], [], [], []]
