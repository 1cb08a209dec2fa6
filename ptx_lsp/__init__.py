"""The language server for PTX, NVIDIA's GPU virtual assembly, and its checker as a library.

from ptx_lsp import check

for finding in check(text):
    print(finding.range.line + 1, finding.severity.name, finding.code, finding.message)
"""

from ptx_lsp.light_classes import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_lsp.analysis.checks import Checks
    from ptx_lsp.findings.finding import Finding

__all__ = ["__version__", "check"]
__version__ = "0.1.0"


def check(text: str, checks: "Checks | None" = None) -> "list[Finding]":
    """Every finding for one PTX module, sorted by place. `ptx-lsp check` makes the same call.

    `text` is the whole module; read a file with `encoding="utf-8", errors="surrogateescape", newline=""`, so that
    bytes that are not UTF-8 keep their places. `checks` says which rules are on and their severities; without it
    every rule has the severity of its page in `rules/`. No text raises an exception. Lines and columns of ranges count
    from 0, columns in code points, ends exclusive. A module that the assembler accepts has no finding of
    `Severity.ERROR`, except for what no assembler compiles.
    """
    from ptx_lsp.analysis.checks import Checks
    from ptx_lsp.analysis.module import Module

    module = Module(text, checks or Checks())
    module.work()
    return module.findings()
