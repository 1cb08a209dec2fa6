"""Names, reserved words, comments, plain lines and initialisers in text that is searched without a tree."""

from ptx_lsp.isa.directive_names import FUNCTION_NAME, INLINED_AT, LOCATION, SOURCE_BEGIN, SOURCE_END
from ptx_lsp.isa.special_registers import WARP_SIZE, special_register
from ptx_lsp.light_classes import Iterator
from ptx_lsp.patterns import lazy_pattern, re

INDENTED_LOCATION = "\t" + LOCATION  # how compilers begin the line of a `.loc`
_IN_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
_BEFORE_MORE = _IN_NAMES | {"%"}  # a name does not begin after one of these
NAME_TEXT = r"(?:%[$\w]++|[a-zA-Z][$\w]*+|[_$][$\w]++)"  # a pattern; `_` alone is not a name
GUARD = r"(?:@[ \t]*+!?+[ \t]*+[%$\w]++[ \t]++|(?!))?+"  # a pattern; a guard with the blanks after it, or nothing
HEADER_LINE = r"^[^/\n\"]*\.(?:entry|func)\b"  # a pattern; a line with the header of a function
OF_HEADER = r"(?:visible|weak|extern|entry|func)\b"  # a pattern; a word of a header without its dot
# the begin of the next header, which ends the declaration of a function that has no semicolon (observed: ptxas 13.5)
NEXT_HEADER = (
    r"(?:\.(?:visible|weak|extern)[ \t]++)?\.(?:entry|func)[ \t]*+"
    rf"(?:\([ \t]*+\.(?:param|reg)\b|{NAME_TEXT}[ \t]*+\()"
)
BLOCK_COMMENT = r"/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/"  # a pattern; the comment must be closed
END_OF_SOURCE = rf"[ \t]*+\{SOURCE_END}[ \t]*+(?=\n)"
# The text of another language in a `.nv_intermediate_source_section` (observed: ptxas 13.5): from a line that ends with
# `.source_begin` to a line that has only `.source_end`, or to the end of the text.
SOURCE_TEXT = rf"\{SOURCE_BEGIN}[ \t]*+\n(?:(?!{END_OF_SOURCE})[^\n]*+\n|(?!))*+(?:{END_OF_SOURCE}|[^\n]*+\Z)"
LINE_MARKER = r"""\#[ \t]*+(?:line[ \t]*+)?[0-9]++[ \t]++"[\x00-\x09\x0b-!\#-\x7f]*+"[ \t\r0-9]*+(?=\n)"""
_DIRECTIVE_OF_C = r"(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|warning)"
PREPROCESSOR = rf"\#[ \t]*+{_DIRECTIVE_OF_C}(?![\w$])[^\r\n/]*+(?:/(?![/*])[^\r\n/]*+|(?!))*+"  # up to a comment
# Blanks, comments and characters without meaning between tokens. As in every
# possessive round of more than a character, `(?!)` is the last alternative: where a round fails, Python before 3.11.5
# would otherwise continue from there and not from the begin of the round (cpython issue 106052).
PASSED_OVER = rf"(?:[^!-~]++|[\\'`]|\$(?![\w$])|//[^\n]*+\n|{BLOCK_COMMENT}|{LINE_MARKER}|{PREPROCESSOR}|\#|(?!))*+"

PLAIN_VALUES = r"\{(?:[\s,]++|(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})(?=[\s,}])|(?!))*+\}"
"""An initialiser with integers that every unsigned type can hold."""

RESERVED = ("_", WARP_SIZE, FUNCTION_NAME, INLINED_AT)
"""What no declaration can declare although it has the form of a name."""

_NUMBERS = r"[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]*+"
# One match a line. Groups: guard, target of a branch, opcode, operands, label, `.loc`, the comma before `function_name`
# in it, and any other line. Comments and blank lines leave every group empty.
_NAME = r"(?:[a-zA-Z]|[%_$](?=[\w$]))[\w$]*+"
LINE = lazy_pattern(
    rf"""^[ \t]*+
    (?: (?:@[ \t]*+!?[ \t]*+([%$\w]++)[ \t]++)?
        (?: bra(?:\.uni)?[ \t]++(?!{WARP_SIZE}\b)({_NAME})
          | ([a-z][\w.:]*+)(?:[ \t]++([^;"/\n\r\f()@]*+))?
        )[ \t]*+;
      | (?!{WARP_SIZE}:)({NAME_TEXT}):
      | (\.loc)[ \t]++{_NUMBERS}
        (?:(,)[ \t]*+function_name[ \t]++(?!{WARP_SIZE}\b){NAME_TEXT}[ \t]*+,[ \t]*+inlined_at[ \t]++{_NUMBERS})?
      | (?!)
    )?+(?:$|[ \t]*+(?://[^\r\n]*+)?\r?$)
    | ^(.*)$
    """,
    re.M | re.X | re.A,
)
# Lines that neither continue a `.loc` nor belong to the label before them; most lines match.
STARTS_STATEMENT = lazy_pattern(r"[ \t]*+(?:[a-eg-hj-zA-Z$%@{}]|\.(?:loc|reg)\b)")
# A list or prototype, whose directive may be misspelt; the directives in this pattern begin a statement of their own.
LIST_MAY_FOLLOW = lazy_pattern(PASSED_OVER + r"(?:\Z|\.(?!(?:loc|reg|param|local|shared|pragma)\b))")
LOC_MAY_CONTINUE = lazy_pattern(PASSED_OVER + r"(?:\Z|[,0-9]|function_name|inlined_at)")
Groups = tuple[str, ...]  # of `LINE`

_COMMENT_OR_STRING = lazy_pattern(rf'//[^\n]*|{BLOCK_COMMENT}|/\*.*|"[^"\n]*+"', re.S)
_INK = lazy_pattern(r"[^\r\n]")


def is_reserved(name: str) -> bool:
    """Whether no function, variable or register can have this name."""
    return name in RESERVED or special_register(name) is not None


def without_comments(text: str, in_comment: bool = False) -> str:
    """The text with its comments replaced by blanks: offsets and lines stay. A comment without `*/` reaches to the end.

    `in_comment` is True if it begins inside of a `/* */` comment. A string is no comment, whatever it contains.
    """
    if in_comment:
        end = text.find("*/")
        begin = end + len("*/") if end >= 0 else len(text)
        return _INK.sub(" ", text[:begin]) + without_comments(text[begin:])
    if "//" not in text and "/*" not in text:
        return text
    return _COMMENT_OR_STRING.sub(lambda found: found[0] if found[0][0] == '"' else _INK.sub(" ", found[0]), text)


def places_of_name(text: str, name: str, start: int, stop: int) -> Iterator[int]:
    """The offsets of a name in a text from `start` to `stop`, where it is a whole word."""
    at = text.find(name, start, stop)
    while at >= 0:
        end = at + len(name)
        if text[max(at - 1, 0) : at] not in _BEFORE_MORE and text[end : end + 1] not in _IN_NAMES:
            yield at
        at = text.find(name, end, stop)
