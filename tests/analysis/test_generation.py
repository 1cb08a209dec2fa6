"""The generation of a block: a cache of what a block holds can use the block and its generation as its key."""

from collections import Counter

import pytest

from ptx_lsp.analysis import incremental
from ptx_lsp.analysis.module import Module
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.reader import read as read_block
from ptx_lsp.reading.state import Below
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed
from tests.analysis.incremental import ask
from tests.analysis.random_edits import REQUESTS

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n.global .b32 first;\n"
KERNEL = ".visible .entry k{n}()\n{{\n\t.reg .b32 %r<9>;\n\t.reg .b64 %a<3>;\n{body}\tret;\n}}\n"
BODY = "".join(f"\tadd.s32 %r{n % 8}, %r{(n + 1) % 8}, {n};\n" for n in range(300))
TEXT = HEAD + KERNEL.format(n=1, body=BODY) + KERNEL.format(n=2, body=BODY + "\tmov.u64 %a1, first;\n")


def generations(module: Module) -> dict[Block, int]:
    """The generation of each block."""
    return {block: block.generation for block in module.block_map.blocks}


def count_reads(monkeypatch: pytest.MonkeyPatch) -> Counter[Block]:
    """Count from now on how often each block is read."""
    reads: Counter[Block] = Counter()

    def counted(reader: BlockReader, below: Below) -> None:
        reads[reader.block] += 1
        read_block(reader, below)

    monkeypatch.setattr(incremental, "read", counted)
    return reads


@pytest.mark.parametrize(
    ("range_", "text"),
    [
        (Range(20, 5, 20, 5), "x"),
        (Range(3, 12, 3, 17), "second"),
        (Range(5, 0, 5, 1), ""),
        (Range(0, 0, 200, 0), ""),
        (Range(400, 0, 400, 0), ".visible .entry k3()\n{\n"),
    ],
)
def test_it_grows_by_one_whenever_the_block_is_read(range_: Range, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = analysed(TEXT)
    before = generations(module)
    reads = count_reads(monkeypatch)
    module.edit(range_, text)
    module.work()
    after = generations(module)
    assert reads
    assert {block: after[block] - before.get(block, 0) for block in after} == {block: reads[block] for block in after}


def test_an_edit_in_a_body_changes_the_generation_of_its_block_only() -> None:
    module = Module(TEXT)
    assert module.work(600.0)  # in blocks of the size that a server reads
    module.edit(Range(20, 5, 20, 5), "x")  # the first edit divides the text into smaller blocks
    while not module.work(600.0):
        pass
    before = generations(module)
    module.edit(Range(20, 5, 20, 6), "y")
    module.work(600.0)
    edited = module.block_map.at_line(20)
    assert generations(module) == {**before, edited: before[edited] + 1}


def test_a_new_meaning_of_a_name_changes_the_generation_of_a_block_that_mentions_it() -> None:
    module = analysed(TEXT)
    last = module.block_map.at_line(TEXT.count("\n", 0, TEXT.index(", first")))
    before = last.generation
    module.edit(Range(3, 8, 3, 11), "b64")
    module.work()
    assert last.generation == before + 1


@pytest.mark.parametrize("request_", REQUESTS)
def test_a_request_changes_no_generation(request_: str) -> None:
    module = analysed(TEXT)
    before = generations(module)
    ask(module, request_, 20)
    module.context_at(Position(20, 3))
    assert generations(module) == before
