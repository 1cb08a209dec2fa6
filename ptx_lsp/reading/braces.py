"""Braces: which of them ends a function, and the reports about those that do not match."""

from itertools import pairwise
from sys import maxsize

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.light_classes import Callable, attrgetter, bisect_right
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import Block, BlockText, FunctionPart
from ptx_lsp.reading.state import Body, Cut, State
from ptx_lsp.semantics.surroundings import CODE, Report
from ptx_lsp.semantics.symbols import Mark, place
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import begin_of_line, count_line_ends
from ptx_lsp.text.ranges import Range

# below the last brace of a function follows no instruction, label or position: there it ends inline assembly
END_OF_BODY = lazy_pattern(r"\n\}(?![ \t\r\n]*+(?:[^./ \t\r\n]|//[ \t]*+end|\.loc))")
EARLY_BRACE = "early-brace"
UNCLOSED_BRACE = "unclosed-brace"
MISPLACED = "misplaced-directive"
WRONG_BRACES = frozenset((EARLY_BRACE, "unmatched-brace"))
DISPLACE = frozenset((EARLY_BRACE, UNCLOSED_BRACE))
"""The codes of mistakes that put statements on the wrong side of the end of a function."""
# of statements that are right in a function, and wrong outside
BELONGS_INSIDE = frozenset(("declaration-space", MISPLACED))
BELONGS_OUTSIDE = frozenset(("linkage",))  # of declarations that are right outside of functions
DEEPEST = 1664  # the most braces that may be open, with that of the function; observed: ptxas 13.5
LONGEST_SEARCHED = 100_000
"""The most characters of a function that is searched for the brace that lacks its partner."""
_LINES_BELOW = 64  # below the end of a function
_END = (maxsize, 0, 0)  # below all places
_RESUMED_AT = attrgetter("resumed_at")


def brace_reports(body: Body, parts: list[FunctionPart], text_of: Callable[[Block], str]) -> list[Report]:
    """Reports of directives inside of a function, the first brace that ends it too early, or a missing brace.

    `parts` are all parts of the function, at least one; `text_of` gives the text of a block.
    """
    if body.is_given:
        return _stray_ends(parts)
    found = []
    unfinished = parts[-1].cut
    for before, part in pairwise(parts if any(map(_RESUMED_AT, parts)) else ()):
        if part.resumed_at is None or before.closing is None:
            continue
        if before.cut is not None:
            found.append(_misplaced(before.cut))
        elif before.misplaced_end:
            break
        elif part.resumed_by_brace and (unfinished is not None or not parts[-1].ends):
            return [*found, unmatched_brace(part.resumed_at)]
        else:
            return [*found, _early_brace(before.closing, part.resumed_at, body.symbol.name)]
    if unfinished is not None and not unfinished.explained and not body.lacks_brace:
        found.append(unclosed_brace(unfinished.opening, unfinished.noticed, parts, text_of))
    return found


def _stray_ends(parts: list[FunctionPart]) -> list[Report]:
    """What ends the function around a fragment, which the fragment cannot do: only the first."""
    for part in parts:
        if part.cut is not None:
            return [_misplaced(part.cut)]
        if part.closing is not None:
            return [stray_closing_brace(part.closing)]
    return []


def unclosed_brace(
    opening: Mark | None, noticed: Mark | None, parts: list[FunctionPart], text_of: Callable[[Block], str]
) -> Report:
    """The report of an open brace without a closing one.

    `opening` is the last open brace of the function with these parts. `noticed` is the place of the directive that
    shows this, None for the end of the text. `text_of` gives the text of a block.
    """
    assert opening is not None, "only the module's scope has no brace"
    return _unclosed(opening, noticed, None if any(map(_RESUMED_AT, parts)) else _meant(parts, text_of))


def _unclosed(opening: Mark, noticed: Mark | None, inner: tuple[Mark, Mark] | None) -> Report:
    """The report of a brace that is never closed; `inner` are the one that is meant instead, and what closes that."""
    related = () if noticed is None else ((noticed, "this must be outside of functions, and that `{` is still open"),)
    if inner is not None:
        opening, closing = inner
        related = ((closing, "this `}` closes it, but seems to belong to another `{`"), *related)
    return Report(UNCLOSED_BRACE, opening, "this `{` is never closed", default_severity(UNCLOSED_BRACE), related)


def is_whole(body: Body) -> bool:
    """Whether a function was read to the brace that ends it, and has no other brace too many or too few."""
    return body.concluded and body.closing is not None and not WRONG_BRACES.intersection(map(CODE, body.names))


# --- before the rest of a function has been read ----------------------------------------------------------------------


def scopes_more(before: State | None, now: State | None) -> int:
    """How many scopes more are open in a state than in one `before` in the same function; 0 in another function."""
    if before is None or now is None or now.body is None or before.body is not now.body:
        return 0
    return len(now.scopes) - len(before.scopes)


