"""What executing an instruction reads and writes: against a table written by hand from the manual, and the counts."""

from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.reading.statement_context import statements_of
from ptx_lsp.semantics.execution import ExecutionEffect, Role, accesses, execution_effect
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text.kept_lines import KeptText
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.features.modules import REGISTERS

EXAMPLES = sorted(Path(__file__).parents[2].joinpath("examples").rglob("*.ptx"))
FRAME = (
    """.version 9.4
.target sm_90a
.address_size 64
.global .align 8 .b8 g[64];
.shared .b64 bar;
.func (.param .b32 out) callee(.param .b32 in) {{ ret; }}
.visible .entry k(.param .u64 input)
{{
"""
    + REGISTERS
    + """\t.param .b32 a, b;
START:
list: .branchtargets START, END;
\t{statement}
END:
\tret;
}}
"""
)

# statement | registers read | registers written
TABLE = """
add.s32 %r1, %r2, 7;                                    | r2       | r1
mad.lo.s32 %r1, %r1, %r2, %r3;                          | r1 r2 r3 | r1
@!%p1 mov.b32 %r1, %r2;                                 | p1 r2    | r1
setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;                | r1 r2 p3 | p1 p2
ld.global.v2.f32 {%f1, %f2}, [%rd1+8];                  | rd1      | f1 f2
st.global.v2.f32 [%rd1+8], {%f1, %f2};                  | rd1 f1 f2 |
atom.global.cas.b32 %r1, [%rd1], %r2, %r3;              | rd1 r2 r3 | r1
red.global.add.u32 [%rd1], %r2;                         | rd1 r2   |
shfl.sync.down.b32 %r1|%p1, %r2, %r3, 31, -1;           | r2 r3    | r1 p1
mov.b64 {%r1, %r2}, %rd1;                               | rd1      | r1 r2
mov.b64 %rd1, {%r1, %r2};                               | r1 r2    | rd1
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4}; \
    | r1 r2 r3 r4 r5 r6 f1 f2 f3 f4 | f1 f2 f3 f4
wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f1,%f2,%f3,%f4}, %rd1, %rd2, %p1, 1, 1; \
    | f1 f2 f3 f4 rd1 rd2 p1 | f1 f2 f3 f4
mbarrier.try_wait.parity.shared.b64 %p1, [bar], %r1;    | r1       | p1
bra.uni END;                                            |          |
@%p1 bra END;                                           | p1       |
brx.idx %r1, list;                                      | r1       |
call (a), callee, (b);                                  |          |
call (%r1), %rd1, (%r2), list;                          | rd1 r2   | r1
ret;                                                    |          |
frob.b32 %r1, %r2;                                      | r1 r2    | r1 r2
"""
ROWS = [tuple(map(str.strip, row.split("|"))) for row in TABLE.replace("%p1|%p2", "%p1¦%p2")
        .replace("%r1|%p1", "%r1¦%p1").strip().splitlines()]  # fmt: skip


def instructions(module: Module) -> list[ExecutionEffect]:
    """The effects of all instructions of a module."""
    everything = Range(0, 0, module.document.line_count, 0)
    return [
        execution_effect(context.statement, context.surroundings)
        for context in module.statements(everything)
        if isinstance(context.statement, Instruction)
    ]


def effect(statement: str) -> ExecutionEffect:
    """The effect of one statement in the frame, between the `ret` of `callee` and that of `k`."""
    found = instructions(analysed(FRAME.format(statement=statement)))
    assert len(found) == 3
    return found[1]


@pytest.mark.parametrize(("statement", "reads", "writes"), ROWS, ids=[row[0] for row in ROWS])
def test_registers_read_and_written(statement: str, reads: str, writes: str) -> None:
    found = effect(statement.replace("¦", "|"))
    assert sorted(found.reads) == sorted(f"%{name}" for name in reads.split())
    assert sorted(found.writes) == sorted(f"%{name}" for name in writes.split())
    assert found.known == (not statement.startswith("frob"))


