"""Inline PTX in Triton: the elements of 8 bits arrive packed, four in a register."""

import triton
import triton.language as tl


@triton.jit
def add(x_pointer, y_pointer, out_pointer, size: tl.constexpr):
    at = tl.arange(0, size)
    x, y = tl.load(x_pointer + at), tl.load(y_pointer + at)
    total = tl.inline_asm_elementwise("add.u8x4 $0, $1, $3;", "=r,r,r", [x, y], dtype=tl.uint8, is_pure=True, pack=4)
    tl.store(out_pointer + at, total)
