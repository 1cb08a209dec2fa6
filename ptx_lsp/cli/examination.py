"""Examines one file: reads it, fixes it if requested, checks it, and renders its findings.

Arguments and results are small and can be pickled, so that another process can do it.
"""

import gc
import time

from ptx_lsp.analysis.module import Checks, Module, checks_of
from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.table import FORMATS, Format
from ptx_lsp.cli.project_files import absolute, settings_for
from ptx_lsp.cli.sources import STANDARD_INPUT, is_ptx_file, read_source, reason, shown_path, write_source
from ptx_lsp.findings.codes import EVERY_CODE
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.isa.versions import Target
from ptx_lsp.light_classes import TYPE_CHECKING, Any, Mapping, NamedTuple

if TYPE_CHECKING:
    from ptx_lsp.config.settings import Settings
    from ptx_lsp.fixes.fix import Fix
    from ptx_lsp.hosts.statement import Host

Counts = Mapping[tuple[str, Severity], int]
"""The number of findings by code and severity."""

NOTHING_COUNTED: Counts = {}
PTX, CUDA = "ptx", "cuda"
"""Two values of `--host` that are not values of `Host`."""
_USUAL = Checks()


class Order(NamedTuple):
    """What to do with each file: `format` is one of `FORMATS`; if `fix` is true, the safe fixes are made first.

    `values` are the settings of the command line, `configuration` the configuration file that it names (empty: none is
    read; None: the nearest one of each file counts). `hints` is true if hints are printed too. `unsafe_fixes` is true
    if unsafe fixes are made too, and `diff` if nothing is written and the fixes are printed; then `fix` is true.
    `stdin_name` is the name of standard input; empty if it has none.
    `host` is the language of the file, empty for that of its extension.
    """

    format: str
    style: Style
    values: Mapping[str, object]
    configuration: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    hints: bool = False
    stdin_name: str = ""
    host: str = ""

    def shown(self, path: str) -> str:
        """The name of a file in the output."""
        return self.stdin_name if self.stdin_name and path == STANDARD_INPUT else shown_path(path)

    def file_name(self, path: str) -> str:
        """The path that decides which configuration holds for a file; standard input is a file of this folder."""
        return self.stdin_name or "stdin.ptx" if path == STANDARD_INPUT else path


class Examination(NamedTuple):
    """The result for a file: its findings as text to print, their number by code and severity, how many were fixed.

    `trouble` says why the file could not be read; it is empty if it was read. `foreign` is true if the text is not PTX,
    was not checked, and no error reports that. `seconds` is the time that the examination took. `remarks` are lines for
    the user beside the findings: which fixes could not be made.
    """

    path: str
    output: str = ""
    counts: Counts = NOTHING_COUNTED
    fixed: int = 0
    trouble: str = ""
    foreign: bool = False
    seconds: float = 0.0
    remarks: tuple[str, ...] = ()


def examine(path: str, order: Order) -> Examination:
    """Check one file (`-`: standard input). Raises only BrokenPipeError: the result says why it failed."""
    shown = order.shown(path)
    start = time.perf_counter()
    try:
        examined = _examined(path, shown, order)
    except BrokenPipeError:
        raise
    except OSError as error:
        return Examination(shown, trouble=reason(error))
    except MemoryError:
        return Examination(shown, trouble="it does not fit into memory")
    except Exception as error:
        # a bug that one file shows must not stop the check of the other 3,999
        return Examination(shown, trouble=_bug(error))
    return Examination(*examined[:-2], time.perf_counter() - start, examined.remarks)  # `_replace` takes longer


def _examined(path: str, shown: str, order: Order) -> Examination:
    name = order.file_name(path)
    settings = settings_for(name, order.configuration, order.values)
    ignored = settings.ignored(absolute(name)) if settings is not None else frozenset()
    text = read_source(path)
    if EVERY_CODE in ignored:
        if order.fix and path == STANDARD_INPUT and not order.diff:
            write_source(path, text)
        return _rendered(CheckedFile(shown, [], lambda line: ""), order)
    checks = _USUAL if settings is None else checks_of(settings, ignored)
    if (host := host_of(path, order.host)) is not None:
        return _examined_host(path, text, host, checks, settings, order)
    if order.fix:
        fixed, count = _fixed(text, checks, order)
        if order.diff:
            return _difference(shown, text, fixed, count)
        if count or path == STANDARD_INPUT:
            write_source(path, fixed)
        return _checked(shown, fixed, checks, settings, order)._replace(fixed=count)
    return _checked(shown, text, checks, settings, order)


