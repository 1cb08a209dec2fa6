"""The patterns that split a line, or a statement in a line. They know nothing of names and kinds."""

import re

from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.syntax.lexer import PASSED_OVER
from ptx_lsp.syntax.plain_text import NAME_TEXT

_NUMBERS = r"[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]++[0-9]{1,9}+[ \t]*+"
# One match a line. Groups: guard, target of a branch, opcode, operands, label, `.loc`, the comma before `function_name`
# in it, and any other line. Comments and blank lines leave every group empty.
_NAME = r"(?:[a-zA-Z]|[%_$](?=[\w$]))[\w$]*+"
LINE = lazy_pattern(
    rf"""^[ \t]*+
    (?: (?:@[ \t]*+!?[ \t]*+([%$\w]++)[ \t]++)?
        (?: bra(?:\.uni)?[ \t]++({_NAME})
          | ([a-z][\w.:]*+)(?:[ \t]++([^;"/\n\r\f()@]*+))?
        )[ \t]*+;
      | ({NAME_TEXT}):
      | (\.loc)[ \t]++{_NUMBERS}
        (?:(,)[ \t]*+function_name[ \t]++{NAME_TEXT}[ \t]*+,[ \t]*+inlined_at[ \t]++{_NUMBERS})?
      | (?!)
    )?+(?:$|[ \t]*+(?://[^\r\n]*+)?\r?$)
    | ^(.*)$
    """,
    re.M | re.X | re.A,
)
# A statement that may share its line with others, as in inline assembly: a brace of a nested scope, or an instruction.
# Groups: the brace that opens, the one that closes, the dot of a directive, guard, opcode, operands.
PIECE = lazy_pattern(
    r"""[ \t]*+(?:(\{)|(\})|(\.)
    | (?:@[ \t]*+!?[ \t]*+([%$\w]++)[ \t]++)?([a-z][\w.:]*+)(?:[ \t]++([^;"/\n\r\f()@]*+))?[ \t]*+;)""",
    re.X | re.A,
)
BLANKS = " \t"
END_OF_LINE = lazy_pattern(r"[ \t]*+(?://[^\r\n]*+)?\r?(?:\n|\Z)")
# Lines that neither continue a `.loc` nor belong to the label before them; most lines match.
_STARTS_STATEMENT = lazy_pattern(r"[ \t]*+(?:[a-eg-hj-zA-Z$%@{}]|\.(?:loc|reg)\b)")
# A list or prototype, whose directive may be misspelt; the directives in this pattern begin a statement of their own.
_LIST_MAY_FOLLOW = lazy_pattern(PASSED_OVER + r"(?:\Z|\.(?!(?:loc|reg|param|local|shared|pragma)\b))")
_LOC_MAY_CONTINUE = lazy_pattern(PASSED_OVER + r"(?:\Z|[,0-9]|function_name|inlined_at)")

Groups = tuple[str, ...]  # of `LINE`


def label_ends(text: str, after: int) -> bool:
    """Whether a label is a statement of its own: no list and no prototype follows at the offset `after`."""
    return after < len(text) and bool(_STARTS_STATEMENT.match(text, after) or not _LIST_MAY_FOLLOW.match(text, after))


def position_ends(text: str, after: int) -> bool:
    """Whether a `.loc` does not continue in the next line, which begins at the offset `after`."""
    return after < len(text) and bool(_STARTS_STATEMENT.match(text, after) or not _LOC_MAY_CONTINUE.match(text, after))


def is_plain_instruction(text: str, before: int, start: int) -> bool:
    """Whether the line that begins at the offset `start` is one instruction, given the line at the offset `before`."""
    first, second = LINE.match(text, before), LINE.match(text, start)
    return first is not None and second is not None and bool(first[2] or first[3] or first[5]) and bool(second[3])
