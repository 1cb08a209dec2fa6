"""`ptx-lsp explain`, `ptx-lsp rules` and `ptx-lsp isa`."""

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


@pytest.mark.parametrize("arguments", [["explain"], ["explain", "a", "b"], ["rules", "x"], ["isa"]])
def test_wrong_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "usage: ptx-lsp" in capsys.readouterr().err


def test_rules_lists_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(rules())
    assert all(rule.title in line for rule, line in zip(rules().values(), lines, strict=True))


def test_isa_shows_forms_operands_and_the_manual_s_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isa", "add"]) == 0
    shown = capsys.readouterr().out
    assert "https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-add" in shown
    assert "add.sat.s32" in shown
    assert ".s16" in shown
    assert "written" in shown


def test_isa_narrows_to_the_forms_that_an_opcode_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isa", "mul.wide.s32"]) == 0
    shown = capsys.readouterr().out
    assert "mul.wide" in shown
    assert "mul.{hi,lo}" not in shown


def test_isa_of_an_unknown_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isa", "clzz"]) == 2
    assert "did you mean `clz`?" in capsys.readouterr().err
    assert main(["isa", "add.banana"]) == 2
    assert "`ptx-lsp isa add`" in capsys.readouterr().err
