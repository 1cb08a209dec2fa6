"""The statements above some lines whose words are not wanted: most are passed over together, without a tree.

A run of them leaves the scope as it is: it has no header of a function, and the braces in it are closed in it.
"""

from ptx_lsp.isa.directive_names import FUNCTION_NAME, INLINED_AT
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.missing_dots import WITHOUT_DOT

_END = r"[ \t]*+(?://[^\r\n]*+|(?!))?+\r?+\n"
_DIRECTIVES = "|".join(sorted(re.escape(word[1:]) for word in WITHOUT_DOT))
_GUARD = r"(?:@[ \t]*+!?+[ \t]*+[%\w$]++[ \t]++|(?!))?+"
_OPCODE = rf"(?!(?:{_DIRECTIVES}|call)\b)[a-z]\w*+(?:\.\w++(?:::\w++|(?!))*+|(?!))*+(?!:)"
_OPERANDS = r"""(?:[^;"/\r\n@(){}]++|\{[^;"/\r\n@(){}]*+\}|(?!))*+"""
_INSTRUCTION = rf"{_GUARD}{_OPCODE}(?:[ \t]++(?!:){_OPERANDS}|(?!))?+[ \t]*+;"
_CALL = rf"""{_GUARD}call(?:\.uni|(?!))?+[ \t\r\n]++[^;"/@{{}}.:]*+;"""
_DECLARATION = r"""\.(?:reg|param|local|shared|global|const)[ \t]++[^;"/\r\n@(){}=:]*+;|\.pragma[ \t]++"[^"\r\n]*+";"""
_STATEMENT = rf"(?:{_INSTRUCTION}|{_DECLARATION}|{_CALL})"
_BLANKS = r"(?:[ \t\r\n]++|//[^\n]*+\n|(?!))*+"
# what surely begins a statement, and neither continues a `.loc` nor belongs to the label before it
_OTHER = rf"""{_BLANKS}(?:[@{{}}]|\.(?:loc|reg|param|local|shared|pragma)\b
    |(?!(?:{FUNCTION_NAME}|{INLINED_AT}|{_DIRECTIVES})\b)[%$a-zA-Z_][$\w.]*+(?::|[ \t]*+[^\s,]))"""
_NUMBERS = r"[0-9]++[ \t]++[0-9]++[ \t]++[0-9]++[ \t]*+"
_INLINED = rf",[ \t]*+{FUNCTION_NAME}[ \t]++[$\w]++[ \t]*+,[ \t]*+{INLINED_AT}[ \t]++{_NUMBERS}"
LOCATION = rf"[ \t]*+\.loc[ \t]++{_NUMBERS}(?:{_INLINED}|(?!))?+{_END}(?={_OTHER})"
LABEL = r"(?:[%$][$\w]++|[a-zA-Z_][$\w]*+)"
AFTER_LABEL = rf":{_END}(?={_OTHER})"
_BRACES = rf"\{{{_BLANKS}(?:(?:{_STATEMENT}|{LOCATION}|{LABEL}{AFTER_LABEL}){_BLANKS}|(?!))*+\}}"
_RUN = lazy_pattern(
    rf"""(?:[ \t]*+(?:{_INSTRUCTION}|(?!))?+{_END}|{LOCATION}|[ \t]*+{LABEL}{AFTER_LABEL}
    |[ \t]*+(?:{_DECLARATION}|{_CALL}|{_BRACES}){_END}|(?!))*+""",
    re.X | re.A,
)


def end_of_lines_above(text: str, start: int, limit: int) -> int:
    """The offset after the statements from an offset, between two statements, that are passed over.

    At most `limit`, which is the first offset of the wanted lines, or an offset at which a function begins or ends.
    """
    found = _RUN.match(text, start, limit)
    return start if found is None else found.end()
