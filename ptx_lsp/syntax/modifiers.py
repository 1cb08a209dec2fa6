"""The modifiers of an instruction: those that are words of their own, and the unknown ones of a broken statement."""

from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.opcode_sets import WITHOUT_OPERANDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.light_classes import Sequence
from ptx_lsp.syntax.lexer import DOTTED, INTEGER, NAME, Cursor
from ptx_lsp.syntax.recovery import MISSING_SEMICOLON, is_modifier, report_stray
from ptx_lsp.syntax.tree import Instruction, Statement, Word

_AFTER_OPCODE = (DOTTED, NAME, INTEGER, "{")
"""What follows the opcode of an instruction, and no name that is declared."""


def is_detached(cursor: Cursor, index: int) -> bool:
    """Whether `::ld` is at a token, or another end of a modifier that ptxas reads as a word of its own."""
    kinds, starts, ends = cursor.kinds, cursor.starts, cursor.ends
    if not (kinds[index] == ":" and kinds[index + 1] == ":" and kinds[index + 2] == NAME):
        return False
    if ends[index] < starts[index + 1] or ends[index + 1] < starts[index + 2]:
        return False
    from ptx_lsp.isa.joined_words import detached_ends  # almost no statement needs it

    return "::" + cursor.word(index + 2) in detached_ends()


def take_detached(cursor: Cursor, opcode: Word, modifiers: list[Word], taken: list[str]) -> bool:
    """Step over a detached `::ld` at the cursor. False if it is one too many.

    It belongs to the first modifier, as in `tcgen05.wait ::ld`, or has no meaning. `taken` are those before it.
    """
    from ptx_lsp.isa.joined_words import detached_ends, is_joined

    end = "::" + cursor.word(cursor.at + 2)
    first = modifiers[0] if modifiers else None
    before = taken if first is None else [*taken, *(other for other in detached_ends()[end] if other in first.text)]
    if not detached_ends()[end].isdisjoint(before):
        return False
    if first is not None and is_joined(opcode.text + first.text + end):
        modifiers[0] = first._replace(text=first.text + end)
    taken.append(end)
    cursor.at += 3
    return True


def report_division(cursor: Cursor, opcode: Word, modifiers: list[Word]) -> None:
    """Report a blank, a comment or the end of a line inside of a name that ptxas reads as one word."""
    from ptx_lsp.isa.joined_words import is_joined  # almost no statement needs it

    name, end = opcode.text, opcode.end
    for word in modifiers:
        name += word.text
        if not is_joined(name):
            return
        if word.start > end:
            message = f"`{name}` is one word: `{word.text}` must follow without a blank"
            cursor.problem("divided-opcode", message, word.start, word.end, data=(("joined", name),))
            return
        end = word.end


def report_repeated(cursor: Cursor, opcode: Word) -> bool:
    """Report an opcode before another one on its line, as in `add add.s32`; False if none follows."""
    at = cursor.at
    if cursor.kinds[at : at + 2] != [NAME, DOTTED] or opcode.text not in opcodes() or cursor.word(at) not in opcodes():
        return False
    if cursor.on_new_line(at) or opcode.text in WITHOUT_OPERANDS or not is_modifier(cursor, at + 1):
        return False
    message = f"`{opcode.text}` is not expected before `{cursor.word(at)}{cursor.word(at + 1)}`"
    cursor.problem("stray-token", message, opcode.start, opcode.end)
    return True


def report_doubled(cursor: Cursor, modifiers: list[Word], index: int) -> bool:
    """Whether another opcode with modifiers is in the place of the first operand, at a token: then report it alone.

    The first problem is in it or at the token after it. It is stepped over.
    """
    kinds, end = cursor.kinds, index + 1
    if not modifiers or kinds[index : index + 2] != [NAME, DOTTED] or cursor.word(index) not in opcodes():
        return False
    while kinds[end] == DOTTED:
        end += 1
    if cursor.on_new_line(index) or not is_modifier(cursor, index + 1) or cursor.problems[0].start > cursor.starts[end]:
        return False
    start, stop = cursor.starts[index], cursor.ends[end - 1]
    others, cursor.problems = cursor.problems, []
    word, first = cursor.text[start:stop], cursor.starts[index - len(modifiers) - 1]
    written = cursor.text[first : modifiers[-1].end]
    message = f"`{word}` is written twice" if word == written else f"an operand is expected here, not `{word}`"
    cursor.problem("stray-token", message, start, stop)
    if not cursor.problems:  # a character in this text has no meaning, which is all that is reported of it
        cursor.problems = others
        return False
    cursor.at = end
    return True


def modifier_before_opcode(cursor: Cursor) -> Word | None:
    """The modifier at the cursor whose opcode follows it on its line, as in `.global ld.f32`.

    Then it is reported, and the cursor is at the opcode. Its place in the result is after the opcode.
    """
    at = cursor.at
    word, opcode, end = cursor.word(at), cursor.word(at + 1), cursor.ends[at + 1]
    if opcode not in opcodes() or cursor.on_new_line(at + 1) or cursor.kinds[at + 2] not in _AFTER_OPCODE:
        return None
    if word not in _vocabulary(opcode):
        return None
    report_stray(cursor, f"belongs after `{opcode}`")
    cursor.at = at + 1
    return Word(word, end, end)


