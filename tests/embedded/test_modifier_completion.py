"""Completion of modifiers in inline PTX."""

import pytest

from ptx_lsp.candidates.modifier_candidates import SHOWN
from ptx_lsp.embedded.completion import completion
from tests.embedded.places import marked


@pytest.mark.parametrize(
    ("template", "word"),
    [
        ("wgmma.mma_async.sync.¦", ".aligned"),
        ("wgmma.mma_async.sync.aligned.¦.f32.bf16.bf16 {%0}, %1, %2, 1, 1, 1;", ".m64n40k16"),
        ("st.¦.v2.u64 [%0], {%1, %2};", ".cg"),
        ("{\\n\\tatom.relaxed.¦.shared::cluster.add.s32 %0, [%1], 1;\\n}", ".cluster"),
    ],
)
def test_a_modifier_is_among_the_first_items(template: str, word: str) -> None:
    found = completion(*marked(f'void f() {{ asm volatile("{template}" : "=r"(a) : "l"(b), "l"(c)); }}'))
    assert found is not None
    assert word in [item.label for item in found.completions.items][:SHOWN]
