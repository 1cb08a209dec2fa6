"""Snippets: ptxas accepts each of them with the texts of its tab stops, on the lowest target that it needs."""

import re

import pytest

from ptx_lsp.candidates.snippets import MODULE, Snippet, describe_snippet, snippet_items, snippets
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.releases import NEWEST
from ptx_lsp.isa.versions import Version
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed
from tests.oracle.assembler import assemble, needs_assembler

OLDEST_TARGET = 75
"""The oldest target that the newest assembler compiles for."""

_BODY = """.version {version}
.target {target}
.address_size 64
.func (.param .b32 out) callee(.param .b32 in) {{ st.param.b32 [out], 1; ret; }}
.visible .entry k()
{{
	.reg .pred %p<9>;
	.reg .b32 %r<20>;
	.reg .b64 %rd<9>;
	.reg .f32 %f<40>;
{text}
	ret;
}}
"""


def whole(snippet: Snippet) -> tuple[str, str]:
    """A module with the filled snippet, and the architecture to compile it for."""
    needed = snippet.needs.alternatives[0] if snippet.needs.alternatives else None
    target = str(needed.targets[0]) if needed and needed.targets else "sm_75"
    if int(re.sub(r"\D", "", target)) < OLDEST_TARGET:
        target = f"sm_{OLDEST_TARGET}"
    version = max(needed.version or Version(6, 3), Version(6, 3)) if needed else Version(6, 3)
    if snippet.label == "header":
        return snippet.filled, "sm_90"
    if snippet.place == MODULE:
        return f".version {version}\n.target {target}\n.address_size 64\n{snippet.filled}\n", target
    return _BODY.format(version=version, target=target, text=snippet.filled), target


@needs_assembler
def test_the_assembler_accepts_every_snippet() -> None:
    refused = {}
    for snippet in snippets():
        text, target = whole(snippet)
        (outcome,) = assemble([text], target)
        if not outcome.accepted:
            refused[snippet.label] = outcome.messages
    assert refused == {}


@pytest.mark.parametrize("snippet", snippets(), ids=[snippet.label for snippet in snippets()])
def test_a_snippet_has_no_findings_and_a_stop_for_each_of_its_numbers(snippet: Snippet) -> None:
    module = analysed(whole(snippet)[0])
    mistakes = [finding for finding in module.findings() if finding.severity <= Severity.WARNING]
    assert [finding.message for finding in mistakes if finding.code != "never-written"] == []  # others write those
    defined = set(re.findall(r"\$\{([0-9]+):", snippet.text))
    assert set(re.findall(r"(?<!\\)\$([1-9][0-9]*)", snippet.text)) <= defined
    assert describe_snippet(snippet.label)


def test_snippets_that_the_module_lacks_are_last() -> None:
    module = analysed(".version 6.5\n.target sm_70\n.entry k()\n{\n\t\n}\n")
    context = module.context_at(Position(4, 1))
    assert context is not None
    found = snippet_items(context.profile, True, "")
    lacking = [bool(item.lacking) for item in found]
    assert lacking == sorted(lacking)
    assert {item.label: item.lacking for item in found}["mbarrier-wait"] == "needs sm_90"
    assert not {item.label: item.lacking for item in found}["warp-reduction"]
    assert context.profile.version < NEWEST
