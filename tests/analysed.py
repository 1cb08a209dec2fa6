"""A module after its complete analysis."""

from ptx_lsp.analysis.module import Checks, Module


def analysed(text: str, checks: Checks | None = None) -> Module:
    """The module of a text, analysed to its end with these checks (None: the usual ones)."""
    module = Module(text, checks)
    module.work()
    return module
