"""Random statements: our verdict on each compared with that of ptxas.

    python -m tests.oracle.statements [--count N] [--seed S ...] [--out FILE] [--classes N]

Modifiers and operands are exchanged across opcodes (`recombination.py`), in modules of 22 versions and targets
(`frames.py`), two of five with `texmode_independent`. Prints the number of statements that ptxas accepts and rejects,
the number of these with an error from us, and the disagreements by class; the file gets one disagreement per line.
"""

import argparse
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.instructions import opcodes
from tests.analysed import analysed
from tests.oracle.assembler import Assembler, Message, Outcome, judge_lines
from tests.oracle.frames import PAIRS, Frame, module
from tests.oracle.recombination import statements

INDEPENDENT = 0.4
BATCH = 1000
LEAST = 0.999
LONGEST = 250
COMPILED_ONLY = frozenset(("narrow-address",))
"""The codes of errors that ptxas finds only when it compiles: here it only parses and checks."""

OF_FUNCTIONS = frozenset(("call-sequence", "mixed-cta-group", "register-count", "texture-limit"))
"""The codes of errors in a function as a whole: other statements of the module cause them."""


class Judged(NamedTuple):
    """A statement, our reason for rejecting it and that of ptxas; empty if it is accepted."""

    frame: Frame
    text: str
    ours: str
    theirs: str
    crashed: bool

    @property
    def agrees(self) -> bool:
        """Whether both reject the statement, or neither does."""
        return bool(self.ours) == bool(self.theirs)


def plan(count: int, chance: random.Random) -> Iterator[tuple[Frame, list[str]]]:
    """`count` statements in batches, each with its frame."""
    names = tuple(sorted(opcodes()))
    frames = [(Frame(*pair, mode), share / len(PAIRS)) for pair in PAIRS for mode, share in _MODES]
    for frame, share in frames:
        order = list(names)
        chance.shuffle(order)
        texts = list(statements(frame, tuple(order), round(count * share), chance))
        for start in range(0, len(texts), BATCH):
            yield frame, texts[start : start + BATCH]


_MODES = ((True, INDEPENDENT), (False, 1 - INDEPENDENT))


def judge_all(batches: Iterator[tuple[Frame, list[str]]], assembler: Assembler) -> Iterator[Judged]:
    """Both verdicts on each statement."""
    for frame, texts in batches:
        both = zip(texts, our_errors(frame, texts), _their_messages(frame, texts, assembler), strict=True)
        for text, ours, theirs in both:
            refusals = [m for m in theirs if m.refuses]
            crashed = any(m.severity == "crash" for m in refusals)
            said = next((f"{m.severity}: {m.text}" for m in refusals), "")
            yield Judged(frame, text, ours if said else without_compiled(ours), said, crashed)


def our_errors(frame: Frame, texts: list[str]) -> list[str]:
    """The first error that we report on each of these statements, empty if we report no error.

    Errors that only a full compile finds come last.
    """
    opened = analysed(module(frame, texts))
    found = [""] * len(texts)
    own = [f for f in opened.findings() if f.code not in OF_FUNCTIONS]
    for finding in sorted(own, key=lambda f: f.code in COMPILED_ONLY):
        line = finding.range.start.line - 1
        if finding.severity is Severity.ERROR and 0 <= line < len(texts) and not found[line]:
            found[line] = f"[{finding.code}] {finding.message}"
    return found


def _their_messages(frame: Frame, texts: list[str], assembler: Assembler) -> list[list[Message]]:
    def run(lines: Sequence[str]) -> Outcome:
        return assembler.module(module(frame, list(lines)), frame.arch)

    return judge_lines(texts, run)


def without_compiled(error: str) -> str:
    """The error; empty if only a full compile rejects the statement."""
    return "" if error[1:].partition("]")[0] in COMPILED_ONLY else error


_QUOTED = re.compile(r"`[^`]*`|'[^']*'|[0-9]+")


