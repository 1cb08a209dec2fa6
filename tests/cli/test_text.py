"""How findings look on a terminal."""

import pytest

from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.text import render, summary
from ptx_lsp.findings.finding import Finding, Related, Severity
from ptx_lsp.text.ranges import Range

PLAIN = Style(width=60)


def shown(line: str, start: int, end: int, style: Style = PLAIN) -> list[str]:
    finding = Finding("operand-type", Range(11, start, 11, end), "message")
    return render(CheckedFile("k.ptx", [finding], lambda number: line), style).split("\n")


def test_like_a_compiler() -> None:
    head, source, underline, rest = shown("    add.s32 %r1, %r2, %f3;\n", 22, 25)
    assert head == "k.ptx:12:23: error: message [operand-type]"
    assert source == "   12 |     add.s32 %r1, %r2, %f3;"
    assert underline == "      |                       ^~~"
    assert rest == ""


def marked(lines: list[str]) -> str:
    """The text above the underline; only for characters that are one column wide."""
    source, underline = lines[1], lines[2]
    start = underline.index("^")
    return source[start : len(underline)]


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        ("\tadd.s32\t%r1, %r2, %f3;", 19, 22),
        ("x" * 467_930 + ", ‹%f3›;".replace("‹", "").replace("›", ""), 467_932, 467_935),
        ("%f3" + "x" * 467_946, 0, 3),
        ("x" * 200_000 + "%f3" + "x" * 200_000, 200_000, 200_003),
        ("x" * 58 + "%f3" + "x" * 58, 58, 61),
        ("x" * 57 + "%f3", 57, 60),
    ],
    ids=["tabs", "end of a long line", "its beginning", "its middle", "just too wide", "just not"],
)
def test_the_range_is_underlined(line: str, start: int, end: int) -> None:
    lines = shown(line, start, end)
    assert marked(lines) == "%f3"
    assert all(len(text) < 80 for text in lines)


def test_a_range_wider_than_the_terminal_is_cut() -> None:
    lines = shown("a" * 1000, 100, 900)
    assert lines[1].startswith("   12 | ...a")
    assert lines[1].endswith("a...")
    assert lines[2].strip(" |") == "^" + "~" * 59


def test_a_range_over_several_lines_is_underlined_on_its_first() -> None:
    finding = Finding("vector-size", Range(0, 4, 2, 1), "message")
    lines = render(CheckedFile("k.ptx", [finding], lambda number: "mma {%f1,\r\n"), PLAIN).split("\n")
    assert lines[2] == "      |     ^~~~~"


def test_an_empty_range_has_a_caret() -> None:
    assert shown("ret", 3, 3)[2] == "      |    ^"


def test_wide_and_combining_characters() -> None:
    line = "// \u4f60\u597d e\u0301 x"
    lines = shown(line, line.index("x"), len(line))
    assert lines[2] == "      | " + " " * len("// ") + " " * 4 + "   " + "^"


def test_control_characters_are_replaced() -> None:
    finding = Finding("non-ascii", Range(0, 0, 0, 1), "`\x1b[2J` is wrong")
    text = render(CheckedFile("evil\x1b[31m.ptx", [finding], lambda number: "\x1b[2J\u202e\udcff"), PLAIN)
    assert not set(text) & {"\x1b", "\u202e", "\udcff"}


def test_only_the_first_related_places_are_notes() -> None:
    related = Related(Range(2, 4, 2, 8), "`%f3` is declared here")
    finding = Finding("operand-type", Range(0, 0, 0, 1), "message", related=(related,) * 6)
    text = render(CheckedFile("k.ptx", [finding], lambda number: "    .reg .f32 %f<4>;"), PLAIN)
    assert text.count("k.ptx:3:5: note: `%f3` is declared here\n") == 4
    assert text.endswith("and 2 more places\n")


def test_colours_on_demand() -> None:
    assert "\x1b[1;31merror:\x1b[0m" in "\n".join(shown("ret;", 0, 3, Style(colour=True)))
    assert "\x1b" not in "\n".join(shown("ret;", 0, 3))


def test_the_summary_counts_findings_by_severity() -> None:
    counts = {Severity.ERROR: 2, Severity.WARNING: 1, Severity.HINT: 0}
    assert summary(counts, 3) == "2 errors, 1 warning in 3 files\n"
    assert summary({}, 1) == "no findings in 1 file\n"
    assert summary({Severity.INFORMATION: 1}, 1, fixed=4) == "4 fixed, 1 note in 1 file\n"
