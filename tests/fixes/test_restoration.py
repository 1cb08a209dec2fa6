"""Preferred fixes restore what a single mistake changed: a sample of the mutants of the project's own files."""

from tests.fixes.restoration import code, files_in, measure
from tests.oracle.assembler import needs_assembler


@needs_assembler
def test_preferred_fixes_restore_the_original() -> None:
    table, every = measure(files_in([]), seed=7, each=1, most=25)
    wrong = [outcome for outcome in every if not outcome.correct]
    assert sum(row.mutants for row in table.values()) > 100
    assert len(every) > 40
    assert len(wrong) <= 0.02 * len(every), wrong
    assert [outcome for outcome in every if outcome.verdict == "silent"] == []


WITH_LINES = """.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 p)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<3>;
    .shared .align 4 .b8 space[512];
    .loc 1 2 3
    ld.param.u64 %rd1, [p];
    ld.shared.u32 %r1, [space];
    st.global.u32 [%rd1], %r1;
    ret;
}
.file 1 "kernel.cu"
.section .debug_str { $L_text: .b8 0 }
"""


@needs_assembler
def test_code_does_not_depend_on_the_lines_of_the_text() -> None:
    longer = WITH_LINES.replace("    .shared", "\n\n    .shared").replace("<3>", "<33>")
    assert code(WITH_LINES) == code(longer) != {}
    assert code(WITH_LINES) != code(WITH_LINES.replace("[512]", "[516]"))
    assert code(WITH_LINES) != code(WITH_LINES.replace("kernel(", "kernel2("))
