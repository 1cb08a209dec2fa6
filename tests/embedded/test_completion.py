"""Completion of operands, as each language writes them."""

import pytest

from ptx_lsp.candidates.completion_items import ItemKind
from ptx_lsp.embedded.completion import completion, explain_inside
from ptx_lsp.hosts.statement import Host
from tests.embedded.places import marked, shown

RUST = ", a = in(reg32) x, out(reg32) y);"
TRITON = "tl.inline_asm_elementwise"
C = ' : [s] "=r"(y) : [a] "r"(x), "r"(z));'


def operands(text: str, host: Host) -> tuple[str, list[str]]:
    """The text that is replaced, in its place, and the operands among the items."""
    analysis, cursor = marked(text, host)
    found = completion(analysis, cursor)
    if found is None:
        return "", []
    items = [each for each in found.completions.items if each.kind is ItemKind.REGISTER and each.label != "u"]
    assert all(each.text in ("", each.label) for each in items)
    return shown(analysis, [found.completions.range]), [each.label for each in items]


@pytest.mark.parametrize(
    ("host", "text", "replaced", "labels"),
    [
        (Host.RUST, f'asm!("mov.u32 u, ¦"{RUST}', '"mov.u32 u, «»"', ["{a}", "{1}"]),
        (Host.RUST, f'asm!("mov.u32 u, {{¦"{RUST}', '"mov.u32 u, «{»"', ["{a}", "{1}"]),
        (Host.RUST, f'asm!("mov.u32 u, {{¦}}"{RUST}', '"mov.u32 u, «{}»"', ["{a}", "{1}"]),
        (Host.RUST, f'asm!("{{{{ mov.u32 u, {{a¦}}"{RUST}', "mov.u32 u, «{a}»", ["{a}"]),
        (Host.CUDA, f'asm("mov.u32 u, ¦"{C}', '"mov.u32 u, «»"', ["%[a]", "%2", "%[s]"]),
        (Host.CUDA, f'asm("mov.u32 u, %[¦"{C}', '"mov.u32 u, «%[»"', ["%[s]", "%[a]"]),
        (Host.CUDA, f'asm("mov.u32 u, %[a¦]"{C}', '"mov.u32 u, «%[a]»"', ["%[s]", "%[a]"]),
        (Host.LLVM, 'call i32 asm "mov.u32 u, ${¦", "=r,r"(i32 %x)', '"mov.u32 u, «${»"', ["${0}", "${1}"]),
        (Host.MLIR, 'nvvm.inline_ptx "mov.u32 u, {¦" ro(%x : i32) -> i32', '"mov.u32 u, «{»"', ["{$w0}", "{$r0}"]),
    ],
)
def test_operands_are_written_as_in_the_template(host: Host, text: str, replaced: str, labels: list[str]) -> None:
    found, offered = operands(text, host)
    assert replaced in found
    assert offered == labels


def test_two_braces_of_rust_are_one_of_ptx() -> None:
    found, _ = operands(f'asm!("{{{{¦"{RUST}', Host.RUST)
    assert "«{" not in found


def test_an_operand_is_described() -> None:
    analysis, cursor = marked(f'asm!("mov.u32 u, ¦"{RUST}', Host.RUST)
    assert explain_inside(analysis, cursor, "{a}", ItemKind.REGISTER, "") == explain_inside(
        analysis, cursor, "%0", ItemKind.REGISTER, ""
    )


@pytest.mark.parametrize(
    ("host", "text", "first"),
    [
        (Host.CUDA, 'asm volatile("wg¦" : "=r"(x) : "r"(y));', "wgmma"),
        (Host.CUDA, 'asm volatile("{\\n\\t"\n "mo¦" "}");', "mov"),
        (Host.CUDA, 'asm volatile("¦" : "=r"(x));', "mov"),
        (Host.PYTHON, 'tl.inline_asm_elementwise("fm¦", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)', "fma"),
        (Host.PYTHON, 'tl.inline_asm_elementwise("shl.¦", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)', ".b16"),
        (Host.PYTHON, 'tl.inline_asm_elementwise("shl.b¦", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)', ".b16"),
        (Host.CUDA, 'asm volatile("{ mov.b32 ¦}" : "=r"(x) : "r"(y));', "%0"),
        (Host.CUDA, 'asm volatile("{ mov.b32 %¦}" : "=r"(x) : "r"(y));', "%0"),
        (Host.CUDA, 'asm volatile("{"\n "mov.b32 %¦"\n "}" : "=r"(x) : "r"(y));', "%0"),
        (Host.CUDA, 'asm volatile("{ mov.b32 %0, %%¦}" : "=r"(x) : "r"(y));', "%1"),
        (Host.PYTHON, 'tl.inline_asm_elementwise("ld.¦\n    y = x', ".const"),
        (Host.PYTHON, 'tl.inline_asm_elementwise("mov.u32 $0, ¦", "=r,r", [x]\n    y = x', "$1"),
        (Host.CUDA, 'asm volatile("wg¦"\n x = y;', "wgmma"),
        (Host.CUDA, 'asm volatile("wg¦\n x = y;\n f("");', "wgmma"),
        (Host.CUDA, 'asm volatile("{\\n"\n "ld.¦\n x = y;', ".const"),
        (Host.CUDA, 'asm volatile("mov.b32 %0, %¦" : "=r"(x)\n x = y;', "%0"),
        (Host.CUDA, 'asm volatile("mov.b32 %0, %¦" : "=r"(x) :\n "r"(y)\n x = y;', "%1"),
    ],
)
def test_half_typed_templates_have_items(host: Host, text: str, first: str) -> None:
    analysis, cursor = marked(text, host)
    found = completion(analysis, cursor)
    assert found is not None
    item = found.completions.items[0]
    assert item.label == first
    assert found.completions.range.end == cursor
    if item.kind is not ItemKind.REGISTER:
        assert explain_inside(analysis, cursor, item.label, item.kind, item.about)


