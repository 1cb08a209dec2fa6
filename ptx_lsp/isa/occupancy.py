"""The numbers of threads and CTAs that a multiprocessor (SM) of each target holds, and of registers per thread.

Observed: full compile with ptxas 12.9 (`sm_50` to `sm_72`) and 13.5 (the others), the last value without a warning.
"""

from ptx_lsp.isa.special_registers import THREADS_PER_WARP
from ptx_lsp.isa.versions import Target
from ptx_lsp.light_classes import NamedTuple


class Capacity(NamedTuple):
    """What one multiprocessor holds: threads and CTAs, and the fewest registers that ptxas gives a thread."""

    threads: int
    blocks: int
    least_registers: int


# targets of one number (`sm_90`, `sm_90a`), threads, CTAs, the fewest registers of a thread
_ROWS = """
50 52 53 60 61 62           2048 32 16
70 72 80 90 100 101 103     2048 32 24
75 107                      1024 16 24
86 87 88                    1536 16 24
89 110 120 121              1536 24 24
"""
REGISTERS = 65536
"""The 32-bit registers that the threads of one multiprocessor share, on every target of the table."""
MOST_REGISTERS = 255
"""The maximum number of registers of one thread."""

_REGISTER_STEP = 8  # ptxas gives each thread a multiple of this many registers
_PARTITIONS = 4  # of a multiprocessor: the warps are spread evenly over them


def _read(row: str) -> dict[int, Capacity]:
    *numbers, threads, blocks, least = map(int, row.split())
    return dict.fromkeys(numbers, Capacity(threads, blocks, least))


_CAPACITIES: dict[int, Capacity] = {}
for _row in _ROWS.strip().splitlines():
    _CAPACITIES |= _read(_row)


def capacity(target: Target) -> Capacity | None:
    """The capacity of a target's multiprocessor; None for targets older than the table."""
    return _CAPACITIES.get(target.number)


def warps_of(threads: int) -> int:
    """The number of warps of a CTA with `threads` threads."""
    return -(-threads // THREADS_PER_WARP)


def registers_for(warps: int) -> int:
    """The number of registers of each thread if `warps` warps (at least 1) share a multiprocessor.

    Observed: ptxas 12.4, 12.9 and 13.5, in the message about `setmaxnreg.dec`.
    """
    threads = -(-warps // _PARTITIONS) * _PARTITIONS * THREADS_PER_WARP
    return min(MOST_REGISTERS, REGISTERS // threads // _REGISTER_STEP * _REGISTER_STEP)
