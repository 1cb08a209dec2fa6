"""The words with a dot that are no name of a section (observed: ptxas 13.5, the same for every version and target).

These are words of the lexer of ptxas. It takes `.sreg`, `.version`, `.v8`, and many modifiers, such as `.a`, `.bulk`
and `.kind::f16`.
"""

_WORDS = """
.128x128b .128x256b .16x128b .16x256b .16x32bx2 .16x64b .1d .2d .2dms .2pi .32x128b .32x32b .3d .4d .4x256b .5d
.64x128b .L1 .L1::32B .L1::evict_first .L1::evict_last .L1::evict_normal .L1::evict_unchanged .L1::no_allocate .L2
.L2::128B .L2::256B .L2::64B .L2::cache_hint .L2::evict_first .L2::evict_last .L2::evict_normal .L2::evict_unchanged
.NaN .a1d .a2d .a2dms .abi_preserve .abi_preserve_control .abs .acc::f16 .acc::f32 .acq_rel .acquire .acube .add
.addr_mode_0 .addr_mode_1 .addr_mode_2 .address_size .alias .align .aligned .all .and .any .approx .array_size
.async::generic .attribute .b1024 .b128 .b16 .b32 .b4e .b64 .b8 .ballot .bf16 .bf16x2 .bfly .block16 .block32
.blocksareclusters .box_dim .branchtargets .bulk_group .ca .callprototype .calltargets .cas .cc .cg .channel_data_type
.channel_order .clamp .cluster .col .common .const .cs .cta .cube .cv .dec .depth .down .e2m1x2 .e2m1x4 .e2m3x2
.e2m3x4 .e3m2x2 .e3m2x4 .e4m3 .e4m3x2 .e4m3x4 .e5m2 .e5m2x2 .e5m2x4 .ecl .ecr .element_stride .elemtype .entry .eq
.equ .exch .exclusive .explicitcluster .extern .f16 .f16x2 .f32 .f32x2 .f4e .f64 .file .fill_mode .filter_mode .finite
.force_unnormalized_coords .ftz .func .ge .geu .gl .global .global_address .global_dim .global_stride .gpu .gt .gtu
.height .hi .hs .idx .ignore_oob .inc .infinite .interleave_layout .language .le .leu .lo .loc .loc_intermediate
.local .ls .lt .ltu .lu .m16n16 .m16n16k16 .m16n16k8 .m16n8 .m16n8k128 .m16n8k16 .m16n8k256 .m16n8k32 .m16n8k4
.m16n8k64 .m16n8k8 .m32n8k16 .m8n16 .m8n32k16 .m8n8 .m8n8k128 .m8n8k16 .m8n8k32 .m8n8k4 .managed .max .maxclusterrank
.maxnctapersm .maxnreg .maxntid .mbarrier .mbarrier::arrive::one .mbarrier::complete_tx::bytes .mbarrier_init
.memory_layout .min .minnctapersm .minperctamemory .mmio .multicast::cluster .multicast::cluster::all .multimem .nan
.nc .ne .neu .noComplete .no_membermask_overlap .noftz .noinc .noreturn .normal .normalized_coords .notanumber .num
.num_mipmap_levels .num_samples .number .or .param .param::entry .param::func .po .popc .pragma .pred .proxy::readonly
.ptr .rank .rc16 .rc8 .reg .relaxed .release .relu .reqnctapercluster .reqntid .rm .rmi .rn .rna .rni .row .rp .rpi
.rs .rz .rzi .s16 .s16x2 .s2 .s2f6x2 .s32 .s4 .s64 .s8 .samplerref .sat .satfinite .sc .section .shared
.shared::cluster .shared::cta .shiftamt .shr15 .shr7 .sp .sp::ordered_metadata .subnormal .surfref .swizzle_atomicity
.swizzle_mode .sync .sync_restrict::shared::cluster .sync_restrict::shared::cluster::read .sync_restrict::shared::cta
.sys .target .tensormap .tensormap::generic .tex .texref .trans .trap .u16 .u16x2 .u2 .u32 .u4 .u64 .u8 .ue8m0x2 .uni
.unified .up .v2 .v4 .valid_addr .visible .volatile .wb .weak .width .wrap .wt .x1 .x128 .x16 .x2 .x32 .x4 .x64 .x8
.xor .zero
"""
_COLUMNS = range(8, 257, 8)
_COLUMNS_OF_BITS = (8, 24, *range(16, 257, 16))
_SHAPES = (f".m64n{n}k{k}" for k in (8, 16, 32, 64, 256) for n in (_COLUMNS_OF_BITS if k == 256 else _COLUMNS))
NOT_SECTIONS = frozenset((*_WORDS.split(), *_SHAPES))
"""The words that name no section, each with its dot."""
