"""How often a preferred fix restores what a single mistake changed.

    python -m tests.fixes.restoration [--corpus PATH...] [--seed 1] [--each 3] [--most 400] [--kinds K,...] [--wrong]

makes mutants (`tests/oracle/mutation.py`) of PTX files, applies the preferred fix of each finding of the mistake, and
compares the result with the original: token by token, and if they differ, by the machine code that ptxas makes of both.
`--corpus` names files or folders; without it the files of `tests/data/` and `examples/` are used. The table shows, for
each kind of mistake: the mutants, the preferred fixes, how many are correct and wrong, and how many of the wrong ones
give a module that compiles to other code and that has no new warning. `--wrong` prints every wrong fix.
"""

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Fix, apply_edits
from tests.analysed import analysed
from tests.oracle.assembler import Assembler, find_assembler
from tests.oracle.elf import sections, symbols
from tests.oracle.mutation import Mutant, mutants

ROOT = Path(__file__).parents[2]
OWN_FILES = ("tests/data/*.ptx", "examples/*.ptx")
LOWEST_ARCHITECTURE = 75
"""The lowest `sm_` number that the current ptxas generates code for."""
_TABLES = (".strtab", ".shstrtab", ".symtab")
_COUNTED = re.compile(r"(?<=__)[0-9]+$")
_OF_THE_SOURCE = ".nv_debug_"
_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|\s+|"[^"\n]*"|[%$\w.]+|.', re.S)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one preferred fix of one mutant.

    `verdict` is `tokens` (the original text), `code` (another text with the same machine code), `together` (the
    original together with the other preferred fixes), `refused` (wrong, and ptxas refuses the result), `warned`
    (wrong, other code, a new warning) or `silent` (wrong, other code, no new warning).
    """

    file: str
    kind: str
    original: str
    mutant: str
    title: str
    verdict: str

    @property
    def correct(self) -> bool:
        """Whether the fix restores the meaning of the original."""
        return self.verdict in ("tokens", "code", "together")


def tokens(text: str) -> list[str]:
    """The tokens of `text` without comments and white space."""
    return [word for word in _TOKEN.findall(text) if not word.isspace() and not word.startswith(("//", "/*"))]


@lru_cache(maxsize=64)
def code(text: str) -> dict[str, bytes]:
    """What ptxas makes of a module: the sections of its relocatable cubin; empty if ptxas refuses the module.

    Without the tables of names and the PTX that ptxas copies into the cubin for debuggers: `add.s64` for `add.u64`
    changes these, but no instruction, no constant, no relocation and no property of a kernel.
    """
    if find_assembler() is None:
        return {}
    found = re.search(r"^\s*\.target\s+sm_(\d+)([af]?)", text, re.M)
    architecture = f"sm_{found[1]}{found[2]}" if found and int(found[1]) >= LOWEST_ARCHITECTURE else "sm_75"
    image = Assembler(options=("-c",)).module(text, architecture, keep=True).image
    if not image:
        return {}
    made = sections(image)
    kept = {name: held for name, held in made.items() if name not in _TABLES and _OF_THE_SOURCE not in name}
    # the name of a static variable ends with a number that depends on the names above it
    named = [_COUNTED.sub("", name).encode() + entry for name, entry in symbols(made) if _OF_THE_SOURCE not in name]
    return {**kept, ".symtab": b"".join(named)}


def outcomes(name: str, text: str, chosen: Iterable[Mutant]) -> Iterator[tuple[Mutant, list[Outcome]]]:
    """The results of the preferred fixes of each mutant of `text`."""
    before = analysed(text).findings()
    for mutant in chosen:
        wrong = mutant.apply(text)
        module = analysed(wrong)
        preferred: dict[object, Fix] = {}
        for finding in module.findings():
            if finding not in before:
                fix = next((fix for fix in fixes(finding, module) if fix.preferred), None)
                if fix is not None:
                    preferred.setdefault(fix.edits, fix)
        together = _all_of(wrong, list(preferred.values()))
        line = wrong.count("\n", 0, mutant.start)
        yield (
            mutant,
            [
                Outcome(
                    name,
                    mutant.kind,
                    text.split("\n")[line].strip(),
                    wrong.split("\n")[line].strip(),
                    fix.title,
                    verdict(text, apply_edits(wrong, fix.edits), together, before),
                )
                for fix in preferred.values()
            ],
        )


def _all_of(text: str, chosen: list[Fix]) -> str:
    return apply_edits(text, [edit for fix in chosen for edit in fix.edits])


def verdict(original: str, fixed: str, together: str, before: list[Finding]) -> str:
    """How `fixed` compares with the original, see `Outcome`."""
    right = tokens(original)
    if tokens(fixed) == right:
        return "tokens"
    if tokens(together) == right:
        return "together"
    made = code(fixed)
    if not made:
        same = code(together) if together != fixed else {}
        return "together" if same and same == code(original) else "refused"
    if made == code(original):
        return "code"
    warnings = [f for f in analysed(fixed).findings() if f.severity <= Severity.WARNING and f not in before]
    return "warned" if warnings else "silent"


@dataclass(slots=True)
class Row:
    """The counts of one kind of mistake."""

    mutants: int = 0
    preferred: int = 0
    correct: int = 0
    wrong: int = 0
    silent: int = 0

    def add(self, found: list[Outcome]) -> None:
        """Count one mutant and the outcomes of its preferred fixes."""
        self.mutants += 1
        self.preferred += len(found)
        self.correct += sum(outcome.correct for outcome in found)
        self.wrong += sum(not outcome.correct for outcome in found)
        self.silent += sum(outcome.verdict == "silent" for outcome in found)


def sample(text: str, seed: int, each: int, most: int, kinds: frozenset[str]) -> list[Mutant]:
    """At most `most` mutants of `text`, `each` for a statement, of these kinds (empty: of all kinds)."""
    found = [mutant for mutant in mutants(text, seed, each) if not kinds or mutant.kind in kinds]
    if len(found) <= most:
        return found
    by_kind: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in random.Random(seed).sample(found, len(found)):
        by_kind[mutant.kind].append(mutant)
    # one of each kind in turn, so that a rare kind is not lost
    turns = [(turn, kind) for kind, of_kind in by_kind.items() for turn in range(len(of_kind))]
    return [by_kind[kind][turn] for turn, kind in sorted(turns)[:most]]


def measure(
    paths: list[Path], seed: int = 1, each: int = 3, most: int = 400, kinds: frozenset[str] = frozenset()
) -> tuple[dict[str, Row], list[Outcome]]:
    """The table, by kind, and every outcome."""
    table: dict[str, Row] = defaultdict(Row)
    every: list[Outcome] = []
    for path in paths:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        for mutant, found in outcomes(path.name, text, sample(text, seed, each, most, kinds)):
            table[mutant.kind].add(found)
            every += found
    return dict(sorted(table.items())), every


def files_in(paths: list[str]) -> list[Path]:
    """The PTX files that these paths name; the project's own files if `paths` is empty."""
    if not paths:
        return [path for pattern in OWN_FILES for path in sorted(ROOT.glob(pattern))]
    named = [Path(path) for path in paths]
    return [file for path in named for file in (sorted(path.rglob("*.ptx")) if path.is_dir() else [path])]


