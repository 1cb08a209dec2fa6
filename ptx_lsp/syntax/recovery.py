"""Where a statement ends that does not say so: what begins the next one."""

from ptx_lsp.syntax.lexer import DOTTED, END, LITERALS, NAME, SINK, Cursor

# words after a dot that begin a statement and are no modifier of any instruction
STARTERS = frozenset(
    """.version .target .address_size .file .loc .section .pragma .alias .reg .sreg .entry .func .visible .extern
    .common .attribute .branchtargets .calltargets .callprototype""".split()
)
# instructions that take no operand, so that a name behind them is none
WITHOUT_OPERANDS = frozenset("ret exit trap brkpt".split())
_AFTER_OPCODE = LITERALS | {NAME, SINK, ";", "@", "[", "{", "}", "(", "-", "!", END}


def starts_statement(cursor: Cursor, index: int) -> bool:
    """Whether the token looks like the beginning of a statement rather than like a part of the one before it."""
    kind = cursor.kinds[index]
    if kind in ("@", END):
        return True
    if kind in ("{", "}"):
        return cursor.on_new_line(index) or (
            kind == "}" and cursor.kinds[index + 1 - (index + 1 == len(cursor.kinds))] not in (",", ";")
        )
    if kind == DOTTED:
        return cursor.word(index) in STARTERS
    if kind != NAME:
        return False
    follows = cursor.kinds[index + 1]
    if follows == ":":
        return True
    word = cursor.word(index)
    if word[0] == "%":
        return False
    if follows == DOTTED:
        return not _is_selector(cursor.word(index + 1))
    if word in WITHOUT_OPERANDS and follows in (";", "}", END):
        return True
    return follows in _AFTER_OPCODE and cursor.on_new_line(index) and not cursor.on_new_line(index + 1)


def _is_selector(word: str) -> bool:
    return word in (".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a")


def skip_statement(cursor: Cursor) -> None:
    """Go behind the `;` that ends the statement at the cursor, or to where the next one seems to begin."""
    kinds = cursor.kinds
    at = cursor.at
    while True:
        kind = kinds[at]
        if kind == ";":
            cursor.at = at + 1
            return
        if kind == END or (cursor.on_new_line(at) and starts_statement(cursor, at)):
            cursor.at = at
            return
        at += 1
