"""The statement around a cursor while its template is being typed, for completion.

Its text may not show yet that it is PTX, and a `%` that was just typed may be half of an escape with the text after it.
"""

from ptx_lsp.embedded.host_text import HostText, Located
from ptx_lsp.embedded.inside import Inside, as_written, inside_as_written, inside_of
from ptx_lsp.embedded.known_statements import Known
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.hosts.statement import Dialect
from ptx_lsp.text.ranges import Position, Range

_AFTER_PERCENT = frozenset("{|}")  # `%}` is a brace


def typed_statement(analysis: HostText, position: Position) -> Inside | None:
    """The statement around a position of the host as it is before the rest is typed; None without PTX.

    Its places are those of the document up to the position; after it there may be one blank more.
    """
    here = inside_as_written(analysis, position)
    if here is not None and not _is_in_escape(here, position):
        return here
    located = analysis.statement_at(position)
    if located is None:
        return None
    blank = [Edit(Range(*position, *position), " ")]
    edits = blank if here is not None else []
    embedded = analysis.embedded_after(edits, located, half_typed=True)
    if embedded is not None and not embedded.statement.template.text:
        edits = blank  # an empty template has no place for the cursor
        embedded = analysis.embedded_after(edits, located, half_typed=True)
    if embedded is None:
        return None
    typed = inside_of(Located(Known(_source(located, edits), embedded, ()), located.begin), analysis)
    return as_written(typed, analysis, position) if typed is not None else None


def _is_in_escape(here: Inside, position: Position) -> bool:
    """Whether the cursor is after the `%` of an escape such as `%}`, whose brace may be in the next literal."""
    statement = here.embedded.statement
    if statement.dialect is not Dialect.PERCENT:
        return False
    text, at = statement.template.text, statement.template.offset(here.lines.offset(position) - 1)
    if at is None or text[at] != "%" or text[at + 1 : at + 2] not in _AFTER_PERCENT:
        return False
    before = text[: at + 1]
    return bool((len(before) - len(before.rstrip("%"))) % 2)


def _source(located: Located, edits: list[Edit]) -> str:
    source = located.known.source
    for edit in edits:
        at = located.lines.offset(edit.range.start)
        source = source[:at] + edit.text + source[at:]
    return source
