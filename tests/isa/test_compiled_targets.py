"""For which chips a module compiles, compared with what ptxas compiles."""

from ptx_lsp.isa.targets import TARGETS, compiles_for
from tests.oracle.assembler import Assembler, needs_assembler

NEWEST = ".version 9.4\n.target {}\n.visible .entry k() {{ ret; }}\n"
LOWEST = 75  # the first target that ptxas 13.5 compiles for
CHIPS = ("sm_75", "sm_90", "sm_90a", "sm_100a", "sm_103", "sm_107f", "sm_110", "sm_110a", "sm_121f")


@needs_assembler
def test_a_module_compiles_for_the_chips_that_ptxas_compiles_it_for() -> None:
    written = [target for target in TARGETS if target.number >= LOWEST]
    texts = [NEWEST.format(target) for target in written]
    chips = {str(target): target for target in TARGETS}
    differing = []
    for chip in CHIPS:
        outcomes = Assembler().modules(texts, chip)
        differing += [
            f"{target} for {chip}: ptxas {outcome.accepted}"
            for target, outcome in zip(written, outcomes, strict=True)
            if outcome.accepted != compiles_for(target, chips[chip])
        ]
    assert differing == []


def test_both_names_of_a_renamed_target_are_one() -> None:
    named = {str(target): target for target in TARGETS}
    assert compiles_for(named["sm_110"], named["sm_101"])
    assert compiles_for(named["sm_110a"], named["sm_101a"])
    assert not compiles_for(named["sm_110a"], named["sm_101f"])
    assert not compiles_for(named["sm_120"], named["sm_101"])
