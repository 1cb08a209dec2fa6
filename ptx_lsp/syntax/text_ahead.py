"""Whether a text continues far enough after a statement: else the statement might be another one in a longer text."""

from ptx_lsp.isa.directive_names import WITH_SIGNATURE
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.long_strings import has_lines_for_string
from ptx_lsp.syntax.plain_text import PASSED_OVER

_TOKEN = r"""(?:[%$\w]++|"[^"\n]*+"?+|/(?![/*])|(?![%$\w"/])[!-~])"""  # the last one: other characters
# more tokens than the parser ever looks ahead
_ENOUGH = lazy_pattern(rf"(?:{PASSED_OVER}{_TOKEN}){{12}}", re.A)
# The parser looks this far whether a broken list of parameters continues: to its end, or to what is no part of one.
_NO_PARAMETER = rf"(?:[(){{}};]|(?:{'|'.join(map(re.escape, sorted(WITH_SIGNATURE)))})(?![\w$]))"
_LIST_MAY_END = lazy_pattern(rf"(?:{PASSED_OVER}(?!{_NO_PARAMETER}){_TOKEN}|(?!))*+{PASSED_OVER}{_NO_PARAMETER}", re.A)
_COMMENT = lazy_pattern(rf"{PASSED_OVER}/\*", re.A)
_OPENS_COMMENT = lazy_pattern(rf"(?:{PASSED_OVER}{_TOKEN}|(?!))*+{PASSED_OVER}/\*", re.A)


def enough_follows(text: str, end: int, limit: int, is_damaged_header: bool) -> bool:
    """Whether the text has, before `limit`, all that the parser may look at after a statement that ends at `end`.

    After a header with a mistake (`is_damaged_header`), that is also the place where a broken list of parameters ends
    or can have ended.
    """
    found = _ENOUGH.match(text, end, limit)
    if found is None or ('"' in text[end : found.end()] and not has_lines_for_string(text, found.end(), limit)):
        return False
    return not is_damaged_header or _LIST_MAY_END.match(text, end, limit) is not None


def opens_comment(text: str, end: int, directly: bool) -> bool:
    """Whether a comment that is not closed begins after `end`; if `directly`, there is nothing before it."""
    return text.find("/*", end) >= 0 and (_COMMENT if directly else _OPENS_COMMENT).match(text, end) is not None
