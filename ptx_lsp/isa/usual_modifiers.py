"""The modifiers that programs use most, by opcode: they come first where the list is long.

An opcode without a row has that of `*`. The first words of a row are the most usual ones.
"""

from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable

_ROWS = """
*     .global .shared .param .local .const .f32 .s32 .u32 .b32 .u64 .s64 .b64 .f64 .u16 .b16 .f16 .u8 .b8 .pred .s16 .s8
*     .f16x2 .bf16 .bf16x2 .rn .sync .aligned .v2 .v4 .ftz .lo .wide .eq .ne .lt .le .gt .ge
add   .s32 .s64 .u32 .u64 .f32 .f64 .rn .ftz .f16 .f16x2 .bf16 .bf16x2 .cc .s16 .u16 .f32x2 .s16x2 .u16x2 .sat .rz
sub   .s32 .s64 .u32 .u64 .f32 .f64 .rn .ftz .f16 .f16x2 .bf16 .bf16x2 .cc .s16 .u16 .f32x2 .s16x2 .u16x2 .sat .rz
ld    .global .param .shared .local .const .u32 .u64 .f32 .b32 .b64 .f64 .u16 .u8 .v2 .v4 .relaxed .acquire .volatile
ld    .s32 .b16 .shared::cluster .b8 .nc .s8 .s16 .s64 .L1::no_allocate .L2::cache_hint .L1::evict_last .L1::evict_first
ld    .shared::cta .sys .gpu .cta .ca .cg .cs .lu .cv .v8 .L2::128B .L2::256B .L1::evict_normal .weak
st    .global .param .shared .local .u32 .u64 .f32 .b32 .b64 .f64 .u16 .u8 .v2 .v4 .relaxed .release .volatile .async
st    .b16 .b8 .cs .cg .wt .wb .L1::no_allocate .L2::cache_hint .L1::evict_first .L1::evict_last .shared::cluster .bulk
st    .shared::cta .sys .gpu .cta .b128 .v8 .s32 .s64 .s16 .s8
cvt   .u32 .u64 .s32 .s64 .f32 .f64 .u16 .rn .f16 .s16 .rzi .rni .rmi .rpi .u8 .s8 .ftz .sat .bf16 .rz .satfinite .f16x2
cvt   .bf16x2 .rm .rp .relu .rna .tf32 .e4m3x2 .e5m2x2 .pack
mma   .sync .aligned .m16n8k16 .m16n8k8 .m8n8k4 .m16n8k32 .row .col .f32 .f16 .bf16 .tf32 .s32 .s8 .u8 .f64 .m16n8k4
mma   .m16n8k64 .m8n8k16 .m8n8k32 .sp .e4m3 .e5m2 .satfinite
wgmma .mma_async .sync .aligned .fence .commit_group .wait_group .sp .m64n256k16 .m64n128k16 .m64n64k16 .m64n32k16
wgmma .m64n16k16 .m64n8k16 .m64n192k16 .m64n96k16 .m64n256k32 .m64n128k32 .m64n64k32 .m64n32k32 .m64n256k8 .m64n128k8
wgmma .m64n64k8 .m64n256k64 .m64n128k64 .m64n64k64 .m64n32k64 .m64n16k64 .m64n8k64 .f32 .f16 .bf16
wgmma .tf32 .s32 .s8 .u8 .e4m3 .e5m2 .satfinite
atom  .global .shared .add .cas .exch .min .max .and .or .xor .inc .dec .relaxed .acq_rel .acquire .release .gpu .sys
atom  .cta .cluster .shared::cluster .u32 .f32 .b32 .s32 .u64 .b64 .f64 .s64 .noftz .f16 .f16x2 .bf16 .bf16x2
red   .global .shared .add .min .max .and .or .xor .inc .dec .relaxed .release .async .gpu .sys .cta .cluster
red   .shared::cluster .u32 .f32 .b32 .s32 .u64 .b64 .f64 .s64 .noftz .f16 .f16x2 .bf16 .bf16x2
setp  .eq .ne .lt .le .gt .ge .s32 .u32 .f32 .f64 .s64 .u64 .b32 .b16 .s16 .u16 .b64 .and .or .ltu .gtu .neu .equ .leu
setp  .geu .num .nan .lo .hi .ls .hs .xor .ftz .f16
set   .eq .ne .lt .le .gt .ge .u32 .s32 .f32 .f64 .u64 .s64 .b32 .f16 .f16x2 .bf16 .bf16x2 .ltu .gtu .neu .equ .ftz .and
"""


@forgettable
@lru_cache(maxsize=512)
def usual(opcode: str) -> dict[str, int]:
    """The usual modifiers of an opcode with their ranks, from 0: the lowest is the most usual one."""
    rows = [row.split() for row in _ROWS.strip().splitlines()]
    own = [word for opcode_, *words in rows if opcode_ == opcode for word in words]
    words = own or [word for opcode_, *words in rows if opcode_ == "*" for word in words]
    return {word: rank for rank, word in enumerate(dict.fromkeys(words))}


def is_usual(word: str) -> bool:
    """Whether a modifier is a usual one of any opcode in the table."""
    return word in _ROWS.split()
