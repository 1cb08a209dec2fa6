"""The references of the symbol under the cursor; every name of whole files is counted in `tests/occurrences/`."""

import re

import pytest

from ptx_lsp.features.references import references
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed
from tests.analysis.random_edits import SIZES, SMALL_SIZES, Sizes, chunk_sizes
from tests.calls import calls_of
from tests.features.modules import in_body, marked, shown

HEAD = ".version 9.4\n.target sm_90\n"


def found(text: str, declarations: bool = True) -> list[str]:
    """The lines of the references of the name at `¦`, with the name in `«»`."""
    module, position = marked(text)
    ranges: list[Range] = [range_ for some in references(module, position, declarations) for range_ in some]
    assert ranges == sorted(ranges)
    return shown(module, ranges)


def test_a_member_has_its_uses_and_the_declaration_of_its_family() -> None:
    text = in_body("\tadd.s32 %r1, ¦%r2, %r22;\n\tmov.b32 %r2, %r1; // %r2\n\t@%p1 st.b32 [%r2], %r1;\n")
    assert found(text) == [
        ".reg .b32 «%r»<9>;",
        "add.s32 %r1, «%r2», %r22;",
        "mov.b32 «%r2», %r1; // %r2",
        "@%p1 st.b32 [«%r2»], %r1;",
    ]
    assert found(text, declarations=False) == found(text)[1:]


def test_a_family_has_the_references_of_all_members() -> None:
    text = in_body("\tadd.s32 %r1, %r22, %rd2;\n\t{ .reg .b32 %r<2>; mov.b32 %r1, %r5; }\n").replace("%r<", "¦%r<", 1)
    assert found(text) == [
        ".reg .b32 «%r»<9>;",
        "add.s32 «%r1», %r22, %rd2;",
        "{ .reg .b32 %r<2>; mov.b32 %r1, «%r5»; }",
    ]


def test_a_label_has_the_references_in_its_own_scope() -> None:
    text = in_body("L:\tbra ¦L;\n\t{\nL:\tbra L;\n\t}\n\t@%p1 bra L;\nT: .branchtargets L;\n")
    assert found(text) == ["«L»:\tbra L;", "L:\tbra «L»;", "@%p1 bra «L»;", "T: .branchtargets «L»;"]


def test_a_function_has_its_declarations_calls_and_addresses() -> None:
    text = f"""{HEAD}.func twice(.param .b32 x);
.global .u64 table[1] = {{twice}};
.func k()
{{
\t.reg .b64 %rd<2>;
\tcall ¦twice, (1);
\tmov.u64 %rd1, twice;
T: .calltargets twice;
}}
.func twice(.param .b32 twice)
{{
\t.reg .b32 %r<2>;
\tld.param.b32 %r1, [twice];
}}
"""
    assert found(text) == [
        ".func «twice»(.param .b32 x);",
        ".global .u64 table[1] = {«twice»};",
        "call «twice», (1);",
        "mov.u64 %rd1, «twice»;",
        "T: .calltargets «twice»;",
        ".func «twice»(.param .b32 twice)",
    ]
    assert found(text, declarations=False) == found(text)[1:-1]


def test_a_parameter_and_a_variable_of_one_name_have_their_own_references() -> None:
    text = f"""{HEAD}.global .b32 x;
.func f(.param .b32 x)
{{
\t.reg .b32 %r<2>;
\tld.param.b32 %r1, [¦x];
}}
.func g()
{{
\t.reg .b32 %r<2>;
\tld.global.b32 %r1, [x+4];
\t{{ .shared .b32 x; st.shared.b32 [x], %r1; }}
}}
"""
    assert found(text) == [".func f(.param .b32 «x»)", "ld.param.b32 %r1, [«x»];"]
    of_variable = text.replace("¦", "").replace("[x+4]", "[¦x+4]")
    assert found(of_variable) == [".global .b32 «x»;", "ld.global.b32 %r1, [«x»+4];"]
    of_inner = text.replace("¦", "").replace("[x], %r1", "[¦x], %r1")
    assert found(of_inner) == [
        "{ .shared .b32 «x»; st.shared.b32 [x], %r1; }",
        "{ .shared .b32 x; st.shared.b32 [«x»], %r1; }",
    ]


