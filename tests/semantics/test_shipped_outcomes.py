"""The shipped outcomes are those of the judge, for every version and target since the first ones."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_lsp.isa.releases import NEWEST, RELEASES
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.memo import forget_all
from ptx_lsp.quick import instructions
from ptx_lsp.quick.instructions import group_of, known_outcome
from ptx_lsp.quick.known import Outcome, known_for
from ptx_lsp.semantics import shipped_outcomes, statement_checks
from ptx_lsp.semantics.shipped_outcomes import CHECKS_ARE, Key, ShippedOutcome, has_one_of
from ptx_lsp.semantics.statement_checks import StatementCheck
from ptx_lsp.semantics.surroundings import Profile
from tests.analysed import analysed
from tests.semantics.shipped_outcomes import (
    PLACE,
    WARNING,
    Group,
    answer,
    domain,
    group_text,
    groups,
    updated,
    written_groups,
)

pytestmark = pytest.mark.slow

OTHERS = 12  # further versions and targets that are compared, chosen at random
TEXT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
\t.reg .b32 %r<3>;
\tadd.s32 \t%r1, %r2, 7;
\tret;
}
"""


def places(group: Group) -> Iterator[tuple[Version, Target]]:
    """The first version and target of a group, every target at the newest version, and some other pairs."""
    version, target = group.version, group.target
    targets = [other for other in TARGETS if other.number >= target.number]
    versions = [other for other in RELEASES if other >= version]
    yield from ((NEWEST, other) for other in targets)
    yield version, target
    yield version, targets[-1]
    choose = random.Random(str(group[:3]))
    yield from ((choose.choice(versions), choose.choice(targets)) for _ in range(OTHERS))


@pytest.mark.parametrize("group", groups(), ids=lambda group: "-".join(map(str, group[:3])))
def test_every_key_is_fine_and_has_its_number_of_written_names(group: Group) -> None:
    for version, target in places(group):
        assert {key for key in group.keys if answer(key, version, target) != group.answer} == set(), (version, target)


def test_the_beginning_that_is_kept_of_a_row_is_all_of_it() -> None:
    rows = Path(shipped_outcomes.__file__).with_suffix(".txt").read_bytes().splitlines()
    assert len(rows) > len(groups())
    assert max(map(len, rows)) <= shipped_outcomes.LONGEST_ROW


def test_the_first_version_and_target_are_the_first_ones() -> None:
    for group in groups():
        assert domain(group.keys[0]) == group[:3]


def test_keys_are_not_fine_before_their_first_version_and_target() -> None:
    def fine(version: Version, target: Target) -> set[Key]:
        known = known_for(Profile(version, target))
        return {key for group in groups() for key in group.keys if known_outcome(key, known) is not None}

    assert fine(Version(0, 9), Target(90)) == set()
    assert fine(NEWEST, Target(1)) == set()
    assert fine(NEWEST, Target(90)) > fine(Version(7, 0), Target(90))
    assert fine(NEWEST, Target(90)) > fine(NEWEST, Target(70))


def test_each_key_has_the_outcome_of_its_group() -> None:
    for group in groups():
        known = known_for(Profile(group.version, group.target))
        for key in group.keys:
            written, literals, unguarded = known_outcome(key, known) or (-1, (), False)
            assert ShippedOutcome(written, tuple(each[:2] for each in literals), unguarded) == group.answer


@pytest.mark.parametrize(
    "key", [("add.s32", ".b32", ".b32", "x"), ("add.s32", ".b32", ".b32", ".b32", ""), ("ret", "", "")]
)
def test_no_other_key_is_found(key: Key) -> None:
    assert known_outcome(key, known_for(Profile(NEWEST, Target(90)))) is None


def test_the_file_is_as_it_was_written() -> None:
    """It may be older than the last checks: the keys with such a check are not used."""
    text = PLACE.read_text("utf-8")
    warning, names = text.split("\n")[:2]
    assert warning + "\n" == WARNING
    now = {check.name for check in statement_checks.STATEMENT_CHECKS}
    assert set(names.removeprefix(CHECKS_ARE).split(", ")) <= now
    written, _ = written_groups()
    rows = [f"{' '.join(key).rstrip()}\t{group_text(*group[:3])}" for group in written for key in group.keys]
    assert text.rstrip("\n").split("\n")[2:] == sorted(rows)
    assert len(rows) == len({key for group in written for key in group.keys}) > 1000


def test_keys_with_a_check_that_is_newer_than_the_file_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    new = StatementCheck("new", lambda opcode, _: opcode == "add.s32", lambda *_: None)
    monkeypatch.setattr(statement_checks, "STATEMENT_CHECKS", (*statement_checks.STATEMENT_CHECKS, new))
    forget_all()
    used = {key for group in groups() for key in group.keys}
    known = known_for(Profile(NEWEST, Target(90)))
    assert known_outcome(("add.s32", ".b32", ".b32", ".b32"), known) is None
    assert known_outcome(("sub.s32", ".b32", ".b32", ".b32"), known) is not None
    written, newer = written_groups()
    assert {key[0] for group in written for key in group.keys if has_one_of(key, [new])} == {"add.s32"}
    assert used == {key for group in written for key in group.keys if not has_one_of(key, newer)}
    text = updated(written, newer)
    assert "\nadd.s32 " not in text  # the recognisers do not make it, so that the judge knows no outcome
    assert text.count("\t") == len(used)
    forget_all()


def test_an_update_without_new_checks_changes_nothing() -> None:
    before, after = PLACE.read_text("utf-8"), updated(written_groups()[0], [])
    assert after.split("\n")[2:] == before.split("\n")[2:]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_row_is_found_by_its_key_and_no_other_key_is(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    text = PLACE.read_text("utf-8")
    monkeypatch.setattr(shipped_outcomes, "read_data", lambda *place: text.replace("\n", end).encode())
    forget_all()
    rows = dict(row.split("\t") for row in text.rstrip("\n").split("\n")[2:])
    for words, group in rows.items():
        opcode, *kinds = words.split(" ")
        assert group_of((opcode, *(kinds or [""]))) == group
        for other in ((opcode[:-1], *kinds), (f"{opcode}!", *kinds), (*kinds, opcode), (opcode, *kinds, ".x")):
            assert group_of(other) == rows.get(" ".join(other))
    for key in (("", ""), ("//", "Outcomes"), ("abs", ""), ("zz", ".b32")):
        assert group_of(key) is None
    forget_all()


def test_shipped_keys_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def outcome_of(*_: object) -> Outcome:
        raise AssertionError("judged")

    forget_all()
    monkeypatch.setattr(instructions, "outcome_of", outcome_of)
    module = analysed(TEXT)
    assert [report.code for report in module.reports()] == ["never-written"]


def test_every_key_is_judged_if_a_maximum_version_is_set() -> None:
    limited = Profile(
        Version(8, 0), Target(80), options=frozenset(("texmode_independent", "map_f64_to_f32")), maximum=Version(7, 5)
    )
    unknown = Profile(Version(99, 0), Target(80), frozenset(("texmode_independent",)), known=False)
    for profile in (limited, unknown):
        assert known_outcome(("ret", ""), known_for(profile)) is None
    assert known_outcome(("ret", ""), known_for(Profile(Version(8, 0), Target(80)))) is not None
