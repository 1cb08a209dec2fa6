"""Completion of operands, as each language writes them."""

import pytest

from ptx_lsp.candidates.completion_items import ItemKind
from ptx_lsp.embedded.completion import completion, explain_inside
from ptx_lsp.hosts.statement import Host
from tests.embedded.places import marked, shown

RUST = ", a = in(reg32) x, out(reg32) y);"
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
