"""The head of a module, and what versions and targets allow; ptxas is asked about every row."""

import pytest

from tests.analysed import analysed
from tests.judgement.verdicts import errors, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import Assembler, needs_assembler

HEADS = r"""
- | .version 9.4^.target sm_90
- | .version 9.4^.target sm_90^.target sm_90
- | .version 9.4^.target sm_90^.target sm_80
- | .version 9.4^.target sm_90, sm_80
- | .version 9.4^.target sm_90^.target texmode_independent
- | .version 9.5^.target compute_90
- | .version 09.4^.target^sm_90
- | .version 1.5^.target sm_10
- | .version 9.4^.target sm_10, map_f64_to_f32
- | .version 9.4^.target sm_90b
- | .version 9.4^.target sm_90, texmode_unified
- | .version 9.4 .target sm_90 .address_size 64 .entry k(){ret;}
- | .version 9.4^.target sm_90^.address_size 0x40
- | .version 9.4^.target sm_90^.address_size WARP_SZ
- | .version 2.3^.target sm_20^.address_size 64
missing-version ".version" | .target sm_90^.version 9.4
missing-version ".address_size" | .address_size 64^.version 9.4^.target sm_90
missing-version ".entry" | .entry k(){ret;}
missing-version ".entry" | .target sm_90^.entry k(){ret;}
missing-target ".address_size" | .version 9.4^.address_size 64^.target sm_90
missing-target ".entry" | .version 9.4^.entry k(){ret;}
misplaced-directive ".version" 2 | .version 9.4^.target sm_90^.version 9.4
misplaced-directive ".address_size" 2 | .version 9.4^.target sm_90^.address_size 64^.address_size 64
misplaced-directive ".target" 2 | .version 9.4^.target sm_90^.address_size 64^.target sm_90
misplaced-directive ".address_size" | .version 9.4^.target sm_90^.entry k(){ret;}^.address_size 64
misplaced-directive ".address_size" | .version 9.4^.target sm_90^.file 1 "a"^.address_size 64
unsupported-version "9.6" | .version 9.6^.target sm_90
unsupported-version "9" | .version 9^.target sm_90
unsupported-version "9.44" | .version 9.44^.target sm_90
unsupported-version "0.9" | .version 0.9^.target sm_90
unsupported-version "4.4" | .version 4.4^.target sm_50
unsupported-version "9.4" | .version^9.4^.target sm_90
unsupported-target "sm_91" | .version 9.4^.target sm_91
unsupported-target "SM_90" | .version 9.4^.target SM_90
unsupported-target "sm90" | .version 9.4^.target sm90
unsupported-target "sm_75a" | .version 9.4^.target sm_75a
unsupported-target "debug" | .version 9.4^.target debug, sm_90^.section .x {}
target-option "foo" | .version 9.4^.target sm_90, foo
target-option "texmode_independent" | .version 9.4^.target sm_90, texmode_unified, texmode_independent
target-option "map_f64_to_f32" | .version 9.4^.target sm_13, map_f64_to_f32
address-size "48" | .version 9.4^.target sm_90^.address_size 48
requires-version ".address_size" | .version 2.2^.target sm_20^.address_size 64
requires-version "sm_90" | .version 7.7^.target sm_90^.entry k(){ret;}
requires-version "sm_90" | .version 7.7^.target sm_75, sm_90^.global .b32 g;
"""

