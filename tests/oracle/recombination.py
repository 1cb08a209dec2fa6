"""Random statements: forms of the table with modifiers and operands exchanged, also between opcodes."""

import random
from collections.abc import Iterator
from functools import cache

from ptx_lsp.isa.forms import Form, Slot
from ptx_lsp.isa.instructions import instruction, modifier_words, opcodes
from ptx_lsp.isa.matching import Match, broken_rule
from ptx_lsp.judgement.fit import Fit
from ptx_lsp.judgement.gates import gate
from tests.oracle.frames import Frame
from tests.oracle.operands import INTEGERS, Operands

TRIES = 8
"""The number of choices of modifiers to try until the frame supports one."""

UNCHANGED = 0.42
"""The share of statements that are not changed; ptxas accepts most of them."""

GUARDED = 0.06
_RESULTS = ("(b32_1)", "(cp8)", "(b64_1)", "cp8", "b32_1", "(_)", "")
_CALLED = ("fn", "fn1", "fn2", "k2", "b64_2", "gv")
_ARGUMENTS = ("(b32_2)", "(7)", "(b32_2, b64_3)", "(cp4, cp8)", "(cp4)", "()", "(1, 2)", "(f32_1)", "(cpa)", "")


@cache
def _forms() -> tuple[Form, ...]:
    """Every form of every opcode whose operands are in the table."""
    known = (instruction(name) for name in sorted(opcodes()))
    return tuple(form for what in known if what for form in what.forms)


@cache
def _words() -> tuple[str, ...]:
    return tuple(sorted(modifier_words()))


@cache
def _words_of(opcode: str) -> tuple[str, ...]:
    known = instruction(opcode)
    return tuple(w for form in known.forms for e in form.elements for w in e.words) if known else ()


def statements(frame: Frame, opcode_names: tuple[str, ...], count: int, chance: random.Random) -> Iterator[str]:
    """`count` statements: half of them for each of `opcode_names` in turn, half for all forms of the table."""
    for index in range(count):
        if index % 2:
            form = chance.choice(_forms())
        else:
            known = instruction(opcode_names[index // 2 % len(opcode_names)])
            assert known is not None
            form = chance.choice(known.forms)
        yield _statement(form, frame, chance)


def _statement(form: Form, frame: Frame, chance: random.Random) -> str:
    match = _match(form, frame, chance)
    operands = Operands(frame, chance)
    words = list(match.words)
    values = [operands.fitting(match, slot) for slot in _present(match, chance)]
    if form.opcode == "call":
        values = [v for v in (chance.choice(_RESULTS), chance.choice(_CALLED), chance.choice(_ARGUMENTS)) if v]
    if chance.random() > UNCHANGED:
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3))):
            if words and chance.random() < 0.4:
                _change_words(form.opcode, words, chance)
            else:
                _change_values(values, operands, match, frame, chance)
    text = f"{form.opcode}{''.join(words)} {', '.join(values)}".rstrip() + ";"
    return _guard(operands, chance) + text


def _match(form: Form, frame: Frame, chance: random.Random) -> Match:
    """A random choice of the form's modifiers; if one is found soon, a choice that the frame supports."""
    known = instruction(form.opcode)
    assert known is not None
    match = _choose(form, chance)
    for _ in range(TRIES):
        if not broken_rule(match) and not gate(Fit(match, form.opcode), known.forms, frame.version, frame.target):
            break
        match = _choose(form if chance.random() < 0.7 else chance.choice(known.forms), chance)
    return match


def _choose(form: Form, chance: random.Random) -> Match:
    way = ["" if e.optional and chance.random() < 0.5 else chance.choice(e.words) for e in form.elements]
    words = tuple(w for w in way if w)
    numbers = iter(range(len(words)))
    return Match(form, words, tuple(next(numbers) if w else -1 for w in way))


def _present(match: Match, chance: random.Random) -> list[Slot]:
    """The slots that get an operand: those that the modifiers require, and half of the optional ones."""
    slots = [s for s in match.form.slots if not s.when or match.holds(s.when)]
    return [s for s in slots if not s.optional or (s.when and "only_with" not in s.flags) or chance.random() < 0.5]


def _guard(operands: Operands, chance: random.Random) -> str:
    if chance.random() > GUARDED:
        return ""
    sign = chance.choice(("", "!"))
    return f"@{sign}{operands.anything() if chance.random() < 0.1 else operands.any_predicate()} "


def _change_words(opcode: str, words: list[str], chance: random.Random) -> None:
    """Remove, double, exchange, insert or move a modifier; new ones are from the same opcode or from any opcode."""
    at = chance.randrange(len(words))
    other = chance.choice(_words_of(opcode) if chance.random() < 0.75 else _words())
    way = chance.choice(("drop", "double", "exchange", "exchange", "exchange", "insert", "move"))
    if way == "drop":
        del words[at]
    elif way == "double":
        words.insert(chance.randrange(len(words) + 1), words[at])
    elif way == "exchange":
        words[at] = other
    elif way == "insert":
        words.insert(chance.randrange(len(words) + 1), other)
    else:
        words.insert(chance.randrange(len(words)), words.pop(at))


def _change_values(values: list[str], operands: Operands, match: Match, frame: Frame, chance: random.Random) -> None:
    """Replace, add, remove or exchange an operand."""
    way = chance.random()
    if not values or way < 0.06:
        values.insert(chance.randrange(len(values) + 1), _other(operands, frame, chance))
        return
    at = chance.randrange(len(values))
    if way < 0.12:
        del values[at]
    elif way < 0.2:
        to = chance.randrange(len(values))
        values[at], values[to] = values[to], values[at]
    elif way < 0.45 and values[at][0] in "{[":
        values[at] = _inside(values[at], operands, chance)
    elif way < 0.6 and values[at].lstrip("-").isdecimal():
        values[at] = chance.choice(INTEGERS)
    else:
        values[at] = _other(operands, frame, chance)


def _inside(text: str, operands: Operands, chance: random.Random) -> str:
    """The vector or the address with one of its innermost parts replaced."""
    parts = text[1:-1].split(", ")
    at = chance.randrange(len(parts))
    bare = parts[at].strip("{}[]")
    parts[at] = parts[at].replace(bare, operands.any_element()) if bare else operands.any_element()
    return text[0] + ", ".join(parts) + text[-1]


def _other(operands: Operands, frame: Frame, chance: random.Random) -> str:
    """Any operand, or one for another opcode."""
    if chance.random() < 0.6:
        return operands.anything()
    form = chance.choice(_forms())
    match = _choose(form, chance)
    if not match.form.slots or broken_rule(match):
        return operands.anything()
    return operands.fitting(match, chance.choice(match.form.slots))
