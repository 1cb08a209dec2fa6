"""Braces: which of them ends a function, and the reports about those that do not match."""

from itertools import chain, pairwise
from sys import maxsize

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.isa.directive_names import ENTRY, FILE, FUNC, SECTION
from ptx_lsp.light_classes import Callable, attrgetter, bisect_right
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import Block, BlockText, FunctionPart
from ptx_lsp.reading.state import Body, Cut
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Mark, place
from ptx_lsp.text.ranges import Range

# below the last brace of a function follows no instruction, label or position: there it ends inline assembly
END_OF_BODY = lazy_pattern(r"\n\}(?![ \t\r\n]*+(?:[^./ \t\r\n]|//[ \t]*+end|\.loc))")
EARLY_BRACE = "early-brace"
UNCLOSED_BRACE = "unclosed-brace"
DISPLACE = frozenset((EARLY_BRACE, UNCLOSED_BRACE))
"""The codes of mistakes that put statements on the wrong side of the end of a function."""
# of statements that are right in a function, and wrong outside
BELONGS_INSIDE = frozenset(("declaration-space", "misplaced-directive"))
_LINKAGE = "linkage"  # of declarations that are right outside of functions
DEEPEST = 1664  # the most braces that may be open, with that of the function; observed: ptxas 13.5
LONGEST_SEARCHED = 100_000
"""The most characters of a function that is searched for the brace that lacks its partner."""
_END = (maxsize, 0, 0)  # below all places
# after the brace that ends a function: what is outside of functions, or the end of the text
_BELOW = lazy_pattern(
    r"\}(?:\s++|//[^\n]*+|(?!))*+(?:\Z|("
    rf"(?:\{FILE}|\{SECTION})\b|"
    rf"(?:\.(?:visible|weak|extern)\s++|(?!))?+(?:\{ENTRY}\b|\{FUNC}\b(?=[^;{{}}]*+\{{))))"
)
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
    related = _shown_by(noticed) if noticed is not None else ()
    inner = None if any(map(_RESUMED_AT, parts)) else _meant(parts, text_of)
    if inner is not None:
        opening, closing = inner
        related = ((closing, "this `}` closes it, but seems to belong to another `{`"), *related)
    return _unclosed(opening, related)


def never_closed(opening: Mark, *noticed: Mark) -> Report:
    """The report of the brace of a long function that has no closing one; `noticed` is what shows this, if anything."""
    return _unclosed(opening, tuple(chain.from_iterable(map(_shown_by, noticed))))


def _shown_by(noticed: Mark) -> tuple[tuple[Mark, str], ...]:
    return ((noticed, "this must be outside of functions, and that `{` is still open"),)


def _unclosed(opening: Mark, related: tuple[tuple[Mark, str], ...]) -> Report:
    return Report(UNCLOSED_BRACE, opening, "this `{` is never closed", default_severity(UNCLOSED_BRACE), related)


def opens_scope(before: str, line: str) -> bool:
    """Whether an edit of a line of a function leaves one scope more open below it: by a `{` more, or a `}` less.

    `before` is the line before the edit; both are without comments. A statement must end above the line.
    """
    old, new = before.strip(), line.strip()
    if not new:
        return old == "}"
    return new[0] == "{" and new[1:].lstrip() == old and (not old or old[-1] == ";")


def outside_below(text: str, line: int, is_last: bool) -> tuple[Range, ...] | None:
    """What shows that a brace is open, below the brace that ends a function, at which a text begins.

    That is the place of a directive outside of functions, in a document in which the text begins in the line `line`, or
    nothing at the end of the document; `is_last` is true if the text contains that. None if it is something else.
    """
    found = _BELOW.match(text)
    if found is None or not found[1]:
        return () if found is not None and is_last else None
    start, end = found.span(1)
    if "\n" in found[1] or "\n" not in text[:start]:
        return None
    line, begin = line + text.count("\n", 0, start), text.rfind("\n", 0, start) + 1
    return (Range(line, start - begin, line, end - begin),)


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
    return Report("misplaced-directive", cut.noticed, message, default_severity("misplaced-directive"))


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
        spans = early if report.code in BELONGS_INSIDE else unclosed if report.code == _LINKAGE else ()
        return any(begin < place(report.mark) < end for begin, end in spans)

    return [report for report in found if not is_displaced(report)]