def _checked(shown: str, text: str, checks: Checks, settings: "Settings | None", order: Order) -> Examination:
    module = Module(text, checks)
    module.work()

    def fixes_of(finding: Finding) -> "list[Fix]":
        from ptx_lsp.fixes.catalogue import fixes

        return fixes(finding, module)

    findings = [each for each in module.findings() if _is_shown(each, settings, order)]
    foreign = module.foreign is not None and module.foreign.severity is not Severity.ERROR
    rendered = _rendered(CheckedFile(shown, findings, module.document.line, fixes_of), order, foreign)
    if gc.isenabled():  # a command that checks one file frees nothing until it ends
        for _ in module.forget():
            pass
    return rendered


def host_of(path: str, named: str = "") -> "Host | None":
    """The language of a file with inline PTX, by its name or as the user has named it; None for PTX."""
    if named == PTX or (not named and (is_ptx_file(path) or path == STANDARD_INPUT)):
        return None
    from ptx_lsp.hosts import scan
    from ptx_lsp.hosts.statement import Host

    return (Host.CUDA if named == CUDA else Host(named)) if named else scan.host_of(path)


def _examined_host(
    path: str, text: str, host: "Host", checks: Checks, settings: "Settings | None", order: Order
) -> Examination:
    shown = order.shown(path)
    if not order.fix:
        return _checked_host(shown, text, host, checks, settings, order)
    from ptx_lsp.embedded.fix_host import fix_host

    fixed, count, refused = fix_host(text, host, checks, _targets(settings), unsafe=order.unsafe_fixes)
    remarks = tuple(
        f"{shown}:{each.finding.range.line + 1}:{each.finding.range.column + 1}: not fixed: "
        f'the text of the fix "{each.title}" cannot be written in this literal'
        for each in refused
    )
    if order.diff:
        return _difference(shown, text, fixed, count)._replace(remarks=remarks)
    if count or path == STANDARD_INPUT:
        write_source(path, fixed)
    examined = _checked_host(shown, fixed, host, checks, settings, order)
    return examined._replace(fixed=count, remarks=remarks)


def _checked_host(
    shown: str, text: str, host: "Host", checks: Checks, settings: "Settings | None", order: Order
) -> Examination:
    from ptx_lsp.embedded.host_text import HostText

    analysis = HostText(text, host, checks, _targets(settings))
    analysis.work()

    def fixes_of(finding: Finding) -> "list[Fix]":
        from ptx_lsp.embedded.code_actions import fixes_in

        return [fix for found, fix in fixes_in(analysis, finding.range) if found == finding]

    findings = [each for each in analysis.findings() if _is_shown(each, settings, order)]
    return _rendered(CheckedFile(shown, findings, analysis.document.line, fixes_of), order)


def _targets(settings: "Settings | None") -> "tuple[Target, ...]":
    """The targets that inline PTX is written for; empty for any."""
    from ptx_lsp.isa.targets import read_targets

    return () if settings is None else read_targets(settings.targets)


def _is_shown(finding: Finding, settings: "Settings | None", order: Order) -> bool:
    if order.hints or finding.severity is not Severity.HINT:
        return True
    return settings is not None and settings.asks_for_hints(finding.code)


def _rendered(file: CheckedFile, order: Order, foreign: bool = False) -> Examination:
    return Examination(file.path, render(file, order), file.counts(), foreign=foreign)


def render(file: CheckedFile, order: Order) -> str:
    """The findings of a file in the format of the order."""
    row = FORMATS[order.format]
    if not file.findings and not row.document:
        return ""
    text: str = format_module(row).render(file, order.style)
    return text


def format_module(row: Format) -> Any:
    """The module of a format."""
    return __import__(f"ptx_lsp.cli.formats.{row.module}", fromlist=["render"])  # `importlib` takes half a millisecond


def _fixed(text: str, checks: Checks, order: Order) -> tuple[str, int]:
    from ptx_lsp.fixes.fix_all import fix_all

    return fix_all(text, checks, unsafe=order.unsafe_fixes)


def _difference(shown: str, text: str, fixed: str, count: int) -> Examination:
    from ptx_lsp.cli.unified_diff import differences

    return Examination(shown, differences(text, fixed, shown), fixed=count)


def _bug(error: Exception) -> str:
    from traceback import extract_tb

    last = extract_tb(error.__traceback__)[-1]
    return f"a bug in ptx-lsp, please report it: {type(error).__name__}: {error} ({last.name}:{last.lineno})"
