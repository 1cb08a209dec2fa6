"""The labels that compilers generate. Such a label is not reported as unused."""

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.patterns import lazy_pattern, re


class Generated(NamedTuple):
    """Labels of one origin: `pattern` is a regular expression for the whole name, `origin` says who writes them."""

    pattern: str
    origin: str


_BLOCK = r"BB\d++_\d++"  # of a basic block
ROWS = (
    Generated(r"\$L__[\w$]*", "LLVM's private labels, and nvcc's from 11.0 on: `$L__BB0_1`, `$L__tmp3`"),
    Generated(
        rf"_*L(?:{_BLOCK}|JTI\d+_\d+|tmp\d+|func_begin\d+|func_end\d+|info_string\d+)", "LLVM before 14: `LBB0_1`"
    ),
    Generated(_BLOCK, "nvcc 4.1 to 10: `BB0_1`"),
    Generated(r"\$L_brx_\d+", "the tables of `brx.idx`, by LLVM and nvcc: `$L_brx_0`"),
    Generated(r"\$L(?:DWbegin|DWend|BB\d+)_[\w$]*", "nvopencc, until nvcc 4.0: `$LDWbegin_k`, `$LDWend_k`, `$LBB1_k`"),
    Generated(r"\$LDW(?:begin|end)", "the same without a name"),
    Generated(r"\$Lt?_\d+_[\w$]*", "nvopencc: `$Lt_0_1`, `$L_0_1794`"),
    Generated(r"\$L\d+", "GCC: `$L1`"),
    Generated(r"(?i:(?:\$?L|\$)?_*(?:tmp|func_begin|func_end|sec_end|info_string|cfi|debug)[\w$]*)", "for debuggers"),
)

BLOCK_LABEL_TEXT = rf"(?:\$[\w$]++|L?{_BLOCK})"
"""A pattern for the labels of blocks, and for all others that begin with a `$`."""

_ANY = lazy_pattern("|".join(row.pattern for row in ROWS), re.ASCII)


def is_generated(name: str) -> bool:
    """Whether a label has a name as compilers generate them."""
    return _ANY.fullmatch(name) is not None
