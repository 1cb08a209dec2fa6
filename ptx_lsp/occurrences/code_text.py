"""The text without its comments, in which features look for words without a tree.

A comment of one line (`//`) stays where no other comment is: those who look for words know where it begins.
"""

from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import is_in_comment
from ptx_lsp.syntax.plain_text import without_comments
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

_WORD_BELOW = "\nx"  # it becomes blank where a comment is open


def code_of_block(module: Module, block: Block, stop: int | None = None) -> str:
    """The text of a block up to an offset, with blanks in place of all its comments if one of them is a `/* */`."""
    return _code(module.block_map.text(block)[:stop], is_in_comment(block.entry))


def code_of_lines(module: Module, first: int, last: int) -> str:
    """The lines from `first` to `last` (from 0, both included), without the end of the last one.

    They have blanks in place of all their comments if a `/* */` begins or ends in them.
    """
    text = module.document.text(Range(first, 0, last, len(module.document.line(last))))
    if "/*" not in text and "*/" not in text:
        return text
    begin = module.block_map.at_line(first)
    codes = []
    block: Block | None = begin
    while block is not None and block.line <= last:
        codes.append(code_of_block(module, block))
        block = module.block_map.after(block)
    code = "".join(codes)
    start = line_starts(code)[first - begin.line]
    return code[start : start + len(text)]


def codes_of_chunks(module: Module) -> Iterator[str]:
    """The chunks of the document one after another, each as `code_of_block` gives a block."""
    in_comment = False
    for number in range(module.document.chunk_count):
        code = _code(module.document.chunk(number) + _WORD_BELOW, in_comment)
        yield code[: -len(_WORD_BELOW)]
        in_comment = not code.endswith(_WORD_BELOW)


def _code(text: str, in_comment: bool) -> str:
    return without_comments(text, in_comment) if in_comment or "/*" in text else text
