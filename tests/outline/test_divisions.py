"""What a text holds does not depend on how it is divided into chunks, nor on the characters that end its lines."""

import random
import re
from collections.abc import Sequence
from itertools import accumulate

import pytest

from ptx_lsp.outline.chunk_scan import Mode, scan_chunk
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.outline.nesting import Constructs, Nesting
from ptx_lsp.text.document import Document
from tests.growth import LINEAR, growth
from tests.outline.divided import DIVIDED, PIECES, as_rows


def divided(text: str, ends: Sequence[int]) -> Constructs:
    """The constructs of a text whose chunks end at the given offsets."""
    document = Document(text)
    nesting = Nesting(document)
    mode = Mode()
    begins = (0, *ends)
    for index, (begin, end) in enumerate(zip(begins, (*ends, len(text)), strict=True)):
        scan = scan_chunk(text[begin:end], mode, index == len(ends))
        first = len(re.findall("\r\n?|\n", text[:begin]))
        nesting.take_marks(scan.marks, first)
        mode = scan.mode
    return nesting.finish()


def line_begins(text: str) -> list[int]:
    """The offsets of all lines but the first."""
    return [found.end() for found in re.finditer("\r\n?|\n", text) if found.end() < len(text)]


@pytest.mark.parametrize("marked", DIVIDED.values(), ids=DIVIDED.keys())
def test_a_construct_is_the_same_when_a_chunk_ends_within_it(marked: str) -> None:
    *parts, _ = marked.split("|")
    ends, text = [*accumulate(map(len, parts))], marked.replace("|", "")
    assert as_rows(divided(text, ends)) == as_rows(find_constructs(Document(text)))


@pytest.mark.parametrize("seed", range(4))
def test_random_texts_hold_the_same_wherever_they_are_divided(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(300):
        pieces = [choose.choice(PIECES) + choose.choice(("", "", "\n", " ")) for _ in range(choose.randrange(3, 14))]
        text = "".join(pieces)
        begins = line_begins(text)
        ends = sorted(choose.sample(begins, choose.randint(0, len(begins))))
        assert as_rows(divided(text, ends)) == as_rows(find_constructs(Document(text))), (text, ends)


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_a_text_holds_the_same_with_any_line_ends(end: str) -> None:
    text = (
        "// one\n// two\n.version 8.0\n\n.global .b8 x[2] = {1,\n2};\n.visible .entry k(\n\t.param .b64 p\n)\n{\n"
        "\t.loc 1 2 3\n\t.loc 1 2 4\n$L:\n\t// begin inline asm\n\tret;\n\t// end inline asm\n}\n"
        ".section .debug_str\n{\n.b8 1\n}\n"
    )
    expected = as_rows(find_constructs(Document(text)))
    assert len(expected) > 10
    assert as_rows(find_constructs(Document(text.replace("\n", end)))) == expected


@pytest.mark.parametrize("piece", ["={a ", "={{1},", ".b8 x{", "/**/ /**/", ".shared .b8 x = {{", "a b:", ".section {"])
def test_the_scan_is_linear_in_the_text(piece: str) -> None:
    def scan(text: str) -> None:
        scan_chunk(text, Mode(), True)

    assert growth(scan, piece * 1000, piece * 4000) < LINEAR
