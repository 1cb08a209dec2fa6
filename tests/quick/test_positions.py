"""Many `.loc` that are recognised together: the findings are those of the parser."""

import random

import pytest

from ptx_lsp.memo import forget_all
from ptx_lsp.quick import debug_sections
from ptx_lsp.semantics.inlined_code import are_positions
from tests.quick.comparison import Analysis, findings

HEAD = """.version {version}
.target sm_90
.address_size 64
.file 1 "a.cu"
.file 2 "b.cu"
.entry k()
{{
\t.reg .b32 %r<9>;
"""
END = """\tret;
}
.section .debug_str
{
$L__info_string1:
.b8 95
}
"""
LOCS = (
    *("\t.loc\t{n} {m} 3", "\t.loc {n} {m} 0", "\t.loc\t1 {m} 3 // a {m}", "\t.loc\t1 {m} 3 ", "\t.loc\t1 {m}  3"),
    *(
        "\t.loc\t1 08 {m}",
        "\t.loc\t1 0{m} 3",
        "\t.loc\t1 {m}",
        "\t.loc\t1 {m} 3;",
        "\t.loc\t1 {m} x",
        "\t.loc\t1 -1 {m}",
    ),
    *(
        "\t.loc\t1 {m} 1234567890",
        "\t.loc\t1 {m} 99999999999999999999",
        "\t.loc\t1 {m} 1.5",
        "\t.loc {m} 1 2",
        "\t.loc",
    ),
    *("\t.loc\t1 {m} 3, function_name $L__info_string1, inlined_at {n} {m} 3", "\t.loc\t1 {m} 3 ret;"),
    *("\t.loc\t1 {m} 3, function_name $L__info_string1+4, inlined_at 1 {m} 3", "\t.loc\t1 {m} 3,", "\t.loc\t1 {m}, 3"),
    *("\t.loc\t1 {m} 3, function_name WARP_SZ, inlined_at 1 {m} 3", "\t.loc\t1 {m} 3, inlined_at 1 {m} 3"),
    *("\t.local .b32 x{m};", "\t.loca 1 2 3", "\t.loc\u00a01 {m} 3", "\t.loc\t1 {m} 3\r", "\t.loc\t\u0661 {m} 3"),
)
BETWEEN = (
    "",
    "",
    "\tadd.s32 %r1, %r2, {m};\n",
    ", function_name $L__info_string1, inlined_at 1 1 3\n",
    "// {m}\n",
    "L{m}:\n",
)


@pytest.mark.parametrize("version", ["9.0", "6.5"])
@pytest.mark.parametrize("wrong", [0, 1, 3])
def test_positions_together(wrong: int, version: str, parser_alone: Analysis) -> None:
    chance = random.Random(wrong)
    for _ in range(60):
        written = [chance.choice(LOCS[:4] + LOCS[16:17]) for _ in range(12)]
        for _ in range(wrong):
            written[chance.randrange(12)] = chance.choice(LOCS)
        between = BETWEEN[:3] if not wrong else BETWEEN
        lines = [
            f"{line}\n{chance.choice(between)}".format(n=chance.randrange(1, 3), m=chance.randrange(1, 99))
            for line in written
        ]
        text = HEAD.format(version=version) + "".join(lines) + END
        assert findings(text) == parser_alone(text), text


def test_plain_positions_are_recognised_without_a_look_at_each(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    asked: list[int] = []

    def counted(lines: list[str]) -> bool:
        asked.append(len(lines))
        return are_positions(lines)

    monkeypatch.setattr(debug_sections, "are_positions", counted)
    monkeypatch.setattr(debug_sections, "locations", pytest.fail)
    text = HEAD.format(version="9.0") + "".join(f"\t.loc\t1 {n} 3\n\tret;\n" for n in range(1, 101)) + END
    findings(text)
    assert asked == [100]
