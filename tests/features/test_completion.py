"""Completion: what is offered at a cursor, and in which order. Expected words are those of the PTX ISA."""

import pytest

from ptx_lsp.candidates.completion_items import ItemKind
from ptx_lsp.explanations.description import Link
from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.features.completion import completion
from ptx_lsp.features.completion_resolve import explain
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed
from tests.features.completed import found_in, items, labels, labels_in
from tests.features.modules import in_body, marked


def test_opcodes_that_begin_with_the_word_and_the_usual_ones_first() -> None:
    found = items("ld¦")
    assert [item.label for item in found if not item.snippet] == ["ld", "ldmatrix", "ldu"]
    assert [item.snippet for item in found] == sorted(item.snippet for item in found)
    assert labels("@%p1 br¦")[0] == "bra"
    assert {"setp", "selp", "set"} <= set(labels("se¦"))


def test_operands_of_a_fitting_type_come_first_and_those_written_last() -> None:
    found = labels("mov.b32 %r5, 1;\n\tmov.f32 %f7, 0f00000000;\n\tadd.f32 %f8, ¦")
    assert found[0] == "%f7"
    assert found.index("%f7") < found.index("%r5")
    assert labels("mov.b32 %r5, 1;\n\tmov.b32 %r6, 2;\n\tadd.s32 %r7, %¦")[:2] == ["%r6", "%r5"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("tex.2d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%f1, %f¦", "%f2"),  # without the sampler, which is optional
        ("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f¦", "%f4"),  # in the first half of a pair
        ("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p¦, [%rd1, {%f1, %f2}];", "%p1"),
        ("tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r¦", "%r1"),
        ("tld4.g.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f¦", "%f1"),
        ("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r¦", "%r2"),
    ],
)
def test_parts_of_operands_after_and_before_optional_ones(statement: str, expected: str) -> None:
    """ptxas takes these addresses: ISA, texture instructions, `tex` and `cp.async.bulk.tensor`."""
    assert expected in labels(statement)[:20]


def test_a_register_that_is_a_vector_comes_first_where_a_vector_is_needed() -> None:
    """ptxas takes `st.v4.f32 [%rd1], %q;` and refuses `st.v4.f32 [%rd1], %f1;`."""
    declared = ".reg .v4 .f32 %q; .reg .v2 .f32 %z;\n\tmov.f32 %f1, %f2;\n\t"
    assert labels(declared + "st.v4.f32 [%rd1], ¦")[0] == "%q"
    assert labels(declared + "ld.v2.f32 ¦")[0] == "%z"
    assert "%q" not in labels(declared + "st.v4.f32 [%rd1], {¦")[:5]


def test_a_whole_vector_is_offered_where_one_is_needed() -> None:
    """Sizes: ISA, `ld`, `st` and the fragments of `mma.m16n8k16`."""
    assert labels("ld.global.v4.f32 ¦")[0] == "{%f0, %f1, %f2, %f3}"
    assert labels("ld.global.v4.f32 {%f5, %f6, %f7, %f8}, [%rd1];\n\tst.global.v4.f32 [%rd1], ¦")[0] == (
        "{%f5, %f6, %f7, %f8}"
    )
    mma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    assert labels(f"{mma} {{%f1, %f2, %f3, %f4}}, {{%r1, %r2, %r3, %r4}}, ¦")[0][0] == "%"
    load = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r6, %r7}, [%r1];\n\t"
    assert labels(f"{load}{mma} {{%f1, %f2, %f3, %f4}}, {{%r1, %r2, %r3, %r4}}, ¦")[0] == "{%r6, %r7}"
    assert labels("add.f32 ¦")[0][0] == "%"


def test_parameters_that_are_as_wide_as_what_is_loaded_come_first() -> None:
    head = ".version 9.4\n.target sm_90\n.address_size 64\n.entry k(.param .f32 a, .param .u64 b, .param .u32 c)\n{\n"
    found = found_in(head + "\t.reg .b64 %d<4>; .reg .b32 %r<4>;\n\tld.param.u64 %d1, [¦\n}\n")
    assert found is not None
    assert [item.label for item in found.items[:3]] == ["b", "a", "c"]