def class_of(judged: Judged) -> str:
    """The class of a disagreement: the opcode and the message without its names and numbers."""
    which = "FALSE " if judged.ours else "MISSED"
    opcode = judged.text.split("} ")[-1] if judged.text.startswith("@{") else judged.text
    words = opcode.split()
    name = (words[1] if words[0].startswith("@") else words[0]).rstrip(";").split(".")[0]
    return f"{which} {name:12} {_QUOTED.sub('~', judged.ours or judged.theirs)}"


def ask(count: int, seed: int, out: Path) -> list[Judged]:
    """Both verdicts on `count` statements; each disagreement is written to the file at once."""
    answers = []
    with out.open("w", encoding="utf-8", buffering=1) as file:
        for answer in judge_all(plan(count, random.Random(seed)), Assembler()):
            answers.append(answer)
            if not answer.agrees and not answer.crashed:
                file.write(_row(answer))
    return answers


def _row(judged: Judged) -> str:
    frame = judged.frame
    header = f"{frame.version} {frame.target}{'+' if frame.independent else ''}"
    row = "\t".join((class_of(judged), header, judged.text, judged.ours or judged.theirs))
    return row.replace("\n", " ") + "\n"


def report(answers: list[Judged], classes: int) -> bool:
    """Print the table and the classes; returns whether both shares are high enough."""
    judged = [a for a in answers if not a.crashed]
    accepted = [a for a in judged if not a.theirs]
    rejected = [a for a in judged if a.theirs]
    false, missed = [a for a in accepted if a.ours], [a for a in rejected if not a.ours]
    print(f"{len(answers)} statements, ptxas died on {len(answers) - len(judged)} of them")
    print(f"accepted {len(accepted):7} ({len(accepted) / max(1, len(judged)):.1%}), with an error from us {len(false)}")
    print(f"rejected {len(rejected):7}, without an error from us {len(missed)}")
    for name, number in Counter(map(class_of, [*false, *missed])).most_common(classes):
        print(f"{number:6} {name}")
    shares = (1 - len(false) / max(1, len(accepted)), 1 - len(missed) / max(1, len(rejected)))
    print(f"agreement: {shares[0]:.4%} of the accepted, {shares[1]:.4%} of the rejected", flush=True)
    return min(shares) >= LEAST


def _split(used: os.times_result) -> tuple[tuple[float, float], tuple[float, float]]:
    return (used.user, used.system), (used.children_user, used.children_system)


def as_line(judged: Judged) -> str:
    """A line of a file of statements: the verdict of ptxas, the header and the statement; a comment if we disagree."""
    mode = "+" if judged.frame.independent else ""
    verdict = "rejected" if judged.theirs else "accepted"
    line = f"{verdict} {judged.frame.version} {judged.frame.target}{mode} {judged.text}\n"
    return line if judged.agrees else f"# {class_of(judged)}\n# {line}"


def write(answers: list[Judged], path: Path) -> None:
    """Write a file of statements, without very long ones: first those on which both agree."""
    short = [a for a in answers if not a.crashed and len(a.text) <= LONGEST]
    path.write_text("".join(map(as_line, sorted(short, key=lambda a: not a.agrees))), "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200_000, help="how many statements per seed")
    parser.add_argument("--seed", type=int, nargs="*", default=[1])
    parser.add_argument("--out", type=Path, default=Path("statements.tsv"))
    parser.add_argument("--classes", type=int, default=40, help="how many classes of disagreements are printed")
    parser.add_argument("--write", type=Path, help="write the statements and verdicts to this file, for the tests")
    options = parser.parse_args()
    good = True
    for seed in options.seed:
        started, used = time.monotonic(), os.times()
        answers = ask(options.count, seed, options.out.with_stem(f"{options.out.stem}_{seed}"))
        ours, theirs = (sum(now) - sum(before) for now, before in zip(_split(os.times()), _split(used), strict=True))
        print(f"seed {seed}: {time.monotonic() - started:.0f} s; CPU: {ours:.0f} s here, {theirs:.0f} s in ptxas")
        good &= report(answers, options.classes)
        if options.write:
            write(answers, options.write)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
