"""The likely meaning of an unknown opcode or modifier: the end of a message, and the word to write instead."""

from functools import lru_cache

from ptx_lsp.isa import habits
from ptx_lsp.isa.instructions import nearest_opcode, opcodes
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern

_PACKED = lazy_pattern(r"\.(?:v([248])\.?)?(b|s|u|f|bf)(8|16|32|64)x([248])|\.(b|s|u|f|bf)(8|16|32|64)v([248])")


@forgettable
@lru_cache(maxsize=512)
def unknown_instruction(word: str) -> tuple[str, str]:
    """The message about a `word` that is not an opcode, and the opcode that was probably meant; empty if unknown.

    The opcode is also empty if the likely meaning is another statement: `habits` has that.
    """
    shown = word if len(word) <= 60 else word[:57] + "..."
    text = f"unknown instruction `{shown}`"
    habit = habits.head(word) or habits.head(word.lower())
    if habit is not None:
        return f"{text}: {habit.message}", ""
    if word.lower() in opcodes():
        return f"{text}: opcodes are written in lower case, `{word.lower()}`", word.lower()
    dotted = with_dots(word)
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
    habit = habits.modifier(opcode, word)
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
