"""Finds lines whose operands or trailing comments were aligned by hand with those of a neighbouring line."""

from collections.abc import Sequence
from typing import NamedTuple

from ptx_lsp.layout.line_format import Token, join_line

TAB = 8  # columns


class Columns(NamedTuple):
    """The columns on the screen at which the operands of a line begin, and the blanks before each."""

    indentation: int
    operands: tuple[int, ...]
    gaps: tuple[str, ...]


def width(text: str, column: int = 0) -> int:
    """The column on the screen after a text that begins at `column`."""
    if "\t" not in text:
        return column + len(text)
    for character in text:
        column = (column // TAB + 1) * TAB if character == "\t" else column + 1
    return column


def columns_of(tokens: Sequence[Token]) -> Columns | None:
    """The columns of a line with one statement; None for a line without operands."""
    if len(tokens) < 2 or tokens[0].kind == "comment":
        return None
    column = indentation = width(tokens[0].gap)
    operands: list[int] = []
    gaps: list[str] = []
    for index, token in enumerate(tokens):
        if token.kind == "comment":
            break
        begin = width(token.gap, column) if index else indentation
        if index and token.gap and not token.text.startswith(".") and tokens[index - 1].text not in ("!", "@"):
            operands.append(begin)
            gaps.append(token.gap)
        column = width(token.text, begin)
    return Columns(indentation, tuple(operands), tuple(gaps)) if operands else None


def are_aligned(one: Columns | None, other: Columns | None) -> bool:
    """Whether some operand begins at the same column in both lines because of the blanks that an author wrote."""
    if one is None or other is None or one.indentation != other.indentation:
        return False
    for index, (column, its) in enumerate(zip(one.operands, other.operands, strict=False)):
        if column != its:
            return False
        if one.gaps[index] != other.gaps[index] and len(set(one.gaps[index] + other.gaps[index])) == 1:
            return True  # blanks alone or tabs alone, a different number of them
    return False


def moved(tokens: Sequence[Token], indentation: str) -> list[Token]:
    """The tokens of an aligned line with another indentation; tabs between them become spaces, if they would shrink."""
    column = width(tokens[0].gap)
    if (width(indentation) - column) % TAB == 0:
        return [tokens[0]._replace(gap=indentation), *tokens[1:]]
    done = [tokens[0]._replace(gap=indentation)]
    column = width(tokens[0].text, column)
    for token in tokens[1:]:
        begin = width(token.gap, column)
        done.append(token._replace(gap=" " * (begin - column) if "\t" in token.gap else token.gap))
        column = width(token.text, begin)
    return done


def comment_column(tokens: Sequence[Token]) -> int | None:
    """The column on the screen of a comment after code, else None."""
    if len(tokens) < 2 or tokens[-1].kind != "comment":
        return None
    return width(join_line(list(tokens[:-1]), tokens[-1].gap))