def test_braces_around_one_value() -> None:
    """ptxas takes `ld.global.b32 {%r2}, [%rd1];`."""
    assert labels("mov.b32 %r1, 1;\n\tld.global.b32 {¦")[0] == "%r2"
    assert labels("mov.b32 %r1, 1;\n\tst.global.b32 [%rd1], {%¦")[0] == "%r1"


def test_functions_are_operands_where_their_addresses_fit() -> None:
    assert "callee" in labels("mov.u64 %rd1, ¦")
    assert "callee" not in labels("add.s32 %r1, %r2, ¦")


def test_arguments_and_results_of_a_call_have_the_size_of_the_parameter() -> None:
    assert labels("call (%r1), callee, (¦")[0].startswith("%rd")
    assert labels("call (%r1), callee, (%rd1, ¦")[0].startswith("%r")
    assert not labels("call (%r1), callee, (%rd1, ¦")[0].startswith("%rd")
    assert not labels("call (¦")[0].startswith("%p")


def test_a_label_that_is_being_typed_is_not_offered() -> None:
    assert labels("near:\n\tbra.uni ne¦") == ["near"]
    assert labels("near:\n\tbra ¦")[:1] == ["near"]
    assert labels("bra later;\n\tbra la¦") == ["later"]


def test_an_instruction_on_a_new_line_begins_a_statement_after_brackets_that_are_not_closed() -> None:
    assert labels("garbage (((\n\tadd.s32 %r1, %r¦")[0].startswith("%r")
    assert labels("ld.global.b32 %r1, [%rd1\n\tadd.¦")[0] == labels("add.¦")[0]


def test_a_result_is_a_register_that_is_not_used_yet() -> None:
    assert labels("mov.b32 %r1, 1;\n\tadd.s32 ¦")[0] == "%r2"


def test_members_of_a_family_by_their_digits() -> None:
    found = found_in(in_body("add.f32 %f1, %f2, %f4¦"))
    assert found is not None
    assert found.incomplete
    assert {f"%f4{digit}" for digit in ["", *range(10)]} <= {item.label for item in found.items}
    assert "%f99" not in {item.label for item in found_in(in_body("add.f32 %f1, %f2, %f9¦")).items}  # type: ignore[union-attr]


def test_the_parameters_of_a_function_are_read_and_its_results_written() -> None:
    head = ".version 9.4\n.target sm_90\n.address_size 64\n"
    head += ".func (.reg .b32 out) f(.reg .b32 first, .reg .b32 second)\n{\n\t.reg .b32 %r<9>;\n\t"
    read, written = found_in(head + "add.s32 %r1, ¦\n}\n"), found_in(head + "add.s32 ¦\n}\n")
    assert read is not None
    assert written is not None
    assert [item.label for item in read.items[:2]] == ["first", "second"]
    assert written.items[0].label == "out"


def test_the_predicates_of_a_guard() -> None:
    found = labels("setp.eq.s32 %p3, %r1, 0;\n\t@¦")
    assert found[0] == "%p3"
    assert set(found) <= {f"%p{number}" for number in range(9)}
    assert labels("setp.eq.s32 %p3, %r1, 0;\n\t@!%¦")[0] == "%p3"


def test_addresses_have_names_of_their_space_and_long_registers() -> None:
    assert labels("ld.param.u64 %rd1, [¦")[0] == "input"
    assert labels("ld.global.b32 %r1, [¦")[:1] == ["counter"]
    assert "tile" in labels("ld.shared.b32 %r1, [¦")
    assert "tile" not in labels("ld.global.b32 %r1, [¦")
    assert labels("ld.global.b32 %r1, [%¦")[0].startswith("%rd")
    assert labels("ld.global.b32 %r1, ¦")[0] == "[counter]"


@pytest.mark.parametrize("hiding", [".reg .b32 counter;", ".reg .b64 counter, other;", ".reg .b32 count<2>, counter;"])
def test_a_variable_that_a_register_hides_is_not_offered(hiding: str) -> None:
    assert "counter" in labels("ld.global.u32 %r1, [¦];")
    for statement in ("ld.global.u32 %r1, [¦];", "mov.u64 %rd1, cou¦;"):
        found = items(f"{{\n\t{hiding}\n\t{statement}\n\t}}")
        assert [item for item in found if item.label == "counter" and item.detail.startswith(".global")] == []


