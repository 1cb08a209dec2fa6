"""What an instruction needs, as its hover says it. The versions and targets are those of the PTX ISA notes."""

import pytest

from tests.features.modules import hover_text, in_body


@pytest.mark.parametrize(
    ("statement", "needs"),
    [
        (
            "¦atom.relaxed.gpu.global.xor.b32 %r1, [%rd1], %r2;",
            "needs PTX ISA 5.1 (CUDA 9.0) and sm_70 or later for .relaxed",
        ),
        ("¦rcp.approx.ftz.f64 %fd1, %fd2;", "needs PTX ISA 2.1 (CUDA 3.1) and sm_20 or later"),
        (
            "¦cvta.const.u64 %rd1, %rd2;",
            "needs PTX ISA 2.0 (CUDA 3.0) and sm_20 or later; needs PTX ISA 3.1 (CUDA 5.0) for .const",
        ),
        ("¦bar.red.popc.u32 %r1, 0, %p1;", "needs PTX ISA 2.0 (CUDA 3.0); needs sm_20 or later for .red"),
    ],
)
def test_no_need_of_an_instruction_follows_from_another(statement: str, needs: str) -> None:
    assert f"\n{needs}\n" in hover_text(in_body(statement))
