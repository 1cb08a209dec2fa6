"""From the template of a statement to PTX: the escapes of its dialect undone, operands as names, with an exact map.

Sources: NVIDIA's "Inline PTX Assembly in CUDA"; GCC's manual, "Extended Asm"; LLVM's language reference, "Inline
Assembler Expressions"; Rust's reference, "Inline assembly"; MLIR's `nvvm.inline_ptx`. Observed: NVRTC 13.5 copies the
template of a statement without operands as it is.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ptx_lsp.hosts.source_map import Run
from ptx_lsp.hosts.statement import HOLE, AsmStatement, Dialect, Host, Operand, Role
from ptx_lsp.patterns import lazy_pattern

_PERCENT = lazy_pattern(r"%(?:(?P<sign>[%{}|=])|(?P<number>\d+)|\[(?P<name>[^\]\n]*)\]|[A-Za-z]\d+[\w$]*)")
_DOLLAR = lazy_pattern(
    rf"\$(?:(?P<sign>\$)|(?P<number>\d+)|\{{(?P<braced>\d+)(?::(?P<modifier>[^}}\n{HOLE}]*))?\}}"
    r"|\{:(?P<special>uid|comment|private)\}|(?P<variant>[(|)])"
    rf"|(?P<unknown>(?!{HOLE}|\{{[^}}\n]*{HOLE})(?:\{{[^}}\n]*\}}|[A-Za-z_][\w$]*|)))"
)
_BRACES = lazy_pattern(r"(?P<sign>\{\{|\}\})|\{(?P<name>[A-Za-z_]\w*|\d*)(?::[^{}]*)?\}")
_ROLES = lazy_pattern(r"\{\$(?P<name>(?:rw|r|w)\d+)\}|\$(?P<number>\d+)")
_PATTERNS = {
    Dialect.PERCENT: _PERCENT,
    Dialect.DOLLAR: _DOLLAR,
    Dialect.BRACES: _BRACES,
    Dialect.ROLES: _ROLES,
}
_COPIED = lazy_pattern(r"%(?P<copied>[%=])")
_COPIED_OR_NUMBER = lazy_pattern(r"%(?:(?P<copied>[%=])|(?P<number>\d+)(?![\w$]))")
_MAY_HAVE_NUMBERS = lazy_pattern(rf"//|/\*|{HOLE}|\.(?:reg|param|local|shared)\b[^;{{}}]*%\d")
"""What lets `%0` be no mistake without operands: a comment, a macro that may hold the operands, its declaration."""
_WORD = lazy_pattern(r"[\w$%.:]")
UNIQUE = "0"
"""What a number that the compiler makes up is in the body."""
NUMBERS = ("%=", "${:uid}")
"""How templates ask for such a number."""
_SPECIALS = {"uid": UNIQUE, "comment": "//", "private": ""}
"""What `${:uid}` and its like are in PTX. Observed: LLVM 22 writes nothing for `${:private}`."""
_OF_REGISTERS = frozenset("ral")
_OF_IMMEDIATES: dict[str, Callable[[int], int]] = {
    "c": lambda value: value,
    "n": lambda value: -value,
    "r": lambda value: value,
    "s": lambda value: 32 - value,
}
"""The modifiers of `${0:n}` that LLVM has for PTX; `a` and `l` are there, but print nothing that ptxas takes."""
_SIGNS = {"=": UNIQUE, "|": ""}
_SIGNS_OF_CUDA = {"=": UNIQUE, "|": "", "{": "", "}": ""}  # observed: NVRTC 13.5; clang writes the braces
UNKNOWN_VALUE = "1"
"""What an immediate of unknown value is in the body. Findings about its value are left out (`fragment.py`)."""


class Reference(NamedTuple):
    """A place of the body, from `start` to `end`, where the template names the operand `number`.

    `written` is the spelling in the template: `%2`, `${2:r}`, `{stride}`. `number` is -1 for a name that no operand
    has; it may be higher than that of the last operand.
    """

    start: int
    end: int
    number: int
    written: str


class Escape(NamedTuple):
    """A spelling in the template, from `start` to `end` of the body, that the compiler refuses or does not undo."""

    start: int
    end: int
    written: str


class TemplateText(NamedTuple):
    """The PTX of a template. `runs` map it to the decoded template; what is not in a run has no origin.

    A hole of the template, and what a macro or the constraint `C` inserts, is one `HOLE`. `escapes` are mistakes; a
    `%%` or `%=` that the compiler copies is what its author meant.
    """

    text: str
    runs: tuple[Run, ...]
    references: tuple[Reference, ...]
    escapes: tuple[Escape, ...] = ()

    def reference_at(self, offset: int) -> Reference | None:
        """The reference around an offset of the body, its ends included; None without one."""
        index = bisect_left(self.references, offset, key=lambda each: each.end)
        found = self.references[index] if index < len(self.references) else None
        return found if found is not None and found.start <= offset else None

    def numbered(self, template: str) -> list[tuple[int, int]]:
        """The places of the body with a number that the compiler makes up, from begin to end.

        `template` is the decoded template.
        """
        runs = (run for run in self.runs if template[run.start : run.end] in NUMBERS)
        return [(run.decoded, run.decoded + run.length) for run in runs]


def spelling(dialect: Dialect, number: int) -> str:
    """The name of an operand in the body: as the author writes it where that is a name of PTX."""
    return f"${number}" if dialect is Dialect.DOLLAR else f"%{number}"


def decoded(statement: AsmStatement, values: Mapping[int, str | None]) -> TemplateText:
    """The PTX of a statement. `values` has the operands that are text: immediates with their values.

    A value is None if it is not known, and `HOLE` if nothing is known of the text.
    """
    text = statement.template.text
    if statement.dialect is Dialect.PERCENT and not statement.operands and statement.whole:
        return _Writer(statement, values).write(text, _COPIED if _MAY_HAVE_NUMBERS.search(text) else _COPIED_OR_NUMBER)
    return _Writer(statement, values).write(text, _PATTERNS[statement.dialect])


class _Writer:
    """Writes the body of one statement, from the left to the right."""

    def __init__(self, statement: AsmStatement, values: Mapping[int, str | None]) -> None:
        self.dialect = statement.dialect
        self.values = values
        self.signs = _SIGNS_OF_CUDA if statement.host in (Host.CUDA, Host.CPP) else _SIGNS
        self.count = len(statement.operands)
        self.numbers = _numbers(statement.operands)
        self.unnamed = iter([operand.number for operand in statement.operands if operand.name is None])
        self.parts: list[str] = []
        self.runs: list[Run] = []
        self.references: list[Reference] = []
        self.escapes: list[Escape] = []
        self.length = 0
        self.variant: int | None = None
        """Which alternative of `$(a$|b$)` this is, from 0; None outside. LLVM takes the first one for PTX."""

    def write(self, text: str, pattern: re.Pattern[str]) -> TemplateText:
        at = 0
        for found in pattern.finditer(text):
            self._copy(text, at, found.start())
            at = found.end()
            if variant := found.groupdict().get("variant"):
                self._alternative(variant, found)
            elif not self.variant:
                self._replace(text, found)
        self._copy(text, at, len(text))
        return TemplateText("".join(self.parts), tuple(self.runs), tuple(self.references), tuple(self.escapes))

    def _copy(self, text: str, start: int, end: int) -> None:
        if end > start and not self.variant:
            self.runs.append(Run(self.length, end - start, start, end))
            self.parts.append(text[start:end])
            self.length += end - start

    def _put(self, new: str, found: re.Match[str]) -> None:
        if new:
            self.runs.append(Run(self.length, len(new), found.start(), found.end()))
            self.parts.append(new)
            self.length += len(new)

    def _alternative(self, sign: str, found: re.Match[str]) -> None:
        """`$(`, `$|` and `$)`; outside of alternatives the last two are a bar and a brace, as in GCC's templates."""
        if sign == "(" and self.variant is not None:
            self._refuse(found, " ")
        elif sign == "(":
            self.variant = 0
        elif self.variant is None:
            self._put("|" if sign == "|" else "}", found)
        else:
            self.variant = self.variant + 1 if sign == "|" else None

    def _refuse(self, found: re.Match[str], new: str | None = None) -> None:
        """Keep what the compiler refuses if it is a name of PTX; otherwise `new` is in the body."""
        new = found[0] if new is None else new
        self.escapes.append(Escape(self.length, self.length + len(new), found[0]))
        self._put(new, found)

    def _replace(self, text: str, found: re.Match[str]) -> None:
        groups = found.groupdict()
        sign = groups.get("sign")
        if sign:
            self._put(self.signs.get(sign, sign[0]), found)
        elif copied := groups.get("copied"):
            new = UNIQUE if copied == "=" else copied
            self.escapes.append(Escape(self.length, self.length + len(new), found[0]))
            self._put(new, found)
        elif groups.get("special") is not None:
            self._put(_SPECIALS[groups["special"]], found)
        elif (number := self._number(groups)) is not None:
            self._refer(text, found, number, groups.get("modifier"))
        else:
            self._refuse(found, None if found[0][1:2] not in "{" else " " if found[0][2:3] in ":" else "%unknown")

    def _number(self, groups: dict[str, str | None]) -> int | None:
        """The number of the operand that is named; -1 without one, None if this names no operand."""
        digits = groups.get("number") or groups.get("braced")
        name = groups.get("name")
        if name == "":
            return next(self.unnamed, -1)
        if name is not None and not name.isdecimal():
            return self.numbers.get(name, -1)
        digits = digits or name
        return int(digits) if digits is not None and len(digits) < 6 else None if digits is None else -1

    def _refer(self, text: str, found: re.Match[str], number: int, modifier: str | None) -> None:
        new = spelling(self.dialect, number) if number >= 0 else "%unknown"
        known = 0 <= number < self.count
        if number in self.values:
            value = self.values[number]
            if modifier in _OF_IMMEDIATES and value not in (None, HOLE):
                value = str(_OF_IMMEDIATES[modifier](int(value)))
            new = UNKNOWN_VALUE if value is None else value
            known = value is not None
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        if not known and (_WORD.match(before) or _WORD.match(after)):
            new = HOLE
        start = self.length
        self._put(new, found)
        if modifier is not None and modifier not in (_OF_IMMEDIATES if number in self.values else _OF_REGISTERS):
            self.escapes.append(Escape(start, self.length, found[0]))
        self.references.append(Reference(start, self.length, number, found[0]))


def _numbers(operands: tuple[Operand, ...]) -> dict[str, int]:
    return {operand.name: operand.number for operand in operands if operand.name}


_LITERAL = lazy_pattern(
    r"[\s(]*(?:i\d+\s+)?(?:\(\s*(?:unsigned|signed|int|long|short|u?int\d+_t|size_t)\s*\)\s*)?"
    r"(?P<sign>-?)\s*(?P<digits>0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*[\s)]*"
)

_LONGEST_LITERAL = 200  # characters; the pattern tries all divisions of the blanks


def immediate_value(operand: Operand, source: Callable[[int, int], str]) -> str | None:
    """The decimal text of an immediate whose expression is a number; None if its value is not known.

    `source` gives the text of the host between two offsets.
    """
    if operand.expression is None or operand.role is Role.SYM:
        return None
    text = source(*operand.expression).strip()
    found = _LITERAL.fullmatch(text) if len(text) <= _LONGEST_LITERAL else None
    if found is None:
        return None
    digits = found["digits"].replace("'", "")
    octal = len(digits) > 1 and digits[0] == "0" and digits.isdecimal()
    try:
        return f"{found['sign']}{int(digits, 8 if octal else 0)}"
    except ValueError:
        return None
