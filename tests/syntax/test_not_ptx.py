"""Files that are PTX, files that are clearly something else, and files that are not text."""

import pytest

from ptx_lsp.findings.finding import Severity
from ptx_lsp.syntax.not_ptx import recognise

MODULE = ".version 9.4\n.target sm_90\n.address_size 64\n.visible .entry kernel() { ret; }\n"


@pytest.mark.parametrize(
    "text",
    [
        MODULE,
        "\ufeff" + MODULE,
        MODULE + "\0",
        "// a comment first\n/* and\n another */ .version 9.4\n.target sm_90\n",
        "//" + "\udcff" * 5000 + "\n" + MODULE,
        "/*" + "\udcff" * 5000 + "*/ .version\t1.0\n.target sm_10\n",
        MODULE.replace(".version", ".verison"),
        MODULE.replace(".version 9.4\n", ""),
        ".version 9.4\r\n.target sm_90\r\n",
        ".entry kernel() { ret; }",
        "\tadd.s32 r1, r2, r3;\n",
        "/* never closed\n" + MODULE,
        "\f\n" + MODULE,
        "< " + MODULE,
    ],
    ids=lambda text: text[:20],
)
def test_ptx_is_recognised(text: str) -> None:
    assert recognise(text) is None


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0"?>\n<pretext><section/></pretext>\n',
        "\n  <!DOCTYPE html><p>.f32</p>",
        "<pretext>\n<book/>\n</pretext>",
        "\\documentclass{article}\n\\begin{document}\n",
        '{"name": "ptx", "version": 1}',
        "def kernel():\n    return 0\n",
        "#include <stdio.h>\nint main(void) { return 0; }\n",
        "hello, world\n",
        ".vers",  # it may become PTX while it is typed, so this is information
    ],
    ids=lambda text: text[:20],
)
def test_files_that_are_clearly_not_ptx(text: str) -> None:
    found = recognise(text)
    assert found is not None
    assert (found.code, found.severity) == ("not-ptx", Severity.INFORMATION)
    assert found.range.line == 0


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01" + bytes(57),
        b"\x50\xed\x55\xba\x01\x00\x10\x00" + MODULE.encode(),
        MODULE.encode("utf-16"),
        MODULE.encode("utf-16-le"),
        MODULE.encode("utf-16-be"),
        b"PK\x03\x04\x14\x00\x00",
        bytes(range(256)) * 20,
        bytes(1000),
    ],
    ids=["elf", "fatbin", "utf-16", "utf-16-le", "utf-16-be", "zip", "bytes", "zeroes"],
)
def test_files_that_are_not_text(data: bytes) -> None:
    found = recognise(data.decode("utf-8", "surrogateescape"))
    assert found is not None
    assert (found.code, found.severity) == ("not-text", Severity.ERROR)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\r\n\t\f", "\ufeff"])
def test_an_empty_file_is_reported(text: str) -> None:
    found = recognise(text)
    assert found is not None
    assert (found.code, found.severity) == ("empty-file", Severity.ERROR)


def test_the_message_names_utf16() -> None:
    found = recognise(MODULE.encode("utf-16-be").decode("utf-8", "surrogateescape"))
    assert found is not None
    assert "UTF-16" in found.message
