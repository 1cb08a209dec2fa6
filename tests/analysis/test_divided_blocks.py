"""An edit in a long block reads a few lines, and the results that its pieces have then are those of their reading."""

from collections.abc import Callable

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.memo import forget_all
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import Below
from ptx_lsp.text.ranges import Range
from tests.analysis.random_edits import SIZES, SMALL_SIZES, chunk_sizes

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.func (.param .b32 out) outside(.param .b32 in) { ret; }\n"
CALL = """	{ // the variables of a call
	.param .b32 in;
	st.param.b32 [in], %r1;
	.param .b32 out;
	call (out), outside, (in);
	ld.param.b32 %r2, [out];
	} // the end
"""
STEP = """	add.s32 %r1, %r1, 1;
	st.shared.v2.b32 [%rd1], {{%r1, %r2}};
	setp.eq.s32 %p1, %r1, {0};
	@%p1 bra $L{0};
	mov.b32 %r2,
		%r1;
	.reg .b32 %more{0};
	mov.b32 %more{0}, %r1;
$L{0}:
"""
FUNCTION = """.visible .entry {0}()
{{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<2>;
	mov.b32 %r1, 0;
	mov.b64 %rd1, 0;
{1}	ret;
}}
"""
LONG = "".join((CALL if number % 3 == 0 else "") + STEP.format(number) for number in range(60))
SHORT = "".join(STEP.format(number) for number in range(3))
TEXT = HEAD + "".join(
    FUNCTION.format(name, body)
    for name, body in [("first", SHORT), ("second", SHORT + CALL), ("long", LONG), ("third", SHORT), ("last", SHORT)]
)
LINES = TEXT.split("\n")
EDITED = range(5, len(LINES) - 1)


def opened() -> Module:
    """The module, read in blocks that are as long as those of a text without edits."""
    module = Module(TEXT)
    assert module.work()
    assert module.findings() == []
    return module


def names(block: Block) -> tuple[object, ...]:
    """What a block has that is shared, as text."""
    parts = [
        (
            *(part.body.symbol.name, part.start, part.stop, part.ends),
            sorted((label.name, label.mark.resolved()) for label in part.labels),
            sorted((use.name, use.mark.resolved()) for use in part.label_uses),
        )
        for part in block.parts
    ]
    declared = {(one.symbol.name, one.symbol.mark.resolved()) for one in block.declared}
    assert block.entry is not None
    assert block.exit is not None
    ends = [(len(state.scopes), state.after_end, state.header) for state in (block.entry, block.exit)]
    return block.line, block.lines, parts, declared, ends


@pytest.mark.parametrize("first", range(5))
def test_the_pieces_have_what_their_reading_gives(first: int) -> None:
    divided = 0
    for line in EDITED[first::5]:
        with chunk_sizes(SIZES):
            module = opened()
            analysis = module._analysis
            before = len(module.block_map.blocks)
            column = len(LINES[line])
            module.edit(Range(line, column, line, column), " ")
            assert analysis.settle(None, None)
            divided += len(module.block_map.blocks) - before > 1
            shared = [names(block) for block in module.block_map.blocks]
            assert module.work()
            assert not analysis.reaches_far, line
            assert [names(block) for block in module.block_map.blocks] == shared, line
            assert module.findings() == []
    assert divided > len(EDITED) // 10


def reading(lengths: list[int]) -> Callable[[BlockReader, Below], None]:
    """The reading of a block, which adds the number of its lines to `lengths`."""

    def counted(reader: BlockReader, below: Below) -> None:
        lengths.append(reader.source.text.count("\n"))
        read(reader, below)

    return counted


def test_few_lines_are_read_before_a_mistake_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    module = opened()
    line = next(number for number in range(len(LINES) // 2, len(LINES)) if "add.s32" in LINES[number])
    block = module.block_map.at_line(line)
    assert block.lines > 100
    lengths: list[int] = []
    monkeypatch.setattr("ptx_lsp.analysis.incremental.read", reading(lengths))
    module.edit(Range(line, 4, line, 4), "x")
    while not module.has_news and not module.settled:
        module.work(0.0)
    assert [finding.code for finding in module.findings()] == ["unknown-opcode"]
    assert 0 < sum(lengths) < 30


def test_a_piece_is_divided_again_before_it_is_read_again() -> None:
    bodies = [STEP.format(1) + "\tadd.s32 %r1, %r1, 2;\n" * number for number in range(1, 13)]  # not known functions
    single = "".join(f"\t.reg .b32 %single{number};\n" for number in range(12))
    text = HEAD + "".join(FUNCTION.format(f"f{number}", single + body) for number, body in enumerate(bodies))
    lines = text.split("\n")
    for below in range(150, 230):
        with chunk_sizes(SMALL_SIZES[0]._replace(lines=64, characters=4096)):
            forget_all()
            module = Module(text)
            assert module.work()
            for line in (140, below):
                module.edit(Range(line, len(lines[line]), line, len(lines[line])), " ")
                assert module._analysis.settle(None, None)
                assert module.findings() == [], below
            assert module.work()
            assert module.findings() == [], below
