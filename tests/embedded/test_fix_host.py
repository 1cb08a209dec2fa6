"""Fixing all inline PTX of a file: what is written in which literal, and what is refused."""

import pytest

from ptx_lsp.analysis.module import Checks
from ptx_lsp.embedded.fix_host import fix_host
from ptx_lsp.embedded.host_text import check_host
from ptx_lsp.hosts.statement import Host

FIXED = [
    (
        Host.CUDA,
        'asm("ld.gloabl.b32 %0, [%1]" : "=r"(a) : "l"(p));',
        'asm("ld.global.b32 %0, [%1];" : "=r"(a) : "l"(p));',
    ),
    (Host.CUDA, 'asm("st.glo" "abl.b32 [%0], 1;" :: "l"(p));', 'asm("st.global" ".b32 [%0], 1;" :: "l"(p));'),
    (Host.CUDA, 'asm(R"(mov.u32 %0, %%tid.x\n)" : "=r"(a));', 'asm(R"(mov.u32 %0, %%tid.x;\n)" : "=r"(a));'),
    (
        Host.CUDA,
        'asm("{\\n\\t"\n  "mov.b32 t, %0;\\n\\t"\n  "st.global.b32 [%1], t;\\n}" :: "r"(x), "l"(p));',
        'asm("{ .reg .b32 t;\\n\\t"\n  "mov.b32 t, %0;\\n\\t"\n  "st.global.b32 [%1], t;\\n}" :: "r"(x), "l"(p));',
    ),
    (
        Host.CUDA,
        'asm volatile("{ .reg .b32 r; mov.u32 r, %%tid.x; st.shared.b32 [0], r; }");',
        'asm volatile("{ .reg .b32 r; mov.u32 r, %tid.x; st.shared.b32 [0], r; }");',
    ),
    (
        Host.CUDA,
        'asm("{ .reg .b32 %t1; mov.b32 %t1, %1; mov.b32 %0, %t1; }" : "=r"(a) : "r"(b));',
        'asm("{ .reg .b32 %%t1; mov.b32 %%t1, %1; mov.b32 %0, %%t1; }" : "=r"(a) : "r"(b));',
    ),
    (
        Host.PYTHON,
        "inline_asm_elementwise('add.s32 $0 $1, 2; mul.low.s32 $0, $0, $1', '=r,r', [x], tl.int32, True, 1)",
        "inline_asm_elementwise('add.s32 $0, $1, 2; mul.lo.s32 $0, $0, $1;', '=r,r', [x], tl.int32, True, 1)",
    ),
    (
        Host.PYTHON,
        'code = """__device__ void f() { asm volatile("bar.sync 0"); }"""',
        'code = """__device__ void f() { asm volatile("bar.sync 0;"); }"""',
    ),
    (
        Host.RUST,
        'asm!("mov.u32 {}, %tid.x", "add.u32 {0}, {0}, 1", out(reg32) x);',
        'asm!("mov.u32 {}, %tid.x;", "add.u32 {0}, {0}, 1;", out(reg32) x);',
    ),
    (
        Host.RUST,
        'asm!("st.global.b32 {}, {}; ld.b32 {v}, {p};", in(reg64) a, in(reg32) b, v=out(reg32) v, p=in(reg64) a);',
        'asm!("st.global.b32 [{}], {}; ld.b32 {v}, [{p}];", in(reg64) a, in(reg32) b, v=out(reg32) v, p=in(reg64) a);',
    ),
    (
        Host.JULIA,
        '@asmcall("mov.u32 \\$0, %laneid", "=r", Int32, Tuple{})',
        '@asmcall("mov.u32 \\$0, %laneid;", "=r", Int32, Tuple{})',
    ),
    (
        Host.LLVM,
        '%1 = call i32 asm sideeffect "mov.u32 $0, %laneid", "=r"()',
        '%1 = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"()',
    ),
]


@pytest.mark.parametrize(("host", "before", "after"), FIXED)
def test_safe_fixes_are_written_as_the_literal_needs_it(host: Host, before: str, after: str) -> None:
    fixed = fix_host(before, host, Checks(), ())
    assert fixed.text == after
    assert fixed.refused == ()
    assert fixed.made > 0


def test_a_fix_that_the_literal_cannot_hold_is_refused() -> None:
    text = 'c = """void f() { asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 %0, [%1];" : "=r"(a) : "r"(b)); }"""'
    fixed = fix_host(text, Host.PYTHON, Checks(), (), unsafe=True)
    assert fixed.text == text
    assert [(each.finding.code, each.fix) for each in fixed.refused] == [("vector-size", None)]
    assert fix_host(text, Host.PYTHON, Checks(), ()).refused == ()


def test_unsafe_fixes_are_made_on_request() -> None:
    text = 'asm("{ mov.b32 t, %0; }" :: "r"(x));'
    assert fix_host(text, Host.CUDA, Checks(), ()).text == text
    fixed = fix_host(text, Host.CUDA, Checks(), (), unsafe=True)
    assert fixed.text == 'asm("{ .reg .b32 t; mov.b32 t, %0; }" :: "r"(x));'


def test_fixing_twice_changes_nothing() -> None:
    for host, _, after in FIXED:
        assert fix_host(after, host, Checks(), ()).text == after
        assert len(check_host(after, host)) <= 1