def brace_too_few(opening: Mark, closing: Mark, document: Document, mark: Callable[[Range], Mark]) -> list[Report]:
    """The report of a brace too few in a function that has one scope more open at its last brace than before an edit.

    `opening` and `closing` are its first and last braces, and `mark` gives the mark of a range of the document. The
    last one is empty if it was removed. No report if the text below does not show that the function must end there, or
    if a count of its braces does not show that one is missing.
    """
    first, last = opening.resolved(), closing.resolved()
    below = _outside_below(document, last)
    if below is None:
        return []
    noticed = next(map(mark, below), None)
    is_long = last.line - first.line >= LONGEST_SEARCHED
    if is_long or len(text := document.text(Range(*first.start, *last.end))) > LONGEST_SEARCHED:
        return [_unclosed(opening, noticed, None)]
    from ptx_lsp.outline.unclosed_brace import unclosed_brace as search  # few texts have such braces

    found = search(text)
    if found is None or found.closing < 0:
        return [_unclosed(opening, noticed, None)] if found is not None else []

    def mark_at(offset: int) -> Mark:
        line = count_line_ends(text, offset)
        column = offset - begin_of_line(text, offset) + (0 if line else first.column)
        return mark(Range(first.line + line, column, first.line + line, column + 1))

    return [_unclosed(opening, noticed, (mark_at(found.opening), mark_at(found.closing)))]


def _outside_below(document: Document, brace: Range) -> tuple[Range, ...] | None:
    """What `outside_below` finds below a brace of a document, which may be empty."""
    from ptx_lsp.outline.edited_braces import outside_below  # not for a text that is read once

    stop = brace.line + _LINES_BELOW
    text = document.text(Range(brace.line, brace.column, stop, 0))
    return outside_below("}" + text if brace.start == brace.end else text, brace.line, stop >= document.line_count)


def is_closed_again(last: FunctionPart, document: Document) -> bool:
    """Whether a function is closed that has one scope less open than before an edit, when it had one brace too few.

    `last` is its last part. Only one brace was open where it had to end, and a brace is the last of the function there.
    """
    if last.ends is (last.cut is None):
        return False
    noticed = last.cut.noticed.resolved() if last.cut is not None else None
    end = noticed.line if noticed is not None else document.line_count
    first = max(0, end - _LINES_BELOW)
    above = document.text(Range(first, 0, end, noticed.column if noticed is not None else 0))
    at = above.rfind("}")
    if at < 0:
        return False
    line, column = first + count_line_ends(above, at), at - begin_of_line(above, at)
    below = _outside_below(document, Range(line, column, line, column + 1))
    return below is not None and (not below if noticed is None else below[:1] == (noticed,))


def _meant(parts: list[FunctionPart], text_of: Callable[[Block], str]) -> tuple[Mark, Mark] | None:
    """The inner brace that lacks its partner, and the one that a count pairs it with.

    None if the brace of the function is not closed, or if the function is long: the brace is searched after each edit.
    """
    sources: list[BlockText] = []
    begins = [0]  # of the text of each part in the text of the function
    text = ""
    for part in parts:
        sources.append(source := BlockText(text_of(part.block), part.block))
        text += source.text[part.start : part.stop]
        begins.append(len(text))
        if len(text) > LONGEST_SEARCHED:
            return None
    from ptx_lsp.outline.unclosed_brace import unclosed_brace as search  # few texts have such braces

    found = search(text)
    if found is None or found.closing < 0:
        return None

    def mark(offset: int) -> Mark:
        number = bisect_right(begins, offset) - 1
        at = offset - begins[number] + parts[number].start
        return sources[number].mark(at, at + 1)

    return mark(found.opening), mark(found.closing)


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


def _misplaced(cut: Cut) -> Report:
    """The report of a directive inside of a function that must be outside of functions."""
    message = f"`{cut.directive}` must be outside of functions"
    return Report(MISPLACED, cut.noticed, message, default_severity(MISPLACED))


def _early_brace(closing: Mark, statement: Mark, function: str) -> Report:
    """The report of a closing brace that ends a function although statements of the function follow."""
    return Report(
        EARLY_BRACE,
        closing,
        f"this `}}` ends `{function}`, but statements of the function follow",
        default_severity(EARLY_BRACE),
        ((statement, "this statement is now outside of any function"),),
    )


def without_displaced(found: list[Report], of_functions: list[Report], of_module: list[Report]) -> list[Report]:
    """The reports of the blocks, without those about statements that a brace puts on the wrong side of an end.

    `of_functions` and `of_module` are the other reports, with those of such braces: an early one puts statements
    outside of a function, and one that is not closed puts declarations into it.
    """
    early = [(place(r.mark), place(r.related[0][0])) for r in of_functions if r.code == EARLY_BRACE]
    unclosed = [(place(r.mark), place(r.related[-1][0])) for r in of_functions if r.code == UNCLOSED_BRACE]
    unclosed += [(place(r.mark), _END) for r in of_module if r.code == UNCLOSED_BRACE]

    def is_displaced(report: Report) -> bool:
        spans = early if report.code in BELONGS_INSIDE else unclosed if report.code in BELONGS_OUTSIDE else ()
        return any(begin < place(report.mark) < end for begin, end in spans)

    return [report for report in found if not is_displaced(report)]
