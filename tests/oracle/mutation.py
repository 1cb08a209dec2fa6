"""Mutants: real PTX with one mistake, of the kinds that people make when they type.

A mutant is an edit of the original text that does not move its lines. The choice depends only on the text and the
seed.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"[^"\n]*"|\s+|0[fFdD][0-9a-fA-F]+|[%$A-Za-z_][\w$]*|\.[A-Za-z_][\w:]*|[0-9][\w.]*|.""", re.S
)
_LINES = (".version", ".target", ".address_size", ".file", ".loc")  # these end with their line
_HEADS = re.compile(r"\.(?:visible|extern|weak|entry|func|section)\b[^=]*\Z", re.S)
_TYPES = (".b16", ".b32", ".b64", ".s32", ".u32", ".u64", ".f16", ".f32", ".f64", ".pred")
_MODIFIERS = (
    *(".sat", ".ftz", ".rn", ".hi", ".wide", ".sync", ".volatile", ".v2", ".cc", ".gpu", ".and", ".global", ".shared"),
    *(".relaxed", ".x4"),
)


class Token(NamedTuple):
    """One token: its text, start and end."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its tokens without blanks and comments, and its kind."""

    tokens: tuple[Token, ...]
    kind: str  # instruction, label, declaration, directive, brace

    @property
    def start(self) -> int:
        """The offset of its start."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """The offset of its end."""
        return self.tokens[-1].end


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake: `replacement` replaces the original text from `start` to `end`, which is part of a statement."""

    kind: str
    start: int
    end: int
    replacement: str
    statement: Statement

    def apply(self, text: str) -> str:
        """The text with the mistake."""
        return text[: self.start] + self.replacement + text[self.end :]


def statements(text: str) -> list[Statement]:
    """The statements of a well-formed module."""
    found: list[Statement] = []
    open_: list[Token] = []
    braces = 0

    def close() -> None:
        if open_:
            found.append(Statement(tuple(open_), _kind_of(open_)))
            open_.clear()

    for match in _TOKEN.finditer(text):
        token = Token(match[0], *match.span())
        if token.text.isspace() or token.text.startswith(("//", "/*")):
            if "\n" in token.text and open_ and open_[0].text in _LINES:
                close()
            continue
        brace = token.text in "{}"
        if brace and braces == 0 and (not open_ or _HEADS.match(text[open_[0].start : token.start])):
            close()
            found.append(Statement((token,), "brace"))
            continue
        open_.append(token)
        braces += (token.text == "{") - (token.text == "}")
        if (token.text == ";" and braces == 0) or (token.text == ":" and len(open_) == 2):
            close()
    close()
    return found


def _kind_of(tokens: list[Token]) -> str:
    if tokens[-1].text == ":":
        return "label"
    if not tokens[0].text.startswith("."):
        return "instruction"
    return "declaration" if tokens[-1].text == ";" and tokens[0].text != ".pragma" else "directive"


Edit = tuple[str, int, int, str]


def mutants(text: str, seed: int, for_each: int = 3) -> list[Mutant]:
    """Mistakes in every statement of a well-formed module, with a limited number of kinds in each."""
    chance = random.Random(seed)
    registers = _registers(text)
    found = []
    for statement in statements(text):
        by_kind: dict[str, list[Edit]] = defaultdict(list)
        for make in _MAKERS[statement.kind]:
            for edit in make(statement, text, registers, chance):
                by_kind[edit[0]].append(edit)
        for kind in chance.sample(sorted(by_kind), min(for_each, len(by_kind))):
            _, start, end, new = chance.choice(by_kind[kind])
            new += "\n" * max(0, text.count("\n", start, end) - new.count("\n"))
            if text[start:end] != new:
                found.append(Mutant(kind, start, end, new, statement))
    return found


def _registers(text: str) -> dict[str, str]:
    """For each type, the name of a register of that type in any function."""
    declared = re.findall(r"\.reg\s+(\.\w+)\s+(%\w+)(<\d+>)?", text)
    return {type_: name + "1" if count else name for type_, name, count in declared}


Registers = dict[str, str]


