"""More sequences of edits after which incremental and fresh analysis differed at some time: of broken statements."""

from tests.analysis.kept_edits import KEPT as OTHERS
from tests.analysis.kept_edits import replace
from tests.analysis.random_edits import Edits, Sizes, insert

SIZES = Sizes(lines=16, characters=512, edited=4, broken=3)
KEPT = OTHERS | {
    "a comment that is not closed begins in an instruction whose opcode a line break divides": Edits(
        "\t.global ld.u32 %r1, [%rd1];\n\t.sync bar 0;\n\tmo\nv.u32 %r1, %r2;\n\tld.glo\nbal.u32 %r1, [%rd1];\n"
        "\tadd.s32 %r1;, %r2, %r3;\n\tadd.s32 %r1, (%r2, %r3;\n.glob\n",
        SIZES,
        (insert(3, 3, "/*"),),
        (),
    ),
    "a brace before the name of a kernel": Edits(
        ".visible .entry }k2(\n)\n.maxntid 16 16\n{\nta.to.global.u64 %rd1, %rd2;\n",
        SIZES,
        (insert(1, 1, "v.u"), replace(2, 1, 2, 13, " t;}")),
        (),
    ),
    "the predicate after the opcode of a guarded instruction": Edits(
        ".target sm_80\n.address_size 64\n.visible .en\n\t.param .u64 a,\n)\n{\n\t.reg .pred %p<4>;\n"
        "\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<4>;\n\t@bra %p1 LL;\n\t@!mov %p1 .u32 %r1, 1;\n}\n",
        SIZES,
        (insert(9, 11, "."), insert(9, 2, ")\n")),
        (),
    ),
    "a dot without a word below a mistake on its line": Edits(
        ".visible .entry }k2(\n\t.param .u64 a,\n\t.\n)\n.maxntid 16 16\n{\n",
        Sizes(4, 256, 2),
        (insert(1, 15, "d.s2%1,2;"),),
        (),
    ),
}
