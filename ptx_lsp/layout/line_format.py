"""Formats one line: its indentation and the blanks between its tokens, in the style of NVIDIA's compiler.

Blanks are changed, never inserted between two tokens and never removed where they separate two words.
"""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r'(?P<blank>[ \t\f]++)|(?P<comment>//.*)|(?P<string>"[^"]*+"?)|(?P<word>[\w$%.]++(?:::[\w$%.]++|(?!))*+)|.',
    re.DOTALL,
)
TABBED = frozenset((".loc", ".file", ".section"))
_BEFORE_TAB = ".hidden"  # before the `.param` of a kernel's parameter
"""The directives that the compiler writes between two tabs."""

_STACK_POINTERS = frozenset(("%SP", "%SPL"))
_TIGHT_BEFORE = frozenset((",", ";", "]", ")"))
_TIGHT_AFTER = frozenset(("[", "("))
_DEBUG_LABEL = "$L__tmp"  # the compiler writes branches to such a label with a tab alone
_LOGIC = frozenset(("and", "or", "xor"))
# instructions that the compiler writes with one blank after the opcode, and no tab
_ONE_BLANK = ("call", "wmma.mma.", "suld.")
_ONE_BLANK_BEFORE_23 = ("redux.sync.",)
_TAB_ALONE_IN_20 = ("shfl.sync.", "isspacep.", "mapa.")
_TAB_ALONE_IN_7 = ("mapa.",)
_RANKS = ("%cluster_ctarank;", "%cluster_nctarank;")
_BASED_ON = re.compile(r"// Based on NVVM (\d+)\.")
_MOST_DIGITS = 3


class Style(NamedTuple):
    """What differs between versions of NVIDIA's compiler.

    `nvvm` is the version of NVVM that the compiler is based on: 7, 20, 21, 23. It is 0 if the module does not say so:
    then it gets the style that most of its statements have in all versions.
    """

    nvvm: int = 0

    @property
    def has_wide_logic(self) -> bool:
        """Whether two blanks follow the opcodes of bitwise operations."""
        return 0 < self.nvvm < 21

    @property
    def is_oldest(self) -> bool:
        """Whether it is that of NVVM 7, which writes a blank after `.noreturn` and before `_RANKS`."""
        return self.nvvm == 7

    @property
    def has_short_redux(self) -> bool:
        """Whether one blank alone follows `_ONE_BLANK_BEFORE_23`."""
        return 0 < self.nvvm < 23

    @property
    def has_tabbed_parameters(self) -> bool:
        """Whether a tab precedes the name of a parameter of a call."""
        return self.nvvm >= 23


class Token(NamedTuple):
    """A token and the blanks before it. `kind` is `comment`, `string`, `word`, or empty for one other character."""

    gap: str
    text: str
    kind: str


def style_of(head: str) -> Style:
    """The style of a module whose first lines are `head`: compilers write their version there, in a comment."""
    found = _BASED_ON.search(head)
    if found is None:
        return Style()
    return Style(int(found[1][:_MOST_DIGITS]))


def split_line(line: str) -> tuple[list[Token], str]:
    """The tokens of a line, and the blanks after the last one."""
    tokens: list[Token] = []
    gap = ""
    for match in _TOKEN.finditer(line):
        kind = match.lastgroup
        if kind == "blank":
            gap = match[0]
        else:
            tokens.append(Token(gap, match[0], kind or ""))
            gap = ""
    return tokens, gap


def join_line(tokens: list[Token], trailing: str) -> str:
    """The line of these tokens and the blanks after the last one."""
    return "".join(token.gap + token.text for token in tokens) + trailing


def formatted(
    tokens: list[Token], trailing: str, indentation: str, style: Style, continued: bool
) -> tuple[list[Token], str]:
    """The same tokens with the blanks of the style. Blanks before a comment do not change.

    `continued`: true if the line does not begin with a statement.

    One blank at the end of a line stays, because the compiler writes one in calls; of several, one is left.
    """
    done: list[Token] = []
    begin = -1 if continued else 0  # where the present statement begins; -1: above
    depth = 0
    for index, token in enumerate(tokens):
        gap = token.gap
        if not index:
            gap = indentation
        elif gap and token.kind != "comment":
            gap = _gap(tokens, index, begin, depth, style)
        done.append(token._replace(gap=gap))
        if token.text in ("[", "(") or (token.text == "{" and index > max(begin, 0)):
            depth += 1
        elif depth and token.text in ("]", ")", "}"):
            depth -= 1
        elif token.text in (";", "{", "}") or (token.text == ":" and index == begin + 1):
            begin = index + 1
    return done, trailing[:1] and " " if done and done[-1].kind != "comment" else trailing


def _gap(tokens: list[Token], index: int, begin: int, depth: int, style: Style) -> str:
    """The blanks before the token at `index`, which has some. The present statement begins at `begin`."""
    token, before = tokens[index], tokens[index - 1]
    if index == begin:
        return " "
    if token.text == ":":
        return " "
    if style.is_oldest and (token.text, before.text) == (";", ".noreturn"):
        return " "
    if token.text in _TIGHT_BEFORE or before.text in _TIGHT_AFTER:
        return ""
    if depth and (token.text == "}" or before.text == "{"):
        return ""
    if begin < 0:
        return " "
    first = tokens[begin].text
    if first == "@":
        return _guarded_gap(tokens, index, begin, style)
    if first.startswith("."):
        return _directive_gap(tokens, index, begin, style)
    if begin or index > begin + 1:
        return " "
    return operand_gap(first, style, "".join(each.text for each in tokens[index:]))


def _guarded_gap(tokens: list[Token], index: int, begin: int, style: Style) -> str:
    guard = begin + 1 + (tokens[begin + 1].text == "!")
    if index <= guard:
        return ""
    return operand_gap(tokens[guard + 1].text, style) if index == guard + 2 else " "


def operand_gap(opcode: str, style: Style, operands: str = "") -> str:
    """The blanks between an opcode with its modifiers and the operands, of a statement without a guard."""
    if operands.startswith(_DEBUG_LABEL) and opcode == "bra.uni":
        return "\t"
    if opcode.startswith(_ONE_BLANK) or (style.has_short_redux and opcode.startswith(_ONE_BLANK_BEFORE_23)):
        return " "
    if style.is_oldest and opcode == "mov.b32" and operands.endswith(_RANKS):
        return " "
    if opcode.startswith({20: _TAB_ALONE_IN_20, 7: _TAB_ALONE_IN_7}.get(style.nvvm, ())):
        return "\t"
    return "  \t" if style.has_wide_logic and opcode.partition(".")[0] in _LOGIC else " \t"


def _directive_gap(tokens: list[Token], index: int, begin: int, style: Style) -> str:
    first, token, before = tokens[begin].text, tokens[index], tokens[index - 1]
    if (index == begin + 1 and first in TABBED) or before.text == _BEFORE_TAB:
        return "\t"
    if token.text == "(" and before.text == ".func":
        return "  "
    following = tokens[index + 1].text if index + 1 < len(tokens) else ""
    if first == ".reg" and before.text.startswith("."):
        tabbed = following == "<" or token.text in _STACK_POINTERS or before.text == ".pred"
        return " \t" if tabbed else " "
    if first == ".param" and style.has_tabbed_parameters and tokens[-1].text == ";" and before.text.startswith("."):
        return " \t" if token.text[0] not in ".0123456789" else " "
    if first == ".local" and token.text.startswith("__local_depot"):
        return " \t"
    return " "