@pytest.mark.parametrize(
    ("host", "text", "replaced", "first"),
    [
        (Host.CUDA, f'asm("ld.gl¦" TYPE " %0, [%1];"{C}', '"ld«.gl»" TYPE', ".global"),
        (Host.CUDA, f'asm("ld" SPACE ".¦ %0, [%1];"{C}', '"ld" SPACE "«.» %0', ".const"),
        (Host.CUDA, f'asm("ld.global" TYPE " %0, [¦];"{C}', "[«»];", "%[a]"),
        (Host.CUDA, f'asm("mov.u32 %0, ¦" VALUE ";"{C}', '%0, «»" VALUE', "%[a]"),
        (Host.PYTHON, f'{TRITON}(f"ld.{{s}}.{{t}} $0, [¦];", "=r,l", [x])', "[«»];", "$1"),
        (Host.PYTHON, f'{TRITON}(f"ld.{{s}}.¦ $0, [$1];", "=r,l", [x])', "«.» $0", ".const"),
        (Host.RUST, f'asm!(concat!("mov.u32 ", $x, ", ¦;"){RUST}', "«»;", "{a}"),
    ],
)
def test_statements_with_holes_have_items(host: Host, text: str, replaced: str, first: str) -> None:
    analysis, cursor = marked(text, host)
    found = completion(analysis, cursor)
    assert found is not None
    assert replaced in shown(analysis, [found.completions.range])
    assert found.completions.items[0].label == first


@pytest.mark.parametrize(
    "text",
    [
        'asm volatile("mo¦" : "=a"(x));',
        'asm volatile("v_mov¦_b32 %0, %1");',
        'asm volatile("mov x0, #1; mo¦");',
        'int f(int) asm("mo¦");',
    ],
)
def test_templates_of_other_processors_have_none(text: str) -> None:
    analysis, cursor = marked(text)
    assert completion(analysis, cursor) is None


def test_other_languages_of_c_are_not_completed_before_they_show_ptx() -> None:
    analysis, cursor = marked('asm volatile("mo¦" : "=r"(x));', Host.CPP)
    assert completion(analysis, cursor) is None


@pytest.mark.parametrize(
    ("host", "text", "first"),
    [
        (Host.CUDA, 'asm("ld.global.b32 %0, ¦" : "=r"(x) : [ptr] "l"(p));', "[%[ptr]]"),
        (Host.CUDA, 'asm("ld.global.b32 %0, ¦" : "=r"(x) : "l"(p));', "[%1]"),
        (Host.CUDA, 'asm("ld.global.v2.b32 ¦" : [a] "=r"(x), "=r"(y) : [ptr] "l"(p));', "{%[a], %1}"),
        (Host.RUST, 'asm!("ld.global.b32 {0}, ¦", out(reg32) o, a = in(reg64) a);', "[{a}]"),
        (Host.RUST, 'asm!("ld.global.v2.b32 ¦", out(reg32) o, out(reg32) p, in(reg64) a);', "{{{0}, {1}}}"),
    ],
)
def test_addresses_and_vectors_name_operands_as_the_template_does(host: Host, text: str, first: str) -> None:
    analysis, cursor = marked(text, host)
    found = completion(analysis, cursor)
    assert found is not None
    item = found.completions.items[0]
    assert (item.label, item.text) == (first, first)


def test_an_address_is_described_by_its_operand() -> None:
    analysis, cursor = marked('asm("ld.global.b32 %0, ¦" : "=r"(x) : [ptr] "l"(p));')
    described = explain_inside(analysis, cursor, "[%[ptr]]", ItemKind.REGISTER, "")
    assert described
    assert described == explain_inside(analysis, cursor, "%[ptr]", ItemKind.REGISTER, "")
