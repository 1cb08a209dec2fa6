"""The versions that recognisers write out, because the import of the table of features would cost more than they do."""

import pytest

from ptx_lsp.isa.directive_names import ADDRESS_SIZE, PROTOTYPE
from ptx_lsp.isa.special_registers import special_registers
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.types import TEXTURE
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.quick.debug_sections import DIFFERENCES_SINCE, LABELS_SINCE
from ptx_lsp.quick.declarations import NEWER_TYPES, PLAIN_SINCE, TEXTURES_SINCE
from ptx_lsp.quick.headers import CLUSTERS_SINCE, NORETURN_SINCE, SIZE_SINCE
from ptx_lsp.quick.operand_kinds import has_plain_needs
from ptx_lsp.quick.statements import MASKS_SINCE, PRAGMAS_SINCE
from ptx_lsp.semantics.inlined_code import INLINED_SINCE
from ptx_lsp.semantics.requirements import has, is_met, since
from ptx_lsp.semantics.surroundings import Profile


@pytest.mark.parametrize(
    ("version", "feature"),
    [
        (LABELS_SINCE, "a label inside a `.section`"),
        (DIFFERENCES_SINCE, "a difference of labels in a `.section`"),
        (SIZE_SINCE, ADDRESS_SIZE),
        (PRAGMAS_SINCE, ".pragma"),
        (TEXTURES_SINCE, TEXTURE),
        (INLINED_SINCE, "a `.loc` with `inlined_at`"),
    ],
)
def test_written_versions_are_those_of_the_table(version: Version, feature: str) -> None:
    assert version == since(feature)


def test_what_has_plain_declarations_has_prototypes() -> None:
    version, architecture = PLAIN_SINCE
    assert has(PROTOTYPE, Profile(version, Target(architecture)))


def test_the_pragma_with_masks_is_known_since_its_version_and_target() -> None:
    version, architecture = MASKS_SINCE
    before = Profile(Version(8, 2), Target(architecture)), Profile(version, Target(37))
    assert has("used_bytes_mask", Profile(version, Target(architecture)))
    assert not any(has("used_bytes_mask", profile) for profile in before)


@pytest.mark.parametrize(
    ("feature", "version", "architecture"),
    [
        (".b128", *NEWER_TYPES[".b128"]),
        (".noreturn", *NORETURN_SINCE),
        *((name, *CLUSTERS_SINCE) for name in (".explicitcluster", ".reqnctapercluster", ".maxclusterrank")),
    ],
)
def test_what_needs_a_target_is_known_since_its_version_and_target(
    feature: str, version: Version, architecture: int
) -> None:
    assert has(feature, Profile(version, Target(architecture)))
    older = Version(version.major, version.minor - 1)
    assert not has(feature, Profile(older, Target(architecture)))
    assert not has(feature, Profile(version, max(target for target in TARGETS if target.number < architecture)))


def test_needs_that_are_plainly_met_are_met() -> None:
    profiles = [
        Profile(Version(*version), Target(number, suffix), maximum=maximum)
        for version in ((1, 0), (1, 3), (2, 0), (3, 1), (4, 1), (7, 6), (7, 8), (8, 1), (9, 5))
        for number, suffix in ((10, ""), (20, ""), (30, ""), (50, ""), (80, ""), (90, "a"), (100, "f"), (101, "a"))
        for maximum in (None, Version(7, 0))
    ]
    met = 0
    for special in special_registers().values():
        for profile in profiles if special.conditions else ():
            plainly = has_plain_needs(special.conditions, profile)
            assert plainly == (profile.maximum is None and is_met(special.needs, profile)), (special.name, profile)
            met += plainly
    assert met > 1000
