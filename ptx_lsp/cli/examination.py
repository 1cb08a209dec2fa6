"""Examines one file: reads it, fixes it if requested, checks it, and renders its findings.

Arguments and results are small and can be pickled, so that another process can do it.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from ptx_lsp.cli.check_text import Style
from ptx_lsp.cli.sources import (
    STANDARD_INPUT,
    SUFFIX,
    read_source,
    reason,
    shown_path,
    write_source,
)
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ptx_lsp.hosts.statement import Host

PTX, CUDA = "ptx", "cuda"
"""Two values of `--host` that are no names of hosts."""
NOTHING_COUNTED: Mapping[Severity, int] = {}


class Order(NamedTuple):
    """What to do with each file: `format` is text or json; if `fix` is true, the safe fixes are made in place first.

    `severities` holds, by code, severities other than the rule's default, None for a rule that is off.
    `maximum_version` is the highest PTX version that the user's tools accept. `hints` is true if hints are printed too.
    `unsafe_fixes` is true if unsafe fixes are made too; then `fix` is true. `host` is the language of the file, empty
    for that of its extension. `targets` are the targets that inline PTX is written for, empty for any.
    """

    format: str
    style: Style
    fix: bool
    severities: Mapping[str, Severity | None]
    maximum_version: Version | None
    hints: bool = False
    unsafe_fixes: bool = False
    host: str = ""
    targets: tuple[Target, ...] = ()


class Examination(NamedTuple):
    """The result for a file: its findings as text to print, their number by severity, how many were fixed.

    `trouble` says why the file could not be read; it is empty if it was read. `foreign` is true if the text is not PTX,
    was not checked, and no error reports that.
    """

    path: str
    output: str = ""
    counts: Mapping[Severity, int] = NOTHING_COUNTED
    fixed: int = 0
    trouble: str = ""
    foreign: bool = False


def examine(path: str, order: Order) -> Examination:
    """Check one file (`-`: standard input). Never raises, whether the file exists or not, except BrokenPipeError."""
    shown = shown_path(path)
    try:
        text = read_source(path)
        fixed = 0
        if (host := host_of(path, order.host)) is not None:
            return _examined_host(shown, text, host, order)
        if order.fix:
            text, fixed = _fixed(path, text, order)
        return _examined(shown, text, order, fixed)
    except BrokenPipeError:
        raise
    except OSError as error:
        return Examination(shown, trouble=reason(error))
    except MemoryError:
        return Examination(shown, trouble="it does not fit into memory")
    except Exception as error:
        # a bug that one file shows must not stop the check of the other 3,999
        return Examination(shown, trouble=_bug(error))


def host_of(path: str, named: str = "") -> "Host | None":
    """The language of a file with inline PTX, by its name or as the user has named it; None for PTX."""
    if named == PTX or (not named and (path.endswith(SUFFIX) or path == STANDARD_INPUT)):
        return None
    from ptx_lsp.hosts import scan
    from ptx_lsp.hosts.statement import Host

    return (Host.CUDA if named == CUDA else Host(named)) if named else scan.host_of(path)


def _examined_host(shown: str, text: str, host: "Host", order: Order) -> Examination:
    from ptx_lsp.analysis.checks import Checks
    from ptx_lsp.embedded.host_text import HostText

    analysis = HostText(text, host, Checks(order.severities, order.maximum_version), order.targets)
    analysis.work()
    return _rendered(shown, analysis.findings(), analysis.document.line, order)


def _examined(shown: str, text: str, order: Order, fixed: int) -> Examination:
    from ptx_lsp.analysis.checks import Checks
    from ptx_lsp.analysis.module import Module

    module = Module(text, Checks(order.severities, order.maximum_version))
    module.work()
    foreign = module.foreign is not None and module.foreign.severity is not Severity.ERROR
    return _rendered(shown, module.findings(), module.document.line, order)._replace(fixed=fixed, foreign=foreign)


def _rendered(shown: str, found: list[Finding], line: Callable[[int], str], order: Order) -> Examination:
    findings = [each for each in found if order.hints or each.severity is not Severity.HINT]
    counts = Counter(finding.severity for finding in findings)
    if order.format == "json":
        from ptx_lsp.cli import check_json

        output = check_json.render(shown, findings)
    else:
        from ptx_lsp.cli import check_text

        output = check_text.render(shown, findings, line, order.style)
    return Examination(shown, output, dict(counts))


def _fixed(path: str, text: str, order: Order) -> tuple[str, int]:
    from ptx_lsp.analysis.checks import Checks
    from ptx_lsp.fixes.fix_all import fix_all

    checks = Checks(order.severities, order.maximum_version)
    new_text, count = fix_all(text, checks, unsafe=order.unsafe_fixes)
    if count or path == STANDARD_INPUT:
        write_source(path, new_text)
    return new_text, count


def _bug(error: Exception) -> str:
    from traceback import extract_tb

    last = extract_tb(error.__traceback__)[-1]
    return f"a bug in ptx-lsp, please report it: {type(error).__name__}: {error} ({last.name}:{last.lineno})"
