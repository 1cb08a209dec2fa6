"""The statements above some lines whose words are not wanted: most are passed over together, without a tree.

A run of them leaves the scope as it is: it has no header of a function, and the braces in it are closed in it.
"""

from ptx_lsp.isa.directive_names import FUNCTION_NAME, INLINED_AT
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.plain_text import GUARD, NAME_TEXT

_END = r"[ \t]*+(?://[^\r\n]*+|(?!))?+\r?+\n"
_OPCODE = r"(?!call\b)[a-z][\w.]*+(?:::[\w.]++|(?!))*+(?!:)"  # or a directive whose dot is missing
_OPERANDS = r"""(?:[^;"/\r\n@(){}]++|\{[^;"/\r\n@(){}]*+\}|(?!))*+"""
_INSTRUCTION = rf"{_OPCODE}(?:[ \t]++(?!:){_OPERANDS}|(?!))?+[ \t]*+;"
_CALL = r"""call(?:\.uni|(?!))?+[ \t\r\n]++[^;"/@{}.:]*+;"""
_DECLARATION = r"""\.(?:(?:reg|param|local|shared|global|const)[ \t]++[^;"/\r\n@(){}=:]*+|pragma[ \t]++"[^"\r\n]*+");"""
_BLANKS = r"(?:[ \t\r\n]++|//[^\n]*+\n|(?!))*+"
# what surely begins a statement, and neither continues a `.loc` nor belongs to the label before it
_OTHER = rf"""(?={_BLANKS}(?:[@{{}}]|\.(?:loc|reg|param|local|shared|pragma)\b
    |(?!{FUNCTION_NAME}\b|{INLINED_AT}\b|branch|callp|callt)[%$a-zA-Z_][$\w.]*+(?::|[ \t]*+[^\s,])))"""
_NUMBERS = r"[0-9]++[ \t]++[0-9]++[ \t]++[0-9]++"
_INLINED = rf"[ \t]*+,[ \t]*+{FUNCTION_NAME}[ \t]++[$\w]++[ \t]*+,[ \t]*+{INLINED_AT}[ \t]++{_NUMBERS}"
_LOCATION = rf"\.loc[ \t]++{_NUMBERS}(?:{_INLINED}|(?!))?+"
LABEL_LINE = rf"[ \t]*+({NAME_TEXT}):{_END}{_OTHER}"
LOCATION_LINE = rf"[ \t]*+{_LOCATION}{_END}{_OTHER}"
_RUN = lazy_pattern(
    rf"""(?:[ \t\r\n]++|//[^\n]*+\n|{GUARD}(?:{_INSTRUCTION}|{_CALL})|{_DECLARATION}
    |(?:{_LOCATION}|{NAME_TEXT}:){_OTHER}|(?!))*+""",
    re.X | re.A,
)


def end_of_lines_above(text: str, start: int, limit: int) -> int:
    """The offset after the statements from an offset, between two statements, that are passed over.

    At most `limit`, which is the first offset of the wanted lines, or an offset at which a function begins or ends.
    """
    at = closed = start  # `closed` is the last offset outside of all braces
    depth = 0
    while (found := _RUN.match(text, at, limit)) is not None:
        at = found.end()
        closed = closed if depth else at
        sign = text[at] if at < limit else ""
        if sign == "{":
            depth += 1
        elif sign == "}" and depth and not text[at + 1 : at + 2].isalpha():
            depth -= 1
        else:
            break
        at += 1
    return closed