@pytest.mark.parametrize(
    ("statement", "targets", "callee", "continues"),
    [
        ("bra.uni END;", ("END",), "", False),
        ("@%p1 bra END;", ("END",), "", True),
        ("@!%p1 bra NOWHERE;", ("NOWHERE",), "", True),
        ("brx.idx %r1, list;", ("START", "END"), "", False),
        ("call (a), callee, (b);", (), "callee", True),
        ("call callee, (b);", (), "callee", True),
        ("call (%r1), %rd1, (%r2), list;", (), "%rd1", True),
        ("ret;", (), "", False),
        ("exit;", (), "", False),
        ("trap;", (), "", False),
        ("@%p1 exit;", (), "", True),
        ("bar.sync 0;", (), "", True),
    ],
)
def test_where_execution_continues(statement: str, targets: tuple[str, ...], callee: str, continues: bool) -> None:
    found = effect(statement)
    assert (found.targets, found.callee, found.continues) == (targets, callee, continues)


def test_the_guard_is_read_and_says_whether_it_is_negated() -> None:
    found = effect("@!%p1 mov.b32 %r1, %r2;")
    assert (found.opcode, found.guard, found.negated) == ("mov.b32", "%p1", True)
    assert effect("mov.b32 %r1, %r2;").guard == ""


@pytest.mark.parametrize(
    ("statement", "roles"),
    [
        ("ld.global.b32 %r1, [g+4];", {"%r1": Role.WRITE, "g": Role.READ}),
        ("st.global.b32 [g], %r1;", {"%r1": Role.READ, "g": Role.WRITE}),
        ("atom.global.add.u32 %r1, [g], %r2;", {"%r1": Role.WRITE, "g": Role.BOTH, "%r2": Role.READ}),
        ("mov.u64 %rd1, g;", {"%rd1": Role.WRITE, "g": Role.ADDRESS}),
        ("mov.u64 %rd1, callee;", {"%rd1": Role.WRITE, "callee": Role.ADDRESS}),
        ("ld.global.b32 %r1, [%rd1];", {"%r1": Role.WRITE, "%rd1": Role.ADDRESS}),
        ("call (a), callee, (b);", {"a": Role.WRITE, "callee": Role.READ, "b": Role.READ}),
        ("ld.param.u64 %rd1, [input];", {"%rd1": Role.WRITE, "input": Role.READ}),
        ("@%p1 bra START;", {"%p1": Role.READ, "START": Role.READ}),
        ("add.s32 %r1, %tid.x, %nowhere;", {"%r1": Role.WRITE}),
    ],
)
def test_the_role_of_each_name(statement: str, roles: dict[str, Role]) -> None:
    module = analysed(FRAME.format(statement=statement))
    context = next(module.statements(Range(17, 0, 17, 1)))
    assert isinstance(context.statement, Instruction)
    found = accesses(context.statement, context.surroundings)
    assert {access.name.text: access.role for access in found} == roles


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_the_effects_agree_with_the_usage_counts(path: Path) -> None:
    check_against_usage(analysed(path.read_text()))


def check_against_usage(module: Module) -> int:
    """Compare the effects of each block with what reading it has counted. Returns the number of names compared."""
    compared = 0
    whole_text = Range(0, 0, module.document.line_count, 0)
    blocks = module.block_map.blocks
    for block in blocks:
        read: set[str] = set()
        written: set[str] = set()
        for context in statements_of(block, KeptText(module.block_map.text(block)), whole_text):
            assert context is not None, "the range is the whole text"
            statement, surroundings = context.statement, context.surroundings
            if isinstance(statement, Instruction) and surroundings.function is not None:
                verdict = context.verdict
                found = execution_effect(statement, surroundings)
                read.update(found.reads)
                # the counts take every name of a call, and of a statement with a complaint, for written
                everything = verdict is None or verdict.complaints
                written.update((*found.reads, *found.writes) if everything else found.writes)
        counted_written = {name for part in block.parts for name in part.written.split()}
        counted_read = {name for part in block.parts for name in part.read.split()}
        registers = read | written
        assert (counted_written & registers) - written == set(), block.line
        assert written - counted_written == set(), block.line
        assert (counted_read & registers) - read == set(), block.line
        assert read - written - counted_read == set(), block.line
        compared += len(registers)
    return compared
