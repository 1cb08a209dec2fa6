"""The modifiers that can follow others: how much work it is to find what a module lacks for them."""

from collections.abc import Iterable

import pytest

from ptx_lsp.candidates.following_modifiers import following
from ptx_lsp.isa.targets import nameable, read_target
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.memo import forget_all


def test_the_targets_that_a_need_names_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    asked: list[object] = []

    def counted(required: Iterable[Target], version: Version) -> tuple[Target, ...]:
        some = tuple(required)
        asked.append((some, version))
        return nameable(some, version)

    monkeypatch.setattr("ptx_lsp.judgement.gates.nameable", counted)
    target = read_target("sm_90a")
    assert target is not None
    found = following("tcgen05", (".mma",), Version(9, 4), target)
    assert sum(bool(each.lacking) for each in found) > 20
    assert len(asked) == len(set(map(str, asked)))
    forget_all()  # nothing that was counted is kept
