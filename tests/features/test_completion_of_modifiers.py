"""Completion of modifiers: which can follow, and in which order. Expected words are those of the PTX ISA."""

import pytest

from ptx_lsp.candidates.modifier_candidates import SHOWN
from tests.features.completed import items, labels


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("shfl.sync.¦", [".up", ".down", ".bfly", ".idx", ".b32"]),
        ("wgmma.¦", [".mma_async", ".fence", ".commit_group", ".wait_group"]),
        ("cp.async.bulk.com¦", [".commit_group"]),
        ("cp.async.wait¦", [".wait_group", ".wait_all"]),
        ("ld.shared::¦", [".shared::cta", ".shared::cluster"]),
    ],
)
def test_the_modifiers_that_can_follow_have_the_order_of_the_manual(statement: str, expected: list[str]) -> None:
    assert labels(statement) == expected


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("wgmma.mma_async.sync.¦", ".aligned"),
        ("wgmma.mma_async.sp.sync.aligned.¦", ".m64n64k64"),
        ("st.global.¦", ".L1::no_allocate"),
        ("st.global.L1::evict_first.¦", ".L2::cache_hint"),
        ("atom.¦", ".acquire"),
        ("atom.relaxed.¦", ".cluster"),
        ("add.¦", ".cc"),
    ],
)
def test_usual_modifiers_are_among_the_first_of_a_long_list(statement: str, word: str) -> None:
    found = labels(statement)
    assert len(found) > SHOWN
    assert word in found[:SHOWN]


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("wgmma.mma_async.sync.aligned.¦.f32.tf32.tf32 {%f1}, %rd1, %rd2, 1, 1, 1;", ".m64n80k8"),
        ("ld.¦.relaxed.sys.s64 %rd1, [%rd2];", ".mmio"),
        ("atom.¦.gpu.global.add.u32 %r1, [%rd1], 1;", ".acq_rel"),
        ("st.global.¦.L2::cache_hint.b16 [%rd1], %h1, %rd2;", ".L1::evict_first"),
        ("wgmma.mma_async.sync.al¦.m64n8k16.f16.f16.f16 {%r1}, %rd1, %rd2, 1, 1, 1;", ".aligned"),
    ],
)
def test_modifiers_that_fit_those_after_the_cursor_come_first(statement: str, word: str) -> None:
    assert word in labels(statement)[:SHOWN]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("tex.2¦", ".2d"),
        ("cp.async.bulk.tensor.2¦", ".2d"),
        ("tcgen05.ld.sync.aligned.16x2¦", ".16x256b"),
        ("tld4.r.2¦", ".2d"),
    ],
)
def test_modifiers_that_begin_with_a_digit(statement: str, expected: str) -> None:
    assert expected in labels(statement, "9.4", "sm_100a")


def test_a_fraction_is_not_completed() -> None:
    assert labels("mov.f32 %f1, 1.2¦") == []
    assert labels("mov.f32 %f1, .2¦") == []


def test_a_modifier_excludes_others_by_their_places() -> None:
    """ptxas takes `cvt.sat.u32.u64` and refuses `cvt.sat.u32.u32`."""
    found = labels("cvt.sat.u32.¦")
    assert ".u64" in found
    assert ".u32" not in found


def test_a_scope_is_among_the_first_where_one_is_needed() -> None:
    """ISA, `ld`: with `.relaxed` a scope is mandatory."""
    assert {".cta", ".cluster", ".gpu", ".sys"} <= set(labels("ld.relaxed.¦")[:20])
    assert {".cta", ".cluster", ".gpu", ".sys"} <= set(labels("st.release.¦")[:20])
    assert {".relaxed", ".acquire"} <= set(labels("ld.¦")[:20])


def test_a_modifier_excludes_others() -> None:
    after = labels("ld.global.nc.¦")
    assert ".f32" in after
    assert ".volatile" not in after
    assert ".relaxed" not in after
    assert ".global" not in after


def test_modifiers_that_the_module_lacks_are_last_and_marked() -> None:
    found = items("add.¦", version="7.0", target="sm_70")
    lacking = [item.label for item in found if item.lacking]
    assert ".bf16" in lacking
    assert ".f32x2" in lacking
    assert ".f32" not in lacking
    assert [bool(item.lacking) for item in found] == sorted(bool(item.lacking) for item in found)
    assert "needs" in next(item.lacking for item in found if item.label == ".f32x2")
