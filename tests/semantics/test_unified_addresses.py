"""`[name].unified`: it is for variables declared `.unified`. ptxas 13.5 is asked about every row."""

import pytest

from tests.judgement.verdicts import broken_into_lines, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

UNIFIED = ".attribute(.unified(1,2))"
BEFORE = f"""
.version 9.3
.target sm_90
.address_size 64
.global .b32 plain; .global .b32 row[4]; .global .attribute(.managed) .b32 managed; .extern .global .b32 outside;
.global {UNIFIED} .b32 uni, second; .global {UNIFIED} .b32 series[4]; .extern .global {UNIFIED} .b32 elsewhere;
.global .attribute(.managed, .unified(3,4)) .b32 both; .shared .b32 near; .shared .b32 nears[4];
.extern .global {UNIFIED} .b32 first_has; .visible .global .b32 first_has;
.extern .global .b32 first_lacks; .visible .global {UNIFIED} .b32 first_lacks;
.entry k(.param .b32 p) {{ .reg .b32 r<9>; .reg .b64 d<9>; .local .b32 own;
"""
END = "\nret; }\n"
ROWS = """
- | ld.global.b32 r1, [uni].unified;
- | ld.global.b32 r1, [second].unified;
- | ld.b32 r1, [uni+4].unified;
- | ld.global.b32 r1, [series+4].unified;
- | ld.global.b32 r1, [elsewhere].unified;
- | ld.global.b32 r1, [both].unified;
- | ld.global.b32 r1, [first_has].unified;
- | ld.global.nc.b32 r1, [uni].unified;
- | ldu.global.b32 r1, [uni].unified;
- | ld.global.v2.b32 {r1,r2}, [uni].unified;
- | atom.global.add.u32 r1, [uni].unified, 1;
- | ld.global.b32 r1, [uni];
- | ld.global.b32 r1, [plain];
- | ld.global.b32 r1, row[1].unified;
- | ld.global.b32 r1, [d1].unified;
- | { .reg .b64 plain; ld.global.b32 r1, [plain].unified; }
- | { .global .attribute(.unified(5,6)) .b32 plain; ld.global.b32 r1, [plain].unified; }
- | ld.b32 r1, nears[1].unified;
attribute ".unified" | ld.global.b32 r1, [plain].unified;
attribute ".unified" | ld.b32 r1, [plain].unified;
attribute ".unified" | ld.global.b32 r1, [plain+4].unified;
attribute ".unified" | ld.global.b32 r1, [row].unified;
attribute ".unified" | ld.global.b32 r1, [managed].unified;
attribute ".unified" | ld.global.b32 r1, [outside].unified;
attribute ".unified" | ld.global.b32 r1, [first_lacks].unified;
attribute ".unified" | ld.global.nc.b32 r1, [plain].unified;
attribute ".unified" | ldu.global.b32 r1, [plain].unified;
attribute ".unified" | ld.relaxed.gpu.global.b32 r1, [plain].unified;
attribute ".unified" | ld.global.v2.b32 {r1,r2}, [plain].unified;
attribute ".unified" | atom.global.add.u32 r1, [plain].unified, 1;
attribute ".unified" | { .global .b32 uni; ld.global.b32 r1, [uni].unified; }
attribute ".unified" | ld.b32 r1, [near].unified;
attribute ".unified" | ld.b32 r1, [near+4].unified;
attribute ".unified" | ld.shared.b32 r1, [near].unified;
attribute ".unified" | ld.b32 r1, [own].unified;
attribute ".unified" | ld.param.b32 r1, [p].unified;
attribute ".unified" | st.global.b32 [plain].unified, r1;
attribute ".unified" | st.global.b32 [uni].unified, r1;
attribute ".unified" | red.global.add.u32 [uni].unified, 1;
"""


@pytest.mark.parametrize("table", [ROWS, broken_into_lines(ROWS)], ids=["one line", "two lines"])
def test_the_variable_of_a_unified_address_is_unified(table: str) -> None:
    assert our_mistakes(table, BEFORE, END) == []


def test_a_fine_line_says_nothing_of_the_same_line_in_another_module() -> None:
    line = "{ ld.global.b32 r1, [uni].unified; }"
    for _ in range(3):
        assert our_mistakes(f"- | {line}", BEFORE, END) == []
        assert (
            our_mistakes(f'attribute ".unified" | {line}', BEFORE.replace(f"{UNIFIED} .b32 uni,", ".b32 uni,"), END)
            == []
        )


@needs_assembler
@pytest.mark.parametrize("arch", ["compute_90", "sm_90"])
def test_ptxas_agrees_on_unified_addresses(arch: str) -> None:
    assert ptxas_mistakes(ROWS, BEFORE, END, arch, options=("--compile-only",)) == []
