"""Statements that only a full compile refuses are reported however they are read, and after edits."""

import pytest

from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.incremental import disagreement

HEAD = """.version 8.6
.target sm_100a
.address_size 64
.global .b32 buffer[4];
.func (.param .b32 r) give() { st.param.b32 [r], 1; ret; }
.func take(.param .b32 a) { ret; }
.entry kernel(.param .u64 parameter)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    .reg .pred %p<9>;
    .param .b32 early;
"""
STATEMENTS = {
    "narrow-address": (
        "ld.global.u32 %r1, [%r2];",
        "st.u32 [%r2+4], %r1;",
        "cvta.to.global.u32 %r1, %r2;",
        "mov.u32 %r1, buffer;",
        "mbarrier.inval.b64 [%r2];",
        "@%p1 red.add.u32 [%r2], %r1;",
    ),
    "call-sequence": ("ld.param.b32 %r1, [early];", "ld.param.b32 %r1, [early+0];"),
}
CASES = [(code, statement) for code, statements in STATEMENTS.items() for statement in statements]
IDS = [statement for _, statement in CASES]


def codes(text: str) -> list[tuple[str, int]]:
    """The codes of the errors in a text, with their lines in it."""
    module = analysed(text)
    return [(f.code, f.range.line) for f in module.findings() if f.severity == 1]


def whole(body: str) -> str:
    """A module whose kernel has this text in its body."""
    return f"{HEAD}{body}\n    ret;\n}}\n"


FIRST = HEAD.count("\n")


@pytest.mark.parametrize(("code", "statement"), CASES, ids=IDS)
def test_one_line(code: str, statement: str) -> None:
    assert codes(whole(f"    {statement}")) == [(code, FIRST)]


@pytest.mark.parametrize(("code", "statement"), CASES, ids=IDS)
def test_two_lines(code: str, statement: str) -> None:
    first, _, rest = statement.rpartition(" ")
    (found,) = codes(whole(f"{first}\n  {rest}"))
    assert found[0] == code


@pytest.mark.parametrize(("code", "statement"), CASES, ids=IDS)
def test_each_of_many_lines(code: str, statement: str) -> None:
    many = [f"    {statement}"] * 5
    expected = [(code, FIRST + number) for number in range(5)]
    assert codes(whole("\n".join(many))) == expected
    assert codes(whole("\n".join(many))) == expected  # when all lines are remembered


@pytest.mark.parametrize(("code", "statement"), CASES, ids=IDS)
def test_after_an_edit(code: str, statement: str) -> None:
    module = analysed(whole("    add.u32 %r1, %r1, 1;\n" * 400 + "\n"))
    module.edit(Range(FIRST + 200, 0, FIRST + 201, 0), f"    {statement}\n")
    assert disagreement(module) is None
    assert (code, FIRST + 200) in [(f.code, f.range.line) for f in module.findings()]
    module.edit(Range(FIRST + 200, 0, FIRST + 201, 0), "")
    assert disagreement(module) is None
    assert code not in [f.code for f in module.findings()]


def test_a_load_beyond_a_parameter_is_reported_however_it_is_read() -> None:
    head = ".version 8.0\n.target sm_80\n.address_size 64\n"
    kernel = (
        ".entry {0}(.param .u32 {0}_param_0, .param .align 8 .b8 {0}_param_1[{1}])\n{{\n"
        "    .reg .b32 %r<9>;\n    .reg .b64 %rd<9>;\n"
        "    ld.param.u64 %rd1, [{0}_param_0];\n    ld.param.u32 %r1, [{0}_param_0+4];\n"
        "    ld.param.u32 %r2, [{0}_param_1+8];\n    ld.param.u32 %r3,\n      [{0}_param_1+8];\n"
        "    ld.param.u32 %q1, [{0}_param_0+4];\n    ret;\n}}\n"
    )
    text = head + kernel.format("a", 12) + kernel.format("b", 8) + kernel.format("c", 12)
    module = analysed(text)
    size = kernel.count("\n")
    wide = [3 + n * size + line for n, lines in enumerate(((4, 5, 9), (4, 5, 6, 8, 9), (4, 5, 9))) for line in lines]
    assert [f.range.line for f in module.findings() if f.code == "parameter-bounds"] == wide
    module.edit(Range(3, 0, 4, 0), kernel.format("a", 8).split("\n")[0] + "\n")
    assert disagreement(module) is None


def test_registers_and_groups_after_edits() -> None:
    head = ".version 9.0\n.target sm_100a\n.address_size 64\n"
    release = "    tcgen05.relinquish_alloc_permit.cta_group::{}.sync.aligned;\n"
    many = "    add.s32 %r1, %r1, 1;\n" * 600
    function = (
        ".func free()\n{\n    .reg .b32 %r<2>;\n    mov.b32 %r1, 0;\n" + many + release.format(1) + "    ret;\n}\n"
    )
    kernel = ".entry kernel()\n.maxnreg 168\n{\n" + release.format(2) + "    call free, ();\n    ret;\n}\n"
    text = head + function + kernel
    module = analysed(text)
    call = text[: text.index("    call free")].count("\n")

    def found() -> list[str]:
        assert disagreement(module) is None
        return [f.code for f in module.findings() if f.severity <= 2]

    assert found() == ["mixed-cta-group"]
    module.edit(Range(call, 0, call + 1, 0), "")
    assert found() == []
    module.edit(Range(call, 0, call, 0), "    call free, ();\n    setmaxnreg.dec.sync.aligned.u32 240;\n")
    assert sorted(found()) == ["mixed-cta-group", "register-count"]
    module.edit(Range(call - 2, 0, call - 2, 0), "")
    bounds = text[: text.index(".maxnreg")].count("\n")
    module.edit(Range(bounds, 0, bounds, len(".maxnreg 168")), ".maxnreg 255")
    assert found() == ["mixed-cta-group"]
    module.edit(Range(call - 1, 0, call - 1, 0), "// ")
    assert found() == []


def test_the_first_narrow_address_of_an_old_module_is_reported_once() -> None:
    head = ".version 1.4\n.target sm_13\n.entry kernel()\n{\n    .reg .u32 %r<9>;\n"
    loads = "    ld.global.u32 %r1, [%r2];\n" * 300
    module = analysed(f"{head}    mov.u32 %r2, 0;\n{loads}    exit;\n}}\n")
    assert [(f.code, f.range.line) for f in module.findings()] == [("address-size-32", 6)]
    module.edit(Range(6, 0, 7, 0), "")
    assert disagreement(module) is None
    module.edit(Range(4, 0, 4, 0), "    .reg .u64 %rd<3>;\n")
    assert disagreement(module) is None
    assert [(f.code, f.range.line) for f in module.findings() if f.severity == 2] == [("address-size-32", 7)]