def _vocabulary(opcode: str) -> frozenset[str]:
    """The modifiers of an opcode, in any of its forms."""
    from ptx_lsp.isa.instructions import instruction  # only broken statements need it

    known = instruction(opcode)
    return frozenset().union(*(form.vocabulary for form in known.forms)) if known else frozenset()


def with_modifier(found: Statement, first: Word) -> Statement:
    """An instruction with one more modifier, the first."""
    if not isinstance(found, Instruction):
        return found
    text = found.opcode.text + first.text + found.text.removeprefix(found.opcode.text)
    return found._replace(modifiers=(first, *found.modifiers), text=text)


def divided_word(cursor: Cursor, opcode: Word, modifiers: Sequence[Word]) -> str:
    """The opcode or modifier that a line break divides, whose rest is the name at the cursor; empty without one.

    `modifiers` are those before the cursor.
    """
    last, at = modifiers[-1] if modifiers else opcode, cursor.at
    if cursor.kinds[at] != NAME or not cursor.on_new_line(at):
        return ""
    known = _vocabulary(opcode.text) if modifiers else opcodes()
    joined = last.text + cursor.word(at)
    return joined if joined in known and last.text not in known else ""


def with_divided(cursor: Cursor, found: Statement, opcode: Word, modifiers: Sequence[Word], joined: str) -> Statement:
    """The whole instruction, of which `found` begins with the rest of `joined`, the last word before it.

    That this word is divided is all that is reported of the word.
    """
    if not isinstance(found, Instruction):
        return found
    last, code = (modifiers[-1], "unknown-modifier") if modifiers else (opcode, "unknown-opcode")
    cursor.problems[:] = [each for each in cursor.problems if each.start != found.opcode.start]
    cursor.problem(code, f"a line break divides `{joined}`", last.start, last.end)
    rest = found.opcode
    if modifiers:
        modifiers = (*modifiers[:-1], Word(joined, rest.start, rest.end))
    else:
        opcode = Word(joined, rest.start, rest.end)
    whole = (*modifiers, *found.modifiers)
    text = opcode.text + "".join([modifier.text for modifier in whole])
    return found._replace(opcode=opcode, modifiers=whole, text=text)


def report_unknown_opcode(cursor: Cursor, opcode: Word) -> None:
    """If the opcode is unknown, report it alone: its operands may be written as in another language."""
    if cursor.problems[0].code != MISSING_SEMICOLON and opcode.text not in opcodes():
        from ptx_lsp.isa.intended_words import unknown_instruction

        message, near = unknown_instruction(opcode.text)
        cursor.problems.clear()
        data = (("nearest", near),) if near else ()
        cursor.problem("unknown-opcode", message, opcode.start, opcode.end, data=data)


def report_unknown_modifier(cursor: Cursor, opcode: Word, modifiers: list[Word]) -> None:
    """If a modifier is unknown, report it alone: it may be cut in two, or the operands those of another instruction."""
    from ptx_lsp.isa.instructions import instruction
    from ptx_lsp.isa.matching import GLOBAL_NOISE  # only broken statements need it

    found = cursor.problems[0].code if cursor.problems else ""
    if found == "missing-comma" and (number := _number_at_end(cursor, modifiers[-1].end if modifiers else opcode.end)):
        _report_number(cursor, number)
        return
    known = instruction(opcode.text) if modifiers and found not in ("", MISSING_SEMICOLON) else None
    if known is None:
        return
    words = GLOBAL_NOISE.union(*(form.section.words | form.section.noise | form.vocabulary for form in known.forms))
    strange = next((word for word in modifiers if word.text not in words), None)
    if strange is not None:
        cursor.problems.clear()
        message = f"`{opcode.text}` has no modifier `{strange.text}`"
        cursor.problem("unknown-modifier", message, strange.start, strange.end)


def _number_at_end(cursor: Cursor, start: int) -> Word | None:
    """The number that directly follows an opcode or a modifier, as in `add.32`; None without one."""
    text, end = cursor.text, start + 1
    while text[end : end + 1].isalnum():
        end += 1
    return Word(text[start:end], start, end) if text[start] == "." and text[start + 1].isdecimal() else None


def _report_number(cursor: Cursor, number: Word) -> None:
    type_ = f".b{number.text[1:]}"
    meant = f": a type begins with a letter, as in `{type_}`" if type_ in TYPE_WORDS else ""
    cursor.problems.clear()
    cursor.problem("unknown-modifier", f"`{number.text}` is not a modifier{meant}", number.start, number.end)


def drop_backslash(cursor: Cursor, start: int, end: int) -> None:
    r"""Drop the problem of a `\` before the opcode, which ptxas passes over, as in a macro of C (observed: ptxas 13.5).

    It takes one, between the token that ends at `start` and the opcode at `end`; `call` must not have it.
    """
    before = [problem for problem in cursor.lexical if start <= problem.start < end]
    if len(before) == 1 and cursor.text[before[0].start] == "\\":
        cursor.lexical.remove(before[0])