def test_a_name_that_is_also_an_opcode_a_type_or_in_a_string() -> None:
    text = in_body('\t.reg .b32 add, x;\n\tadd.s32 add, x, add;\n\t.pragma "x add";\n\tmov.v2.b32 ¦x, x; // x\n')
    assert found(text) == [
        ".reg .b32 add, «x»;",
        "add.s32 add, «x», add;",
        "mov.v2.b32 «x», x; // x",
        "mov.v2.b32 x, «x»; // x",
    ]


def test_a_name_above_its_declaration_is_no_reference() -> None:
    text = in_body("\tmov.b32 late, 1;\n\t.reg .b32 late;\n\tmov.b32 ¦late, 2;\n")
    assert found(text) == [".reg .b32 «late»;", "mov.b32 «late», 2;"]


@pytest.mark.parametrize("statement", ["mov.u32 %r1, ¦%tid.x;", "add.s32 %r1, ¦%unknown, 1;", "a¦dd.s32 %r1, %r1, 1;"])
def test_special_registers_unknown_names_and_opcodes_have_no_references(statement: str) -> None:
    assert found(in_body(f"\t{statement}\n")) == []


def test_labels_in_debug_data() -> None:
    text = in_body("$L__tmp0:\n\tret;\n$L__tmp1:") + ".section .debug_info\n{\n.b8 1\n.b32 ¦$L__tmp1-$L__tmp0\n}\n"
    assert found(text) == ["«$L__tmp1»:", ".b32 «$L__tmp1»-$L__tmp0"]


