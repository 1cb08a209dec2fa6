"""What the sections with a directive of their own have in common: braces, and blocks with braces in them."""

from collections.abc import Callable

from ptx_lsp.syntax.lexer import END, Cursor
from ptx_lsp.syntax.recovery import DECLARING, report_missing_brace, report_stray, report_unclosed, skip_line
from ptx_lsp.syntax.tree import Section, SectionData, Word

ParseBlock = Callable[[Cursor, list[SectionData]], SectionData | None]
"""Parses the block at the cursor, after other blocks. None, and nothing is read, if no block may begin there."""


def parse_blocks(cursor: Cursor, directive: Word, parse_block: ParseBlock, expected: str) -> Section:
    """A whole section: what follows its directive. `expected` says in messages what it holds."""
    opening = cursor.at
    blocks: list[SectionData] = []
    if cursor.kinds[opening] == "{":
        cursor.at = opening + 1
        _parse_to_brace(cursor, cursor.starts[opening], blocks, parse_block, expected)
    else:
        report_missing_brace(cursor, "the contents of this section need a `{` here")
        skip_line(cursor)
    return Section(directive, tuple(blocks), directive.start, cursor.ends[cursor.at - 1])


def _parse_to_brace(
    cursor: Cursor, opening: int, blocks: list[SectionData], parse_block: ParseBlock, expected: str
) -> None:
    kinds = cursor.kinds
    while kinds[cursor.at] != "}":
        if kinds[cursor.at] == END or cursor.word(cursor.at) in DECLARING:
            cursor.short |= kinds[cursor.at] == END
            report_unclosed(cursor, opening)
            return
        block = parse_block(cursor, blocks)
        if block is not None:
            blocks.append(block)
            continue
        report_stray(cursor, f"is not expected here: this section holds {expected}")
        cursor.at += 1
        if cursor.at == len(kinds):
            cursor.read_batch()
    cursor.at += 1


def report_missing(cursor: Cursor, wanted: str) -> None:
    """Report that something, with its article, is missing at the cursor, or that another token is in its place."""
    at = cursor.at
    if cursor.kinds[at] in ("}", END):
        code = "extra-comma" if cursor.kinds[at - 1] == "," else "expected-operand"
        cursor.problem(code, f"{wanted} is missing here", cursor.starts[at - 1], cursor.ends[at - 1])
    else:
        message = f"{wanted} is expected here, not `{cursor.word(at)}`"
        cursor.problem("expected-operand", message, cursor.starts[at], cursor.ends[at])


def skip_block(cursor: Cursor, beginning: str) -> None:
    """Skip to the `}` of a block, or to where the next block or statement begins; `beginning` begins a block."""
    kinds = cursor.kinds
    while kinds[cursor.at] not in ("}", ";", END) and cursor.word(cursor.at) not in (beginning, *DECLARING):
        cursor.at += 1
