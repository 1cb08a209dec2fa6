"""A document behaves as a plain string with its text, and an edit changes few chunks."""

import re
import sys
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp.text import document
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import count_line_ends, line_starts
from ptx_lsp.text.ranges import Position, Range

TEXT = st.text(st.sampled_from("ab\n\n\ré"), max_size=120)
POSITION = st.tuples(st.integers(0, 60), st.integers(0, 6))
EDITS = st.lists(st.tuples(POSITION, POSITION, TEXT), min_size=1, max_size=12)


def offset(text: str, line: int, column: int) -> int:
    """The offset of a position in a text, computed slowly: clamped to the text, and to the line without its end."""
    starts = [0, *(m.end() for m in re.finditer(r"\r\n?|\n", text))]
    if line >= len(starts):
        return len(text)
    end = starts[line + 1] if line + 1 < len(starts) else len(text)
    bare = re.sub(r"(\r\n?|\n)\Z", "", text[starts[line] : end])
    return starts[line] + min(column, len(bare))


@pytest.fixture(scope="module", autouse=True)
def _small_chunks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (("LINES_PER_CHUNK", 4), ("CHARACTERS_PER_CHUNK", 24), ("LINES_PER_EDITED_CHUNK", 2)):
            patch.setattr(document, name, size)
        yield


def chunks_of(doc: Document) -> list[str]:
    return [doc.chunk(i) for i in range(doc.chunk_count)]


@settings(max_examples=300)
@given(TEXT, EDITS)
def test_an_edited_document_equals_the_edited_string(
    text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]]
) -> None:
    doc = Document(text)
    for one, other, new in edits:
        start, end = sorted((one, other))
        first, last = offset(text, *start), offset(text, *end)
        before = chunks_of(doc)
        assert doc.text(Range(*start, *end)) == text[first:last]
        done = doc.edit(Range(*start, *end), new)
        moved = count_line_ends(text)
        text = text[:first] + new + text[last:]
        assert doc.whole() == text
        after = chunks_of(doc)
        assert after[: done.first] == before[: done.first]
        assert after[done.first + done.added :] == before[done.first + done.removed :]
        assert done.lines == count_line_ends(text) - moved
        check(doc, text)


@given(st.lists(TEXT, max_size=8))
def test_appended_text_is_at_the_end(texts: list[str]) -> None:
    doc = Document()
    for text in texts:
        doc.append(text)
    check(doc, "".join(texts))


def check(doc: Document, text: str) -> None:
    """All properties of a document with this text."""
    starts = line_starts(text)
    assert doc.line_count == len(starts)
    assert doc.character_count == len(text)
    assert [doc.line(n) for n in range(doc.line_count)] == re.split(r"\r\n|\r|\n", text)
    chunks = chunks_of(doc)
    assert doc.wide_chunks == sum(not chunk.isascii() for chunk in chunks)
    line = 0
    for index, chunk in enumerate(chunks):
        assert doc.chunk_line(index) == line
        assert doc.chunk_line_ends(index) == count_line_ends(chunk)
        assert doc.chunk_at(line) == index
        line += count_line_ends(chunk)
        assert chunk or len(chunks) == 1
    for chunk, following in pairwise(chunks):
        assert chunk[-1] in "\r\n"
        assert not (chunk[-1] == "\r" and following[0] == "\n")


def test_an_edit_may_join_a_return_and_a_newline() -> None:
    doc = Document("a\rX\nb")
    assert doc.line_count == 3
    doc.edit(Range(1, 0, 1, 1), "")
    assert doc.whole() == "a\r\nb"
    assert doc.line_count == 2
    assert [doc.line(0), doc.line(1)] == ["a", "b"]


def test_positions_are_clamped() -> None:
    doc = Document("ab\r\nc")
    assert doc.clamp(Position(0, 9)) == (0, 2)
    assert doc.clamp(Position(7, 0)) == (1, 1)
    assert doc.clamp(Position(-1, 5)) == (0, 0)
    assert doc.end() == (1, 1)
    done = doc.edit(Range(1, 5, 9, 9), "d")
    assert done.range == (1, 1, 1, 1)
    assert doc.whole() == "ab\r\ncd"


def test_a_line_beyond_the_last_is_empty() -> None:
    doc = Document("a\nb")
    assert [doc.line(number) for number in (-1, 0, 1, 2, 3)] == ["", "a", "b", "", ""]


def test_a_long_line_is_a_chunk_of_its_own() -> None:
    long = "x" * 1000 + "\n"
    doc = Document("a\nb\n" + long + "c\n")
    assert long in chunks_of(doc)


def test_many_small_edits_leave_no_small_chunks() -> None:
    doc = Document("line\n" * 200)
    for _ in range(190):
        doc.edit(Range(3, 0, 4, 0), "")
    assert doc.line_count == 11
    assert min(chunk.count("\n") for chunk in chunks_of(doc)) >= document.LINES_PER_EDITED_CHUNK


