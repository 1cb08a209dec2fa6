"""Reports that need the end of the text: open braces, a missing header, missing debug information."""

from ptx_lsp.analysis.block_map import BlockMap
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.block_reader import END_OF_FILE
from ptx_lsp.reading.braces import EARLY_BRACE, unclosed_brace
from ptx_lsp.reading.state import State
from ptx_lsp.semantics.reports import Mark, Report, place
from ptx_lsp.semantics.structure import TARGET, VERSION, missing_debug_information, missing_target
from ptx_lsp.syntax.lexer import NEVER_CLOSED, UNTERMINATED
from ptx_lsp.text.ranges import Range

# of statements that are right in a function, and wrong outside
BELONGS_INSIDE = frozenset(("declaration-space", "misplaced-directive"))
# the code of a string without an end, which contains the closing braces after it
STRING = "unterminated-string"


def at_end(block_map: BlockMap, reporting: list[Block]) -> list[Report]:
    """Reports about everything that is open or missing at the end of the text; none before it has been read to its end.

    `reporting` are, in the order of the text, the blocks that change the profile; it may have other blocks too.
    """
    last = block_map.blocks[-1]
    if last.exit is None:
        return []
    found: list[Report] = []
    comment = last.exit.comment
    if comment is not None:
        found.append(Report(UNTERMINATED, comment.mark, NEVER_CLOSED, default_severity(UNTERMINATED)))
    missing: list[Report] = []
    body = last.exit.body
    is_open = body is not None and not (body.is_given and last.exit.scopes[-1] is body.scope)
    if is_open and not last.exit.after_end:
        missing.append(unclosed_brace(last.exit.scopes[-1].opening, None))
    debug = next((b.exit.profile for b in reporting if b.exit is not None and b.exit.profile.debug is not None), None)
    if debug is not None:
        missing += missing_debug_information(debug, last.exit.scopes[0])
    if missing and comment is None and not _swallowed(last.exit, reporting):
        found += missing
    found += _without_header(last.exit, block_map)
    return found


def without_later_ends(found: list[Report]) -> list[Report]:
    """The reports of the blocks, in their order, without those of NUL characters below the first NUL character."""
    ends = [number for number, report in enumerate(found) if report.message is END_OF_FILE]
    later = set(ends[1:])
    return [report for number, report in enumerate(found) if number not in later] if later else found


def without_displaced(found: list[Report], of_functions: list[Report]) -> list[Report]:
    """The reports of the blocks, without those about statements that an early closing brace puts outside of a function.

    `of_functions` are the reports of the functions, among them those of such braces.
    """
    braces = [report for report in of_functions if report.code == EARLY_BRACE]
    if not braces:
        return found
    displaced = [(place(brace.mark), place(brace.related[0][0])) for brace in braces]
    return [
        report
        for report in found
        if report.code not in BELONGS_INSIDE or not any(a < place(report.mark) < b for a, b in displaced)
    ]


def _swallowed(exit_: State, reporting: list[Block]) -> bool:
    """Whether a string without an end, in the open function, may contain what is missing."""
    opening = exit_.scopes[-1].opening
    strings = [report.mark for block in reporting for report in block.reports if report.code == STRING]
    return any(opening is None or place(string) > place(opening) for string in strings)


def _without_header(exit_: State, block_map: BlockMap) -> tuple[Report, ...]:
    # if a statement follows the header, the report is at that statement
    if set(exit_.header) == {VERSION}:
        noticed = exit_.profile.written or Mark(block_map.blocks[0], Range(0, 0, 0, 0))
        return (missing_target(noticed),)
    if exit_.header:
        return ()
    message = f"`{VERSION}` is missing: a module begins with `{VERSION}`, then `{TARGET}`, then everything else"
    start = Mark(block_map.blocks[0], Range(0, 0, 0, 0))
    return (Report("missing-version", start, message, default_severity("missing-version")),)
