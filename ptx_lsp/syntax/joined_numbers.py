"""Numbers with a word directly after them, `3L:`, in the places where a number may be before a word.

For the assembler the number ends there (observed: ptxas 13.5).
"""

from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.lexer import INTEGER, MALFORMED, Cursor

_JOINED = lazy_pattern(
    r"(?:0[xX][0-9a-fA-F]++U?|0[bB][01]++U?|(?![0-9]++[eE][0-9])(?:0[0-7]*+|[1-9][0-9]*+)U?)"
    r"(?P<word>[A-Za-z_][\w$]*+)(?P<colon>[ \t\r\n\f]*+:(?!:))?",
    re.A,
)


def divide_number(cursor: Cursor, *, instructions: bool) -> bool:
    """Divide the broken number at the cursor into a number and the label after it. False for another number.

    With `instructions`, the word after the number may also be an opcode. What follows is read again.
    """
    at = cursor.at
    if cursor.kinds[at] != MALFORMED:
        return False
    start = cursor.starts[at]
    found = _JOINED.match(cursor.text, start, cursor.limit)
    if found is None or not (found["colon"] or (instructions and found["word"] in opcodes())):
        return False
    while cursor.lexical and cursor.lexical[-1].start >= start:
        cursor.lexical.pop()
    del cursor.kinds[at:], cursor.starts[at:], cursor.ends[at:]
    cursor.kinds.append(INTEGER)
    cursor.starts.append(start)
    cursor.ends.append(found.start("word"))
    cursor.offset = found.start("word")
    cursor.read_batch()
    return True