class TestSize:
    """Tests with chunks of their real size."""

    @pytest.fixture(autouse=True)
    def _real_chunks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(document, "LINES_PER_CHUNK", 128)
        monkeypatch.setattr(document, "CHARACTERS_PER_CHUNK", 4096)
        monkeypatch.setattr(document, "LINES_PER_EDITED_CHUNK", 8)

    def test_memory(self) -> None:
        lines = 100_000
        doc = Document("\tadd.s32 \t%r1, %r2, %r3;\n" * lines)
        size = sum(sys.getsizeof(doc.chunk(i)) for i in range(doc.chunk_count)) + 5 * 8 * doc.chunk_count
        assert size - doc.character_count < 50 * lines

    @pytest.mark.parametrize("lines", [3, 40, 1000])
    def test_chunks_end_with_functions(self, lines: int) -> None:
        function = ".func f\n{\n" + "\tadd.s32 \t%r1, %r2, %r3;\n" * lines + "}\n"
        chunks = chunks_of(Document(function * 200))
        assert "".join(chunks) == function * 200
        whole = sum(chunk.endswith("\n}\n") for chunk in chunks)
        # every long function, and one of those in each 4096 characters
        assert whole >= min(200, len(function * 200) // 4096)

    def test_an_edit_changes_one_chunk(self) -> None:
        doc = Document("\tadd.s32 \t%r1, %r2, %r3;\n" * 10_000)
        done = doc.edit(Range(5_000, 3, 5_000, 3), "x")
        assert done.removed == 1
        done = doc.edit(Range(5_000, 3, 5_000, 3), "y")
        assert (done.removed, done.added) == (1, 1)
        done = doc.edit(Range(5_000, 3, 5_000, 3), "\n" * 10_000)
        assert done.removed == 1
        assert done.added < 100

    def test_chunks_are_small_around_an_edit(self) -> None:
        doc = Document("\tadd.s32 \t%r1, %r2, %r3;\n" * 10_000)
        before = doc.chunk_count
        for line in range(5_000, 5_010):
            doc.edit(Range(line, 0, line, 0), "\n")
        small = [doc.chunk_line_ends(doc.chunk_at(line)) for line in range(5_000, 5_020)]
        assert max(small) <= 2 * document.LINES_PER_EDITED_CHUNK
        assert doc.chunk_count - before < 3 * document.LINES_PER_CHUNK // document.LINES_PER_EDITED_CHUNK

    def test_a_header_is_not_divided(self) -> None:
        header = ".entry f(\n" + "\t.param .u64 f_param,\n" * 14 + "\t.param .u64 f_last\n)\n.reqntid 128\n{\n"
        doc = Document("\tadd.s32 \t%r1, %r2, %r3;\n" * 40 + "}\n" + header + "\t.reg .b32 \t%r<9>;\n" * 40)
        doc.edit(Range(60, 5, 60, 5), "x")
        assert not any(chunk.count(".param") % 15 for chunk in chunks_of(doc))
        assert doc.chunk(doc.chunk_at(60)).startswith("\t.reg")

    def test_a_chunk_ends_after_a_semicolon_if_one_is_near_its_end(self) -> None:
        doc = Document("\tadd.s32 \t%r1, %r2, %r3;\n\t.loc\t1 2 3\n// a\n" * 3_000)
        doc.edit(Range(5_000, 0, 5_000, 0), "\n")
        chunks = chunks_of(doc)
        assert all(chunk.endswith(";\n") for chunk in chunks[:-1])
        assert all(chunk.endswith("\n") for chunk in chunks_of(Document("\t.loc\t1 2 3\n" * 3_000)))

    def test_lines_far_below_are_found_after_an_edit_far_above(self) -> None:
        doc = Document("".join(f"line {i}\n" for i in range(50_000)))
        doc.edit(Range(10, 0, 10, 0), "new\n")
        assert doc.line(49_000) == "line 48999"
        doc.edit(Range(40_000, 0, 40_001, 0), "")
        assert doc.line(49_000) == "line 49000"

    @pytest.mark.parametrize("long", [0, 1, 40])
    def test_chunks_of_short_lines_have_few_lines(self, long: int) -> None:
        # the rows of a section, which have no semicolon; some of them may be much longer than the others
        text = (".b8 1\n" * 300 + f".b8 {'1,' * 40}1\n" * long) * 200
        chunks = chunks_of(Document(text))
        assert "".join(chunks) == text
        assert max(chunk.count("\n") for chunk in chunks) <= 2 * document.LINES_PER_CHUNK
        assert min(chunk.count("\n") for chunk in chunks[:-1]) > document.LINES_PER_CHUNK // 8


def test_the_end_of_a_comment_is_found_after_each_edit() -> None:
    doc = Document("// a\n" * 1000)
    assert not doc.holds_comment_end()
    doc.edit(Range(500, 0, 500, 0), "x */")
    doc.edit(Range(20, 0, 20, 0), "/* b ")
    assert doc.holds_comment_end()
    doc.edit(Range(500, 2, 500, 3), "")
    assert not doc.holds_comment_end()
    doc.append("*/")
    assert doc.holds_comment_end()
