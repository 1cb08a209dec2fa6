"""Comments that suppress findings: on their line, on the next line and in the file, with the same result everywhere."""

from pathlib import Path

import pytest

from ptx_lsp import check, check_embedded
from ptx_lsp.cli.main import main
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.server.conversation import initialized

WRONG = "\tadd.s32 %r1, %f1, 1;"
TWO_KINDS = f"{WRONG}\n\tadd.s32 %r1, %r1, 0x1ffffffff;"
FRAME = """.version 9.4
.target sm_90
.address_size 64
.visible .entry k()
{{
\t.reg .b32 %r<2>;
\t.reg .f32 %f<2>;
\tmov.f32 %f1, 1.0;
\tadd.f32 %f1, %f1, 2.0;
\tmov.b32 %r1, 1;
{}
\tret;
}}
"""


def in_kernel(statements: str) -> str:
    """A module with these statements and no findings of its own."""
    return FRAME.format(statements)


def codes(text: str) -> list[str]:
    """The codes of the findings of a text, in order."""
    return [finding.code for finding in check(text)]


@pytest.mark.parametrize(
    ("statements", "left"),
    [
        (WRONG, ["operand-type"]),
        (f"{WRONG} // ptx-lsp: ignore[operand-type]", []),
        (f"{WRONG} // ptx-lsp: ignore", []),
        (f"\t// ptx-lsp: ignore-next-line[operand-type]\n{WRONG}", []),
        (f"\t// ptx-lsp: ignore-next-line\n{WRONG}", []),
        (f"\t// ptx-lsp: ignore-next-line[operand-type]\n{WRONG}\n{WRONG}", ["operand-type"]),
        (f"\t// ptx-lsp: ignore-next-line[operand-type]\n\n{WRONG}", ["unused-suppression", "operand-type"]),
        (f"{WRONG} // ptx-lsp: ignore-next-line[operand-type]", ["operand-type", "unused-suppression"]),
        (f"{WRONG}\n// ptx-lsp: ignore-file[operand-type]\n{WRONG}", []),
        (f"{WRONG}\n// ptx-lsp: ignore-file\n{TWO_KINDS}", []),
        (f"// ptx-lsp: ignore-file[operand-type]\n{TWO_KINDS}", ["constant-truncated"]),
        (f"// ptx-lsp: ignore-file[operand-type, constant-truncated]\n{TWO_KINDS}", []),
        ("// ptx-lsp: ignore-file[operand-type]", ["unused-suppression"]),
        ("// ptx-lsp: ignore-file", ["unused-suppression"]),
        ("// ptx-lsp: ignore[shift-count]\n// ptx-lsp: ignore-file[unused-suppression]", []),
        (f"// ptx-lsp: ignore-files[operand-type]\n{WRONG}", ["operand-type"]),
        (f"{WRONG} // ptx-lsp: ignore-other-line", ["operand-type"]),
    ],
)
def test_what_a_comment_suppresses(statements: str, left: list[str]) -> None:
    assert codes(in_kernel(statements)) == left


def test_the_message_of_a_comment_without_effect_names_its_reach() -> None:
    text = in_kernel("// ptx-lsp: ignore-file[a, b]\n// ptx-lsp: ignore-next-line[c]\n// ptx-lsp: ignore")
    assert [finding.message for finding in check(text)] == [
        "no finding `a` or `b` is in this file",
        "no finding `c` starts on the next line",
        "no finding starts on this line",
    ]


@pytest.mark.parametrize("above", range(0, 400, 7))
def test_the_next_line_may_be_in_another_block(above: int) -> None:
    statements = ["\tmov.b32 %r1, 1;"] * above + ["\t// ptx-lsp: ignore-next-line[operand-type]", WRONG] * 60
    module = analysed(in_kernel("\n".join(statements)))
    assert module.findings() == []


def test_a_comment_for_the_file_has_effect_as_soon_as_it_is_typed() -> None:
    module = analysed(in_kernel("\n".join([WRONG] * 400)))
    assert len(module.findings()) == 400
    last = module.document.line_count - 2
    module.edit(Range(last, 0, last, 0), "// ptx-lsp: ignore-file[operand-type]\n")
    module.work()
    assert module.findings() == []
    module.edit(Range(last, 0, last, 17), "// ptx-lsp: ignor")
    module.work()
    assert module.findings() == []
    module.edit(Range(last, 3, last, 5), "")
    module.work()
    assert len(module.findings()) == 400


def test_the_command_line_and_the_server_follow_the_same_comments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong, suppressed = in_kernel(WRONG), in_kernel(f"// ptx-lsp: ignore-file[operand-type]\n{WRONG}")
    for text, number in ((wrong, 1), (suppressed, 0)):
        path = tmp_path / "kernel.ptx"
        path.write_text(text)
        assert main(["check", str(path)]) == number
        assert ("operand-type" in capsys.readouterr().out) == bool(number)
        assert len(check(text)) == number
    with initialized() as conversation:
        assert [each["code"] for each in conversation.open(wrong)] == ["operand-type"]
        conversation.change(2, {"text": suppressed})
        assert conversation.published() == []


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("", "", ["unknown-opcode", "unknown-opcode"]),
        ("", " // ptx-lsp: ignore[unknown-opcode]", ["unknown-opcode"]),
        ("// ptx-lsp: ignore-next-line[unknown-opcode]\n", "", ["unknown-opcode"]),
        ("// ptx-lsp: ignore-file[unknown-opcode]\n", "", []),
        ("// ptx-lsp: ignore-file\n", "", []),
        (
            "// ptx-lsp: ignore-file[asm-leak]\n",
            "",
            ["unused-suppression", "unknown-opcode", "unknown-opcode"],
        ),
    ],
)
def test_comments_of_a_host(before: str, after: str, left: list[str]) -> None:
    text = f'__global__ void f() {{\n{before}asm volatile("frob;");{after}\nasm volatile("frob;");\n}}\n'
    assert [finding.code for finding in check_embedded(text, "cuda-cpp")] == left
