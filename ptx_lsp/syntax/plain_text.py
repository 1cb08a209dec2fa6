"""Names and comments in text that is searched without a tree."""

from ptx_lsp.patterns import lazy_pattern, re

NAME_TEXT = r"(?:%[$\w]++|[a-zA-Z][$\w]*+|[_$][$\w]++)"  # a pattern; `_` alone is not a name
BLOCK_COMMENT = r"/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/"  # a pattern; the comment must be closed

_COMMENT_OR_STRING = lazy_pattern(rf'//[^\n]*|{BLOCK_COMMENT}|/\*.*|"[^"\n]*+"', re.S)
_INK = lazy_pattern(r"[^\n]")


def without_comments(text: str) -> str:
    """The text with its comments replaced by blanks: offsets and lines stay. A comment without `*/` reaches to the end.

    The text must not begin in a comment. A string is no comment, whatever it contains.
    """
    if "//" not in text and "/*" not in text:
        return text
    return _COMMENT_OR_STRING.sub(lambda found: found[0] if found[0][0] == '"' else _INK.sub(" ", found[0]), text)
