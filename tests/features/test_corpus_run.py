"""What `corpus_run` checks on a corpus, on the examples and on text that is broken."""

from collections import Counter
from pathlib import Path

import pytest

from tests.features.corpus_run import Run, architecture, files_of
from tests.oracle.assembler import needs_assembler
from tests.server.every_request import Asked, ask_everything, places_in, unasked

ROOT = Path(__file__).resolve().parents[2]
FILES = files_of([ROOT / "examples", ROOT / "tests" / "data"])
SOUND = [path for path in FILES if "mistakes" not in path.parts]


def test_every_request_of_the_table_is_asked_and_answered_with_ranges_inside_of_the_text() -> None:
    counts: Counter[str] = Counter()
    for path in FILES:
        asked = ask_everything(path.read_text("utf-8"), 12)
        assert asked.problems == []
        counts += asked.counts
    assert unasked(counts) <= {"documentLink/resolve"}  # no server without files has links


@pytest.mark.parametrize("cut", [0, 40, 300, 301, 700])
def test_every_request_is_answered_in_a_text_that_ends_early(cut: int) -> None:
    text = (ROOT / "examples" / "gaussian.ptx").read_text("utf-8")
    assert ask_everything("/* 𝄞 */" + text[:cut], 8).problems == []


@needs_assembler
@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_references_renaming_and_formatting_of_a_file(path: Path) -> None:
    text, run = path.read_text("utf-8"), Run(0)
    assert [*run.references(text), *run.renaming(text), *run.formatting(text)] == []
    assert run.counts["accepted before renaming"] == 1
    assert run.counts["renamed names"] > 0


def test_a_place_outside_of_the_text_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(".version 8.0\n")
    answer = {"result": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 13}}}]}
    monkeypatch.setattr(asked._client, "answer", lambda _: answer)
    asked.ask("textDocument/hover", {})
    assert len(asked.problems) == 1
    assert len([*places_in(answer)]) == 2


@pytest.mark.parametrize(
    ("target", "wanted"), [("sm_35", "compute_75"), ("sm_90a", "compute_90a"), ("sm_86, debug", "compute_86")]
)
def test_the_architecture_is_that_of_the_target(target: str, wanted: str) -> None:
    assert architecture(f".version 8.0\n.target {target}\n") == wanted
