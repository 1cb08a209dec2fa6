"""Renaming: every use and declaration of one symbol and nothing else; ptxas takes the result as before."""

import re
from pathlib import Path

import pytest

from ptx_lsp.features.rename import RenameRefused, prepare_rename, rename
from tests.analysed import analysed
from tests.features.modules import in_body, marked
from tests.features.renamed import DECLARATIONS, every_third_renamed, renamed, replaced
from tests.oracle.assembler import assemble, needs_assembler

ROOT = Path(__file__).parents[2]
FILES = sorted((*ROOT.joinpath("examples").glob("*.ptx"), *ROOT.joinpath("tests", "data").glob("*.ptx")))


def refusal(statements: str, new_name: str) -> str:
    """Why the symbol at `¦` cannot get a new name."""
    with pytest.raises(RenameRefused) as refused:
        renamed(statements, new_name)
    return str(refused.value)


@pytest.mark.parametrize(
    ("statements", "new_name", "after"),
    [
        ("\tbra ¦L; // L\n\tL: ret;", "END", "\tbra END; // L\n\tEND: ret;"),
        ("\t.reg .b32 x;\n\tadd.s32 ¦x, x, %r1;", "y", "\t.reg .b32 y;\n\tadd.s32 y, y, %r1;"),
        (
            "\t{ .reg .b32 x; mov.b32 x, ¦x; }\n\tmov.b32 x, 1;",
            "y",
            "\t{ .reg .b32 y; mov.b32 y, y; }\n\tmov.b32 x, 1;",
        ),
        ("\t.reg .b32 ¦%q<3>;\n\tadd.s32 %q1, %q2, %r1;", "%w", "\t.reg .b32 %w<3>;\n\tadd.s32 %w1, %w2, %r1;"),
        (
            "\t.reg .v2 .f32 %q<3>, z;\n\tmov.v2.f32 %q1, ¦%q2;\n",
            "%x",
            "\t.reg .v2 .f32 %q<3>, z;\n\t.reg .v2 .f32 %x;\n\tmov.v2.f32 %q1, %x;\n",
        ),
        ("\tld.b32 %r1, [¦g+4];\n\tmov.u64 %rd1, g;", "tile", "\tld.b32 %r1, [tile+4];\n\tmov.u64 %rd1, tile;"),
        ("\tcall ¦twice, (1);", "thrice", "\tcall thrice, (1);"),
        ("P: .callprototype _ ();\n\tcall %rd1, ¦P;", "Q", "Q: .callprototype _ ();\n\tcall %rd1, Q;"),
        ("A: ret;\nT: .branchtargets ¦A;\n\tbrx.idx %r1, T;", "B", "B: ret;\nT: .branchtargets B;\n\tbrx.idx %r1, T;"),
    ],
)
def test_the_text_after_a_renaming(statements: str, new_name: str, after: str) -> None:
    assert renamed(statements, new_name) == after


def test_a_function_and_a_parameter_are_renamed_where_they_are_declared_too() -> None:
    module, position = marked(in_body("\tcall ¦twice, (1);", DECLARATIONS))
    found = [each for some in rename(module, position, "other") for each in some]
    assert replaced(module, found).count("other") == 3
    module, position = marked(in_body("\tld.param.u64 %rd1, [¦input];"))
    found = [each for some in rename(module, position, "given") for each in some]
    assert replaced(module, found).count("given") == 2


def test_a_variable_is_renamed_in_debug_data_too_and_a_label_of_a_section_is_not() -> None:
    """A debugger would look for the old name: ptxas takes any name there."""
    data = ".section .debug_info\n{\n$L__info:\n.b64 depot\n.b32 ¦$L__info\n}\n"
    text = in_body("\t.local .b8 ¦depot[8];\n\tmov.b64 %rd1, depot;")
    module, position = marked(text + data.replace("¦", ""))
    found = [each for some in rename(module, position, "stack") for each in some]
    assert "depot" not in replaced(module, found)
    module, position = marked(text.replace("¦", "") + data)
    with pytest.raises(RenameRefused, match=r"`.L__info` is a label of a section"):
        prepare_rename(module, position)


