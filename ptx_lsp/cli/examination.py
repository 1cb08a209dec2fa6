"""Examines one file: reads it, fixes it if requested, checks it, and renders its findings.

Arguments and results are small and can be pickled, so that another process can do it.
"""

from collections import Counter
from collections.abc import Mapping

from ptx_lsp.cli.check_text import Style
from ptx_lsp.cli.sources import STANDARD_INPUT, STANDARD_INPUT_SHOWN, read_source, reason, write_source
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import NamedTuple

NOTHING_COUNTED: Mapping[Severity, int] = {}


class Order(NamedTuple):
    """What to do with each file: `format` is text or json; if `fix` is true, the safe fixes are made in place first.

    `severities` holds, by code, severities other than the rule's default, None for a rule that is off.
    `maximum_version` is the highest PTX version that the user's tools accept. `hints` is true if hints are printed too.
    `unsafe_fixes` is true if unsafe fixes are made too; then `fix` is true.
    """

    format: str
    style: Style
    fix: bool
    severities: Mapping[str, Severity | None]
    maximum_version: Version | None
    hints: bool = False
    unsafe_fixes: bool = False


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
    shown = STANDARD_INPUT_SHOWN if path == STANDARD_INPUT else path
    try:
        text = read_source(path)
        fixed = 0
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


def _examined(shown: str, text: str, order: Order, fixed: int) -> Examination:
    from ptx_lsp.analysis.checks import Checks
    from ptx_lsp.analysis.module import Module

    module = Module(text, Checks(order.severities, order.maximum_version))
    module.work()
    findings = [each for each in module.findings() if order.hints or each.severity is not Severity.HINT]
    foreign = module.foreign is not None and module.foreign.severity is not Severity.ERROR
    counts = Counter(finding.severity for finding in findings)
    if order.format == "json":
        from ptx_lsp.cli import check_json

        output = check_json.render(shown, findings)
    else:
        from ptx_lsp.cli import check_text

        output = check_text.render(shown, findings, module.document.line, order.style)
    return Examination(shown, output, dict(counts), fixed, foreign=foreign)


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
