"""The text of operands: names, integers, and the pieces between commas. Nothing here knows a scope."""

from ptx_lsp.isa.special_registers import THREADS_PER_WARP, WARP_SIZE
from ptx_lsp.judgement.kinds import SINK, integer_kind
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.plain_text import NAME_TEXT

NAMES = lazy_pattern(rf"(?<![\w$%.])(?!{WARP_SIZE}(?![\w$]))[%$_a-zA-Z][\w$]*+", re.A)
"""The names in operands, or in a piece of them."""
_OPERAND = lazy_pattern(
    rf"""[ \t]*+(?:
      ({NAME_TEXT})
    | \[[ \t]*+({NAME_TEXT})[ \t]*+(\+[ \t]*+-?[0-9]{{1,9}})?[ \t]*+\]
    | (-?(?:0|[1-9][0-9]{{0,18}})|(?:0|[1-9][0-9]{{0,18}})U)
    | 0[xX]([0-9A-Fa-f]{{1,15}})U?
    | 0[fF][0-9a-fA-F]{{8}}()
    | 0[dD][0-9a-fA-F]{{16}}()
    | %[a-z_]+\.[xyz]()
    | !({NAME_TEXT})
    | (?:{NAME_TEXT}|_)\|(?:{NAME_TEXT}|_)()
    | _()
    | [0-9]{{1,9}}\.[0-9]{{1,9}}()
    )[ \t]*+""",
    re.X | re.A,
)
_LITERAL = lazy_pattern(
    r"-?(?:0|[1-9][0-9]{0,8}|1[0-9]{9}|214748364[0-8])|[23][0-9]{9}|0[xX][0-9A-Fa-f]{1,8}"
    r"|0f[0-9a-fA-F]{8}|0d[0-9a-fA-F]{16}|_"
)
LARGEST = str((1 << 63) - 1)
ASCII = "".join(map(chr, range(128)))
"""A table for `translate` has a place for each of these: an error for each other character takes most of the time."""
SEPARATORS = ASCII.translate(str.maketrans("\t,;[]{}()+!|@\r", " " * 14))
"""To divide operands into words: names, names with an element, and literals."""
_TO_ZEROS = ASCII.translate(str.maketrans("123456789ABCDEF", "0" * 15))
_ZEROS = "0" * len(LARGEST)
_OWN = "p_"  # any name would do
_PLAIN, _ADDRESS, _OFFSET, _DECIMAL, _HEX, _SINGLE, _DOUBLE, _ELEMENT, _NOT, _PAIR, _SINK, _FLOAT = range(1, 13)
_PIECE = lazy_pattern(r"[ \t]*+((?:[\[{][ \t]*+){0,3}+)([^\[\]{}]+?)[ \t]*+((?:[\]}][ \t]*+){0,3}+)")
_BLANKS = str.maketrans("", "", " \t")
_FIXED = {_SINGLE: "single", _DOUBLE: "double", _SINK: SINK, _FLOAT: "float"}
_LARGEST = int(LARGEST)  # a larger decimal constant is unsigned or too large
_SMALLEST = -(1 << 63)  # the minus applies to an unsigned constant, and the value is unsigned

# operands separated by commas; one in braces or brackets, or a name with brackets after it, is one operand
_PART = r"(?:\{[^{}\[\]]*+\}|\[[^\[\]]*+\]|[^,{}\[\] \t][^,{}\[\]]*+(?:\[[^\[\]]*+\]|(?!))?+)"
_PARTS = lazy_pattern(_PART)
_SEPARATED = lazy_pattern(rf"[ \t]*+{_PART}[ \t]*+(?:,[ \t]*+{_PART}[ \t]*+|(?!))*+")

JOINED = "|"  # as the name of a shape: the piece is a pair of names
SELECTED = "."  # as the name of a shape: the piece is an element of a special register


class Unclear(KeyError):
    """The recogniser does not know whether the text is fine: the parser must read it."""


class PieceShape(NamedTuple):
    """The parts of a piece, which are the same in every scope.

    The kind of the piece is `before`, then the kind of `name`, then `after`. Without a name it is `before`.
    """

    before: str
    name: str
    after: str


_shapes: Memo[str, PieceShape] = Memo(50_000)


def is_literal(word: str) -> bool:
    """Whether a word of a line is a plain literal: an integer that is an `int32` or smaller, a float, or the sink.

    An integer with as many digits as the largest one is a plain literal too; it is an `int64`.
    """
    if _LITERAL.fullmatch(word) is not None:
        return True
    digits = word.removeprefix("-")
    if len(digits) != len(LARGEST) or not digits.isdecimal() or digits[0] == "0" or not digits.isascii():
        return False
    return digits <= LARGEST or int(word) == _SMALLEST


def with_zeros(texts: list[str]) -> list[str]:
    """These texts, which have no line ends, with a zero for each digit, also a hexadecimal one in capital letters."""
    return "\n".join(texts).translate(_TO_ZEROS).split("\n") if texts else []


def without_numbers(texts: list[str]) -> list[str]:
    """Texts from `with_zeros` with one zero for each number; the largest `int64` for a number with 19 digits."""
    if not texts:
        return []
    text = "\n".join(texts)
    if _ZEROS in text:
        text = text.replace(_ZEROS, LARGEST)
    # a number of up to 16 digits becomes one digit
    return text.replace("0000", "0").replace("00", "0").replace("00", "0").replace("00", "0").split("\n")