def test_missing_labels_and_labels_without_a_branch_are_offered() -> None:
    assert labels("near:\n\tmov.b32 %r1, 1;\n\tbra ¦\nother:\n\tbra near;")[0] == "other"
    assert labels("bra later;\n¦")[0] == "later"
    assert labels("$L1:\n\tret;\n$L¦") == ["$L2"]


def test_a_far_label_is_offered_early_if_a_branch_nearby_goes_to_it_or_to_the_one_beside_it() -> None:
    blocks = "".join(f"$B{number}:\n\tbra $B{number};\n" for number in range(60))
    offered = labels(f"bra $B50;\n\tbra ¦\n{blocks}")
    assert offered.index("$B0") < 4
    assert offered.index("$B50") < 4
    assert offered.index("$B51") < 4
    assert offered.index("$B49") < 20 < offered.index("$B30")


def test_the_last_label_of_a_function_is_among_the_first() -> None:
    between = "".join(f"L{n}:\tadd.s32 %r1, %r1, 1;\n\t@%p1 bra L{n + 1};\n" for n in range(60))
    branches = "".join(f"\t@%p1 bra {name};\n" for name in ("L9", "L19", "L29", "L39", "L49", "L59", "END"))
    found = labels(f"\tbra ¦;\n{between}L60:\n{branches}END:\tadd.s32 %r1, %r1, 1;")
    assert found.index("END") < 8


def test_functions_after_a_call_have_their_parameters_as_tab_stops() -> None:
    (function,) = (item for item in items("call ¦") if item.label == "callee")
    assert function.snippet
    assert function.text == "(${1:result}), callee, (${2:first}, ${3:second})"
    (after_result,) = (item for item in items("call (%r1), c¦") if item.label == "callee")
    assert after_result.text == "callee, (${1:first}, ${2:second})"


def test_special_registers_and_their_elements() -> None:
    assert {"%tid", "%tid.x", "%total_smem_size"} <= set(labels("mov.u32 %r1, %t¦"))
    assert labels("mov.u32 %r1, %t¦")[0] == "%tid.x", "`%tid` alone is a vector"
    assert labels("mov.u32 %r1, %tid.¦") == [".x", ".y", ".z"]
    assert "%clock64" not in labels("mov.u32 %r1, %clock¦")
    assert "%tid" not in labels("add.s32 %r1, %r2, %t¦")


def test_numbers_with_their_names() -> None:
    found = {item.label: item.detail for item in items("mul.f32 %f1, %f2, ¦")}
    assert found["0f3FB8AA3B"] == "log2(e)"
    assert "0xffffffff" in labels("shfl.sync.down.b32 %r1, %r2, 16, 31, ¦")
    assert labels("add.f32 %f1, %f2, 0f3FB¦") == ["0f3FB8AA3B"]
    assert "0xe8" in labels("lop3.b32 %r1, %r2, %r3, %r4, ¦")


@pytest.mark.parametrize(
    ("statement", "first"),
    [
        ("bar.sync ¦", "0"),
        ("shfl.sync.down.b32 %r1, %r2, 16, ¦", "31"),
        ("shfl.sync.down.b32 %r1, %r2, 16, 31, ¦", "0xffffffff"),
        ("prmt.b32 %r1, %r2, %r3, ¦", "0x0123"),
        ("mul.f32 %f1, %f2, ¦", "%f0"),
    ],
)
def test_a_number_with_a_meaning_in_its_operand_comes_before_registers(statement: str, first: str) -> None:
    assert labels(statement)[0] == first


def test_a_limit_of_64_bits_is_not_listed() -> None:
    assert labels("wgmma.wait_group.sync.aligned ¦", "9.0") == ["0"]


def test_the_number_of_threads_in_a_warp_is_a_constant() -> None:
    assert labels("add.s32 %r1, %r2, WA¦") == ["WARP_SZ"]
    assert "WARP_SZ" not in labels("ld.global.b32 %r1, [W¦")


