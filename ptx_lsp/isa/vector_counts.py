"""How many elements a vector operand has: expressions over the shape, the count and the types of an opcode."""

from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.types import TYPES
from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern

SHAPE = lazy_pattern(r"\.m([0-9]+)n([0-9]+)(?:k([0-9]+))?")
"""A modifier with the shape of a matrix instruction, `.m16n8k16`: m, n and, if it is there, k."""

_NUMBER = lazy_pattern(r"[0-9]+")
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2}


def arity(match: Match, expression: tuple[str, ...]) -> tuple[int, ...]:
    """The numbers of elements that a vector may have; (0,) if it is not a vector because its word is left out.

    Divisions round up: half a register is a register.
    """
    if len(expression) == 1 and isinstance(only := _value(match, expression[0]), int):
        return (only,)  # of most vectors
    answers: list[int] = []
    part: list[str] = []
    for token in (*expression, "|"):
        if token != "|":
            part.append(token)
            continue
        value = _evaluate([_value(match, t) for t in part])
        answers.append(value)
        part = []
    return tuple(answers)


def spelled_out(match: Match, expression: tuple[str, ...]) -> str:
    """The calculation of the number of elements from the shape, `64*32/128`; empty if it does not use the shape."""
    if not {"m", "n", "k"} & set(expression):
        return ""
    return "".join(str(_value(match, token)) for token in expression)


def _value(match: Match, token: str) -> str | int:
    if token.isdecimal():
        return int(token)
    if token in ("m", "n", "k"):
        return shape_of(match).get(token, 0)
    if token.startswith("bits."):
        type_ = TYPES.get(match.group(token[4:]))
        return type_.bits if type_ else 0
    if token.startswith("."):
        return _number_in(match.group(token))
    return token


@forgettable
@lru_cache(maxsize=1024)
def _number_in(word: str) -> int:
    found = _NUMBER.search(word)
    return int(found[0]) if found else 0


def shape_of(match: Match) -> dict[str, int]:
    """The sizes `m`, `n` and `k` in the shape of a matrix instruction; empty without one. `k` may be 0."""
    return _shape_in(match.words)


@forgettable
@lru_cache(maxsize=1024)
def _shape_in(words: tuple[str, ...]) -> dict[str, int]:
    for word in words:
        if found := SHAPE.fullmatch(word):
            return {"m": int(found[1]), "n": int(found[2]), "k": int(found[3] or 0)}
    return {}


def _evaluate(tokens: list[str | int]) -> int:
    """The value of an infix expression of whole numbers."""
    values: list[int] = []
    pending: list[str] = []
    for token in (*tokens, ")"):
        if isinstance(token, int):
            values.append(token)
        elif token == "(":
            pending.append(token)
        else:
            while pending and pending[-1] != "(" and _BINDING[pending[-1]] >= _BINDING.get(token, 0):
                right, left = values.pop(), values.pop()
                values.append(_apply(pending.pop(), left, right))
            if token == ")":
                if pending:
                    pending.pop()
            else:
                pending.append(token)
    return values[0]


def _apply(sign: str, left: int, right: int) -> int:
    if sign == "/":
        return -(-left // right) if right else 0
    return left + right if sign == "+" else left - right if sign == "-" else left * right
