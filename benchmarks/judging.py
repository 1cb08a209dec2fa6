"""The first judgement of a key (opcode text, kinds of operands), and the reading of the rows of an opcode."""

import time
from collections.abc import Iterator

from benchmarks.plan import Plan
from benchmarks.table import Row
from ptx_lsp.isa.instructions import instruction, opcodes
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import judge
from ptx_lsp.memo import forget_all
from ptx_lsp.semantics.shipped_outcomes import operand_kinds
from tests.semantics.shipped_outcomes import groups

VERSION, TARGET = Version(9, 0), Target(90)


def judging(plan: Plan) -> Iterator[Row]:
    """All rows are read once in a process; then the keys that compilers write most are judged for the first time."""
    begun = time.process_time()
    for opcode in opcodes():
        instruction(opcode)
    reading = time.process_time() - begun
    what = f"rows of {len(opcodes())} opcodes, read when first judged (as long as this process has not), cpu"
    yield Row(what, f"{reading * 1000:.1f} ms", f"{reading * 1e6 / len(opcodes()):.0f} us each")
    keys = [(key[0], operand_kinds(key)) for group in groups() for key in group.keys]
    forget_all()
    begun = time.process_time()
    for opcode, kinds in keys:
        judge(opcode, kinds, VERSION, TARGET)
    each = (time.process_time() - begun) / len(keys)
    yield Row(f"first judgement of a key, mean of {len(keys)}, cpu", f"{each * 1e6:.0f} us", "", "", "50 us", "20 us")
