"""One mistake in real PTX is reported once, in its place; and what ptxas accepts is never an error.

There are mistakes of many kinds, each with the verdict of ptxas. Several mistakes in one text have the same reports as
each of them alone.
"""

import random
from collections import Counter

from tests.analysis.mutants import ANYWHERE, DATA, IN_MANY_PLACES, errors, first_line, hits, kept, source
from tests.oracle.assembler import Assembler, needs_assembler
from tests.oracle.mutation import Mutant, mutants

# a mistake of these kinds changes the meaning of the others
_APART = (*ANYWHERE, *IN_MANY_PLACES, "directive-typo", "parenthesis-missing", "label-")


def test_the_original_files_have_no_errors() -> None:
    assert [path.name for path in sorted(DATA.glob("*.ptx")) if errors(source(path.name))] == []


def test_mistakes_are_found_in_their_places() -> None:
    refused = [(mutant, errors(mutant.text)) for mutant in kept() if not mutant.accepted]
    assert len(refused) > 100
    missed = [mutant for mutant, found in refused if not found]
    misplaced = [mutant for mutant, found in refused if found and not hits(mutant, found)]
    assert len(missed) <= 0.005 * len(refused), missed
    assert len(missed) + len(misplaced) <= 0.02 * len(refused), misplaced


def test_what_ptxas_accepts_is_not_an_error() -> None:
    accepted = [mutant for mutant in kept() if mutant.accepted]
    assert len(accepted) > 10
    assert [(mutant, errors(mutant.text)) for mutant in accepted if errors(mutant.text)] == []


def test_one_mistake_is_reported_once() -> None:
    counts = [len(errors(m.text)) for m in kept() if not m.accepted and not m.kind.startswith(IN_MANY_PLACES)]
    assert sum(max(0, count - 1) for count in counts) <= 0.1 * len(counts)


@needs_assembler
def test_ptxas_still_gives_the_recorded_answers() -> None:
    stored = kept()
    outcomes = Assembler().modules([mutant.text for mutant in stored])
    differs = [
        (mutant, outcome.messages)
        for mutant, outcome in zip(stored, outcomes, strict=True)
        if (mutant.accepted, mutant.named_line) != (outcome.accepted, first_line(outcome))
    ]
    assert differs == []


def test_several_mistakes_have_the_reports_of_each_alone() -> None:
    chance = random.Random(3)
    found = wanted = 0
    for name in sorted(path.name for path in DATA.glob("*.ptx")):
        text = source(name)
        all_ = [m for m in mutants(text, 3) if not m.kind.startswith(_APART)]
        for _ in range(12):
            chosen = _in_distinct_statements(chance.sample(all_, chance.randint(2, 20)))
            alone = Counter((f.range.line, f.code) for m in chosen for f in errors(m.apply(text)))
            together = errors(_apply(chosen, text))
            reported = Counter((f.range.line, f.code) for f in together)
            related = {r.range.line for f in together for r in f.related}
            matched = sum(1 for place in alone if place in reported or place[0] in related)
            found += matched
            wanted += max(len(alone), matched + len(reported - alone))
    assert wanted > 200
    assert found >= 0.95 * wanted


def _in_distinct_statements(chosen: list[Mutant]) -> list[Mutant]:
    return list({mutant.statement.start: mutant for mutant in chosen}.values())


def _apply(chosen: list[Mutant], text: str) -> str:
    for mutant in sorted(chosen, key=lambda m: -m.start):
        text = mutant.apply(text)
    return text