# feature, a version and target without it, and the first ones with it
FEATURES = (
    (".func f(.param .b32 a){ret;}", ("1.4", "sm_10"), ("2.0", "sm_20")),
    (".entry k(.param .b32 a){ret;}", ("1.3", "sm_10"), ("1.4", "sm_10")),
    (".entry k(.param .u64 .ptr .global a){ret;}", ("2.1", "sm_20"), ("2.2", "sm_20")),
    (".func f(.param .b8 a[]){ret;}", ("5.0", "sm_30"), ("6.0", "sm_30")),
    (".func f(.param .b8 a[]){ret;}", ("6.0", "sm_20"), ("6.0", "sm_30")),
    (".func f() .noreturn {ret;}", ("6.3", "sm_30"), ("6.4", "sm_30")),
    (".func g(){ret;} .func f(); .alias f, g;", ("6.2", "sm_30"), ("6.3", "sm_30")),
    (".weak .func f(){ret;}", ("3.0", "sm_30"), ("3.1", "sm_30")),
    (".common .global .b32 a;", ("4.3", "sm_30"), ("5.0", "sm_30")),
    (".common .global .b32 a;", ("4.3", "sm_13"), ("5.0", "sm_13")),  # the manual says sm_20
    (".global .b128 g;", ("8.2", "sm_70"), ("8.3", "sm_70")),
    (".global .b128 g;", ("8.3", "sm_60"), ("8.3", "sm_70")),
    (".global .f16x2 g;", ("4.2", "sm_50"), ("4.2", "sm_53")),
    (".entry k() .maxntid 32 {ret;}", ("1.2", "sm_10"), ("1.3", "sm_10")),
    (".entry k() .reqntid 32 {ret;}", ("2.0", "sm_20"), ("2.1", "sm_20")),
    (".entry k() .reqnctapercluster 2 {ret;}", ("7.8", "sm_80"), ("7.8", "sm_90")),
    (".func f() .abi_preserve 2 {ret;}", ("8.8", "sm_80"), ("9.0", "sm_80")),
    (".entry k() .language 1 {ret;}", ("9.1", "sm_90"), ("9.2", "sm_90")),
    (".entry k() .minperctamemory 1 {ret;}", ("9.3", "sm_90"), ("9.4", "sm_90")),
    (".section .debug_info { x: .b8 0 }", ("6.5", "sm_30"), ("7.0", "sm_30")),
    (".section .x { a: .b8 0 b: .b32 b-a }", ("7.4", "sm_30"), ("7.5", "sm_30")),
    (".global .b32 g; .global .u8 a = 0xFF(g);", ("7.0", "sm_30"), ("7.1", "sm_30")),
    (".global .b32 g; .global .u64 a = generic(g);", ("3.0", "sm_30"), ("3.1", "sm_30")),
    ('.entry k(){ .pragma "used_bytes_mask 1"; ret;}', ("8.2", "sm_50"), ("8.3", "sm_50")),
    (".entry k(.param .b8 a[4353]){ret;}", ("8.0", "sm_70"), ("8.1", "sm_70")),
)


def test_our_mistakes_in_heads_are_those_of_the_table() -> None:
    assert our_mistakes(HEADS, "") == []


@needs_assembler
def test_ptxas_agrees_on_heads() -> None:
    assert ptxas_mistakes(HEADS, "") == []


def module(feature: str, where: tuple[str, str]) -> str:
    version, target = where
    return f".version {version}\n.target {target}\n{feature}\n"


@pytest.mark.parametrize(("feature", "before", "since"), FEATURES)
def test_features_are_reported_before_their_first_version(
    feature: str, before: tuple[str, str], since: tuple[str, str]
) -> None:
    (code,) = errors(module(feature, before))
    assert code in ("requires-version", "requires-target", "parameter-limit")
    assert errors(module(feature, since)) == ()


@needs_assembler
def test_ptxas_agrees_on_features() -> None:
    before = Assembler().modules([module(feature, where) for feature, where, _ in FEATURES])
    since = Assembler().modules([module(feature, where) for feature, _, where in FEATURES])
    assert not any(outcome.accepted for outcome in before)
    assert all(outcome.accepted for outcome in since)


def test_a_newer_version_makes_unknown_words_information() -> None:
    text = ".version 99.0\n.target sm_90\n.entry k() .newest_directive 4 { ret; }\n"
    assert errors(text) == ("unsupported-version",)


def test_a_version_too_old_for_its_target_is_reported_at_the_target() -> None:
    # ptxas 13.5 reports it there too, although either of the two may be wrong
    opened = analysed(".version 7.7\n.target sm_90\n.global .b32 g;\n")
    (finding,) = opened.findings()
    assert (finding.code, finding.range.line, finding.range.end_line) == ("requires-version", 1, 1)
    assert [related.range.line for related in finding.related] == [0]