def _opcodes(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    opcode = _opcode(statement)
    name, start, end = opcode
    at = chance.randrange(max(1, len(name) - 1))
    if len(name) > 2:
        yield "opcode-typo", start, end, name[:at] + name[at + 1 :]
        yield "opcode-typo", start, end, name + name[-1]
    yield "opcode-case", start, end, name.upper()
    yield "opcode-unknown", start, end, chance.choice(("foo", "load", "jmp", "iadd", "fmul"))
    yield "opcode-dropped", start, end, ""


def _opcode(statement: Statement) -> Token:
    tokens = statement.tokens
    if tokens[0].text != "@":
        return tokens[0]
    return tokens[3] if tokens[1].text == "!" else tokens[2]


def _words(statement: Statement) -> list[Token]:
    """The modifiers of an instruction."""
    tokens = list(statement.tokens)
    first = tokens.index(_opcode(statement)) + 1
    last = first
    while last < len(tokens) and tokens[last].text.startswith("."):
        last += 1
    return tokens[first:last]


def _modifiers(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    words = _words(statement)
    end = words[-1].end if words else _opcode(statement).end
    yield "modifier-added", end, end, chance.choice(_MODIFIERS)
    for word, start, end in words:
        yield "modifier-dropped", start, end, ""
        yield "modifier-doubled", start, end, word * 2
        yield "modifier-case", start, end, word.upper()
        yield "modifier-typo", start, end, word[:-1] if len(word) > 2 else word + "x"
        if word in _TYPES:
            yield "type-changed", start, end, chance.choice(_TYPES)
    for (one, start, _), (other, _, end) in pairwise(words):
        yield "modifiers-swapped", start, end, other + one


def _operands(statement: Statement) -> list[tuple[int, int]]:
    """The start and end of each operand of an instruction."""
    tokens = statement.tokens
    words = _words(statement)
    first = tokens.index(words[-1] if words else _opcode(statement)) + 1
    found, depth, start = [], 0, first
    for at in range(first, len(tokens)):
        word = tokens[at].text
        depth += (word in "([{") - (word in ")]}")
        if depth == 0 and word in ",;" and at > start:
            found.append((tokens[start].start, tokens[at - 1].end))
        if depth == 0 and word == ",":
            start = at + 1
    return found


def _operand_lists(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    places = _operands(statement)
    if not places:
        return
    start, end = chance.choice(places)
    yield "operand-added", end, end, ", " + text[start:end]
    yield "comma-doubled", end, end, ","
    yield "comma-at-the-end", places[-1][1], places[-1][1], ","
    for (one, till), (other, last) in pairwise(places):
        yield "operand-dropped", till, last, ""
        yield "comma-missing", till, other, " "
        yield "operands-swapped", one, last, text[other:last] + text[till:other] + text[one:till]


def _operand_kinds(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    for number, (start, end) in enumerate(_operands(statement)):
        written = text[start:end]
        if re.fullmatch(r"%\w+", written):
            if registers:
                yield "register-of-other-type", start, end, registers[chance.choice(sorted(registers))]
            yield "undeclared", start, end, f"%undeclared_{number}x"
            yield "in-brackets", start, end, f"[{written}]"
            yield "in-braces", start, end, f"{{{written}}}"
            yield "negated", start, end, chance.choice("-!~") + written
            yield "constant-for-register", start, end, chance.choice(("1", "1.0", "0f3F800000", "99999999999999999999"))
            yield "special-register", start, end, chance.choice(("%tid.x", "%tid", "%clock64", "%nosuch"))
        elif re.fullmatch(r"-?[0-9]\w*", written):
            kind = "1" if written[:2].lower() in ("0f", "0d") else "1.5"
            yield "constant-of-other-kind", start, end, kind
            yield "malformed-number", start, end, chance.choice(("0xG", "08", "0f3F8", "1e"))
            yield "undeclared", start, end, "nowhere_declared"
        elif written.startswith("["):
            yield "brackets-missing", start, end, written[1:-1]
            yield "bracket-open", start, end, written[:-1]
            yield "undeclared", start, end, "[nowhere_declared]"
        elif written.startswith("{"):
            yield "vector-size", start, end, written[:-1] + ", " + written[1:-1].split(",")[0] + "}"


def _guards(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    tokens = statement.tokens
    start = tokens[0].start
    end = _opcode(statement).start
    if ".b32" in registers:
        yield "guard-type", start, end, f"@{registers['.b32']} "
    yield "guard-undeclared", start, end, "@%undeclared_guard "
    if end > start:
        yield "guard-without-predicate", start, end, "@ "


def _ends(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    start, end = statement.start, statement.end
    if statement.tokens[-1].text == ";":
        yield "semicolon-missing", end - 1, end, ""
        yield "semicolon-doubled", end, end, ";"
    yield "stray", start, start, chance.choice((") ", "] ", "; ", "? ", "123 ", ", "))
    yield "non-ascii", start, start, "\u00e9 "
    yield "stray-character", start, start, "` "


def _labels(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    name, colon = statement.tokens
    yield "label-dropped", name.start, colon.end, ""
    yield "label-renamed", name.start, name.end, name.text + "_x"
    yield "label-doubled", name.start, name.start, f"{name.text}: "
    yield "colon-missing", colon.start, colon.end, ""


def _declarations(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    start, end = statement.start, statement.end
    yield "declaration-dropped", start, end, ""
    yield "declaration-doubled", start, start, text[start:end].replace("\n", " ") + " "
    for word, at, to in statement.tokens:
        if word in (".b8", *_TYPES):
            yield "declared-type", at, to, chance.choice((".i32", ".u33", ".bf", ".pred"))
        elif word.isdecimal():
            yield "declared-number", at, to, chance.choice(("0", "-1", "1.0", "x"))


def _directives(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    word, start, end = statement.tokens[0]
    yield "directive-typo", start, end, word[:-1]
    yield "directive-typo", start, end, word + word[-1]
    closing = text.rfind(")", start, statement.end)
    if closing >= 0:
        yield "parenthesis-missing", closing, closing + 1, ""


def _braces(statement: Statement, text: str, registers: Registers, chance: random.Random) -> Iterator[Edit]:
    word, start, end = statement.tokens[0]
    yield "brace-missing", start, end, ""
    yield "brace-doubled", start, end, word * 2


_Maker = Callable[[Statement, str, Registers, random.Random], Iterator[Edit]]
_MAKERS: dict[str, tuple[_Maker, ...]] = {
    "instruction": (_opcodes, _modifiers, _operand_lists, _operand_kinds, _guards, _ends),
    "label": (_labels,),
    "declaration": (_declarations, _directives, _ends),
    "directive": (_directives,),
    "brace": (_braces,),
}
