"""`ptx-lsp explain` and `ptx-lsp rules`."""

import pytest

from ptx_lsp.cli.main import main
from ptx_lsp.findings.codes import rules


def test_explain_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "not-ptx"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("not-ptx: not a PTX file (information)\n")
    assert "## Fixed" in shown


def test_explain_accepts_a_code_in_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "[empty-file]"]) == 0
    assert "empty-file: empty file (error)" in capsys.readouterr().out


def test_explain_proposes_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "not-ptxx"]) == 2
    assert "did you mean `not-ptx`?" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["explain"], ["explain", "a", "b"], ["rules", "x"]])
def test_wrong_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "usage: ptx-lsp" in capsys.readouterr().err


def test_rules_lists_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(rules())
    assert all(rule.title in line for rule, line in zip(rules().values(), lines, strict=True))


def test_explain_shows_examples_without_fences(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "operand-type"]) == 0
    text = capsys.readouterr().out
    assert "```" not in text
    assert "\n    add.s32 %r1, %r2, %f3;" in text
