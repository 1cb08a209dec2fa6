"""Cursors over a part of a long text: few statements need more, and it takes long to read all tokens up to a `;`."""

from ptx_lsp.syntax.lexer import Cursor

_AHEAD = 1 << 14  # characters that are read ahead; the part ends at a line end
_MORE_AHEAD = 8  # times as many, for a statement that is longer


def cursor_at(known: Cursor | None, text: str, offset: int, is_begin: bool) -> Cursor:
    """A cursor at the first token from `offset` on: the `known` one, if it has read that, or a new one.

    `is_begin` is false if a statement ends above the offset. Values that end further below are not read twice.
    """
    if known is not None:
        is_new = known.offset == offset and not known.starts
        if is_new or (known.seek(offset) and offset < known.starts[-1]):
            return known
    size = _AHEAD
    if len(text) - offset > size:
        brace = text.find("{", offset, offset + _AHEAD)
        has_values = brace >= 0 and text[offset:brace].rstrip().endswith("=")
        size = max(size, text.find(";", brace) - offset) if has_values else size
    return _cursor(text, offset, size, is_begin)


def cursor_further(before: Cursor, offset: int, is_begin: bool) -> Cursor:
    """A cursor at `offset` that reads more text than the one `before`, because a statement does not end in that."""
    size = before.limit - offset
    if "=" in before.kinds:
        return Cursor(before.text, offset, None, is_begin)  # many values of an initialiser are read as one token
    return _cursor(before.text, offset, _AHEAD if size < _AHEAD else _MORE_AHEAD * size, is_begin)


def _cursor(text: str, offset: int, size: int, is_begin: bool) -> Cursor:
    end = text.find("\n", offset + size) + 1
    return Cursor(text, offset, end or None, is_begin)
