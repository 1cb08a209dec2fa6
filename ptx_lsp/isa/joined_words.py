"""Names of instructions that ptxas reads as one word: no blank and no comment may be inside of `mul.wide`.

Observed: ptxas 13.5, every opcode with a blank before each of its first modifiers. Most opcodes may be divided before
every modifier, as in `add .s32`.
"""

from ptx_lsp.light_classes import cache

# the opcode, and the modifiers after it, each with those before it, up to the end of the word
_ROWS = """
bar .arrive .cta .cta.arrive .cta.red .red .warp
barrier .arrive .cluster .cluster.arrive .cluster.wait .cta .cta.arrive .cta.red .red
brx .idx
clmad .hi .lo
clusterlaunchcontrol .query_cancel .try_cancel .try_cancel.async
cp .async .async.bulk .async.bulk.commit_group .async.bulk.prefetch .async.bulk.prefetch.tensor
cp .async.bulk.tensor .async.bulk.wait_group .async.commit_group .async.mbarrier .async.mbarrier.arrive
cp .async.wait_all .async.wait_group .reduce .reduce.async .reduce.async.bulk .reduce.async.bulk.tensor
createpolicy .cvt .fractional .range
cvt .pack
cvta .to
div .full
dp2a .hi .lo
fabric .submit .try_get .try_get.async .try_pullred .try_pullred.async .try_put .try_put.async .try_red
fabric .try_red.async .wait
fence .proxy
mad .hi .lo .wide
mad24 .hi .lo
madc .hi .lo
mbarrier .arrive .arrive.expect_tx .arrive_drop .arrive_drop.expect_tx .check_layout .complete_tx .expect_tx
mbarrier .init .inval .pending_count .test_wait .test_wait.parity .try_wait .try_wait.parity
membar .proxy
mul .hi .lo .wide
mul24 .hi .lo
multimem .cp .cp.async .cp.async.bulk .cp.reduce .cp.reduce.async .cp.reduce.async.bulk .ld_reduce .red
multimem .red.async .st .st.async
pmevent .mask
red .async
setmaxnreg .dec .inc
shf .l .r
st .async .bulk
suld .b
sured .b .p
sust .b .p
tcgen05 .alloc .commit .cp .dealloc .fence::after_thread_sync .fence::before_thread_sync .ld .ld.red .mma
tcgen05 .mma.ws .relinquish_alloc_permit .shift .st .wait::ld .wait::st
tensormap .cp_fenceproxy .replace
tex .base .grad .level
txq .level
wgmma .commit_group .fence .mma_async .wait_group
wmma .load .load.a .load.b .load.c .mma .store .store.d
"""

# Ends of modifiers that ptxas reads as words of their own: blanks may be before them, and every instruction takes one
# of each line among its modifiers, where most instructions ignore it.
_DETACHED = """
::ld ::st
::before_thread_sync ::after_thread_sync
"""


@cache
def _joined() -> frozenset[str]:
    return frozenset(opcode + more for opcode, *rest in map(str.split, _ROWS.split("\n")[1:-1]) for more in rest)


def is_joined(name: str) -> bool:
    """Whether an opcode with modifiers, such as `cp.async.bulk`, is one word, or the beginning of a longer one."""
    return name in _joined()


@cache
def detached_ends() -> dict[str, frozenset[str]]:
    """The ends of modifiers that are words of their own, such as `::ld`, each with those of which one excludes it."""
    rows = [frozenset(row.split()) for row in _DETACHED.split("\n")[1:-1]]
    return {end: row for row in rows for end in row}
