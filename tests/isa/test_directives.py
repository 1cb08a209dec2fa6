"""Directives: the contents of the rows, and the first version of each in ptxas."""

import pytest

from ptx_lsp.isa.directives import DirectivePlace, End, directive, directives
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.isa.releases import RELEASES
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.versions import Target, Version
from tests.isa.availability import PLACES, has
from tests.oracle.assembler import Assembler, needs_assembler
from tests.oracle.forms import below
from tests.oracle.rendering import arch_of

KERNEL = ".entry k__() %s { ret; }"
FUNCTION = ".func f__() %s { ret; }"
USES = {
    ".alias": ".func f__() { ret; } .func g__(); .alias g__, f__;",
    ".branchtargets": ".entry k__() { T__: .branchtargets L__; L__: ret; }",
    ".calltargets": ".func f__() { ret; } .entry k__() { T__: .calltargets f__; ret; }",
    ".callprototype": ".entry k__() { P__: .callprototype _ (); ret; }",
    ".maxnreg": KERNEL % ".maxnreg 32",
    ".maxntid": KERNEL % ".maxntid 32, 2",
    ".reqntid": KERNEL % ".reqntid 32",
    ".minnctapersm": KERNEL % ".maxntid 32 .minnctapersm 2",
    ".noreturn": ".func f__() .noreturn { trap; }",
    ".pragma": KERNEL % "" + ' .pragma "nounroll";',
    ".abi_preserve": FUNCTION % ".abi_preserve 8",
    ".abi_preserve_control": FUNCTION % ".abi_preserve_control 2",
    ".reqnctapercluster": KERNEL % ".reqnctapercluster 2",
    ".explicitcluster": KERNEL % ".explicitcluster",
    ".maxclusterrank": KERNEL % ".maxclusterrank 2",
    ".blocksareclusters": KERNEL % ".reqntid 32 .reqnctapercluster 2 .blocksareclusters",
    ".minperctamemory": KERNEL % ".minperctamemory 16",
    ".language": KERNEL % '.language "ptx"',
    ".weak": ".weak .func f__() { ret; }",
    ".common": ".common .global .b32 c__;",
    ".managed": ".global .attribute(.managed) .b32 m__;",
    ".ptr": ".entry k__(.param .u64 .ptr .global .align 4 p__) { ret; }",
}
"""The body of a module that uses a directive which not every version has."""


@pytest.mark.parametrize(
    ("name", "place", "end"),
    [
        (".version", DirectivePlace.MODULE, End.LINE),
        (".maxntid", DirectivePlace.HEADER, End.NONE),
        (".loc", DirectivePlace.BODY, End.LINE),
        (".pragma", DirectivePlace.BODY, End.SEMICOLON),
        (".entry", DirectivePlace.MODULE, End.BLOCK),
    ],
)
def test_rows_have_the_places_and_ends_of_directives(name: str, place: DirectivePlace, end: End) -> None:
    found = directive(name)
    assert found is not None
    assert place in found.places
    assert found.end is end


def test_every_directive_has_a_page() -> None:
    assert all(found.anchor and found.meaning for found in directives().values())
    assert directive(".visibly") is None


@needs_assembler
def test_the_first_version_of_each_directive_is_that_of_ptxas() -> None:
    disagreeing = []
    for name, use in USES.items():
        found = directive(name)
        assert found is not None
        least = next((v, t) for v, t in PLACES if has(found.needs, v, t))
        for version, target in (least, *below(*least)):
            accepted = _accepted(use, version, target)
            if accepted != has(found.needs, version, target):
                disagreeing.append((name, str(version), str(target), accepted))
    assert disagreeing == []


def _accepted(use: str, version: Version, target: Target) -> bool:
    text = f".version {version}\n.target {target}\n.address_size 64\n{use}\n"
    return Assembler().module(text, arch_of(target)).accepted


def test_places_cover_all_targets() -> None:
    assert {t for _, t in PLACES} == {t for t in TARGETS if t.number >= 20}
    assert {v for v, _ in PLACES} == {v for v in RELEASES if v >= (2, 3)}


def test_the_linkages_are_the_directives_of_the_chapter_about_linking() -> None:
    assert set(LINKAGES) == {row.name for row in directives().values() if row.anchor.startswith("linking-directives-")}
