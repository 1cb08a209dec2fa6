"""Statements of every form with operands that fit nowhere: each is a word, a vector, an address, a pair or a list."""

import random
from collections.abc import Iterator

from ptx_lsp.isa.instructions import instruction, opcodes
from tests.judgement.verdicts import END, body
from tests.oracle.expansion import expansions, opcode_text

_WORDS = """r1 u1 f1 g1 d1 h1 p1 q1 x1 ee1 vf vr vf.x r1.h1 u1.b0 u1.b7654 %tid %tid.x %clock64 7 -1 0x1ffffffff 1.0
    0f3F800000 0d3FF0000000000000 gs ga ga[1] gs+4 r1+4 -r1 !p1 ~r1 _ fn0 k kp pl tx srf WARP_SZ undeclared 08 (1+2) -
    "s" sa es r<3>"""
WORDS = _WORDS.split()
DEEPEST = 3
SIZES = (0, 1, 1, 2, 2, 3, 4, 8)  # numbers of parts, each as often as it is listed
STATEMENTS = 40  # of one text


def operand(chance: random.Random, depth: int = 0) -> str:
    """Any operand, with at most `DEEPEST` brackets around a word."""
    kind = chance.randrange(20)
    if depth == DEEPEST or kind < 10:
        return chance.choice(WORDS)
    if kind == 18:
        return operand(chance, depth + 1) + "|" + operand(chance, depth + 1)
    if kind == 19:
        return chance.choice("-!~") + operand(chance, depth + 1)
    opening, closing = "{}" if kind < 14 else "[]" if kind < 17 else "()"
    return opening + ", ".join(operand(chance, depth + 1) for _ in range(chance.choice(SIZES))) + closing


def opcode_texts(chance: random.Random) -> list[tuple[str, int]]:
    """One choice of modifiers for every form, with the number of operands of the form."""
    known = filter(None, map(instruction, opcodes()))
    forms = [form for opcode in known for form in opcode.forms]
    return [(opcode_text(match), len(form.slots)) for form in forms for match in expansions(form, 1, chance)]


def texts(seed: int) -> Iterator[str]:
    """An endless series of modules with some statements each."""
    chance = random.Random(seed)
    choices = opcode_texts(chance)
    begin = body("9.5", "sm_100a")
    while True:
        lines = []
        for opcode, count in chance.sample(choices, STATEMENTS):
            operands = (operand(chance) for _ in range(max(0, count + chance.choice((-1, 0, 0, 0, 1)))))
            lines.append(f"{opcode} {', '.join(operands)};")
        yield begin + "\n".join(lines) + END
