"""Random constant expressions, ours compared with ptxas': `python -m tests.oracle.constants --count 20000 [--seed N]`.

ptxas gives three answers: whether it accepts an initialiser; the contents of the initialised data as `.b64` and as
`.b32` (read back from the cubin's `.nv.global.init`); and whether `(((E)*0)-1) < 0`, true only for signed types.
"""

import argparse
import random
import re
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from ptx_lsp.constants.constant import Constant, ValueType
from ptx_lsp.constants.conversion import as_initialiser
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.syntax.expressions import parse_whole_expression
from tests.oracle.assembler import Assembler, Outcome, judge_lines, refused
from tests.oracle.elf import sections
from tests.oracle.expressions import expression

HEADER = ".version 9.4 .target sm_90 .address_size 64\n"
BATCH = 500
_COMMENT = re.compile(r"/\*.*?\*/")
_MASK = re.compile(r"\w\s*\(")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one side about an expression: `type` is s64, u64 or real, `bits` as `.b64`, `single` as `.b32`."""

    type: str
    bits: int
    single: int


REFUSED = Answer("refused", 0, 0)


def ours(text: str) -> Answer | None:
    """Our answer; None if the text may be a byte mask, `0xFF(1)`: no expression, but valid as an initial value."""
    if _MASK.search(_COMMENT.sub(" ", text)):
        return None
    tree, problems = parse_whole_expression(text)
    if tree is None or problems:
        return REFUSED
    evaluation = evaluate(tree)
    value = evaluation.value
    if value is None or evaluation.errors:
        return REFUSED
    wide, narrow = as_initialiser(value, "b64"), as_initialiser(value, "b32")
    assert wide is not None
    assert narrow is not None
    return Answer(_kind(value), wide.bits, narrow.bits)


def _kind(value: Constant) -> str:
    return "real" if value.type in (ValueType.F64, ValueType.F32) else value.type.value


def theirs(assembler: Assembler, texts: Sequence[str]) -> list[Answer]:
    """The answers of ptxas, in order."""
    answers = [REFUSED] * len(texts)
    for first in range(0, len(texts), BATCH):
        batch = list(texts[first : first + BATCH])
        for index, answer in _judge(assembler, batch).items():
            answers[first + index] = answer
    return answers


def _judge(assembler: Assembler, texts: list[str]) -> dict[int, Answer]:
    accepted = _accepted(assembler, texts, range(len(texts)), "b64")
    integers = set(_accepted(assembler, texts, accepted, "u64"))
    wide = _data(assembler, [texts[k] for k in accepted], "b64", "Q")
    narrow = _data(assembler, [texts[k] for k in accepted], "b32", "I")
    probes = [f"((({texts[k]})*0)-1) < 0" if k in integers else "2" for k in accepted]
    signs = _data(assembler, probes, "s64", "q")
    kinds = {1: "s64", 0: "u64", 2: "real"}
    rows = zip(accepted, signs, wide, narrow, strict=True)
    return {k: Answer(kinds[sign], bits, single) for k, sign, bits, single in rows}


def _accepted(assembler: Assembler, texts: list[str], indices: Sequence[int], kind: str) -> list[int]:
    def run(some: Sequence[str]) -> Outcome:
        lines = (f".global .{kind} v{n} = {text} ;" for n, text in enumerate(some))
        return assembler.module(HEADER + "\n".join(lines) + "\n")

    verdicts = judge_lines([texts[k] for k in indices], run)
    return [k for k, messages in zip(indices, verdicts, strict=True) if not refused(messages)]


def _data(assembler: Assembler, texts: Sequence[str], kind: str, code: str) -> list[int]:
    """The values of accepted expressions as elements of an initialised array."""
    if not texts:
        return []
    elements = ",\n".join(texts)
    source = HEADER + f".visible .global .align 8 .{kind} v[{len(texts)}] = {{ {elements} }};\n"
    outcome = assembler.module(source, "sm_90", keep=True)
    if not outcome.accepted:
        raise AssertionError(f"accepted one by one, refused together: {outcome.said[:3]}")
    data = sections(outcome.image)[".nv.global.init"]
    return list(struct.unpack(f"<{len(texts)}{code}", data))


def disagreements(assembler: Assembler, texts: Sequence[str]) -> list[tuple[str, Answer, Answer]]:
    """The expressions on which the answers differ: text, ours, ptxas'.

    ptxas gets each of them again alone: after one `Constant overflow` it reports one in every later `0f` literal too.
    """
    mine = [(text, answer) for text in texts if (answer := ours(text)) is not None]
    judged = theirs(assembler, [text for text, _ in mine])
    differing = [pair for pair, other in zip(mine, judged, strict=True) if pair[1] != other]
    alone = [(text, answer, theirs(assembler, [text])[0]) for text, answer in differing]
    return [found for found in alone if found[1] != found[2]]


def main() -> int:
    """The command: prints the seed and every disagreement; returns 1 if there was one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    source = random.Random(options.seed)
    texts = [expression(source) for _ in range(options.count)]
    assembler = Assembler()
    found, judged, accepted = 0, 0, 0
    for first in range(0, len(texts), 2 * BATCH):
        part = texts[first : first + 2 * BATCH]
        for text, mine, other in disagreements(assembler, part):
            found += 1
            print(f"{text!r}\n  ours   {mine}\n  ptxas  {other}", flush=True)
        judged += len(part)
        accepted += sum(ours(text) not in (REFUSED, None) for text in part)
    print(f"{judged} expressions, {accepted} of them accepted by us, {found} disagreements")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
