"""Launch bounds: ptxas warns of the same headers when it compiles, and gives a thread the same number of registers."""

import re
from itertools import product

import pytest

from ptx_lsp.isa.targets import read_target
from ptx_lsp.semantics.launch import registers_at_launch
from ptx_lsp.semantics.symbols import Launch
from tests.analysed import analysed
from tests.oracle.assembler import Assembler, needs_assembler

TARGETS = ("sm_75", "sm_86", "sm_89", "sm_90", "sm_107")
BOUNDS = (
    *(".maxntid 1024", ".maxntid 1025", ".maxntid 1536", ".maxntid 1537", ".maxntid 2048", ".maxntid 1024, 2, 2"),
    *(".reqntid 1, 1, 65", ".reqntid 1024, 2", ".maxntid 32 .minnctapersm 16", ".maxntid 32 .minnctapersm 17"),
    *(".maxntid 32 .minnctapersm 25", ".maxntid 32 .minnctapersm 33", ".maxntid 512 .minnctapersm 3"),
    *(".maxntid 130 .minnctapersm 13", ".maxntid 640 .minnctapersm 3", ".reqntid 1024 .minnctapersm 2"),
    *(".maxnreg 3", ".maxnreg 23", ".maxnreg 24", ".maxnreg 255", ".maxnreg 256", ".maxnreg 64 .maxntid 1024"),
)
HEADER = ".version 9.4\n.target {}\n.address_size 64\n"


@needs_assembler
def test_ptxas_warns_of_the_same_bounds() -> None:
    for target, bounds in product(TARGETS, BOUNDS):
        text = HEADER.format(target) + f".entry k() {bounds}\n{{\n    ret;\n}}\n"
        module = analysed(text)
        outcome = Assembler().module(text, target)
        ours = [f.code for f in module.findings()]
        assert outcome.accepted
        assert ours == (["launch-bounds"] if outcome.messages else []), (target, bounds, outcome.messages)


@needs_assembler
def test_the_registers_that_a_thread_has_at_the_launch() -> None:
    cases = [
        *((Launch(384), ".maxntid 384"), (Launch(257), ".maxntid 257"), (Launch(1024), ".maxntid 1024")),
        *((Launch(256), ".maxntid 256"), (Launch(1, 1), ".maxntid 1 .minnctapersm 1"), (Launch(), "")),
        *((Launch(100, 7), ".maxntid 100 .minnctapersm 7"), (Launch(32, 16), ".maxntid 32 .minnctapersm 16")),
        *((Launch(640), ".maxntid 640"), (Launch(384, 2), ".reqntid 384 .minnctapersm 2")),
        *((Launch(512, 0, 200), ".maxntid 512 .maxnreg 200"), (Launch(0, 0, 3), ".maxnreg 3")),
        *((Launch(1024, 3), ".maxntid 1024 .minnctapersm 3"), (Launch(4096), ".maxntid 4096")),
    ]
    target = read_target("sm_90a")
    assert target is not None
    for launch, bounds in cases:
        text = HEADER.format("sm_90a") + f".entry k() {bounds} {{ setmaxnreg.dec.sync.aligned.u32 248; ret; }}\n"
        said = " ".join(m.text for m in Assembler().module(text, "sm_90a").messages)
        found = re.search(r"register count in the program \((\d+)\)", said)
        assert registers_at_launch(launch, target) == (int(found[1]) if found else 0), (bounds, said)


@pytest.mark.parametrize("break_", [" ", "\n    "])
def test_a_bound_is_reported_however_the_header_is_read(break_: str) -> None:
    for number in (2048, 2049):
        text = HEADER.format("sm_90") + f".global .b32 g;\n.entry k()\n.maxntid{break_}{number}\n{{\n    ret;\n}}\n"
        module = analysed(text)
        assert [f.code for f in module.findings()] == (["launch-bounds"] if number > 2048 else [])