def same_in_all(rests: list[str], own: str, text: str) -> list[str]:
    """Parts of the lines of a text with the same names of parameters in all functions.

    In this one, such a name begins with `own`.
    """
    if own not in text:
        return rests
    return "\n".join(rests).replace(f"[{own}", f"[{_OWN}").replace(f" {own}", f" {_OWN}").split("\n")


def move_guards(heads: list[str], rests: list[str]) -> None:
    """Put the guards of lines before the rests of their lines; the heads are then `@` and the opcode."""
    for number, head in enumerate(heads):
        if head[0] == "@":
            opcode, *rest = rests[number].split(None, 1)
            if len(head) > 1 and rest:
                heads[number], rests[number] = "@" + opcode, f"{head[1:]} {rest[0]}"


def with_whole_floats(text: str) -> str:
    """A text from `without_numbers` with all digits of its floats, as they are written."""
    return text.replace("0f0", "0f00000000").replace("0d0", "0d0000000000000000")


def words_of(guard: str, operands: str) -> list[str]:
    """The words of an instruction after its opcode; the guard, which may be empty, is the first one."""
    return [*([guard] if guard else []), *operands.translate(SEPARATORS).split()]


def begins_as_name(word: str) -> bool:
    """Whether a word of a shape is a name: `_` alone is a literal, and no other one begins with it, or with `$`."""
    return word[0] == "%" or word[0].isalpha()


def pieces(operands: str) -> list[str]:
    """The texts between the commas of an operand list; one empty text if there are no operands."""
    return operands.replace(", ", ",").split(",")


def split(operands: str) -> list[str]:
    """The operands of a plain instruction, as texts; raises `Unclear` if they are not plain."""
    if not operands:
        return []
    # no text between two commas may be empty, also in a vector
    if _SEPARATED.fullmatch(operands) is None or not all(map(str.strip, operands.split(","))):
        raise Unclear
    parts = [part.strip(" \t") for part in _PARTS.findall(operands)]
    if not all(map(_has_pairs, parts)):
        raise Unclear
    return parts


def _has_pairs(part: str) -> bool:
    """Whether every brace of an operand has its other one; there are none inside others."""
    inside = False
    for brace in part if "{" in part or "}" in part else "":
        if brace in "{}":
            if inside == (brace == "{"):
                return False
            inside = not inside
    return not inside


def shape_of(text: str) -> PieceShape:
    """The shape of a piece; raises `Unclear` if it is not plain. Shapes are remembered: most pieces occur again."""
    if not text:
        return _NO_OPERANDS
    found = _shapes.get(text)
    if found is None:
        found = _shapes[text] = _shape(text)
    return found


_NO_OPERANDS = PieceShape("", "", "")


def _shape(text: str) -> PieceShape:
    match = _OPERAND.fullmatch(text)
    if match is not None:
        return _operand_shape(match)
    match = _PIECE.fullmatch(text)
    if match is None or len(match[2]) == len(text):
        raise Unclear
    before, core, after = match.groups()
    begin, name, end = shape_of(core)
    if name in (JOINED, SELECTED):
        raise Unclear
    first, last = before.translate(_BLANKS), after.translate(_BLANKS)
    if not name and first.endswith("[") != last.startswith("]"):
        raise Unclear  # a constant cannot be one of several parts of an address
    first, last = first + begin, end + last
    return PieceShape(first, name, last) if name else PieceShape(first + last, "", "")


def _operand_shape(match: re.Match[str]) -> PieceShape:
    which = match.lastindex or 0
    if which in (_DECIMAL, _HEX):
        value = integer(match[0])
        if value is None:
            raise Unclear
        return PieceShape(integer_kind(value), "", "")
    if which in _FIXED:
        return PieceShape(_FIXED[which], "", "")
    if WARP_SIZE in match[0]:
        if which != _PLAIN or match[1] != WARP_SIZE:
            raise Unclear
        return PieceShape(integer_kind(THREADS_PER_WARP), "", "")
    if which == _PLAIN:
        return PieceShape("", match[1], "")
    if which == _ADDRESS:
        return PieceShape("[", match[2], "]")
    if which == _OFFSET:
        digits = match[3].lstrip("+- \t")
        if digits[0] == "0" and len(digits) > 1:
            raise Unclear  # octal digits, or none: `+08`
        return PieceShape("[", match[2], "+]")
    if which == _NOT:
        return PieceShape("!", match[9], "")
    return PieceShape("", JOINED if which == _PAIR else SELECTED, "")


def integer(text: str) -> int | None:
    """The value of a plain integer literal; None for any other text."""
    match = _OPERAND.fullmatch(text)
    if match is not None and match.lastindex == _DECIMAL:
        value = int(match[4].removesuffix("U"))
        if value == _SMALLEST:
            return -value
        return value if _SMALLEST < value <= _LARGEST else None
    if match is not None and match.lastindex == _HEX:
        return int(match[5], 16)
    if match is not None and match.lastindex == _PLAIN and match[1] == WARP_SIZE:
        return THREADS_PER_WARP
    return None


def decimal_float(text: str) -> float | None:
    """The value of a plain float literal in decimal; None for any other text."""
    match = _OPERAND.fullmatch(text)
    return float(match[0]) if match is not None and match.lastindex == _FLOAT else None
