"""Preferred fixes restore what a single mistake changed: a sample of the mutants of the project's own files."""

from tests.fixes.restoration import files_in, measure
from tests.oracle.assembler import needs_assembler


@needs_assembler
def test_preferred_fixes_restore_the_original() -> None:
    table, every = measure(files_in([]), seed=7, each=1, most=25)
    wrong = [outcome for outcome in every if not outcome.correct]
    assert sum(row.mutants for row in table.values()) > 100
    assert len(every) > 40
    assert len(wrong) <= 0.02 * len(every), wrong
    assert [outcome for outcome in every if outcome.verdict == "silent"] == []
