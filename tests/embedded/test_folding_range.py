"""Folding of templates: by their literals, with the columns of their ends, or by whole lines."""

import pytest

from ptx_lsp.embedded.folding_range import folding_ranges
from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.features.folding_range import REGION, Fold
from ptx_lsp.hosts.statement import Host

TEXT = (
    'asm volatile("{\\n"\n'
    '  "bar.sync 0;\\n"\n'
    '  "}"\n'
    '  : : "r"(x));\n'
    'asm("bar.sync 1;"\n'
    '  "bar.sync 2;" ::: "memory"); asm("bar.sync 3;"\n'
    '  "bar.sync 4;"\n'
    "  );\n"
    'asm("bar.sync 5;");\n'
    "int x =\n  2;\n"
)


def folds(text: str, whole_lines: bool, host: Host = Host.CUDA) -> list[Fold]:
    analysis = HostText(text, host, None, ())
    analysis.work()
    return [each for some in folding_ranges(analysis, whole_lines) for each in some]


def test_with_columns() -> None:
    found = folds(TEXT, whole_lines=False)
    assert found == [Fold(0, 2, -1, 5, REGION), Fold(4, 5, -1, 15, REGION), Fold(5, 6, -1, 15, REGION)]


def test_whole_lines_keep_the_operands_visible() -> None:
    assert [each[:2] for each in folds(TEXT, whole_lines=True)] == [(0, 2), (5, 6)]


@pytest.mark.parametrize(
    ("host", "text", "lines"),
    [
        (Host.CUDA, 'x; asm(R"(\n bar.sync 0;\n)");', (0, 2)),
        (Host.PYTHON, 'y = inline_asm_elementwise(\n  """\n mov.u32 $0, $1;\n""",\n "=r,r", [x], i, True, 1)', (1, 3)),
        (Host.RUST, 'asm!(\n  "mov.u32 {}, 1;",\n  "bar.sync 0;",\n  out(reg32) x);', (1, 2)),
    ],
)
def test_other_languages(host: Host, text: str, lines: tuple[int, int]) -> None:
    assert [(each.line, each.end_line) for each in folds(text, whole_lines=False, host=host)] == [lines]


def test_what_is_no_ptx_is_not_folded() -> None:
    assert folds('asm("movl %0, %%eax;"\n "nop" :: "a"(x));', whole_lines=False) == []
