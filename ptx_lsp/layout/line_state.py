"""What surrounds a line while a document is formatted: comments, scopes, headers, unfinished statements."""

import re
from enum import Enum
from typing import NamedTuple

from ptx_lsp.isa.directive_names import AFTER_LABEL, FUNCTIONS, SOURCE_BEGIN, UNALIGNED_SECTIONS
from ptx_lsp.isa.directives import line_directives
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.layout.line_format import TABBED, Style, Token
from ptx_lsp.outline.marks import ASSEMBLY_COMMENT
from ptx_lsp.syntax.plain_text import END_OF_SOURCE

_BEFORE_NAME = FUNCTIONS | {*LINKAGES, ".attribute"}  # what a header may begin with
_BEGINNING = re.compile(
    r"[ \t]*(?:[}@]|\.(?:entry|func|visible|weak|extern|common|reg|section|loc|file|version|target|pragma)\b"
    r"|[A-Za-z_$%][\w$]*[ \t]*:(?!:)|(?!%)[a-z]\w*\.[a-z])"
)
_UNALIGNED = re.compile(rf"[ \t]*(?:{'|'.join(map(re.escape, UNALIGNED_SECTIONS))})\b")
_BRACE = re.compile(r'//.*|"[^"\n]*"|([{}])')
_BEGIN_OF_SOURCE = re.compile(rf"\{SOURCE_BEGIN}[ \t]*\n?\Z")
_END_OF_SOURCE = re.compile(END_OF_SOURCE + r"\n")
SAME_ASSEMBLY_COMMENT = "// inline asm"
"""The comment that compilers up to CUDA 10 write both above and below inline assembly."""


_OF_LAUNCH = "cudaLaunchDevice_param_"
"""The parameters of the prototype that compilers of CUDA 5.5 indent by two blanks."""


class Frame(Enum):
    """What a `{` has opened."""

    BODY = "the body of a function"
    SCOPE = "a scope inside"
    TIGHT_SCOPE = "a scope whose first statement is on the line of its brace"
    SECTION = "a section"


DEEPEST = 2_000
"""Open braces that are kept apart; the assembler reads fewer."""


class State(NamedTuple):
    """What surrounds the beginning of a line.

    `frames` are the open braces, and `buried` is the number of those inside of the deepest one. `header`: true
    within the header of a function, whose open parentheses are `parentheses`. `section`: true between `.section`
    and its `{`. `pending` is the opcode or directive of a statement that began on a line above and is not complete,
    else empty; `lists` are its open braces. `comment`: true within `/*`. `assembly`: true between `// begin inline
    asm` and `// end inline asm`. `unaligned`: the open braces of a section of `UNALIGNED_SECTIONS`, 0 before its first
    one, None outside of such a section. `source`: true within a text of another language.
    """

    frames: tuple[Frame, ...] = ()
    header: bool = False
    parentheses: int = 0
    section: bool = False
    pending: str = ""
    lists: int = 0
    comment: bool = False
    assembly: bool = False
    buried: int = 0
    unaligned: int | None = None
    source: bool = False


def after_comment(line: str, state: State, style: Style) -> State | None:
    """The state after a line that formatting never changes; None for all other lines.

    Such lines are blank, or they have comments only, or a comment between `/*` and `*/`, or they are inline assembly,
    or they are in a section of `UNALIGNED_SECTIONS`.
    """
    if state.source:
        return state._replace(source=_END_OF_SOURCE.fullmatch(line.rstrip("\n") + "\n") is None)
    if state.unaligned is not None or _UNALIGNED.match(line) is not None:
        return _in_unaligned(line, state)
    if state.comment or "/*" in line:
        end, begin = line.rfind("*/"), line.rfind("/*")
        return state._replace(comment=begin > end if begin >= 0 else end < 0)
    found = ASSEMBLY_COMMENT.match(line)
    if found is not None:
        return state._replace(assembly=found[1] == "begin")
    if style.is_old and line.strip() == SAME_ASSEMBLY_COMMENT:
        return state._replace(assembly=not state.assembly)
    return state if state.assembly or not line.strip() or line.lstrip().startswith("//") else None


def _in_unaligned(line: str, state: State) -> State:
    depth, closed = state.unaligned or 0, False
    for brace in _BRACE.findall(line):
        depth += (brace == "{") - (brace == "}")
        closed |= brace == "}"
    if closed and depth <= 0:
        return State()
    return State(unaligned=depth, source=_BEGIN_OF_SOURCE.search(line) is not None)