def render(table: dict[str, Row]) -> str:
    """The table as text."""
    lines = [f"{'kind':<26}{'mutants':>8}{'preferred':>10}{'correct':>8}{'wrong':>6}{'silent':>7}"]
    total = Row()
    for kind, row in table.items():
        lines.append(_line(kind, row))
        for name in ("mutants", "preferred", "correct", "wrong", "silent"):
            setattr(total, name, getattr(total, name) + getattr(row, name))
    return "\n".join([*lines, _line("all", total)])


def _line(kind: str, row: Row) -> str:
    return f"{kind:<26}{row.mutants:>8}{row.preferred:>10}{row.correct:>8}{row.wrong:>6}{row.silent:>7}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=3)
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--json", default="", help="write every outcome to this file, one JSON object a line")
    given = parser.parse_args()
    kinds = frozenset(filter(None, given.kinds.split(",")))
    table, every = measure(files_in(given.corpus), given.seed, given.each, given.most, kinds)
    print(render(table))
    for outcome in every:
        if given.wrong and not outcome.correct:
            print(f"{outcome.verdict} {outcome.kind}: {outcome.mutant}  [{outcome.title}]  was: {outcome.original}")
    if given.json:
        Path(given.json).write_text("".join(json.dumps(_fields(outcome)) + "\n" for outcome in every))
    sys.exit(0)


def _fields(outcome: Outcome) -> dict[str, str]:
    return {name: getattr(outcome, name) for name in outcome.__slots__}


if __name__ == "__main__":
    main()
