"""The text of a published finding is made once: a publication after an edit costs what has changed."""

import pytest

from ptx_lsp.findings.finding import Finding
from ptx_lsp.server import diagnostics
from ptx_lsp.server.documents import WrittenFindings
from ptx_lsp.text.ranges import Range
from tests.calls import noted_calls
from tests.server.conversation import in_this_process

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = ".entry kernel_{}()\n{{\n.reg .b32 %r<9>;\nadd.s32 %r1, %r1, %wrong;\nret;\n}}\n"
KERNELS = 200
OF_BLOCK = 16  # kernels: the most in a block in which there was an edit


def test_a_publication_writes_the_changed_findings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    written = noted_calls(monkeypatch, diagnostics, "_plain_diagnostic")
    conversation = in_this_process()
    found = conversation.open(HEADER + "".join(KERNEL.format(number) for number in range(KERNELS)))
    assert len(written) == len(found) >= KERNELS
    place = {"line": 7, "character": 0}
    for version in (2, 3):  # the first edit divides the block
        written.clear()
        text = f"mov.b32 %r2, %mistaken{version}; "
        conversation.change(version, {"range": {"start": place, "end": place}, "text": text})
        found = conversation.published()
    assert len(found) >= KERNELS
    assert len(written) <= OF_BLOCK


def test_findings_that_are_equal_to_the_published_ones_are_not_written_again() -> None:
    """After an edit of `.target` the whole text is read again, and its findings are other objects."""
    published, equal = ([Finding("undeclared", Range(n, 0, n, 1), "message") for n in range(9)] for _ in range(2))
    written = WrittenFindings()
    assert written.texts(published, str) == list(map(str, published))
    written.keep(published, equal)
    assert written.texts([*equal, Finding("other", Range(9, 0, 9, 1), "message")], lambda one: one.code) == [
        *map(str, published),
        "other",
    ]


def test_a_moved_finding_is_written_as_a_new_one() -> None:
    """Of a finding that was only moved, the text after its range is known: with its tags and data it is the same."""
    text = HEADER + "".join(KERNEL.format(number) for number in range(3))
    conversation = in_this_process()
    conversation.open(text)
    place = {"line": 3, "character": 0}
    conversation.change(2, {"range": {"start": place, "end": place}, "text": "\n"})
    assert conversation.published() == in_this_process().open(HEADER + "\n" + text.removeprefix(HEADER))