DATA = ".section .debug_info\n{\n$L__info0:\n.b8 1\n.b64 kernel_param\n.b64 depot\n.b64 counter\n.b32 $L__info0\n}\n"
"""Rows of debug data as nvcc -G writes them, which name a parameter, variables and a label of a section."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kernel_param", [".param .b64 «kernel_param»", "ld.param.b64 %rd1, [«kernel_param»];", ".b64 «kernel_param»"]),
        ("depot", [".local .align 4 .b8 «depot»[8];", "mov.b64 %rd2, «depot»;", ".b64 «depot»"]),
        ("counter", [".global .b32 «counter»;", ".b64 «counter»"]),
        ("$L__info0", ["«$L__info0»:", ".b32 «$L__info0»"]),
    ],
)
def test_parameters_variables_and_labels_of_sections_in_debug_data(name: str, expected: list[str]) -> None:
    """From every place that names them, the rows of debug data among them."""
    text = (
        ".version 9.0\n.target sm_90, debug\n.address_size 64\n.global .b32 counter;\n.entry kernel(\n"
        "\t.param .b64 kernel_param\n)\n{\n\t.local .align 4 .b8 depot[8];\n\t.reg .b64 %rd<3>;\n"
        "\tld.param.b64 %rd1, [kernel_param];\n\tmov.b64 %rd2, depot;\n\tret;\n}\n" + DATA
    )
    places = [each.start() for each in re.finditer(re.escape(name), text)]
    assert len(places) == len(expected)
    for place in places:
        assert found(f"{text[:place]}¦{text[place:]}") == expected


def test_a_call_above_the_first_declaration_is_a_reference() -> None:
    text = in_body("\t{ .reg .b32 later; mov.b32 later, 1; }\n\tcall later;\n") + ".extern .func ¦later;\n"
    assert found(text) == ["call «later»;", ".extern .func «later»;"]
    assert found(text.replace("¦", "").replace("call ", "call ¦")) == found(text)


@pytest.mark.parametrize("line", [3, 8, 20])
def test_a_declaration_in_a_wrong_place_is_no_reference_after_an_edit(line: int) -> None:
    shared = ".common .global .align 8 .u64 g;\n"
    text = HEAD + shared + ".entry k()\n{\n" + "\tret;\n" * 9 + shared + "\tret;\n" * 9 + "}\n"
    module = analysed(text)
    for range_, new in ((Range(line, 0, line, 0), "z"), (Range(line, 0, line, 1), "")):
        module.edit(range_, new)
        module.work()
    found = [range_ for some in references(module, Position(2, 30), True) for range_ in some]
    assert found == [Range(2, 30, 2, 31)]


@pytest.mark.parametrize("declaration", ["x", "x<2>"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_what_the_last_line_declares_is_found_with_and_without_a_line_end(declaration: str, end: str) -> None:
    name = "x1" if "<" in declaration else "x"
    text = f"{HEAD}.entry k() {{ .reg .b32 {declaration}; mov.b32 ¦{name}, 1; st.shared.b32 [0], {name}; }}{end}"
    assert len(found(text)) == 3
    assert len(found(text, declarations=False)) == 2


@pytest.mark.parametrize("end", ["", "*/ mov.b32 %r1, 3;\n"])
def test_a_name_in_a_comment_that_begins_in_a_block_above_is_no_reference(end: str) -> None:
    commented = "\tadd.s32 %r1, %r1, 1;\n" * 600
    module, position = marked(in_body(f"mov.b32 %¦r1, 1; /*\n{commented}{end}"))
    lines = [range_.line - position.line for run in references(module, position, declarations=False) for range_ in run]
    assert lines == ([0, 601] if end else [0])


@pytest.mark.parametrize("name", ["p", "p1"])
def test_a_name_that_a_block_far_below_declares_again_between_braces_is_no_reference(name: str) -> None:
    inner = f"\t{{\n\t.reg .pred {name};\n\tsetp.eq.s32 {name}, %r1, 0;\n\t}}\n"
    far = "\tadd.s32 %r1, %r1, 1;\n" * 400
    text = in_body(f"\t.reg .pred {name};\n\tsetp.eq.s32 ¦{name}, %r1, 1;\n{far}{inner}\t@{name} ret;\n")
    assert found(text) == [f".reg .pred «{name}»;", f"setp.eq.s32 «{name}», %r1, 1;", f"@«{name}» ret;"]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        # a mistake does not make one name of two
        (
            "\tadd.s32 %r1, ¦%r2, 1;\nMORE\tadd.s32 %r2%r3, %r4, 1;\n",
            [".reg .b32 «%r»<9>;", "add.s32 %r1, «%r2», 1;", "add.s32 «%r2»%r3, %r4, 1;"],
        ),
        # the operand of a branch is a label, whatever else has its name
        (
            "\t.reg .b32 ¦away;\nMORE\tbra away;\n\tmov.b32 away, 1;\n",
            [".reg .b32 «away»;", "mov.b32 «away», 1;"],
        ),
        # a section ends a function, and what is wrong in it sees the names of the function
        (
            "\tadd.s32 %r1, ¦%r2, 1;\nMORE.section .debug_line\n{\nx:\n\tadd.s32 %r1, %r2, 2;\n}\n",
            [".reg .b32 «%r»<9>;", "add.s32 %r1, «%r2», 1;", "add.s32 %r1, «%r2», 2;"],
        ),
    ],
)
@pytest.mark.parametrize("sizes", [SIZES, SMALL_SIZES[1]])
def test_mistakes_far_below_have_the_same_references_as_near_ones(body: str, wanted: list[str], sizes: Sizes) -> None:
    with chunk_sizes(sizes):
        assert found(in_body(body.replace("MORE", "\tbar.sync 0;\n" * 400))) == wanted


def test_the_other_functions_of_a_block_are_not_read() -> None:
    line = "\tadd.s32 %r1, %r1, %r2;\n"
    names = ("first", *(f"other{number}" for number in range(6)))
    functions = [f".func {name}()\n{{\n\t.reg .b32 %r<3>;\n{line * 20}\tret;\n}}\n" for name in names]
    module, alone = analysed(HEAD + "".join(functions)), analysed(HEAD + functions[0])
    position = Position(5, 11)
    assert len(module.block_map.blocks) == 1
    ranges = [range_ for some in references(module, position, True) for range_ in some]
    assert len(ranges) == 41
    assert [range_ for some in references(alone, position, True) for range_ in some] == ranges
    calls = calls_of(lambda: list(references(module, position, True)))
    assert calls < 2 * calls_of(lambda: list(references(alone, position, True)))
