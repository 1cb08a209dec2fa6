"""Findings of other sources: merged with those of the analysis, and moved by edits."""

from ptx_lsp.findings.finding import Finding, Related, Severity
from ptx_lsp.findings.other_sources import FindingSource, OtherFindings, WhenEdited
from ptx_lsp.text.ranges import Position, Range

ASSEMBLER = FindingSource("ptxas")


def at(line: int, start: int, end: int, code: str = "C7511", severity: Severity = Severity.WARNING) -> Finding:
    return Finding(code, Range(line, start, line, end), "a message", severity)


def of_assembler(*findings: Finding, source: FindingSource = ASSEMBLER) -> OtherFindings:
    others = OtherFindings()
    others.set(source, findings)
    return others


def test_findings_are_in_the_order_of_the_text_and_name_their_source() -> None:
    others = of_assembler(at(3, 0, 5), at(1, 0, 5))
    merged = others.merged([at(2, 0, 5, "undeclared")])
    assert [(finding.range.line, finding.source) for finding in merged] == [(1, "ptxas"), (2, ""), (3, "ptxas")]


def test_one_range_and_code_is_shown_once() -> None:
    others = of_assembler(at(1, 0, 5), at(1, 0, 5), at(1, 0, 5, ""), at(1, 0, 6))
    others.set(FindingSource("other"), [at(1, 0, 5)])
    assert [(f.range.end_column, f.code, f.source) for f in others.merged([])] == [
        (5, "", "ptxas"),
        (5, "C7511", "ptxas"),
        (6, "C7511", "ptxas"),
    ]
    own = at(1, 0, 5)
    assert own in others.merged([own])
    assert len(others.merged([own])) == 3


def test_an_error_where_the_analysis_has_one_is_left_out() -> None:
    error, warning = at(1, 0, 9, "", Severity.ERROR), at(1, 0, 9, "C1", Severity.WARNING)
    own = [at(1, 4, 6, "operand-type", Severity.ERROR)]
    assert of_assembler(error, warning).merged(own) == [warning._replace(source="ptxas"), *own]
    assert of_assembler(error).merged([]) == [error._replace(source="ptxas")]
    assert of_assembler(error).merged([at(1, 4, 6, "shift-count", Severity.WARNING)])[0].code == ""
    repeating = FindingSource("ptxas", repeats_errors=True)
    assert len(of_assembler(error, source=repeating).merged(own)) == 2


def test_edits_move_findings_and_their_related_places() -> None:
    finding = at(4, 2, 5)._replace(related=(Related(Range(2, 0, 2, 3), "is declared here"),))
    others = of_assembler(finding)
    others.edit(Range(3, 0, 3, 0), Position(5, 0))  # two lines more above it
    others.edit(Range(6, 0, 6, 2), Position(6, 0))  # two characters less before it
    (moved,) = others.merged([])
    assert moved.range == (6, 0, 6, 3)
    assert moved.related[0].range == (2, 0, 2, 3)
    others.edit(Range(2, 1, 2, 2), Position(2, 1))
    (moved,) = others.merged([])
    assert moved.related == ()


def test_a_finding_on_edited_text_vanishes_or_is_stale_as_its_source_says() -> None:
    edit = Range(1, 2, 1, 2), Position(1, 3)
    vanishing = of_assembler(at(1, 0, 5), at(2, 0, 5))
    vanishing.edit(*edit)
    assert [finding.range for finding in vanishing.merged([])] == [(2, 0, 2, 5)]
    stale = of_assembler(at(1, 0, 5), source=FindingSource("ptxas", WhenEdited.STALE))
    stale.edit(*edit)
    assert [(finding.range, finding.severity) for finding in stale.merged([])] == [((1, 0, 1, 6), Severity.HINT)]


def test_new_findings_of_a_source_replace_its_earlier_ones() -> None:
    others = of_assembler(at(1, 0, 5))
    before = others.revision
    others.set(FindingSource("other"), [at(5, 0, 1)])
    others.set(ASSEMBLER, [at(2, 0, 5)])
    assert [finding.range.line for finding in others.merged([])] == [2, 5]
    assert others.revision > before
    others.set(ASSEMBLER, [])
    assert [finding.range.line for finding in others.merged([])] == [5]
