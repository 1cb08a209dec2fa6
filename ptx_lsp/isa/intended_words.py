"""The likely meaning of a word that PTX does not have: a message about it, and the PTX to write instead.

Many such words are habits from other languages: the rows of `rows/habits.isa`. Others are words of PTX that are spelled
in another way.
"""

from ptx_lsp.isa.instructions import nearest_opcode, opcodes
from ptx_lsp.light_classes import NamedTuple, cache, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.package_data import read_rows
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.lines import beginning_of

_PACKED = lazy_pattern(r"\.(?:v([248])\.?)?(b|s|u|f|bf)(8|16|32|64)x([248])|\.(b|s|u|f|bf)(8|16|32|64)v([248])")
_LONGEST_SHOWN = 60  # characters of a word in a message


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
    """One habit: `message` is the end of a sentence about it, `remedies` are in order, the most likely first.

    `is_removed`: true if the statement has no effect, so that nothing replaces it.
    """

    message: str
    remedies: tuple[Remedy, ...]
    is_removed: bool = False


HEAD, NAME, WORD, TYPE, C_TYPE, OPERANDS = "head", "name", "word", "type", "ctype", "operands"
"""The kinds of habits, by where people write them: see the comment at the top of the rows."""


def head_habit(word: str) -> Habit | None:
    """The habit of beginning a statement with `word`, `atomicAdd`; None if no row has it."""
    return _habits().get((HEAD, word))


def head_habit_in_any_case(word: str) -> Habit | None:
    """The habit of beginning a statement with `word`, or with `word` in small letters: `FADD` for `fadd`."""
    return head_habit(word) or head_habit(word.lower())


def name_habit(word: str) -> Habit | None:
    """The habit of using `word` as an operand, `INFINITY`; None if no row has it."""
    return _habits().get((NAME, word))


def modifier_habit(opcode: str, word: str) -> Habit | None:
    """The habit of giving `opcode` the modifier `word` (with its dot); None if no row has it."""
    found = _habits()
    return found.get((WORD, opcode + word)) or found.get((WORD, "*" + word))


def type_habit(word: str) -> Habit | None:
    """The habit of declaring something of the type `word` (with its dot); None if no row has it."""
    return _habits().get((TYPE, word))


def operands_habit(opcode: str) -> Habit | None:
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


def habit_spellings(kind: str) -> dict[str, Habit]:
    """Every habit of one kind by its spelling."""
    return {spelling: habit for (of, spelling), habit in _habits().items() if of == kind}


@cache
def _habits() -> dict[tuple[str, str], Habit]:
    found: dict[tuple[str, str], Habit] = {}
    for line in read_rows("isa", "rows", "habits.isa"):
        head_, message, *fixes = (part.strip() for part in line.split("|"))
        kind, *words = head_.split()
        is_removed = fixes == ["remove"]
        has_remedies = bool(fixes and fixes[0]) and not is_removed
        habit = Habit(message, tuple(map(_remedy, fixes[0].split(";;"))) if has_remedies else (), is_removed)
        for word in words:
            found[kind, word] = habit
    return found


def _remedy(text: str) -> Remedy:
    safe = text.strip().startswith("!")
    pattern, arrow, replacement = text.strip().removeprefix("!").partition("=>")
    if arrow:
        return Remedy(replacement.strip(), pattern.strip(), safe)
    return Remedy(pattern.strip(), None, safe)


@forgettable
@lru_cache(maxsize=512)
def unknown_instruction(word: str) -> tuple[str, str]:
    """The message about a `word` that is not an opcode, and the opcode that was probably meant; empty if unknown.

    The opcode is also empty if the likely meaning is another statement: `head_habit` has that.
    """
    text = f"unknown instruction `{beginning_of(word, _LONGEST_SHOWN)}`"
    habit = head_habit_in_any_case(word)
    if habit is not None:
        return f"{text}: {habit.message}", ""
    if word.lower() in opcodes():
        return f"{text}: opcodes are written in lower case, `{word.lower()}`", word.lower()
    if "$" in word:
        return f"{text}: a branch to a label is `bra {beginning_of(word, _LONGEST_SHOWN)}`", ""
    dotted = beginning_of(with_dots(word), _LONGEST_SHOWN)
    if dotted:
        return f"{text}: modifiers follow a dot, as in `{dotted}`", ""
    near = nearest_opcode(word)
    return (f"{text}: did you mean `{near}`?", near) if near else (text, "")


def with_dots(word: str) -> str:
    """`mbarrier.init` for `mbarrier_init`; empty if the part before the first `_` is not an opcode."""
    first, *others = [part for part in word.split("_") if part] or [""]
    return ".".join((first, *others)) if others and first in opcodes() else ""


def meant_modifier(opcode: str, word: str, known: frozenset[str]) -> str:
    """The end of the message about a modifier that `opcode` does not have but people often write; else empty.

    `known` are the modifiers that the opcode does have; all have their dots.
    """
    habit = modifier_habit(opcode, word)
    if habit is not None:
        return habit.message
    replacement = respelt_modifier(word, known)
    if replacement.count(".") > 1:
        return f"a vector has its size before its type, `{replacement}`"
    return f"modifiers are written in lower case, `{replacement}`" if replacement else ""


def respelt_modifier(word: str, known: frozenset[str]) -> str:
    """`.v4.f32` for `.f32x4` and `.f32` for `.F32`, if the opcode has these modifiers; else empty."""
    if word.lower() != word and word.lower() in known:
        return word.lower()
    found = _PACKED.fullmatch(word)
    if found is None:
        return ""
    letter, bits, count = (found[2], found[3], found[4]) if found[2] else (found[5], found[6], found[7])
    size, type_ = f".v{count}", f".{letter}{bits}"
    return size + type_ if {size, type_} <= known else ""
