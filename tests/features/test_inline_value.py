"""Inline values: the constants of a range with their values."""

from ptx_lsp.features.inline_value import inline_values
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.features.modules import in_body


def test_constants_with_their_values() -> None:
    module = analysed(
        in_body(
            "\tadd.s32 %r1, %r2, (1 + 2) *\n\t\t4;\n\tmul.f32 %f1, %f2, 0f3FB8AA3B;\n\tand.b32 %r1, %r2, 2147483647;\n"
        )
    )
    found = [each for some in inline_values(module, Range(0, 0, 99, 0)) for each in some]
    assert [each.text for each in found] == ["(1 + 2) * 4 = 12", "0f3FB8AA3B = 1.442695"]
    first = found[0].range
    assert module.document.text(first) == "(1 + 2) *\n\t\t4"


def test_lines_outside_of_the_range_have_none() -> None:
    module = analysed(in_body("\tadd.s32 %r1, %r2, 1+2;\n\tadd.s32 %r1, %r2, 3+4;\n"))
    line = next(n for n in range(module.document.line_count) if "3+4" in module.document.line(n))
    assert [each.text for some in inline_values(module, Range(line, 0, line, 99)) for each in some] == ["3+4 = 7"]
