"""The sources of rules for constant expressions. They disagree; what ptxas computes is what the GPU gets."""

from ptx_lsp.light_classes import Enum


class Authority(Enum):
    """A source of rules. Users choose between PTXAS and ISA; the other two are the two parts of the manual.

    ISA follows the manual's prose, and its Table 5 where the prose is silent.
    """

    PTXAS = "ptxas"  # observed: ptxas 12.0 to 13.5
    ISA = "isa"
    PROSE = "prose"  # integer-constant-expression-evaluation
    TABLE = "table"  # summary-of-constant-expression-evaluation-rules

    @property
    def title(self) -> str:
        """The name shown to users."""
        return _TITLES[self]


_TITLES = {
    Authority.PTXAS: "ptxas",
    Authority.ISA: "ISA",
    Authority.PROSE: "ISA prose",
    Authority.TABLE: "ISA Table 5",
}
