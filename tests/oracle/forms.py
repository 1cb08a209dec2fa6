"""The test of the table: every form expanded and changed, and our verdict compared with that of ptxas.

    python -m tests.oracle.forms [--opcode add ...] [--chapter integer ...] [--limit N] [--per-form N] [--perturb N]
                                 [--seed S] [--out FILE]
    python -m tests.oracle.forms --table FILE        a table of accepted forms: form, operands, version, target
    python -m tests.oracle.forms --minimums FILE     a table of requirements: form, operands, lowest target and version

Prints agreement per opcode and overall; the disagreements go to a file, one a line.
"""

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.instructions import instruction, modifier_words, opcodes
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.releases import RELEASES
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.fit import split_kind
from ptx_lsp.judgement.judge import JUDGED_ELSEWHERE, judge
from ptx_lsp.judgement.verdict import Complaint, OperandCheck, OperandCheckKind, passes
from tests.oracle.assembler import Assembler, Message
from tests.oracle.expansion import Case, expansions, opcode_text, operand_choices, perturbations
from tests.oracle.rendering import (
    CONSTANTS,
    DECLARATIONS,
    FUNCTION,
    arch_of,
    frame_works,
    module_declarations,
    module_names,
    statement,
)

NEWEST = next(reversed(RELEASES))
STAGES = tuple(
    Target(n, s) for n, s in ((100, "a"), (90, "a"), (120, "a"), (103, "a"), (110, "a"), (107, "a"), (121, "a"))
)
"""The targets for changed statements: the first of these that has the form."""

OLD_STAGES = ((Version(6, 3), Target(60)), (Version(3, 0), Target(20)), (Version(2, 3), Target(20)))


