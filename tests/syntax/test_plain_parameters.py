"""Parameters that are read on a short way mean what they mean on the long one, and long lists are read few times."""

import random

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.syntax import headers
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.text.ranges import Range
from tests.analysis.read_blocks import work
from tests.calls import noted_calls

PARAMETERS = (
    *(".param .u64 x", ".reg .b32 int", ".param .f32 abs", ".param .u64 const", ".param .pred p", ".reg .u64 %r1"),
    *(".param .align 8 .b8 y[4]", ".param .u32 u32", ".param .u64 _", "float *z", ".param .u64", ".global .u64 x"),
)
ENDS = (")\n{ret;}", ") g();", ",", ");", "\n{", "", "};")


def test_the_short_way_gives_what_the_long_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(4)
    texts: list[str] = []
    for _ in range(300):
        listed = [chance.choice(PARAMETERS) for _ in range(chance.randint(1, 4))]
        begin = chance.choice((".entry k(", ".func (", ".visible .func f(", ".func f\n("))
        texts.append(begin + chance.choice((", ", ",\n", " ,", "\n")).join(listed) + chance.choice(ENDS))
    found = [[*parse_statements(text)] for text in texts]
    monkeypatch.setattr(headers, "plain_parameter", lambda _: None)
    assert found == [[*parse_statements(text)] for text in texts]


@pytest.mark.parametrize("typed", ["x", ";", "add.s32 %r1, %r2, 3;\n"])
def test_a_list_without_an_end_is_read_few_times(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = "".join(f"\t.param .u64 p{number},\n" for number in range(1_000))
    module = Module(
        f".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{{\n.func f(\n{parameters}\tret;\n}}\n"
    )
    work(module)
    read = noted_calls(monkeypatch, headers, "_parse_parameters")
    module.edit(Range(500, 0, 500, 0), typed)
    work(module)
    assert 0 < sum(len(call.result) for call in read) < 12 * 1_000
