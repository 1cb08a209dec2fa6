"""ptxas itself says that the fences are right: none without an error is refused, and none with one is taken."""

from dataclasses import dataclass

from tests.mdtest.expectations import expectations
from tests.mdtest.fences import Fence, read_fences
from tests.mdtest.fix_differences import fixed_texts
from tests.mdtest.judged_pages import PAGES, without
from tests.oracle.assembler import Assembler, Outcome, needs_assembler


@dataclass(frozen=True, slots=True)
class Question:
    """A text for ptxas, and whether it is to be refused; `place` says where it comes from."""

    place: str
    text: str
    refused: bool
    crashes: bool = False


@needs_assembler
def test_assembler_agrees() -> None:
    by_arch: dict[str, list[Question]] = {}
    for page in PAGES:
        for fence in read_fences(page):
            if _is_for_ptxas(fence):
                by_arch.setdefault(fence.arch, []).extend(_questions(fence))
    disagreeing: list[str] = []
    for arch, questions in by_arch.items():
        outcomes = Assembler().modules([question.text for question in questions], arch)
        disagreeing += [_disagreement(q, o) for q, o in zip(questions, outcomes, strict=True)]
    assert not any(disagreeing), "\n".join(["", *filter(None, disagreeing)])


def _is_for_ptxas(fence: Fence) -> bool:
    """Information is what we give where ptxas refuses and we do not: other languages, OptiX, newer versions."""
    if "no-ptxas" in fence.flags or "compile" in fence.options:  # what compiling refuses: `test_compiled.py`
        return False
    return not any(e.kind == "info" for e in expectations(fence))


def _questions(fence: Fence) -> list[Question]:
    """The fence itself; and, because one error hides the others, each of its wrong lines alone, and none of them."""
    wrong = sorted({e.line for e in expectations(fence) if e.kind == "error"})
    crashes = "crashes" in fence.flags
    questions = [Question(str(fence), fence.text, bool(wrong), crashes)]
    # on a rule's page the fixed example says that nothing else is wrong
    if "body" not in fence.flags or "whole" in fence.flags or fence.heading == "Example":
        return questions
    if wrong and not crashes:
        questions.append(Question(f"{fence} without its wrong lines", without(fence, wrong), False))
    if len(wrong) > 1:
        for line in wrong:
            others = [other for other in wrong if other != line]
            place = f"{fence.file}:{fence.line + line} alone"
            questions.append(Question(place, without(fence, others), True, crashes))
    for line, text in fixed_texts(fence):
        place = f"{fence.file}:{fence.line + line} fixed as `{text}`"
        questions.append(Question(place, without(fence, wrong, {line: text}), False))
    return questions


def _disagreement(question: Question, outcome: Outcome) -> str:
    said = "; ".join(m.text for m in outcome.said[:2]) or "nothing"
    if outcome.crashed is not question.crashes:
        return f"{question.place}: ptxas {'crashes' if outcome.crashed else 'was to crash, but says: ' + said}"
    if question.refused and outcome.accepted:
        return f"{question.place}: an error is expected, but ptxas takes it"
    if not question.refused and not outcome.accepted:
        return f"{question.place}: no error is expected, but ptxas says: {said}"
    return ""
