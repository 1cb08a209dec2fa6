"""Writes the shipped outcomes again: `python -m tests.semantics.shipped_outcomes [--statement-checks] [FILE ...]`.

Its keys are the present ones and those of the plain lines of the given files, the same with untyped registers, and for
those with several integers the keys in which all of them have one width, if they are fine since one version and one
target. A key pays if files of several programs have it: the first judgement in a process takes some three milliseconds,
and each further key a tenth of one. 7,300 products of opcodes and kinds that no file had were left out again.

All keys are judged again, which takes minutes; with `--statement-checks`, only those with a check that the file does
not know, which takes seconds: that is enough after a change of `semantics/statement_checks.py` alone.
"""

import re
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.releases import NEWEST, RELEASES
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.quick import instructions
from ptx_lsp.quick.instructions import outcome_of
from ptx_lsp.quick.known import Outcome
from ptx_lsp.quick.operand_text import Unclear
from ptx_lsp.semantics import shipped_outcomes
from ptx_lsp.semantics.shipped_outcomes import (
    CHECKS_ARE,
    Key,
    ShippedOutcome,
    has_one_of,
    newer_checks,
    operand_kinds,
    read_group,
)
from ptx_lsp.semantics.statement_checks import STATEMENT_CHECKS, UNGUARDED, StatementCheck
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.text.document import Document

PLACE = Path(shipped_outcomes.__file__).with_suffix(".txt")
WARNING = "// Outcomes that are shipped. Written by `python -m tests.semantics.shipped_outcomes`, never by hand.\n"
HEAD = f"{WARNING}{CHECKS_ARE}{', '.join(check.name for check in STATEMENT_CHECKS)}\n"
_NUMBERS = frozenset(("low", "high", "step", "bits", "modulo"))
_NAMED = re.compile(r"[^{}\[\]|,+!]+")
_TYPED = re.compile(r"\.[fsu](16|32|64)\b")
_INTEGER = re.compile(r"int(?:8|16|32|64)")
Domain = tuple[Version, Target, ShippedOutcome]  # the first version and target, and the answer since them


class Group(NamedTuple):
    """Keys with the same outcome that are fine since a version and a target. The suffix of the target is ignored."""

    version: Version
    target: Target
    answer: ShippedOutcome
    keys: tuple[Key, ...]


def groups() -> list[Group]:
    """The groups of `shipped_outcomes.txt` without the keys that are not used, as they have a newer check."""
    written, new = written_groups()
    if not new:
        return written
    return [group._replace(keys=tuple(key for key in group.keys if not has_one_of(key, new))) for group in written]


def written_groups() -> tuple[list[Group], list[StatementCheck]]:
    """The groups as the file has them, and the statement checks that are newer than the file.

    Each key has a row, with the text of its group after a tab.
    """
    _, checks, *rows = PLACE.read_text("utf-8").rstrip("\n").split("\n")
    keys: dict[str, list[Key]] = {}
    for row in rows:
        key, _, group = row.partition("\t")
        keys.setdefault(group, []).append(_key(key))
    return [Group(*read_group(group), tuple(members)) for group, members in keys.items()], newer_checks(checks)


def _key(text: str) -> Key:
    # a key without operands has one empty piece, which the file does not have
    return tuple(text.split(" ")) if " " in text else (text, "")


def answer(key: Key, version: Version, target: Target) -> ShippedOutcome | None:
    """The answer of the judge for lines with this key; None unless they are fine."""
    kinds = list(operand_kinds(key))
    texts = [_NAMED.sub("%r", kind) for kind in kinds]
    try:
        count, literals, unguarded = outcome_of(key[0], texts, kinds, Profile(version, target))
    except Unclear:
        return None
    return ShippedOutcome(count, tuple((at, one._replace(path=(), role="")) for at, one, _ in literals), unguarded)


