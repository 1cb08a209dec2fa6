"""Lines that surely have no inlay hint, found by a pattern: most lines of a module, so that these are not parsed."""

from ptx_lsp.constants.constant import bits_of_double
from ptx_lsp.constants.spelling import bits_of_single
from ptx_lsp.isa.directive_names import BRANCH_TARGETS, SECTION_DATA_TEXT
from ptx_lsp.isa.opcode_sets import (
    BYTE_SELECTOR,
    CALL,
    LOOKUP_TABLE,
    MOVE,
    NAMED_BARRIER,
    NUMBERS_BY_ROLE,
    WITH_MATRICES,
)
from ptx_lsp.isa.special_registers import WARP_SIZE
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.syntax.plain_text import GUARD, PLAIN_VALUES

PLAIN_FLOATS = frozenset((0.0, 1.0, -1.0, 0.5, 2.0))
"""Floats whose bits are well known: they have no hint."""

_EXPLAINED = sorted(
    {LOOKUP_TABLE[0], BYTE_SELECTOR[0], rf"{MOVE}\.[bf]32"}
    | {opcode for opcode, _ in NUMBERS_BY_ROLE}
    | {text.split(".")[0] for text in WITH_MATRICES}
)
"""The opcodes for which a small number may have a hint; the bits that `mov` writes to a float may be its value."""

_NAME = rf"!?+(?!{WARP_SIZE}\b)[%$_a-zA-Z][\w$]*+(?:\.\w++|(?!))*+"
_NUMBER = r"-?[0-9]{1,3}+(?![\w.])"
# fits in 32 bits, whatever it is added to, or in any type
_OFFSET = r"(?:[ ]?\+[ ]?-?(?:[0-9]{1,9}+(?=[ ]?\])|[0-9]{1,3}+(?![\w.]))|(?!))?+"
_BETWEEN = r"[ \t,|{}()\[\]]++"
_ENDS = r"(?=[ \t]*+[,;\]})|])"  # an expression is longer, and may have a value
_LABEL = r"[%$_a-zA-Z][\w$]*+"
_OPCODE = r"[a-z]\w*+(?:\.[\w:]++|(?!))*+"
_NAMES = rf"(?:{_BETWEEN}|{_NAME}{_OFFSET}{_ENDS}|(?!))*+"
_SMALL = rf"(?:{_BETWEEN}|(?:{_NAME}{_OFFSET}|{_NUMBER}){_ENDS}|(?!))*+"
_SINGLES_IN_HEX = "|".join(sorted(f"{bits_of_single(value):08x}" for value in PLAIN_FLOATS))
_DOUBLES_IN_HEX = "|".join(sorted(f"{bits_of_double(value):016x}" for value in PLAIN_FLOATS))
_PLAIN_FLOAT = rf"0[fF](?i:{_SINGLES_IN_HEX})(?!\w)"
_PLAIN_DOUBLE = rf"0[dD](?i:{_DOUBLES_IN_HEX})(?!\w)"
_FLOATS = rf"(?:{_BETWEEN}|(?:{_NAME}{_OFFSET}|{_PLAIN_FLOAT}){_ENDS}|(?!))*+"
_DOUBLES = rf"(?:{_BETWEEN}|(?:{_NAME}{_OFFSET}|{_PLAIN_DOUBLE}){_ENDS}|(?!))*+"
_MASKS = rf"(?:{_BETWEEN}|(?:{_NAME}{_OFFSET}|{_NUMBER}|0[xX][0-9a-fA-F]{{1,8}}+(?!\w)){_ENDS}|(?!))*+"
_NOT_EXPLAINED = rf"(?!(?:{'|'.join(_EXPLAINED)})\b)"
_MOVE = rf"{MOVE}\.f32"
_ZERO = rf"{MOVE}\.b32[ \t]++{_NAME}[ \t]*+,[ \t]*+0(?=;)"
_OF_WARP = r"bar\.warp\.sync"
# the number of a barrier without a count of threads; see `NAMED_BARRIER`
_ALONE = rf"(?:{'|'.join(sorted(NAMED_BARRIER))})\.[a-z.]++[ \t]++[0-9]{{1,3}}+(?=;)"
_LOCATION = r"\.loc[ \t][\w$ \t,+]++"
_COMMENT = r"//[^*\n]*+\r?\n"
_END = r"[ \t]*+(?://[^*\n]*+|(?!))?+\r?\n"
_DATA = rf"[ \t]*+{SECTION_DATA_TEXT}[ \t][-+\w$, \t]*+\r?\n"
_NAMES_IN_LINES = r"\([\w$%,\s]*+\)"
_CALLED = rf"(?:{_NAMES_IN_LINES}\s*+,\s*+|(?!))?+{_LABEL}(?:\s*+,\s*+{_NAMES_IN_LINES}|(?!))?+"
_CALL = rf"{CALL}(?:\.uni)?+\s++{_CALLED}\s*+(?=;)"
_LOCAL = r"\.(?:reg|param)[ \t][\w$%.<> \t,]++(?:\[[0-9]{1,3}+\]|(?!))?+(?=;)"


def _lines(instruction: str) -> str:
    """A pattern of runs of lines that have one such instruction each, a `.loc`, a label or a comment, or are empty.

    Whole scopes in braces, with such instructions, calls and declarations, belong to a run: what they declare is not
    visible outside. The run follows a line that ends a statement, or a brace. Or the lines are rows of a section of
    debug data. The pattern begins with the end of the line above, because a constant character is found fast.
    """
    statement = rf"(?:{GUARD}(?:{instruction}|{_CALL})|{_LABEL}:[ \t]*+\{BRANCH_TARGETS}\b[\w$%,\s]*+);"
    scope = rf"\{{(?:\s++|{_COMMENT}|{statement}|{_LOCAL};|{_LABEL}:|{_LOCATION}\r?\n|(?!))*+\}}"
    line = rf"[ \t]*+(?:{statement}|{_LOCATION}|{_LABEL}:|{scope}|){_END}"
    return rf"\n(?:(?:(?<=[;{{}}]\n)|(?<=;[ ]\n))(?:{line}|(?!))++|(?:{_DATA}|(?!)){{2,}}+)"


_VALUES = rf"(?:{_SMALL}|(?<=\.f32){_FLOATS}|(?<=\.f64){_DOUBLES}|(?<=\.[bu]32){_MASKS})"
WITHOUT_HINTS = lazy_pattern(
    _lines(
        rf"{_OPCODE}{_NAMES}(?=;)|{_NOT_EXPLAINED}{_OPCODE}{_VALUES}(?=;)|{_MOVE}{_FLOATS}|{_ZERO}|{_OF_WARP}{_MASKS}|{_ALONE}"
    )
)
"""Lines without a hint if only the operands of matrices and tensors get their names as hints."""

WITHOUT_NUMBERS = lazy_pattern(_lines(rf"{_OPCODE}{_NAMES}"))
"""Lines without a hint in any case: they have no number outside of an address."""

WITHOUT_VALUES = lazy_pattern(
    r"\.(?:reg|param)[ \t](?:[\w$%. \t,]++|<[0-9]{1,9}+>|(?!))*+;"
    r"|\.(?:visible[ \t]++\.)?(?:global|const)[ \t]++(?:\.align[ \t]++[0-9]++[ \t]++)?\.[bu](?:8|16|32|64)[ \t]++"
    rf"[%$\w]++\[[0-9]{{1,9}}\][ \t]*+=\s*+{PLAIN_VALUES}[ \t]*+;"
)
"""A declaration of registers or parameters that has no number but that of the members of a family, or of an array with
small integers."""
