"""`ptx-lsp isa`: the manual's notation, lines of a readable width, and suggestions for misspelt names."""

import re

import pytest

from ptx_lsp.cli.main import main
from ptx_lsp.isa.instructions import opcodes


def shown(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The output of the command for a name."""
    assert main(["isa", name]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        # each as in the PTX ISA, except for the names of groups
        ("add.sat.s32", ["add.sat.s32 d, a, b;"]),
        ("shl", ["shl.bits d, a, b;", ".bits = { .b16, .b32, .b64 };"]),
        ("lop3", ["lop3.b32 d, a, b, c, immLut;"]),
        ("setp.eq.ftz.f32", ["setp.float{.BoolOp}{.ftz}.f32 p[|q], a, b{, c};", ".BoolOp = { .and, .or, .xor };"]),
        ("ret", ["ret{.uni};"]),
        ("elect", ["elect.sync d|p, membermask;"]),
        ("atom.global.cas.b32", ["atom{.sem}{.scope}{.space}.cas.type d, [a], b, c;"]),
        ("cp.async.wait_all", ["cp.async.wait_all;"]),
    ],
)
def test_the_syntax_is_the_manual_s(name: str, lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(name, capsys)
    for line in lines:
        assert re.search(rf"^  {re.escape(line)}", text, re.M), text


@pytest.mark.parametrize("opcode", opcodes())
def test_no_page_has_our_own_notation_or_long_lines(
    opcode: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for line in shown(opcode, capsys).splitlines():
        if "https://" not in line:
            assert len(line) <= 80 or " " not in line.strip()
        assert not re.search(r"\bor or\b|[>\[]\[|\w\{\.?\w+[*/]\d|:\.\w+ (bare|exact|hex|plain|reg)\b", line), line


def test_a_part_of_an_opcode_shows_the_forms_that_have_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "mma.sync.aligned.m16n8k16" in shown("mma.sync", capsys)
    text = shown("ld.volatile", capsys)
    assert "ld.volatile{." in text
    assert "ldu" not in text
    assert "ld{.weak}" not in text


@pytest.mark.parametrize(
    ("name", "operand"),
    [
        ("brx.idx", "tlist: label of a `.branchtargets` or `.calltargets` list (read)"),
        ("suq.width.b32", "a: surface"),
        ("setp.eq.s32", "p: predicate, or _ to discard it (written)"),
    ],
)
def test_operands_are_described_as_in_the_editor(name: str, operand: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert operand in " ".join(shown(name, capsys).split())


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("%tid.x", "%tid.x: special register, .u32"), (".maxntid", ".maxntid: ")],
)
def test_special_registers_and_directives(name: str, wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(name, capsys).startswith(wanted)


@pytest.mark.parametrize(("name", "near"), [("ad", "add"), ("clzz", "clz"), ("nosuch", ""), ("xyzzy", "")])
def test_suggestions_are_near(name: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isa", name]) == 2
    printed = capsys.readouterr().err
    assert (f"did you mean `{near}`?" in printed) if near else ("did you mean" not in printed)


def test_a_page_has_forms_operands_and_the_address_of_the_manual(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isa", "add"]) == 0
    shown = capsys.readouterr().out
    assert "https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-add" in shown
    assert "add.sat.s32" in shown
    assert ".s16" in shown
    assert "written" in shown


def test_an_opcode_shows_the_forms_that_take_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isa", "mul.wide.s32"]) == 0
    shown = capsys.readouterr().out
    assert "mul.wide" in shown
    assert "mul.{hi,lo}" not in shown


def test_an_unknown_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isa", "clzz"]) == 2
    assert "did you mean `clz`?" in capsys.readouterr().err
    assert main(["isa", "add.banana"]) == 2
    assert "`ptx-lsp isa add`" in capsys.readouterr().err


def test_a_call_without_a_name_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isa"]) == 2
    assert "usage: ptx-lsp isa" in capsys.readouterr().err
