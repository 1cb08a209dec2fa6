"""Braces: which of them ends a function, and the reports about those that do not match."""

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.state import Cut
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Mark

# below the last brace of a function follows no instruction, label or position: there it ends inline assembly
END_OF_BODY = lazy_pattern(r"\n\}(?![ \t\r\n]*+(?:[^./ \t\r\n]|//[ \t]*+end|\.loc))")
EARLY_BRACE = "early-brace"
UNCLOSED_BRACE = "unclosed-brace"
DEEPEST = 1664  # the most braces that may be open, with that of the function; observed: ptxas 13.5


def unclosed_brace(opening: Mark | None, noticed: Mark | None) -> Report:
    """The report of an open brace without a closing one.

    `noticed` is the place of the directive that shows this, None for the end of the text.
    """
    assert opening is not None, "only the module's scope has no brace"
    related = (
        ((noticed, "this must be outside of functions, and that `{` is still open"),) if noticed is not None else ()
    )
    return Report(UNCLOSED_BRACE, opening, "this `{` is never closed", default_severity(UNCLOSED_BRACE), related)


def unmatched_brace(opening: Mark) -> Report:
    """The report of an open brace outside of any function."""
    message = "this `{` opens no function: its header is missing"
    return Report("unmatched-brace", opening, message, default_severity("unmatched-brace"))


def stray_closing_brace(closing: Mark) -> Report:
    """The report of a closing brace outside of any function, or in a fragment that has not opened it."""
    return Report("unmatched-brace", closing, "this `}` closes nothing", default_severity("unmatched-brace"))


def brace_too_deep(brace: Mark) -> Report:
    """The report of the first open brace of a function for which the assembler has no memory left."""
    message = f"the assembler runs out of memory here: more than {DEEPEST:,} braces are open"
    return Report("crashes-assembler", brace, message, default_severity("crashes-assembler"))


def misplaced(cut: Cut) -> Report:
    """The report of a directive inside of a function that must be outside of functions."""
    message = f"`{cut.directive}` must be outside of functions"
    return Report("misplaced-directive", cut.noticed, message, default_severity("misplaced-directive"))


def early_brace(closing: Mark, statement: Mark, function: str) -> Report:
    """The report of a closing brace that ends a function although statements of the function follow."""
    return Report(
        EARLY_BRACE,
        closing,
        f"this `}}` ends `{function}`, but statements of the function follow",
        default_severity(EARLY_BRACE),
        ((statement, "this statement is now outside of any function"),),
    )
