"""Statements against ptxas: those on which we once differed, and a sample of random ones.

`PTX_LSP_SEED` chooses another sample; `python -m tests.oracle.statements` asks about more.
"""

import os
import random
from collections import defaultdict
from pathlib import Path

import pytest

from tests.oracle.assembler import Assembler, needs_assembler
from tests.oracle.frames import PAIRS, Frame
from tests.oracle.statements import Judged, class_of, judge_all, our_errors, plan, without_compiled

FOUND = Path(__file__).with_name("found.txt")
SEED = int(os.environ.get("PTX_LSP_SEED", "1"))
SAMPLE = 2_500
_FRAMES = {f"{version} {target}": (version, target) for version, target in PAIRS}


def _read() -> dict[Frame, list[tuple[str, bool]]]:
    """By frame, the statements of the file and whether ptxas accepts them."""
    found: dict[Frame, list[tuple[str, bool]]] = defaultdict(list)
    for line in FOUND.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            verdict, version, target, statement = line.split(None, 3)
            pair = _FRAMES[f"{version} {target.rstrip('+')}"]
            found[Frame(*pair, target.endswith("+"))].append((statement, verdict == "accepted"))
    return found


CASES = _read()

REMAINDER = (
    ("MISSED tex ", "coordinates and samplers of textures: ptxas counts the operands otherwise in its two modes"),
    ("MISSED tld4 ", "the same"),
    ("MISSED txq ", "the same"),
    ("MISSED v", "elements of vector registers in video instructions: their kind is that of a register"),
    ("MISSED st           error: Argument ~ of instruction ~: must be register", "`st.bulk.shared::cta` of a variable"),
    ("MISSED mma          fatal: Parsing error", "braces around `e` of `mma.sp`, which only some targets take"),
)
"""The beginnings of classes on which we are known to differ, and why; everything else has to agree."""


@pytest.mark.parametrize("frame", CASES, ids=str)
def test_we_judge_each_found_statement_as_recorded(frame: Frame) -> None:
    texts = [text for text, _ in CASES[frame]]
    errors = [without_compiled(error) for error in our_errors(frame, texts)]
    expected = [accepted for _, accepted in CASES[frame]]
    assert [(t, not e) for t, e in zip(texts, errors, strict=True)] == list(zip(texts, expected, strict=True)), errors


@needs_assembler
def test_ptxas_judges_each_found_statement_as_recorded() -> None:
    batches = [(frame, [text for text, _ in rows]) for frame, rows in CASES.items()]
    accepted = {(j.frame, j.text): not j.theirs for j in judge_all(iter(batches), Assembler())}
    assert accepted == {(frame, text): verdict for frame, rows in CASES.items() for text, verdict in rows}


@needs_assembler
def test_ptxas_agrees_on_a_sample_of_random_statements() -> None:
    answers = [a for a in judge_all(plan(SAMPLE, random.Random(SEED)), Assembler()) if not a.crashed]
    accepted = sum(not a.theirs for a in answers)
    assert 0.3 < accepted / len(answers) < 0.5
    known = tuple(beginning for beginning, _ in REMAINDER)
    wrong = [a for a in answers if not a.agrees and not class_of(a).startswith(known)]
    assert not wrong, "\n".join(map(_told, wrong))


def _told(judged: Judged) -> str:
    return f"{class_of(judged)}: {judged.frame.version} {judged.frame.target} {judged.text}"
