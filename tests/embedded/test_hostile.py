"""Statements of hosts that repeat one pattern: patterns that try every beginning would not end in days."""

import re

import pytest

from ptx_lsp.analysis.module import Checks
from ptx_lsp.embedded.decoding import Reference, TemplateText, immediate_value
from ptx_lsp.embedded.host_findings import counts_of_words
from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.lints import _OBSERVES, _WRITES_MEMORY
from ptx_lsp.embedded.recognition import _HEAD
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import Host, Operand, Role
from tests.growth import LINEAR, growth

LENGTH = 400_000
SHORT = 5_000


@pytest.mark.parametrize("pattern", [_OBSERVES, _WRITES_MEMORY, _HEAD])
@pytest.mark.parametrize("text", ["}}@u8", "\n", "\n \n", "@", "a:", ";", "{@!", " ", "@%p "])
def test_patterns_try_each_beginning_once(pattern: re.Pattern[str], text: str) -> None:
    times = SHORT // len(text)
    assert growth(pattern.findall, text * times + '"', text * times * 4 + '"') < LINEAR


@pytest.mark.parametrize("blank", [" ", "\n", "( ", ") ", "1 "])
def test_an_immediate_with_many_blanks_is_not_known(blank: str) -> None:
    operand = Operand(0, Role.IN, "n", Span(0, 1), None, Span(0, LENGTH))
    assert immediate_value(operand, lambda start, end: "1" + blank * LENGTH + "x") is None


def test_the_reference_at_an_offset_is_found_among_many() -> None:
    references = tuple(Reference(10 * number, 10 * number + 2, number, "") for number in range(1_000))
    body = TemplateText("", (), references)
    found = [body.reference_at(offset) for offset in (0, 2, 3, 5_010, 5_012, 5_013, 9_992, 9_993)]
    assert [each.start if each else None for each in found] == [0, 0, None, 5_010, 5_010, None, 9_990, None]


@pytest.mark.parametrize("text", ["}}@asm(", "%%", " .reg", "'''", "%0 ", "\\n\\n{", ".reg .b32 a; L%=: "])
@pytest.mark.parametrize("host", [Host.C, Host.CUDA, Host.RUST, Host.PYTHON])
def test_a_long_template_is_checked_in_linear_time(host: Host, text: str) -> None:
    def check(whole: str) -> None:
        analysis = HostText(whole, host, Checks(), ())
        while not analysis.work():
            pass
        analysis.findings()

    statement = 'asm volatile("add.s32 %0, {}" : "=r"(a));\n'
    assert growth(check, statement.replace("{}", text * 300), statement.replace("{}", text * 1_200)) < LINEAR


@pytest.mark.parametrize("count", [1, 8, 9, 200])
def test_few_names_and_many_are_counted_alike(count: int) -> None:
    names = {"word", *(f"name{number}" for number in range(count - 1))}
    text = "word %word word$ $word aword word; name0name1 name0.name1 (word)"
    assert counts_of_words(text, names)["word"] == 3
    assert counts_of_words(text, names | {"name0"})["name0"] == 1
