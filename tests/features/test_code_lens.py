"""Code lenses on `.version` and `.target`."""

from ptx_lsp.features.code_lens import Lens, code_lenses
from ptx_lsp.features.module_needs import needs_of
from tests.analysed import analysed
from tests.features.modules import in_body


def lenses(text: str) -> list[Lens]:
    return code_lenses(needs_of(analysed(text)))


def titles(text: str) -> list[tuple[int, str]]:
    return [(lens.range.line, lens.title) for lens in lenses(text)]


def test_the_lenses_show_the_needed_version_and_target() -> None:
    version, target = lenses(in_body("\twgmma.fence.sync.aligned;\n\telect.sync %r1|%p1, -1;\n"))
    assert version.range == (0, 9, 0, 12)
    assert version.title == "needs PTX 8.0 (CUDA 12.0), for wgmma.fence.sync.aligned and 1 other"
    assert target.range == (1, 8, 1, 14)
    assert target.title == "needs sm_90a, for wgmma.fence.sync.aligned"
    assert [cause.range.line for cause in version.causes] == [12, 13]


def test_the_version_for_the_target_of_the_module() -> None:
    found = titles(in_body("\telect.sync %r1|%p1, -1;\n", target="sm_100"))
    assert found == [
        (0, "needs PTX 8.0 (CUDA 12.0), for elect.sync; on sm_100 PTX 8.6 (CUDA 12.7)"),
        (1, "needs sm_90 or later, for elect.sync"),
    ]


def test_a_module_that_no_target_supports() -> None:
    found = titles(in_body("\twgmma.fence.sync.aligned;\n\ttcgen05.wait::ld.sync.aligned;\n"))
    assert found == [(1, "no known target has everything, for tcgen05.wait::ld.sync.aligned")]


def test_a_missing_header_has_no_lens() -> None:
    assert lenses(".visible .entry k() { ret; }\n") == []
    assert lenses("") == []