@dataclass(frozen=True, slots=True)
class Question:
    """A statement at a version and a target."""

    case: Case
    version: Version
    target: Target


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdicts of both; `ours` and `theirs` are the reasons for rejection, empty if the statement is accepted."""

    question: Question
    text: str
    ours: str
    theirs: str

    @property
    def agrees(self) -> bool:
        return bool(self.ours) == bool(self.theirs)


ELSEWHERE = (
    OperandCheckKind.FITS,
    OperandCheckKind.SHIFT_COUNT,
    OperandCheckKind.FRACTION,
    OperandCheckKind.SAMPLER,
    OperandCheckKind.WHOLE,
    OperandCheckKind.AT_MOST,
)
"""Conditions whose violation is a warning only, or that depend on more than the value of one constant."""


def our_refusal(case: Case, version: Version, target: Target) -> str:
    """The first error that we report, empty if we report none."""
    verdict = judge(case.opcode, case.kinds, version, target)
    found = [f"[{c.code}] {c.message}" for c in verdict.complaints if _is_error(c)]
    checks = [check for check in verdict.operand_checks if check.kind not in ELSEWHERE]
    found += [f"[immediate-range] {check}" for check in checks if not _is_met(check, case)]
    return next(iter(found), "")


def _is_met(check: OperandCheck, case: Case) -> bool:
    """Whether a statement meets an operand check. With a declared sampler, its module has separate samplers: `ask`."""
    if check.kind is OperandCheckKind.SEPARATE:
        return any(".samplerref" in kind for kind in case.kinds)
    return passes(check, _value_at(case, check.path))


def _value_at(case: Case, path: tuple[int, ...]) -> int:
    """The integer constant at a path, as it is rendered."""
    kind = case.kinds[path[0]]
    for index in path[1:]:
        kind = split_kind(kind[1:-1])[index] if kind[0] in "{[(" else split_kind(kind, "|")[index]
    own = case.constants[path[0]] if path[0] < len(case.constants) else ""
    return int((own or CONSTANTS[kind]).rstrip("U"), 0)


def _is_error(complaint: Complaint) -> bool:
    return complaint.severity is Severity.ERROR


def ask(questions: Iterable[Question], assembler: Assembler) -> Iterator[Answer]:
    """Both verdicts on each question; questions with the same header are judged in one batch."""
    batches: dict[tuple[Version, Target, frozenset[str]], list[tuple[Question, str]]] = defaultdict(list)
    for question in questions:
        text = statement(question.case.opcode, question.case.kinds, question.case.constants)
        names = module_names(text)
        split = names & {"smp__", "fn__", "k2__"}
        batches[question.version, question.target, split].append((question, text))
    for (version, target, _), batch in batches.items():
        names = frozenset(n for _, text in batch for n in module_names(text))
        mode = f"{target}, texmode_independent" if "smp__" in names else str(target)
        answers = _answers([t for _, t in batch], version, target, mode, names, assembler)
        for (question, text), messages in zip(batch, answers, strict=True):
            theirs = next((f"{m.severity}: {m.text}" for m in messages if m.refuses), "")
            yield Answer(question, text, our_refusal(question.case, version, target), theirs)


def _answers(
    texts: list[str], version: Version, target: Target, mode: str, names: frozenset[str], assembler: Assembler
) -> list[list[Message]]:
    return assembler.snippets(
        texts, str(version), mode, DECLARATIONS, module_declarations(names), arch_of(target), FUNCTION
    )


def minimum(case: Case) -> tuple[Version, Target] | None:
    """The lowest target for which we accept a statement, and the lowest version there; else None."""
    for target, since in TARGETS.items():
        if target.number >= 20 and not our_refusal(case, NEWEST, target):
            versions = (v for v in RELEASES if v >= since and frame_works(v, target))
            return next((v, target) for v in versions if not our_refusal(case, v, target))
    return _old_minimum(case)


def _old_minimum(case: Case) -> tuple[Version, Target] | None:
    """For a removed statement: a version and target that still had it."""
    return next(((v, t) for v, t in OLD_STAGES if not our_refusal(case, v, t)), None)


def below(version: Version, target: Target) -> Iterator[tuple[Version, Target]]:
    """One version below, and one target below, if such a header exists."""
    older = [v for v in RELEASES if v < version and v >= TARGETS[target] and frame_works(v, target)]
    if older:
        yield older[-1], target
    lower = [t for t, since in TARGETS.items() if t.number < target.number and since <= version and t.number >= 20]
    if lower:
        yield version, lower[-1]


def stage(case: Case) -> tuple[Version, Target] | None:
    """The version and target for a statement and its changes."""
    target = next((t for t in STAGES if not our_refusal(case, NEWEST, t)), None)
    return (NEWEST, target) if target else _old_minimum(case)


def questions_of(match: Match, pool: tuple[str, ...], chance: random.Random, perturb: int) -> Iterator[Question]:
    """All questions about one choice of modifiers."""
    for kinds, constants in operand_choices(match):
        case = Case(opcode_text(match), kinds, constants)
        least = minimum(case)
        if least is None:
            yield Question(case, NEWEST, STAGES[0])
            continue
        yield Question(case, *least)
        for version, target in below(*least):
            yield Question(Case(case.opcode, kinds, constants, "below minimum"), version, target)
        place = stage(case) or least
        for changed in perturbations(match, case, pool, chance, perturb):
            yield Question(changed, *place)


def all_questions(names: list[str], chapters: list[str], per_form: int, perturb: int, seed: int) -> Iterator[Question]:
    """The questions about all forms of these opcodes, or of all opcodes."""
    chance = random.Random(seed)
    pool = tuple(sorted(modifier_words()))
    seen: set[tuple[str, tuple[str, ...], Version, Target]] = set()
    for name in names or sorted(set(opcodes()) - JUDGED_ELSEWHERE):
        known = instruction(name)
        for form in known.forms if known else ():
            if chapters and form.section.chapter not in chapters:
                continue
            for match in expansions(form, per_form, chance):
                for question in questions_of(match, pool, chance, perturb):
                    key = (question.case.opcode, question.case.kinds, question.version, question.target)
                    if key not in seen:
                        seen.add(key)
                        yield question


def report(answers: list[Answer], out: Path) -> float:
    """Print agreement per opcode and kind of change, write the disagreements; returns the agreement in percent."""
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for answer in answers:
        changed = answer.question.case.kind_of != "expansion"
        row = tally[answer.question.case.opcode.split(".")[0]]
        row[2 * changed] += 1
        row[2 * changed + 1] += answer.agrees
        how = kinds[answer.question.case.kind_of]
        how[0] += 1
        how[1] += not answer.agrees and not answer.ours
        how[2] += not answer.agrees and not answer.theirs
    print(f"{'opcode':16} {'expanded':>9} {'agree':>7} {'changed':>9} {'agree':>7}")
    for name, (a, b, c, d) in sorted(tally.items(), key=lambda r: (r[1][1] + r[1][3]) / (r[1][0] + r[1][2])):
        print(f"{name:16} {a:9} {_percent(b, a):>7} {c:9} {_percent(d, c):>7}")
    print(f"\n{'kind of change':24} {'asked':>7} {'we miss':>8} {'we flag':>8}")
    for name, (asked, missed, flagged) in sorted(kinds.items()):
        print(f"{name:24} {asked:7} {missed:8} {flagged:8}")
    total = [sum(row[i] for row in tally.values()) for i in range(4)]
    expanded = f"{_percent(total[1], total[0])} of {total[0]} expansions"
    print(f"\nall: {expanded}, {_percent(total[3], total[2])} of {total[2]} changed")
    wrong = [a for a in answers if not a.agrees]
    out.write_text("".join(_line(a) for a in wrong), "utf-8")
    print(f"{len(wrong)} disagreements in {out}")
    return 100.0 * (1 - len(wrong) / max(1, len(answers)))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "-"


def _line(answer: Answer) -> str:
    q = answer.question
    which = "WE FLAG" if answer.ours else "WE MISS"
    return f"{which}\t{q.version} {q.target}\t{q.case.kind_of}\t{answer.text}\t{answer.ours or answer.theirs}\n"


NAMES = {"o": ".b8", "h": ".b16", "r": ".b32", "d": ".b64", "q": ".b128", "p": ".pred"}
OBJECTS = {
    "tex_": ".texref",
    "srf_": ".surfref",
    "smp_": ".samplerref",
    "sh_": ".shared:.b64[]",
    "glob": ".global:.b8[]",
    "fn0": "func",
    "kp": ".param.entry:.b64",
}


def read_kinds(text: str) -> tuple[str, ...]:
    """The kinds of operands written with the names of the tables: `r1`, `{r1,r2}`, `[d1+4]`, `0x80`."""
    return tuple(_read_kind(part.strip()) for part in split_kind(text) if part.strip())


def read_values(text: str) -> tuple[str, ...]:
    """The integer constants among such operands, empty for other operands."""
    parts = [part.strip() for part in split_kind(text) if part.strip()]
    return tuple(
        part if part.lstrip("-")[:1].isdecimal() and _read_kind(part).startswith("int") else "" for part in parts
    )


def _read_kind(text: str) -> str:
    text = text.strip()
    if text[:1] in "{[(":
        return text[0] + ",".join(read_kinds(text[1:-1])) + text[-1]
    if "|" in text:
        return "|".join(_read_kind(p) for p in text.split("|"))
    if text[:1] in ("!", "-") and not text[1:2].isdigit():
        return text[0] + _read_kind(text[1:])
    if text.startswith("%"):
        return "%.u64" if "64" in text else "%.u32" if "." in text or "tid" not in text else "%.v4.u32"
    base, plus, _ = text.partition("+")
    if base in OBJECTS:
        return OBJECTS[base] + plus
    if base[:1] in NAMES and base[1:].isdigit():
        return NAMES[base[0]] + plus
    if text[:2] in ("0f", "0F"):
        return "single"
    if text[:2] in ("0d", "0D"):
        return "double"
    if text == "_":
        return text
    return _constant_kind(text)


def _constant_kind(text: str) -> str:
    try:
        value = int(text.rstrip("U"), 0)
    except ValueError:
        return "float" if "." in text else "label"
    return next((f"int{n}" for n in (8, 16, 32, 64) if -(2 ** (n - 1)) <= value < 2**n), "int64")


def check_table(path: Path, out: Path) -> float:
    """The percentage of lines of a table of accepted forms that we accept too."""
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    refused: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    lines = []
    for form, operands, version, target in (r[:4] for r in rows):
        case = Case(form, read_kinds(operands), read_values(operands))
        ours = our_refusal(case, _version(version), _target(target))
        tally = refused[form.split(".")[0]]
        tally[0] += 1
        tally[1] += bool(ours)
        if ours:
            lines.append(f"{form}\t{operands}\t{target}\t{ours}\n")
    return _print_tally(refused, lines, len(rows), out, "refused")


def check_minimums(path: Path, out: Path) -> float:
    """The percentage of lines of a table of requirements with our minimum; the table has none below sm_20 and 2.3."""
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    wrong: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    lines = []
    for form, operands, target, version in (r[:4] for r in rows):
        case = Case(form, read_kinds(operands), read_values(operands))
        least = minimum(case)
        tally = wrong[form.split(".")[0]]
        tally[0] += 1
        if least is None or not _same_minimum(least, target, version):
            tally[1] += 1
            said = f"{least[1]} {least[0]}" if least else our_refusal(case, NEWEST, STAGES[0])
            lines.append(f"{form}\t{operands}\t{target} {version}\tours: {said}\n")
    return _print_tally(wrong, lines, len(rows), out, "differ")


def _print_tally(tally: dict[str, list[int]], lines: list[str], rows: int, out: Path, verb: str) -> float:
    """Write the lines about bad rows, and print the number of bad rows by opcode; the percentage of the other rows."""
    out.write_text("".join(lines), "utf-8")
    for name, (count, bad) in sorted(tally.items(), key=lambda row: -row[1][1]):
        if bad:
            print(f"{name:20} {bad:5} of {count:5} {verb}")
    print(f"{len(lines)} of {rows} {verb}, {_percent(rows - len(lines), rows)} do not; {out}")
    return 100.0 * (1 - len(lines) / max(1, rows))


def _same_minimum(least: tuple[Version, Target], target: str, version: str) -> bool:
    same_target = least[1] == _target(target)
    bound = _version(version.removeprefix("<="))
    return same_target and (least[0] <= bound if version.startswith("<=") else least[0] == bound)


def _version(text: str) -> Version:
    major, minor = text.split(".")
    return Version(int(major), int(minor))


def _target(text: str) -> Target:
    digits = text.removeprefix("sm_").rstrip("af")
    return Target(int(digits), text.removeprefix("sm_")[len(digits) :])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opcode", nargs="*", default=[])
    parser.add_argument("--chapter", nargs="*", default=[])
    parser.add_argument(
        "--limit", type=int, default=0, help="the maximum number of statements to ask about, a random sample"
    )
    parser.add_argument("--per-form", type=int, default=40, help="choices of modifiers per form")
    parser.add_argument("--perturb", type=int, default=10, help="changed statements per choice of modifiers")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--out", type=Path, default=Path("disagreements.tsv"))
    parser.add_argument("--table", type=Path)
    parser.add_argument("--minimums", type=Path)
    options = parser.parse_args()
    if options.table:
        check_table(options.table, options.out)
        return 0
    if options.minimums:
        check_minimums(options.minimums, options.out)
        return 0
    print(f"seed {options.seed}")
    asked = list(all_questions(options.opcode, options.chapter, options.per_form, options.perturb, options.seed))
    if options.limit and len(asked) > options.limit:
        asked = random.Random(options.seed).sample(asked, options.limit)
    started = time.monotonic()
    answers = list(ask(asked, Assembler()))
    share = report(answers, options.out)
    print(f"{len(answers)} statements in {time.monotonic() - started:.0f} s")
    return 0 if share >= 99.0 else 1


if __name__ == "__main__":
    sys.exit(main())
