"""Mutants of the files in `tests/data/` with the verdict of ptxas on each, stored in `tests/data/mutants.jsonl`.

    python -m tests.analysis.mutants [--seed 1]

makes them again and asks ptxas.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from ptx_lsp import check
from ptx_lsp.findings.finding import Finding, Severity
from tests.oracle.assembler import Assembler, Outcome
from tests.oracle.mutation import mutants

DATA = Path(__file__).parents[1] / "data"
KEPT = DATA / "mutants.jsonl"
OF_EACH_KIND = 5
# one mistake of these kinds is correctly reported at many places
IN_MANY_PLACES = ("declar",)
ANYWHERE = ("brace-",)


@dataclass(frozen=True, slots=True)
class Kept:
    """A mutant and the answer of ptxas: its file, the edit, its line, and the first line (from 1) that ptxas names."""

    file: str
    kind: str
    start: int
    end: int
    replacement: str
    line: int
    accepted: bool
    named_line: int

    @property
    def text(self) -> str:
        """The module with its mistake."""
        original = source(self.file)
        return original[: self.start] + self.replacement + original[self.end :]


def source(name: str) -> str:
    """The text of a file of `tests/data/`."""
    return (DATA / name).read_bytes().decode()


def kept() -> list[Kept]:
    """The stored mutants."""
    return [Kept(**json.loads(line)) for line in KEPT.read_text("utf-8").splitlines()]


@lru_cache(maxsize=1024)
def errors(text: str) -> list[Finding]:
    """The errors in a module; several tests ask for those of the same mutants."""
    return [finding for finding in check(text) if finding.severity is Severity.ERROR]


def lines_of(found: Iterable[Finding]) -> set[int]:
    """The lines (from 1) that findings begin on or mention."""
    return {f.range.line + 1 for f in found} | {r.range.line + 1 for f in found for r in f.related}


def hits(mutant: Kept, found: list[Finding]) -> bool:
    """Whether a finding is in the right place: the line of the mistake or the one that ptxas names."""
    if mutant.kind.startswith(ANYWHERE):
        return bool(found)
    return bool(lines_of(found) & {mutant.line, mutant.named_line})


def first_line(outcome: Outcome) -> int:
    """The line of the first refusal."""
    return next((m.line for m in outcome.messages if m.refuses), 0)


def make(seed: int) -> list[Kept]:
    """Mutants of every kind of every file, judged by ptxas, without those on which ptxas crashes."""
    chance = random.Random(seed)
    found: list[Kept] = []
    by_kind: dict[str, list[Kept]] = defaultdict(list)
    for path in sorted(DATA.glob("*.ptx")):
        text = source(path.name)
        for m in mutants(text, seed):
            line = text.count("\n", 0, m.start) + 1
            by_kind[m.kind].append(Kept(path.name, m.kind, m.start, m.end, m.replacement, line, False, 0))
    for kind in sorted(by_kind):
        found += chance.sample(by_kind[kind], min(OF_EACH_KIND, len(by_kind[kind])))
    judged = []
    for mutant, outcome in zip(found, Assembler().modules([m.text for m in found]), strict=True):
        if not outcome.crashed:
            fields = {**asdict(mutant), "accepted": outcome.accepted, "named_line": first_line(outcome)}
            judged.append(Kept(**fields))
    return judged


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    made = make(parser.parse_args().seed)
    KEPT.write_text("".join(json.dumps(asdict(mutant)) + "\n" for mutant in made), "utf-8")
    print(f"{len(made)} mutants, {sum(m.accepted for m in made)} of them accepted")


if __name__ == "__main__":
    main()
