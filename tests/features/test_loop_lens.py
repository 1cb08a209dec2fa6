"""Code lenses on the heads of loops."""

from ptx_lsp.features.loop_lens import loop_lenses
from ptx_lsp.steps import result_of
from tests.analysed import analysed
from tests.features.modules import in_body

LOOP = """outer:
\tld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]; ld.shared.f32 %f5, [%rd2];
\tst.shared::cta.f32 [%rd2], %f1;
inner:
\tbar.sync 0; // a comment with mma.sync
\tldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%rd2];
\tmma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4};
\t@%p1 bra inner;
\twgmma.fence.sync.aligned;
\tst.global.f32 [%rd1], %f1;
\tld.f32 %f1, [%rd1];
\t@%p2 bra outer;
\tbra done;
done:
"""


def test_what_loops_hold() -> None:
    lenses = result_of(loop_lenses(analysed(in_body(LOOP))))
    assert [lens.title for lens in lenses] == [
        "loop of 11 instructions, 1 mma, 1 global load, 1 global store, 2 shared loads, 1 shared store, 1 barrier",
        "loop of 4 instructions, 1 mma, 1 shared load, 1 barrier",
    ]
    assert [lens.range.line - lenses[0].range.line for lens in lenses] == [0, 3]


def test_instructions_beside_the_label_and_beside_the_last_branch_do_not_count() -> None:
    text = LOOP.replace("outer:\n", "mov.b32 %r1, 0; outer:\n").replace("inner:\n\t", "add.s32 %r1, %r1, 1; inner:")
    text = text.replace("bra outer;\n", "bra outer; st.global.u32 [%rd1], %r1;\n")
    lenses = result_of(loop_lenses(analysed(in_body(text))))
    assert [lens.title for lens in lenses] == [
        "loop of 12 instructions, 1 mma, 1 global load, 1 global store, 2 shared loads, 1 shared store, 1 barrier",
        "loop of 4 instructions, 1 mma, 1 shared load, 1 barrier",
    ]


def test_instructions_in_a_comment_do_not_count() -> None:
    text = LOOP.replace("\tbar.sync", "/*\n\tbar.sync").replace("\tldmatrix", "*/ \tldmatrix")
    lenses = result_of(loop_lenses(analysed(in_body(text))))
    assert lenses[1].title == "loop of 3 instructions, 1 mma, 1 shared load"


def test_a_loop_in_one_line_and_a_forward_branch() -> None:
    (lens,) = result_of(loop_lenses(analysed(in_body("spin: bra spin;\n\tbra out;\nout:\n"))))
    assert lens.title == "loop of 1 instruction"
