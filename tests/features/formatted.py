"""A formatted text, and the same text with other blanks."""

import random
import re

from ptx_lsp.features.formatting import apply_edits, format_document
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.text.document import Document

BLANKS = (" ", "  ", "\t", " \t", "   ", "\t\t", "    ", "  \t ")


def formatted(text: str) -> str:
    """The text after formatting."""
    return apply_edits(text, format_document(Document(text)))


def tokens(text: str) -> list[str]:
    """The tokens of a text, without blanks and comments."""
    cursor = Cursor(text)
    found: list[str] = []
    while cursor.begin():
        spans = zip(cursor.starts[cursor.at :], cursor.ends[cursor.at :], strict=True)
        found += (text[start:end] for start, end in spans)
        cursor.at = len(cursor.kinds)
    return found


def with_other_blanks(text: str, seed: int) -> str:
    """The text with other indentation and other blanks between its tokens, but not in comments and inline assembly."""
    choose = random.Random(seed).choice
    lines = []
    assembly = False
    for line in text.split("\n"):
        assembly = (assembly or "// begin inline" in line) and "// end inline" not in line
        assembly ^= line.strip() == "// inline asm"  # the same above and below
        code, slashes, comment = line.partition("//")
        if assembly or not code.strip() or code.count('"') % 2 or "\0" in code:  # a NUL ends the text for `ptxas`
            lines.append(line)
            continue
        kept = code[len(code.rstrip()) :]
        words = re.sub(r'("[^"]*")|[ \t]+', lambda found: found[1] or choose(BLANKS), code.strip())
        lines.append(choose(("", *BLANKS)) + words + kept + slashes + comment)
    return "\n".join(lines)