def begins_statement(line: str) -> bool:
    """Whether a line begins with what can only begin a statement, although the one above has no end."""
    return _BEGINNING.match(line) is not None


def after_line(tokens: list[Token], state: State) -> State:
    """The state after a line with these tokens."""
    for index, token in enumerate(tokens):
        if token.kind == "comment":
            break
        if state.header:
            state = _in_header(token.text, state)
        elif state.pending:
            labelled = token.text == ":" and (index < 2 or tokens[index - 2].text in (";", "{", "}"))
            state = state._replace(pending="", lists=0) if labelled else _in_statement(token, state)
        else:
            state = _at_statement(tokens, index, state)
    in_section = bool(state.frames) and state.frames[-1] is Frame.SECTION  # its lines have no semicolons
    unended = state.pending in line_directives() or state.pending == ".section"
    ends_here = unended or (in_section and tokens[-1].text != ",")
    return state._replace(pending="") if ends_here else state


def _in_header(text: str, state: State) -> State:
    if text == "{":
        return state._replace(header=False, parentheses=0, frames=(*state.frames, Frame.BODY))
    if text == ";":
        return state._replace(header=False, parentheses=0)
    return state._replace(parentheses=max(0, state.parentheses + (text == "(") - (text == ")")))


def _in_statement(token: Token, state: State) -> State:
    text = token.text
    if text == ";":
        return state._replace(pending="", lists=0)
    if text == "{" and state.section:
        return state._replace(pending="", section=False, frames=(*state.frames, Frame.SECTION))
    if text in ("{", "}"):
        return state._replace(lists=max(0, state.lists + (1 if text == "{" else -1)))
    if state.pending == "@" and token.kind == "word" and not text.startswith("%"):
        return state._replace(pending=text)
    return state


def _at_statement(tokens: list[Token], index: int, state: State) -> State:
    text = tokens[index].text
    if text == "{":
        if state.section:
            return state._replace(section=False, frames=(*state.frames, Frame.SECTION))
        if len(state.frames) == DEEPEST:
            return state._replace(buried=state.buried + 1)
        tight = index + 1 < len(tokens) and tokens[index + 1].kind != "comment"
        return state._replace(frames=(*state.frames, Frame.TIGHT_SCOPE if tight else Frame.SCOPE))
    if text == "}":
        return state._replace(buried=state.buried - 1) if state.buried else state._replace(frames=state.frames[:-1])
    if text == ";":
        return state
    if _begins_function(tokens, index):
        return state._replace(header=True, frames=())
    if text == ".section":
        return state._replace(section=True, frames=(), pending=text)
    return state._replace(pending=text)


def _begins_function(tokens: list[Token], first: int = 0) -> bool:
    """Whether the statement that begins with this token is the header of a function."""
    if tokens[first].text not in _BEFORE_NAME:
        return False
    for index in range(first, len(tokens)):
        text = tokens[index].text
        if text in FUNCTIONS or text == ";":
            return text != ";"
    return False


def indentation_of(tokens: list[Token], state: State, style: Style) -> str:
    """The blanks at the beginning of a line in the style."""
    first = tokens[0].text
    if state.header:
        return _in_parentheses(tokens, style) if state.parentheses and first != ")" else ""
    section = "" if style.is_old else "\t"
    if first == "{":
        return section if state.section else _inside(state.frames)
    if first == "}" and state.frames:
        closed = state.frames[-1]
        return section if closed is Frame.SECTION else _inside(state.frames[:-1])
    if style.is_old and state.frames and state.frames[-1] is Frame.SECTION:
        return " "
    if len(tokens) > 1 and tokens[1].text == ":":
        return _inside(state.frames) if len(tokens) > 2 and tokens[2].text in AFTER_LABEL else ""
    if first in TABBED:
        return section if first == ".section" else "\t"
    if _begins_function(tokens):
        return ""  # also after a body that is not closed
    return _inside(state.frames)


def _in_parentheses(tokens: list[Token], style: Style) -> str:
    launches = style.is_old and any(token.text.startswith(_OF_LAUNCH) for token in tokens)
    return "  " if launches else "\t"


def _inside(frames: tuple[Frame, ...]) -> str:
    if not frames or frames[-1] is Frame.SECTION:
        return ""
    return "\t  " if frames[-1] is Frame.TIGHT_SCOPE else "\t"
