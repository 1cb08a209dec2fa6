"""Words that people use out of habit from other languages, and the PTX for them: the rows of `rows/habits.isa`."""

from functools import cache

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.package_data import read_text


class Remedy(NamedTuple):
    """One way to write in PTX what a habit means.

    `text` replaces the habit's word. If there is a `pattern`, `text` replaces the whole statement, provided that the
    rest of the statement matches `pattern`; an empty pattern matches an empty rest. `safe`: true if the habit can have
    no other meaning.
    """

    text: str
    pattern: str | None = None
    safe: bool = False


class Habit(NamedTuple):
    """One habit: `message` is the end of a sentence about it, `remedies` are in order, the most likely first."""

    message: str
    remedies: tuple[Remedy, ...]


HEAD, NAME, WORD, TYPE, C_TYPE, OPERANDS = "head", "name", "word", "type", "ctype", "operands"
"""The kinds of habits, by where people write them: see the comment at the top of the rows."""


def head(word: str) -> Habit | None:
    """The habit of beginning a statement with `word`, `atomicAdd`; None if no row has it."""
    return _habits().get((HEAD, word))


def name(word: str) -> Habit | None:
    """The habit of using `word` as an operand, `INFINITY`; None if no row has it."""
    return _habits().get((NAME, word))


def modifier(opcode: str, word: str) -> Habit | None:
    """The habit of giving `opcode` the modifier `word` (with its dot); None if no row has it."""
    found = _habits()
    return found.get((WORD, opcode + word)) or found.get((WORD, "*" + word))


def declared_type(word: str) -> Habit | None:
    """The habit of declaring something of the type `word` (with its dot); None if no row has it."""
    return _habits().get((TYPE, word))


def operands(opcode: str) -> Habit | None:
    """The operands that people leave out of `shfl.sync.down.b32`; None if no row has them.

    In its remedies, `...` means the operands that are present.
    """
    words = opcode.split(".")
    beginnings = (".".join(words[:count]) for count in range(len(words), 0, -1))
    return next((habit for text in beginnings if (habit := _habits().get((OPERANDS, text)))), None)


def c_type(word: str) -> str:
    """The PTX type, with its dot, of a type of C or C++, `int`; empty if `word` is not such a type."""
    found = _habits().get((C_TYPE, word))
    return found.message if found is not None else ""


def spellings(kind: str) -> dict[str, Habit]:
    """Every habit of one kind by its spelling."""
    return {spelling: habit for (of, spelling), habit in _habits().items() if of == kind}


@cache
def _habits() -> dict[tuple[str, str], Habit]:
    found: dict[tuple[str, str], Habit] = {}
    for line in read_text("isa", "rows", "habits.isa").splitlines():
        if line and not line.startswith("//"):
            head_, message, *fixes = (part.strip() for part in line.split("|"))
            kind, *words = head_.split()
            habit = Habit(message, tuple(map(_remedy, fixes[0].split(";;"))) if fixes and fixes[0] else ())
            for word in words:
                found[kind, word] = habit
    return found


def _remedy(text: str) -> Remedy:
    safe = text.strip().startswith("!")
    pattern, arrow, replacement = text.strip().removeprefix("!").partition("=>")
    if arrow:
        return Remedy(replacement.strip(), pattern.strip(), safe)
    return Remedy(pattern.strip(), None, safe)
