"""The language server for PTX, NVIDIA's GPU virtual assembly, and its checker as a library.

from ptx_lsp import check

for finding in check(text):
    print(finding.range.line + 1, finding.severity.name, finding.code, finding.message)
"""

TYPE_CHECKING = False  # type checkers take this name for true; a program finds modules faster after this one

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from ptx_lsp.analysis.module import Checks
    from ptx_lsp.findings.finding import Finding
    from ptx_lsp.hosts.statement import Host
    from ptx_lsp.isa.versions import Target

__all__ = ["__version__", "check", "check_embedded", "check_file"]
__version__ = "0.1.0"


def check_embedded(
    text: str, host: "Host | str", checks: "Checks | None" = None, targets: "Iterable[Target]" = ()
) -> "list[Finding]":
    """Every finding for the inline PTX of a text in another language, sorted by place.

    `host` is the language: one of `ptx_lsp.hosts.statement.Host` or its value, such as "cuda-cpp", "python" or "rust".
    `targets` are the targets that its statements are written for; without them a statement may be for any target, and
    only what fails for all of them is reported. Positions are those of `check`. No `text` raises an exception; a `host`
    that is not one of these values raises ValueError.
    """
    from ptx_lsp.embedded.host_text import check_host
    from ptx_lsp.hosts.statement import Host

    return check_host(text, Host(host), checks, targets)


def check(text: str, checks: "Checks | None" = None) -> "list[Finding]":
    """Every finding for one PTX module, sorted by place. `ptx-lsp check` makes the same call.

    `text` is the whole module; read a file with `encoding="utf-8", errors="surrogateescape", newline=""`, so that
    bytes that are not UTF-8 keep their places. `checks` says which rules are on and their severities; without it
    every rule has the severity of its page in `rules/`. No text raises an exception. Lines and columns of ranges count
    from 0, columns in code points, ends exclusive. A module that `ptxas` accepts when it only parses and checks has no
    finding of `Severity.ERROR`, unless every `ptxas` since CUDA 12.1 that knows its version and target refuses to
    compile it.
    """
    from ptx_lsp.analysis.module import Checks, Module

    module = Module(text, checks or Checks())
    module.work()
    return module.findings()


def check_file(path: "str | PathLike[str]") -> "list[Finding]":
    """Every finding for the module in a file, by the configuration file that holds for it; see `check`.

    A file `*.gz` is unpacked. Hints are in the result too. Raises OSError if the file cannot be read.
    """
    from ptx_lsp.cli.library import check_file

    return check_file(str(path))