def test_nothing_in_comments_numbers_and_files_that_are_not_ptx() -> None:
    assert found_in(in_body("// ld¦")) is None
    assert found_in(in_body("/* a\n ld¦ */")) is None
    assert found_in(in_body("add.f32 %f1, %f2, 1.5¦")) is None
    assert found_in("#include <stdio.h>\nint main() { return¦ 0; }\n") is None


def test_a_statement_above_lacks_its_semicolon() -> None:
    assert labels("add.s32 %r1, %r2, %r3\n\tld¦")[:3] == ["ld", "ldmatrix", "ldu"]
    assert labels("add.s32 %r1, %r2, %r3\n\tld.glo¦") == [".global"]


def test_snippets_are_offered_for_the_first_letters_of_a_new_file() -> None:
    assert labels_in("ker¦") == ["kernel"]
    assert labels_in("// mine\nhe¦") == ["header"]


def test_items_replace_the_word_before_the_cursor() -> None:
    module, position = marked(in_body("ld.glo¦"))
    found = completion(module, position)
    assert found is not None
    assert module.document.text(found.range) == ".glo"


def test_links_to_sections_of_the_same_name_name_their_chapters() -> None:
    module = analysed(".version 8.4\n.target sm_90\n.address_size 64\n")

    def links(opcode: str) -> list[str]:
        parts = explain(module, Position(3, 0), opcode, ItemKind.OPCODE, "")
        return [part.title for part in parts if isinstance(part, Link)]

    assert links("ld") == ["ld in the PTX ISA"]
    assert links("mov") == ["mov in the PTX ISA"]  # two sections of one chapter
    assert links("min")[:2] == [
        "min in the PTX ISA (floating point instructions)",
        "min in the PTX ISA (half precision floating point instructions)",
    ]


def test_resolve_gives_the_texts_of_hover() -> None:
    module, position = marked(in_body("add.¦"))
    found = completion(module, position)
    assert found is not None
    (item,) = (item for item in found.items if item.label == ".sat")
    text = render_parts(explain(module, position, item.label, item.kind, item.about), markdown=True)
    assert "saturates" in text


def test_a_call_has_its_function_on_a_new_line_and_registers_with_its_address() -> None:
    assert "callee" in labels("call.uni (%r1), \n\t¦")
    assert "callee" in labels("call.uni \n\t¦")
    assert labels("mov.u64 %rd7, callee;\n\tcall (%r1), %¦")[0] == "%rd7"


def test_a_call_has_the_prototypes_of_its_function() -> None:
    text = "prototype_1 : .callprototype (.param .b32 _) _ (.param .b64 _);\n\tcall (%r1), %rd1, (%rd2), ¦"
    assert labels(text) == ["prototype_1"]
    assert {".param", ".reg"} <= set(labels("prototype_1 : .callprototype (.¦"))
    assert ".b32" in labels("prototype_1 : .callprototype (.param .b¦")


def test_parameters_are_offered_in_the_order_of_their_declarations() -> None:
    declared = ", ".join(f".param .u32 p{number}" for number in range(30))
    text = f".version 9.4\n.target sm_90\n.entry k({declared})\n{{\n\t.reg .b32 %r<9>;\n"
    found = found_in(text + "\tld.param.u32 %r1, [p25];\n\tld.param.u32 %r2, [¦")
    assert found is not None
    assert [item.label for item in found.items[:2]] == ["p26", "p27"]


def test_a_label_that_is_branched_to_and_not_defined_begins_a_statement() -> None:
    found = items("bra $L__BB0_7;\n\t¦\n\tadd.s32 %r1, %r1, %r1;")
    assert (found[0].label, found[0].text) == ("$L__BB0_7", "$L__BB0_7:")
    assert "$L__BB0_7" not in labels("bra $L__BB0_7;\n\t¦\n$L__BB0_7:\n\tret;")


def test_members_of_a_family_of_parameters_are_offered() -> None:
    found = labels("{\n.param .u64 %P<2>;\n\tst.param.u64 [¦],%rd1;\n}")
    assert {"%P0", "%P1"} <= set(found[:4])
