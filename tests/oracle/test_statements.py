"""Statements judged by us and ptxas: those on which we once differed (`found.txt`), and random ones (`sample.txt`).

Those of `alone.txt` have a module each: ptxas names other statements of the same module for them.

The sample is in a file, because random statements depend on the rows and change with them. Those on which we still
differ are comments at its end, each with the reason. `python -m tests.oracle.statements` judges more, and writes such
a file with `--write`.
"""

from collections import defaultdict
from pathlib import Path

import pytest

from tests.oracle.assembler import Assembler, needs_assembler
from tests.oracle.frames import PAIRS, Frame
from tests.oracle.statements import judge_all, our_errors, without_compiled

FILES = tuple(Path(__file__).with_name(name) for name in ("found.txt", "sample.txt"))
ALONE = Path(__file__).with_name("alone.txt")
_FRAMES = {f"{version} {target}": (version, target) for version, target in PAIRS}


def _read(files: tuple[Path, ...]) -> dict[Frame, list[tuple[str, bool]]]:
    """By frame, the statements of the files with the verdict of ptxas: true if it accepts the statement."""
    found: dict[Frame, list[tuple[str, bool]]] = defaultdict(list)
    for line in (line for path in files for line in path.read_text("utf-8").splitlines()):
        if line and not line.startswith("#"):
            verdict, version, target, statement = line.split(None, 3)
            pair = _FRAMES[f"{version} {target.rstrip('+')}"]
            found[Frame(*pair, target.endswith("+"))].append((statement, verdict == "accepted"))
    return found


CASES = _read(FILES)
CASES_ALONE = [(frame, *row) for frame, rows in _read((ALONE,)).items() for row in rows]


@pytest.mark.parametrize("frame", CASES, ids=str)
def test_we_judge_each_statement_as_recorded(frame: Frame) -> None:
    texts = [text for text, _ in CASES[frame]]
    errors = [without_compiled(error) for error in our_errors(frame, texts)]
    expected = [accepted for _, accepted in CASES[frame]]
    assert [(t, not e) for t, e in zip(texts, errors, strict=True)] == list(zip(texts, expected, strict=True)), errors


def test_we_judge_each_statement_of_its_own_module_as_recorded() -> None:
    for frame, text, accepted in CASES_ALONE:
        error = without_compiled(our_errors(frame, [text])[0])
        assert (not error) == accepted, f"{frame.version} {frame.target} {text}: {error}"


@needs_assembler
def test_ptxas_judges_each_statement_of_its_own_module_as_recorded() -> None:
    answers = judge_all(((frame, [text]) for frame, text, _ in CASES_ALONE), Assembler())
    verdicts = [(j.frame, j.text, not j.theirs) for j in answers]
    assert verdicts == CASES_ALONE


@needs_assembler
def test_ptxas_judges_each_statement_as_recorded() -> None:
    batches = [(frame, [text for text, _ in rows]) for frame, rows in CASES.items()]
    accepted = {(j.frame, j.text): not j.theirs for j in judge_all(iter(batches), Assembler())}
    assert accepted == {(frame, text): verdict for frame, rows in CASES.items() for text, verdict in rows}