@pytest.mark.parametrize(
    ("statements", "new_name", "reason"),
    [
        ("\tmov.u32 %r1, ¦%tid.x;", "%y", "`%tid` is a special register: its name is fixed"),
        ("\tmov.u32 %r1, ¦%unknown;", "%y", "`%unknown` is not declared in this file"),
        ("\tm¦ov.u32 %r1, 1;", "add", "`mov` is an instruction: its name is fixed"),
        ("\tmov.u¦32 %r1, 1;", ".s32", "`.u32` is a modifier: its name is fixed"),
        ("\t.re¦g .b32 x;", ".param", "`.reg` is a word of the language: its name is fixed"),
        ("\tmov.u32 %r1, 1¦2;", "x", "there is no name to change here"),
        ("\t.reg .b32 ¦x;", "1x", "`1x` is not a name"),
        ("\t.reg .b32 ¦x;", "a b", "`a b` is not a name"),
        ("\t.reg .b32 ¦x;", "", "`` is not a name"),
        ("\t.reg .b32 ¦x;", "%tid", "`%tid` is the name of a special register or constant"),
        (
            "\t.reg .b32 ¦x;",
            "%r3",
            "`%r3` looks like a register of the family `%r`, which is used where `x` is visible",
        ),
        ("\t.reg .b32 ¦x;\n\tmov.b32 %r3, 1;", "%r3", "`%r3` is used already where `x` is visible"),
        ("\t.reg .b32 ¦x, y;", "y", "`y` is used already where `x` is visible"),
        ("\t.reg .b32 ¦x;\n\t{ .reg .b32 y; mov.b32 y, x; }", "y", "`y` is used already where `x` is visible"),
        ("\t.reg .b32 ¦x;\n\tmov.u64 %rd1, g;", "g", "`g` is used already where `x` is visible"),
        ("\t.reg .b32 ¦x<3>;", "%r", "`%r` is used already where `x` is visible"),
        ("\t.reg .b32 ¦x<3>;", "y1", "`y1` ends in a digit"),
        ("L:\tbra ¦L;\nM:", "M", "`M` is used already where `L` is visible"),
        ("\tmov.u64 %rd1, ¦g;", "h", "`h` is used already where `g` is visible"),
    ],
)
def test_what_is_refused(statements: str, new_name: str, reason: str) -> None:
    assert refusal(statements, new_name).startswith(reason)


def test_a_name_in_a_comment_or_in_another_function_is_no_obstacle() -> None:
    assert renamed("\t.reg .b32 ¦x; // y\n\t{ .reg .b32 z; }", "y").startswith("\t.reg .b32 y; // y")
    other = ".func f() { .reg .b32 y; ret; }"
    module, position = marked(in_body("\t.reg .b32 ¦x;", other))
    assert [each.text for some in rename(module, position, "y") for each in some] == ["y"]


def test_preparing_gives_the_name_and_its_range() -> None:
    module, position = marked(in_body("\tadd.s32 %r1, %r¦2, 1;"))
    range_, name = prepare_rename(module, position)
    assert (module.document.text(range_), name) == ("%r2", "%r2")
    module, position = marked(in_body("\t.reg .b32 %¦q<3>;"))
    assert prepare_rename(module, position)[1] == "%q"


@needs_assembler
@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_every_third_register_and_label_of_a_file(path: Path) -> None:
    text = path.read_text()
    after, count = every_third_renamed(text)
    assert count
    assert after != text
    target = re.search(r"^\.target sm_(\w+)", text, re.M)
    assert target is not None
    before, now = assemble([text, after], f"compute_{target[1]}")
    assert before.accepted
    assert now.accepted, now.said
    assert [finding.code for finding in analysed(after).findings()] == [
        finding.code for finding in analysed(text).findings()
    ]
