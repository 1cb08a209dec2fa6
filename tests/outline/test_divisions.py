"""What a text holds does not depend on how it is divided into chunks, nor on the characters that end its lines."""

import random
import re
from collections.abc import Sequence
from itertools import accumulate

import pytest

from ptx_lsp.outline.chunk_scan import Mode, scan_chunk
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.outline.nesting import Construct, Constructs, Nesting
from ptx_lsp.text.document import Document
from tests.growth import LINEAR, growth

PIECES = (
    *("{", "}", ";", ":", "(", ")", '"', "/*", "*/", "//", "\n", "\n", "\r", "\r\n", "\f", ",", "=", "\t", "ü𝄞", "\0"),
    *(".entry k(", ".func f()\n{\n", ".section .debug_str {", "x:", "@%p1 ", ".shared .b32 s[4] = {", '.file 1 "a"'),
    *("// begin inline asm\n", "// end inline asm\n", ".loc 1 2 3\n", ".loc 1 2 3", "::", "mov.b64 {%r1, %r2}, %rd1;"),
    *(
        ".visible ",
        "add.s32 %r1,",
        "{%r1,\n %r2}",
        "// x\n",
        "/* a\n b */",
        ".reg .b32 %r<3>;",
        ".section",
        " .debug_info",
    ),
    *(".global .b8 x[3] = {1,\n2\n};", "\n}\n", ".param .b32 p"),
    *(".nv_intermediate_source_section {", ".code_block {", ".source_begin\n", "\n.source_end\n"),
)
DIVIDED = {  # each text is divided above the lines with `|`
    "directive after a comment": "/*\n|*/.entry f()\n{\n}\n",
    "list after a comment": '""/*\n|*/{\n\n',
    "comment in a declaration": ".shared/*}\n|*/ .b8 x[2];\n",
    "comment in a header": ".entry/*{\n|*/ f() { ret; }\n",
    "comment in a list": "={/*}\n|*/}",
    "header above an unfinished declaration": ".entry f()\n{ .global\n|.b8 x; }\n",
    "list above an unfinished list": "({\n}.shared{\n|{/",
    "declaration without a name above a header": ".visible\n{;.func\n|:",
    "name of a section on the next line": ".section\n|.debug_str {\n}\n",
    "nested list": "r{{\n|}}",
    "brace in a `.loc`": "\n|.loc 1 2 3 {\n}\n",
    "text of another language": ".code_block {\n.source_begin\n{ .entry k()\n|{ /*\n.source_end\n}\n.entry f()\n{\n}\n",
    "begin of a text of another language": "\n.source_begin\n|.entry k()\n{\n  .source_end \n.entry f()\n{\n}\n",
    "section after a comment": "/*\n|*/.section\n.source_begin\n|\n",
    "statement after a `.loc`": "\n|.loc 1 2 3; .func f\n()\n",
}


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


def as_rows(found: Constructs) -> list[object]:
    """The constructs as values that can be compared."""
    return [*map(_row, found.outline), "", *map(_row, found.braced), *found[2:]]


def _row(construct: Construct) -> tuple[object, ...]:
    parts = construct.kind, construct.name, construct.range, construct.name_range, construct.detail, construct.closed
    return (*parts, construct.open_line, construct.opening, [_row(child) for child in construct.children])


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
