"""The constructs around some lines are those that a search of the whole document finds there, also after edits."""

import random
from typing import TypeVar

import pytest

from ptx_lsp.outline import scanned_chunks
from ptx_lsp.outline.chunk_scan import Mode, scan_chunk
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.outline.near_constructs import function_line_steps, near_construct_steps
from ptx_lsp.outline.nesting import Construct, Constructs, Nesting
from ptx_lsp.steps import result_of
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range
from tests.calls import noted_calls
from tests.outline.divided import DIVIDED, PIECES, as_rows

FUNCTION = (
    ".visible .entry {0}(.param .b32 a)\n{{\n\t.reg .b32 %r<2>;\nL:\n\t{{\n\tmov.b32 %r1, 1;\n\t}}\n\tret;\n}}\n\n"
)
MORE_PIECES = (*PIECES, *(FUNCTION.format(name) for name in "fg"), "/* a\n b */ .func h()\n// c\n", *DIVIDED.values())


Lined = TypeVar("Lined", Range, Construct)


def at_lines(found: Constructs, first: int, last: int) -> list[object]:
    """What has one of the lines, in values that can be compared."""

    def those(some: list[Lined]) -> list[Lined]:
        return [each for each in some if each.line <= last and each.end_line >= first]

    outline, braced, headers, lists, comments, assembly, locations, _ = found
    ranges = those(headers), those(lists), those(comments), those(assembly), those(locations)
    return as_rows(Constructs(those(outline), those(braced), *ranges, []))


def nested(document: Document) -> Constructs:
    """The constructs of a document, of which nothing is known yet, in its present chunks."""
    nesting, mode = Nesting(document), Mode()
    for index in range(document.chunk_count):
        scan = scan_chunk(document.chunk(index), mode, index == document.chunk_count - 1)
        nesting.take(index, scan)
        mode = scan.mode
    return nesting.finish()


def near(document: Document, first: int, last: int) -> list[object]:
    """The same of what is found around the lines only."""
    return at_lines(result_of(near_construct_steps(document, first, last)), first, last)


def text_of(choose: random.Random, count: int) -> str:
    """A random text of some pieces."""
    return "".join(choose.choice(MORE_PIECES) + choose.choice(("", "", "\n", " ")) for _ in range(count))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_near_is_what_is_found_in_the_whole(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(60):
        document = Document(text_of(choose, choose.randrange(3, 60)))
        while choose.random() < 0.9:
            line, lines = choose.randrange(document.line_count), choose.choice((0, 0, 1, 9))
            start = choose.randint(0, len(document.line(line)))
            document.edit(Range(line, start, line + lines, start), text_of(choose, choose.randrange(3)))
            for _ in range(2):
                first = choose.randrange(document.line_count)
                last = min(document.line_count - 1, first + choose.choice((0, 0, 0, 1, 5)))
                assert near(document, first, last) == at_lines(nested(document), first, last), document.whole()
            if choose.random() < 0.5:
                assert as_rows(find_constructs(document)) == as_rows(nested(document))


def test_only_the_function_at_a_line_is_nested() -> None:
    document = Document("".join(FUNCTION.format(f"f{number}") for number in range(1000)))
    find_constructs(document)
    document.edit(Range(5000, 0, 5000, 0), "\n")
    found = result_of(near_construct_steps(document, 7003, 7003))
    assert [each.name for each in found.outline] == ["f700"]


def test_a_chunk_is_scanned_again_only_if_it_was_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document("".join(FUNCTION.format(f"f{number}") for number in range(1000)))
    find_constructs(document)
    scanned = noted_calls(monkeypatch, scanned_chunks, "scan_chunk")
    effect = document.edit(Range(5000, 0, 5000, 0), "/* x")
    near(document, 7000, 7000)
    assert len(scanned) > 10
    document.edit(Range(5000, 0, 5000, 4), "")
    scanned.clear()
    find_constructs(document)
    assert len(scanned) <= effect.added  # those that were never scanned outside of the comment


def test_the_line_of_a_function_is_that_of_its_body() -> None:
    document = Document(".func f();\n.func g();\n.func f()\n{\n}\n.func f();\n")
    assert [result_of(function_line_steps(document, name)) for name in "fgh"] == [2, 1, None]


def test_assembly_is_found_that_begins_and_ends_far_away() -> None:
    functions = "".join(FUNCTION.format(f"f{number}") for number in range(1000))
    document = Document(f"// begin inline asm\n{functions}\t// end inline asm\n")
    found = result_of(near_construct_steps(document, 5000, 5000))
    assert found.assembly == [Range(0, 0, 10001, 18)]
