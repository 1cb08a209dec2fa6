"""The table compared with ptxas: a sample of all forms expanded, and each of them with one mistake.

`PTX_LSP_SEED` chooses another sample. Disagreements are printed; `python -m tests.oracle.forms` checks more forms.
"""

import os
import random

from tests.oracle.assembler import Assembler, needs_assembler
from tests.oracle.forms import Answer, all_questions, ask

SEED = int(os.environ.get("PTX_LSP_SEED", "1"))
SAMPLE = 3_000
LEAST_EXPANDED = LEAST_CHANGED = 0.998


@needs_assembler
def test_ptxas_agrees_on_a_sample_of_all_forms() -> None:
    asked = list(all_questions([], [], per_form=3, perturb=4, seed=SEED))
    answers = list(ask(random.Random(SEED).sample(asked, min(SAMPLE, len(asked))), Assembler()))
    expanded = [a for a in answers if a.question.case.kind_of == "expansion"]
    changed = [a for a in answers if a.question.case.kind_of != "expansion"]
    assert len(expanded) > SAMPLE // 10
    for those, least in ((expanded, LEAST_EXPANDED), (changed, LEAST_CHANGED)):
        wrong = [a for a in those if not a.agrees]
        assert 1 - len(wrong) / len(those) >= least, "\n".join(["", *map(_shown, wrong)])


def _shown(answer: Answer) -> str:
    question = answer.question
    which = f"we refuse: {answer.ours}" if answer.ours else f"ptxas refuses: {answer.theirs}"
    return f"{question.version} {question.target} {question.case.kind_of}: {answer.text} {which}"