def domain(key: Key) -> Domain | None:
    """The version and target since which a key is fine, and its answer; None if there is no such pair.

    It is assumed that a key which is fine in a version is fine in all later ones; a test asks at random about others.
    """
    newest = {target: answer(key, NEWEST, target) for target in TARGETS}
    refused = [target.number for target, found in newest.items() if found is None]
    fitting = [target for target in TARGETS if not target.suffix and target.number > max(refused, default=0)]
    if not fitting:
        return None
    lowest = min(fitting)
    wanted = newest[lowest]
    later = [target for target in TARGETS if target.number >= lowest.number]
    versions = list(RELEASES)
    first = bisect_left(
        versions, True, key=lambda version: all(answer(key, version, target) == wanted for target in later)
    )
    return None if wanted is None or first >= len(versions) - 1 else (versions[first], lowest, wanted)


def keys_of(files: Iterable[Path]) -> list[Key]:
    """The keys of the plain lines in some files."""
    found: list[Key] = []

    def note(opcode: str, texts: list[str], kinds: Iterable[str], profile: Profile) -> Outcome:
        whole = list(kinds)
        found.append((opcode, *",".join(whole).split(",")))
        return outcome_of(opcode, texts, whole, profile)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(instructions, "outcome_of", note)
        for path in files:
            Module(Document(path.read_text("utf-8", "surrogateescape"))).work()
    return found


def with_widths(keys: Iterable[Key]) -> set[Key]:
    """These keys, and for those with several integers the keys in which all of them have one width.

    To learn a shape takes these, but hardly a line has such integers.
    """
    found = set(keys)
    for key in tuple(found):
        if sum(map(bool, map(_INTEGER.search, key[1:]))) > 1:
            found |= {(key[0], *(_INTEGER.sub(f"int{bits}", kind) for kind in key[1:])) for bits in instructions.WIDTHS}
    return found


def with_untyped(keys: Iterable[Key]) -> set[Key]:
    """These keys, and each without the types of its registers: newer compilers declare all of them as `.b32` or so."""
    found = set(keys)
    named = [key for key in found if not any(":" in kind for kind in key[1:])]
    return found | {(key[0], *(_TYPED.sub(r".b\1", kind) for kind in key[1:])) for key in named}


def table(keys: Iterable[Key], judged: Iterable[Group] = ()) -> str:
    """The text of `shipped_outcomes.txt` with these keys, and the groups `judged` as they are."""
    groups: dict[Domain, list[Key]] = defaultdict(list)
    for group in judged:
        groups[group.version, group.target, group.answer] += group.keys
    for key in set(keys):
        where = domain(key)
        if where is not None:
            groups[where].append(key)
    rows = [f"{' '.join(key).rstrip()}\t{group_text(*where)}\n" for where, members in groups.items() for key in members]
    return "".join([HEAD, *sorted(rows)])


def group_text(version: Version, target: Target, known: ShippedOutcome) -> str:
    """A group as the file has it in the rows of its keys."""
    words = [f"ptx {version}", str(target), f"writes {known.written}", *([UNGUARDED] if known.unguarded else [])]
    for at, check in known.literals:
        given = zip(check._fields, check, strict=True)
        fields = {name: value for name, value in given if name in _NUMBERS and value}
        numbers = [f"{name}={value}" for name, value in fields.items() if (name, value) != ("step", 1)]
        values = [f"values={'|'.join(map(str, check.values))}"] if check.values else []
        other = [f"other={index}" for index in check.other]
        words.append(" ".join([check.kind.name, f"at={at}", *numbers, *values, *other]))
    return "  ".join(words)


def updated(written: list[Group], new: list[StatementCheck]) -> str:
    """The text of `shipped_outcomes.txt` in which only the keys with a new check are judged again."""
    concerned = [key for group in written for key in group.keys if has_one_of(key, new)]
    kept = [group._replace(keys=tuple(set(group.keys).difference(concerned))) for group in written]
    return table(concerned, (group for group in kept if group.keys))


def main() -> None:
    """Write the file."""
    written, new = written_groups()
    if sys.argv[1:] == ["--statement-checks"]:
        PLACE.write_text(updated(written, new), "utf-8")
        return
    had = {key for group in written for key in group.keys}
    keys = with_widths(with_untyped(had | set(keys_of(map(Path, sys.argv[1:])))))
    PLACE.write_text(table(keys), "utf-8")


if __name__ == "__main__":
    main()
