"""What the end of the text tells: braces still open, a header that never came."""

from ptx_lsp.analysis.braces import unclosed_brace
from ptx_lsp.analysis.layout import Layout
from ptx_lsp.analysis.reports import Report


def at_end(layout: Layout) -> list[Report]:
    """Reports about what is still open when the text ends."""
    last = layout.blocks[-1]
    if last.exit is None or last.exit.body is None:
        return []
    return [unclosed_brace(last.exit.scopes[-1].opening, None)]
