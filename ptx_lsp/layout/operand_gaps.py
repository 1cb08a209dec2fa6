"""The blanks that NVIDIA's compiler writes between an opcode and its operands, as rows: they differ between versions.

Where no row fits, it is one blank and a tab. All rows are observed in the output of compilers of these versions.
"""

import re
from typing import NamedTuple

_ALL = range(1_000)  # also modules that do not say their version
_KNOWN = range(1, 1_000)
_2 = range(2, 3)  # CUDA 4.1 to 5.0
_3 = range(3, 4)  # "LLVM 3.4svn"
_UP_TO_3 = range(1, 4)
_7 = range(7, 8)
_20 = range(20, 21)
_USUAL = " \t"


class GapRow(NamedTuple):
    """The blanks after opcodes that begin with `opcode`, in some versions of NVVM.

    `operands` is how the operands begin, with or without blanks between them; if it is not empty, the row is for
    statements without a guard.
    """

    opcode: str
    versions: range
    gap: str
    operands: str = ""


# The first row that fits counts.
ROWS = (
    GapRow("bra.uni", _ALL, "\t", r"\$L__tmp"),  # labels for debug information
    GapRow("call", _ALL, " "),
    GapRow("wmma.mma.", _ALL, " "),
    GapRow("suld.", _ALL, " "),
    GapRow("tex.", _2, " "),
    GapRow("redux.sync.", range(1, 23), " "),
    GapRow("ldmatrix.", _KNOWN, " "),
    GapRow("stmatrix.", _KNOWN, " "),
    GapRow("cp.async.", _KNOWN, " "),
    GapRow("mbarrier.try_wait.", _KNOWN, " "),
    GapRow("mbarrier.arrive.", _KNOWN, " "),
    GapRow("and.", range(1, 21), "  \t"),
    GapRow("or.", range(1, 21), "  \t"),
    GapRow("xor.", range(1, 21), "  \t"),
    GapRow("shfl.sync.", _20, "\t"),
    GapRow("isspacep.", _20, "\t"),
    GapRow("mapa.", _20, "\t"),
    GapRow("mapa.", _7, "\t"),
    GapRow("mov.b32", _7, " ", r"[^;]*%cluster_n?ctarank;"),
    GapRow("setp.", _3, "\t"),
    GapRow("selp.", _3, "\t"),
    GapRow("cvt.s", _3, _USUAL, r"%(r[sd]?)\d+, ?%\1\d"),  # the sign of a part of a register
    GapRow("cvt.u", _3, _USUAL, r"%temp\b"),
    GapRow("cvt.", _3, "\t"),
    GapRow("st.param.", _UP_TO_3, "\t"),
    GapRow("ld.param.", _UP_TO_3, "\t", r"[^;]*\[retval\d"),
    GapRow("mov.b", _UP_TO_3, "\t", r"%\w+, ?[A-Za-z_$]"),  # the address of a parameter
    GapRow("mov.b", _3, "\t", r"%r[sd]?\d+, ?[{]|[{]%r[sd]?\d+, ?%r[sd]?\d|%r\d+, ?%envreg"),
    GapRow("mov.b", _3, " \t ", r"%f[d]?\d+, ?%r|%r[d]?\d+, ?%f"),  # between registers of two kinds
)


class _Row(NamedTuple):
    opcode: str
    versions: range
    gap: str
    operands: re.Pattern[str] | None


def _word(opcode: str) -> str:
    return opcode.partition(".")[0]


_COMPILED = [_Row(*row[:3], re.compile(row.operands) if row.operands else None) for row in ROWS]
_BY_WORD = {
    word: [row for row in _COMPILED if _word(row.opcode) == word] for word in {_word(row.opcode) for row in ROWS}
}


def operand_gap(opcode: str, nvvm: int, operands: str = "") -> str:
    """The blanks between an opcode with its modifiers and the operands, which are empty for a guarded statement."""
    for row in _BY_WORD.get(_word(opcode), ()):
        fits = nvvm in row.versions and opcode.startswith(row.opcode)
        if fits and (row.operands is None or row.operands.match(operands) is not None):
            return row.gap
    return _USUAL
