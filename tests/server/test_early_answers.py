"""An answer about a name comes as soon as what it needs is known, and is that of an analysed document."""

from typing import Any

import pytest

from ptx_lsp.analysis.incremental import IncrementalAnalysis
from ptx_lsp.reading.block import Block
from ptx_lsp.text.ranges import Range
from tests.analysis.random_edits import SMALL_SIZES, chunk_sizes
from tests.analysis.random_tries import EXAMPLES, example_files, run_tries, with_failures
from tests.server.conversation import Conversation
from tests.server.early_answers import difference, one_block_at_a_time
from tests.server.every_request import URI
from tests.server.same_answers import change, opened

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n.global .b32 shared_name;\n.global .b32 other;\n"
FUNCTION = (
    ".visible .entry kernel_{0}(.param .u32 p_{0})\n{{\n\t.reg .b32 %r<9>;\n"
    + "\tmov.b32 %r1, 1;\n\tadd.s32 %r2, %r1, 1;\n" * 8
    + "$L_{0}:\n\tld.param.u32 %r3, [p_{0}];\n\tld.global.b32 %r4, [{1}];\n\tbra $L_{0};\n}}\n"
)
LINES = FUNCTION.count("\n")
FUNCTIONS = 60
TEXT = HEAD + "".join(FUNCTION.format(n, "shared_name" if n > FUNCTIONS - 3 else "other") for n in range(FUNCTIONS))
FIRST = HEAD.count("\n")


class Counted:
    """A server with `TEXT`, which counts the blocks that it reads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read = 0
        self.client: Conversation = opened(TEXT)
        read = IncrementalAnalysis._read

        def counted(analysis: IncrementalAnalysis, block: Block, sliced: bool) -> None:
            self.read += 1
            read(analysis, block, sliced)

        monkeypatch.setattr(IncrementalAnalysis, "_read", counted)

    def insert(self, line: int, text: str) -> None:
        """Insert a text at the begin of a line."""
        change(self.client, 2, Range(line, 0, line, 0), text)

    def places(self, line: int, column: int) -> list[int]:
        """The lines on which the name at a place is, at once."""
        params: Any = {"textDocument": {"uri": URI}, "position": {"line": line, "character": column}}
        found = self.client.ask("textDocument/references", {**params, "context": {"includeDeclaration": True}})
        return [each["range"]["start"]["line"] for each in found]

    def finish(self) -> None:
        """Wait for the end of the analysis."""
        self.client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})


def line_of(function: int, line: int) -> int:
    """A line of a function."""
    return FIRST + function * LINES + line


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server that reads one block at a time, of four lines."""
    with chunk_sizes(SMALL_SIZES[1]), one_block_at_a_time():
        yield Counted(monkeypatch)


def test_a_register_above_a_comment_without_an_end(server: Counted) -> None:
    server.insert(line_of(9, 5), "/*\n")
    assert server.places(line_of(5, 3), 10) == [line_of(5, n) for n in (2, *range(3, 19))]
    early = server.read
    server.finish()
    assert server.read > early + 10 * early


def test_a_label_and_a_parameter_above_a_comment_without_an_end(server: Counted) -> None:
    server.insert(line_of(9, 5), "/*\n")
    assert server.places(line_of(5, 19), 1) == [line_of(5, 19), line_of(5, 22)]
    assert server.places(line_of(5, 20), 22) == [line_of(5, 0), line_of(5, 20)]
    early = server.read
    server.finish()
    assert server.read > early + 10 * early


def test_a_function_below_a_name_that_has_changed(server: Counted) -> None:
    change(server.client, 2, Range(4, 13, 4, 18), "another")
    last = FUNCTIONS - 1
    assert server.places(line_of(last, 3), 10) == [line_of(last, n) for n in (2, *range(3, 19))]
    assert server.places(line_of(last, 21), 23) == [3, line_of(last - 1, 21), line_of(last, 21)]
    early = server.read
    server.finish()
    assert server.read > early + FUNCTIONS // 2


def test_a_name_that_a_comment_without_an_end_hides(server: Counted) -> None:
    server.insert(line_of(9, 5), "/*\n")
    assert server.places(line_of(20, 4), 10) == []


def test_a_name_that_occurs_below_a_comment_without_an_end(server: Counted) -> None:
    server.insert(line_of(9, 5), "/*\n")
    assert server.places(4, 14) == [4, *(line_of(n, 21) for n in range(9))]


def test_a_function_of_which_a_block_has_not_been_read(server: Counted) -> None:
    text = (EXAMPLES / "mistakes" / "operands.ptx").read_text("utf-8")
    change(server.client, 2, Range(0, 0, line_of(FUNCTIONS, 0), 0), text)
    server.finish()
    change(server.client, 3, Range(11, 0, 11, 0), "tex.2d.v4.f32.f32 {a, b, c, %f1}, [gg, {%f1, %f2}];")
    early = server.places(10, 15)
    server.finish()
    assert early == server.places(10, 15)
    assert len(early) == 10


def test_a_function_that_has_been_read_while_the_text_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    with chunk_sizes(SMALL_SIZES[1]), one_block_at_a_time():
        server = Counted(monkeypatch)
        change(server.client, 2, Range(0, 0, line_of(FUNCTIONS, 0), 0), "")
        server.finish()
        server.read = 0
        server.insert(0, TEXT)
        assert server.places(line_of(0, 3), 10) == [line_of(0, n) for n in (2, *range(3, 19))]
        early = server.read
        server.finish()
        assert server.read > 5 * early


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_edits(seed: int) -> None:
    assert list(run_tries(example_files(), range(6), seed, with_failures(difference))) == []
