"""Code lenses on functions: parameters, shared and local memory, calls."""

from ptx_lsp.features.function_lens import function_lenses
from ptx_lsp.steps import result_of
from tests.analysed import analysed

TEXT = """.version 9.4
.target sm_90
.address_size 64
.shared .align 16 .b8 tile[1024];
.shared .b32 unused[8];
.extern .shared .align 16 .b8 dynamic[];
.func plain(.reg .b32 x)
{
\tret;
}
.func again()
{
\tcall again;
\tret;
}
.visible .entry big(.param .u64 input, .param .b32 n, .param .b64 output)
{
\t.local .align 8 .b8 depot[64];
\t.shared .f32 sums[32];
\t.reg .b64 %rd<3>;
\tmov.b64 %rd1, tile;
\tmov.b64 %rd2, dynamic;
\tcall plain, (1);
\tcall plain, (2);
\tret;
}
.visible .entry empty()
{
\tret;
}
"""


def test_what_functions_declare_and_who_calls_them() -> None:
    lenses = result_of(function_lenses(analysed(TEXT)))
    assert [(lens.range.line, lens.title) for lens in lenses] == [
        (6, "2 calls in 1 function"),
        (10, "1 call"),
        # 8 bytes, 4 bytes, 4 bytes that align the last 8
        (15, "parameters 24 bytes, shared 1,152 bytes, dynamic shared memory, local 64 bytes"),
    ]
    assert lenses[0].range == (6, 6, 6, 11)


def test_a_function_without_calls_says_so() -> None:
    (lens,) = result_of(function_lenses(analysed(".version 9.4\n.target sm_90\n.func f()\n{\n\tret;\n}\n")))
    assert lens.title == "no direct calls"
