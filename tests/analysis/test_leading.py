"""If there are very many findings, the most severe are shown."""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
FUNCTION = ".func f{0}() {{ .reg .b32 %r<9>; mov.b32 %r1, %r2; L{0}: {1} ret; }}\n"
WRONG = "mov.b32 %r1, %nowhere;"
TEXT = HEAD + "".join(FUNCTION.format(n, WRONG if n % 2 else "") for n in range(40))


def test_errors_are_shown_before_less_severe_findings() -> None:
    module = analysed(TEXT)
    everything = module.findings()
    errors = [finding for finding in everything if finding.severity is Severity.ERROR]
    assert len(errors) == 20
    assert len(everything) > 40
    assert module.leading_findings(20) == (errors, len(everything) - 20)
    assert module.leading_findings(5) == (errors[:5], len(everything) - 5)


def test_findings_of_one_severity_are_chosen_in_the_order_of_the_text() -> None:
    module = analysed(TEXT)
    shown, more = module.leading_findings(25)
    everything = module.findings()
    assert more == len(everything) - 25
    assert shown == sorted(shown, key=lambda finding: finding.range)
    rest = [finding for finding in shown if finding.severity is not Severity.ERROR]
    heaviest = min(finding.severity for finding in everything if finding.severity is not Severity.ERROR)
    assert rest == [finding for finding in everything if finding.severity is heaviest][:5]


def test_suppressed_findings_are_not_counted() -> None:
    module = analysed(TEXT + "// ptx-lsp: ignore-file[undeclared]\n")
    everything = module.findings()
    assert "undeclared" not in {finding.code for finding in everything}
    shown, more = module.leading_findings(5)
    assert len(shown) == 5
    assert more == len(everything) - 5


def test_after_an_edit_the_findings_are_those_of_a_fresh_analysis() -> None:
    module = analysed(TEXT)
    for line in (30, 5, 20):
        module.leading_findings(25)
        module.edit(Range(line, 0, line, 1), "\n.")
        module.work()
        fresh = analysed(module.document.whole())
        assert module.leading_findings(25) == fresh.leading_findings(25)


def test_all_findings_are_shown_if_there_are_few() -> None:
    module = analysed(TEXT)
    everything = module.findings()
    assert module.leading_findings(None) == (everything, 0)
    assert module.leading_findings(len(everything)) == (everything, 0)


def test_a_text_that_is_not_ptx_has_one_finding() -> None:
    module = analysed("")
    assert module.leading_findings(1) == (module.findings(), 0)
