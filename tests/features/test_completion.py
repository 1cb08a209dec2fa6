"""Completion: what is offered at a cursor, and in which order. Expected words are those of the PTX ISA."""

import pytest

from ptx_lsp.candidates.completion_items import Completions, Item
from ptx_lsp.candidates.modifier_candidates import SHOWN
from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.features.completion import completion
from ptx_lsp.features.completion_resolve import explain
from ptx_lsp.semantics.symbols import Symbol, symbol_kind
from tests.features.modules import in_body, marked

DECLARATIONS = """.global .align 4 .b32 counter;
.shared .align 16 .b8 tile[1024];
.extern .func (.param .b32 result) callee (.param .b64 first, .param .b32 second);
"""


def found_in(text: str) -> Completions | None:
    """What completion gives at the cursor."""
    module, position = marked(text)
    return completion(module, position)


def items(statement: str, version: str = "9.4", target: str = "sm_90a") -> tuple[Item, ...]:
    """The items at the cursor in the body of a kernel."""
    found = found_in(in_body(statement, DECLARATIONS, version, target))
    return found.items if found is not None else ()


def labels(statement: str, version: str = "9.4", target: str = "sm_90a") -> list[str]:
    """The labels of the items at the cursor in the body of a kernel, in order."""
    return [item.label for item in items(statement, version, target)]


def test_opcodes_that_begin_with_the_word_and_the_usual_ones_first() -> None:
    found = items("ld¦")
    assert [item.label for item in found if not item.snippet] == ["ld", "ldmatrix", "ldu"]
    assert [item.snippet for item in found] == sorted(item.snippet for item in found)
    assert labels("@%p1 br¦")[0] == "bra"
    assert {"setp", "selp", "set"} <= set(labels("se¦"))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("shfl.sync.¦", [".up", ".down", ".bfly", ".idx", ".b32"]),
        ("wgmma.¦", [".mma_async", ".fence", ".commit_group", ".wait_group"]),
        ("cp.async.bulk.com¦", [".commit_group"]),
        ("cp.async.wait¦", [".wait_group", ".wait_all"]),
        ("ld.shared::¦", [".shared::cta", ".shared::cluster"]),
    ],
)
def test_the_modifiers_that_can_follow_have_the_order_of_the_manual(statement: str, expected: list[str]) -> None:
    assert labels(statement) == expected


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("wgmma.mma_async.sync.¦", ".aligned"),
        ("wgmma.mma_async.sp.sync.aligned.¦", ".m64n64k64"),
        ("st.global.¦", ".L1::no_allocate"),
        ("st.global.L1::evict_first.¦", ".L2::cache_hint"),
        ("atom.¦", ".acquire"),
        ("atom.relaxed.¦", ".cluster"),
        ("add.¦", ".cc"),
    ],
)
def test_usual_modifiers_are_among_the_first_of_a_long_list(statement: str, word: str) -> None:
    found = labels(statement)
    assert len(found) > SHOWN
    assert word in found[:SHOWN]


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("wgmma.mma_async.sync.aligned.¦.f32.tf32.tf32 {%f1}, %rd1, %rd2, 1, 1, 1;", ".m64n80k8"),
        ("ld.¦.relaxed.sys.s64 %rd1, [%rd2];", ".mmio"),
        ("atom.¦.gpu.global.add.u32 %r1, [%rd1], 1;", ".acq_rel"),
        ("st.global.¦.L2::cache_hint.b16 [%rd1], %h1, %rd2;", ".L1::evict_first"),
        ("wgmma.mma_async.sync.al¦.m64n8k16.f16.f16.f16 {%r1}, %rd1, %rd2, 1, 1, 1;", ".aligned"),
    ],
)
def test_modifiers_that_fit_those_after_the_cursor_come_first(statement: str, word: str) -> None:
    assert word in labels(statement)[:SHOWN]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("tex.2¦", ".2d"),
        ("cp.async.bulk.tensor.2¦", ".2d"),
        ("tcgen05.ld.sync.aligned.16x2¦", ".16x256b"),
        ("tld4.r.2¦", ".2d"),
    ],
)
def test_modifiers_that_begin_with_a_digit(statement: str, expected: str) -> None:
    assert expected in labels(statement, "9.4", "sm_100a")


def test_a_fraction_is_not_completed() -> None:
    assert labels("mov.f32 %f1, 1.2¦") == []
    assert labels("mov.f32 %f1, .2¦") == []


def test_a_modifier_excludes_others_by_their_places() -> None:
    """ptxas takes `cvt.sat.u32.u64` and refuses `cvt.sat.u32.u32`."""
    found = labels("cvt.sat.u32.¦")
    assert ".u64" in found
    assert ".u32" not in found


def test_a_scope_is_among_the_first_where_one_is_needed() -> None:
    """ISA, `ld`: with `.relaxed` a scope is mandatory."""
    assert {".cta", ".cluster", ".gpu", ".sys"} <= set(labels("ld.relaxed.¦")[:20])
    assert {".cta", ".cluster", ".gpu", ".sys"} <= set(labels("st.release.¦")[:20])
    assert {".relaxed", ".acquire"} <= set(labels("ld.¦")[:20])


def test_a_modifier_excludes_others() -> None:
    after = labels("ld.global.nc.¦")
    assert ".f32" in after
    assert ".volatile" not in after
    assert ".relaxed" not in after
    assert ".global" not in after


def test_modifiers_that_the_module_lacks_are_last_and_marked() -> None:
    found = items("add.¦", version="7.0", target="sm_70")
    lacking = [item.label for item in found if item.lacking]
    assert ".bf16" in lacking
    assert ".f32x2" in lacking
    assert ".f32" not in lacking
    assert [bool(item.lacking) for item in found] == sorted(bool(item.lacking) for item in found)
    assert "needs" in next(item.lacking for item in found if item.label == ".f32x2")


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


def test_a_float_operand_is_a_float_register_before_untyped_bits() -> None:
    found = labels("mov.b32 %r5, 1;\n\tmov.b32 %r7, 1;\n\tmul.f32 %f9, ¦")
    assert found.index("%f1") < found.index("%r5") < found.index("%rd1")
    assert labels("mov.b32 %r5, 1;\n\tmov.b32 %r7, ¦")[0] == "%r5"
    assert labels("mov.b32 %r5, 1;\n\tmul.rn.f16x2 %r7, ¦")[0] == "%r5"  # without a register of this type


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


def test_a_float_that_is_loaded_goes_into_a_float_register_first() -> None:
    integers = ".reg .u32 %i<9>;\n\tmov.u32 %i1, 1;\n\tmov.u32 %i2, 1;\n\t"
    assert labels(integers + "ld.v4.f32 {¦")[0].startswith("%f")


def test_a_value_that_was_written_again_and_not_read_since_comes_before_others() -> None:
    """The branches of a condition write one register; what follows them reads it."""
    text = "mov.b32 %r1, 1;\n\tadd.s32 %r2, %r1, 1;\n\tor.b32 %r1, %r2, 4;\n\t"
    others = "".join(f"mov.b32 %r{n}, 2;\n\tadd.s32 %r3, %r{n}, 3;\n\tst.b32 [%rd1], %r3;\n\t" for n in (4, 5, 6))
    assert labels(text + others + "sub.s32 %r8, ¦")[0] == "%r1"


def test_a_vector_continues_with_the_family_of_its_first_elements_or_repeats_the_last_one() -> None:
    mma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    assert labels(f"mov.f32 %f1, %f2; {mma} {{%r4, %¦")[0] == "%r5"  # not `%f1`, although the type is `.f32`
    assert "%f7" in labels("mov.f32 %f7, %f1; st.global.v4.f32 [%rd1], {%f7, %f7, %¦")[:4]


def test_what_nothing_mentions_does_not_continue_a_series_of_values_that_are_read() -> None:
    found = labels("mov.b32 %r2, 1; mov.b32 %r5, 1; mov.b32 %r3, 1; add.s32 %r1, %r5, %r3; add.s32 %r6, %r2, ¦")
    assert "%r0" not in found[:5]  # although 0 is as far below 2 as 3 below 5


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


def test_alignments() -> None:
    assert labels(".local .align ¦")[:5] == ["1", "2", "4", "8", "16"]
    assert labels(".local .align 1¦") == ["1", "16", "128"]


def test_an_instruction_on_a_new_line_begins_a_statement_after_brackets_that_are_not_closed() -> None:
    assert labels("garbage (((\n\tadd.s32 %r1, %r¦")[0].startswith("%r")
    assert labels("ld.global.b32 %r1, [%rd1\n\tadd.¦")[0] == labels("add.¦")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".visible ¦", ".entry"),
        (".visible .entry f(¦", ".param"),
        (".visible .entry f(.param .u64 a,\n\t¦", ".param"),
        (".func (¦", ".param"),
        (".func f(¦", ".param"),
        (".visible .entry f(.param ¦", ".align"),
        (".visible .entry f(.param .u64 a, .param ¦", ".align"),
        (".visible .entry f(.param .u64 ¦", "f_param_0"),
        (".visible .entry f(.param .u64 f_param_0, .param .u32 ¦", "f_param_1"),
        (".visible .entry f()\n¦", ".maxnreg"),
    ],
)
def test_what_follows_in_a_header(text: str, expected: str) -> None:
    found = found_in(f".version 8.4\n.target sm_90\n.address_size 64\n{text}")
    assert found is not None
    assert found.items[0].label == expected


def test_the_targets_that_the_version_knows_come_first() -> None:
    """PTX ISA 8.5 has no target after `sm_90a`: release notes of the ISA."""
    found = found_in(".version 8.5\n.target ¦")
    assert found is not None
    assert [item.label for item in found.items][:2] == ["sm_90a", "sm_90"]
    assert "sm_120" in [item.label for item in found.items]


def test_a_directive_with_numbers_is_not_followed_by_names() -> None:
    assert found_in(".version 8.4\n.target sm_90\n.address_size 64\n.entry f()\n.maxntid ¦") is None
    aligned = found_in(".version 8.4\n.target sm_90\n.address_size 64\n.global .align 4 .¦")
    assert aligned is not None
    assert ".align" not in [item.label for item in aligned.items]


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
    assert set(labels("setp.eq.s32 %p3, %r1, 0;\n\t@¦")) <= {f"%p{number}" for number in range(9)}
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


def test_a_declaration_without_a_type_gets_one_before_its_name() -> None:
    assert labels(".reg ¦")[:3] == [".pred", ".b16", ".b32"]
    assert ".b8" in labels(".local .align 4 ¦")
    assert labels(".reg .b32 ¦")[0].startswith("%")


def test_nothing_in_comments_numbers_and_files_that_are_not_ptx() -> None:
    assert found_in(in_body("// ld¦")) is None
    assert found_in(in_body("/* a\n ld¦ */")) is None
    assert found_in(in_body("add.f32 %f1, %f2, 1.5¦")) is None
    assert found_in("#include <stdio.h>\nint main() { return¦ 0; }\n") is None


def test_a_statement_above_lacks_its_semicolon() -> None:
    assert labels("add.s32 %r1, %r2, %r3\n\tld¦")[:3] == ["ld", "ldmatrix", "ldu"]
    assert labels("add.s32 %r1, %r2, %r3\n\tld.glo¦") == [".global"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (".ver¦", ".version"),
        (".version 8¦", "8.5"),
        (".version 8.0\n.target sm_9¦", "sm_90a"),
        (".version 8.0\n.target sm_90, ¦", "texmode_independent"),
        (".version 8.0\n.target sm_90\n.address_size ¦", "64"),
        (".version 8.0\n.target sm_90\n.visible .¦", ".entry"),
        (".version 8.0\n.target sm_90\n.entry k()\n.max¦", ".maxntid"),
        (".version 8.0\n.target sm_90\n.entry k(.param .u¦", ".u64"),
        (".version 8.0\n.target sm_90\n.global .¦", ".b32"),
        (in_body(".reg .¦"), ".pred"),
        (in_body('.pragma "no¦'), "nounroll"),
        (in_body(".sh¦"), ".shared"),
    ],
)
def test_directives_and_their_arguments(text: str, label: str) -> None:
    found = found_in(text)
    assert found is not None
    assert label in [item.label for item in found.items]


def test_a_directive_of_a_header_is_not_offered_in_a_body() -> None:
    assert labels(".maxnt¦") == []


def labels_in(text: str) -> list[str]:
    """The labels of the items at the cursor of a module, in order."""
    found = found_in(text)
    return [item.label for item in found.items] if found is not None else []


def test_the_usual_directives_come_first_and_deprecated_ones_last() -> None:
    assert labels(".¦")[:3] == [".reg", ".shared", ".local"]
    header = ".version 8.5\n.target sm_90\n.address_size 64\n"
    found = [label for label in labels_in(f"{header}¦") if label.startswith((".", "@"))]
    assert found[:4] == [".visible", ".entry", ".func", ".global"]
    assert set(found[-3:]) == {".version", ".target", ".address_size"}
    assert {"@@dwarf", ".tex"} <= set(found[-6:])
    assert labels_in(".version 8.5\n.¦")[:2] == [".target", ".address_size"]
    in_header = labels_in(f"{header}.entry k() .¦")
    assert in_header.index(".minnctapersm") < in_header.index(".maxnctapersm")


def test_a_declaration_has_one_linkage() -> None:
    assert labels_in(".version 8.5\n.target sm_90\n.visible ¦") == [".entry", ".func", ".global", ".shared", ".const"]


def test_snippets_are_offered_for_the_first_letters_of_a_new_file() -> None:
    assert labels_in("ker¦") == ["kernel"]
    assert labels_in("// mine\nhe¦") == ["header"]


@pytest.mark.parametrize("header", [".entry .max¦", ".func (.reg .b32 r) .no¦"])
def test_a_directive_of_a_header_is_not_offered_before_the_name_of_the_function(header: str) -> None:
    found = found_in(f".version 8.0\n.target sm_90\n{header}")
    assert found is None or found.items == ()


def test_items_replace_the_word_before_the_cursor() -> None:
    module, position = marked(in_body("ld.glo¦"))
    found = completion(module, position)
    assert found is not None
    assert module.document.text(found.range) == ".glo"


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


def test_a_counter_that_the_loop_below_reads_first_is_offered_before_the_loop() -> None:
    loop = "\n$L:\n\tadd.s32 %r8, %r8, 1;\n\tsetp.lt.s32 %p1, %r8, 9;\n\t@%p1 bra $L;"
    assert "%r8" in labels("mov.b32 %r1, %r2;\n\tmov.b32 %¦, 0;" + loop)[:3]


def test_a_value_that_a_guarded_statement_below_may_keep_is_offered_before_it() -> None:
    below = "\n\t@%p1 ld.global.b32 %r7, [%rd1];\n}\n\tadd.s32 %r8, %r7, 1;"
    assert "%r7" in labels("{\n\tmov.b32 %r1, %r2;\n\tmov.b32 %¦, 0;" + below)[:3]


def test_the_brace_of_inline_assembly_at_the_begin_of_a_line_is_not_the_end_of_the_function() -> None:
    below = "\n}\n\n\t// end inline asm\n\tadd.s32 %r5, %r6, %r7;"
    offered = labels("mov.b32 %r1, 1;\n{\n\tadd.s32 %r2, %r1, %¦" + below)
    assert {"%r6", "%r7"} <= set(offered[:6])
    ended = labels("mov.b32 %r1, 1;\n\tadd.s32 %r2, %r1, %¦\n}\n.visible .entry l()\n{\n\tadd.s32 %r5, %r6, %r7;")
    assert "%r6" not in ended[:6]


def test_parameters_are_offered_in_the_order_of_their_declarations() -> None:
    declared = ", ".join(f".param .u32 p{number}" for number in range(30))
    text = f".version 9.4\n.target sm_90\n.entry k({declared})\n{{\n\t.reg .b32 %r<9>;\n"
    found = found_in(text + "\tld.param.u32 %r1, [p25];\n\tld.param.u32 %r2, [¦")
    assert found is not None
    assert [item.label for item in found.items[:2]] == ["p26", "p27"]


def test_the_variables_of_a_function_come_before_special_registers() -> None:
    found = labels("\t.local .b8 __local_depot0[8];\n\tmov.u64 %rd1, ¦")
    assert found.index("__local_depot0") < found.index("%clock64")


def test_what_is_replaced_begins_on_the_line_of_the_cursor() -> None:
    found = found_in(".version 9.4\n.target sm_90\n.func f(\n\t.param .b32 f_param_0\n¦)\n{\n\tret;\n}\n")
    assert found is None or found.range.column == 0
    found = found_in(".version 9.4\n.target sm_90\n.func f(\n\t.param .b32 f_param_0,\n\t.param .b32 f¦)\n{\n}\n")
    assert found is not None
    assert [found.range.line, found.range.column] == [4, 13]


LOCATED = """.version 8.4
.target sm_90
.address_size 64
.file 1 "first.cu"
.entry k()
{
\t.loc 7 3 1
\tret;
\t.loc 2 5 1, function_name $L__info_string0, inlined_at 1 9 3
\t{}
\tret;
}
.file 2 "second.cuh", 1700000000, 512
.file 7 "seventh.h"
{}
"""


@pytest.mark.parametrize(
    ("body", "below", "expected"),
    [
        (".loc ¦", "", [("2", "second.cuh"), ("7", "seventh.h"), ("1", "first.cu")]),
        (".loc 7¦", "", [("7", "seventh.h")]),
        (".loc 1 ¦", "", []),
        (".loc 1 2 3, ¦", "", [("function_name", ""), ("inlined_at", "")]),
        (".loc 1 2 3, function_name ¦", "", [("$L__info_string0", "")]),
        (".loc 1 2 3, function_name $L__info_string0, ¦", "", [("inlined_at", "")]),
        (".loc 1 2 3, function_name $L__info_string0, inlined_at ¦", "", [("1", "first.cu"), ("2", "second.cuh")]),
        ("", ".file ¦", [("3", "the next file")]),
        ("", '.file 3 "third.h", ¦', []),
    ],
)
def test_the_arguments_of_source_positions(body: str, below: str, expected: list[tuple[str, str]]) -> None:
    found = found_in(LOCATED.replace("{}", body, 1).replace("{}", below))
    assert [(item.label, item.detail) for item in (found.items if found else ())][: len(expected) or 1] == expected


def test_a_label_that_is_branched_to_and_not_defined_begins_a_statement() -> None:
    found = items("bra $L__BB0_7;\n\t¦\n\tadd.s32 %r1, %r1, %r1;")
    assert (found[0].label, found[0].text) == ("$L__BB0_7", "$L__BB0_7:")
    assert "$L__BB0_7" not in labels("bra $L__BB0_7;\n\t¦\n$L__BB0_7:\n\tret;")


def test_members_of_a_family_of_parameters_are_offered() -> None:
    found = labels("{\n.param .u64 %P<2>;\n\tst.param.u64 [¦],%rd1;\n}")
    assert {"%P0", "%P1"} <= set(found[:4])


def test_a_parameter_far_below_the_last_one_that_was_read_is_among_the_first() -> None:
    parameters = ", ".join(f".param .u64 k_param_{number}" for number in range(40))
    text = f".version 9.0\n.target sm_90\n.address_size 64\n.entry k({parameters})\n{{\n\t.reg .b64 %rd<20>;\n"
    read = "".join(f"\tld.param.u64 %rd{number}, [k_param_{number}];\n" for number in (4, 5, 6, 7, 13, 14, 15))
    found = found_in(f"{text}{read}\tld.param.u64 %rd1, [¦];\n\tret;\n}}\n")
    assert found is not None
    assert "k_param_22" in [item.label for item in found.items[:20]]


def test_of_many_names_of_a_module_those_declared_last_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Symbol] = []

    def counted(symbol: Symbol) -> str:
        asked.append(symbol)
        return symbol_kind(symbol)

    monkeypatch.setattr("ptx_lsp.candidates.variable_candidates.symbol_kind", counted)
    names = "".join(f".global .b32 name_{number};\n" for number in range(5_000))
    kernel = ".entry k()\n{\n\t.reg .b32 %r<9>;\n\tld.global.b32 %r1, [¦];\n}\n"
    below = ".global .b32 below;\n"
    found = found_in(f".version 9.0\n.target sm_90\n.address_size 64\n{names}{kernel}{below}")
    assert found is not None
    offered = [item.label for item in found.items]
    assert "name_4999" in offered[:20]
    assert "below" not in offered
    assert len(asked) < 1_000


def test_a_value_that_is_read_below_and_not_yet_above_is_offered_before_older_ones() -> None:
    written = "".join(f"\tmov.b32 %r{n}, {n};\n\tst.shared.b32 [tile], %r{n};\n" for n in range(9))
    declared = ".reg .b32 %v;\n\tmov.b32 %v, 1;\n"
    found = labels(f"{declared}{written}\tmul.hi.u32 %r1, ¦, 7;\n\tmul.lo.u32 %r2, %v, 7;")
    assert found.index("%v") < 8


def test_a_value_that_is_read_below_and_not_written_there_may_be_written_again() -> None:
    declared = ".reg .b32 %v;\n\tmov.b32 %v, 1;\n\t.reg .b32 %s<99>;\n"
    written = "".join(f"\tmov.b32 %s{n}, {n};\n" for n in range(40))
    found = labels(f"{declared}{written}\tadd.s32 ¦, %s3, 7;\n\tst.shared.b32 [tile], %v;")
    assert found.index("%v") < 8


def test_a_value_that_is_read_again_and_again_comes_before_those_that_were_read_once() -> None:
    declared = ".reg .b32 %v, %s<99>;\n\tmov.b32 %v, 1;\n\tadd.s32 %r1, %v, 1;\n\tadd.s32 %r2, %v, 2;\n"
    once = "".join(f"\tadd.s32 %s{n}, %r1, {n};\n\tst.shared.b32 [tile], %s{n};\n" for n in range(40))
    found = labels(f"{declared}{once}\tadd.s32 %r3, ¦")
    assert found.index("%v") < 8


def test_a_value_that_is_copied_on_another_path_below_may_be_written_here() -> None:
    declared = ".reg .b32 %v, %s<99>;\n"
    other = "".join(f"\tadd.s32 %s{n}, %r1, {n};\n\tst.shared.b32 [tile], %s{n};\n" for n in range(40))
    found = labels(f"{declared}\tadd.s32 ¦, %r1, 7;\n\tbra M;\nL:\n{other}\tmov.b32 %v, %s3;\nM:\n\tst.b32 [tile], %v;")
    assert found.index("%v") < 8


def test_a_value_that_is_written_far_above_and_mentioned_once_is_offered_before_others_there() -> None:
    declared = ".reg .b32 %v, %s<999>, %t<99>;\n"
    often = "".join(f"\tmov.b32 %t{n}, {n};\n\tst.shared.b32 [tile], %t{n};\n" for n in range(40))
    near = "".join(f"\tadd.s32 %s{n}, %r1, {n};\n\tst.shared.b32 [tile], %s{n};\n" for n in range(400))
    found = labels(f"{declared}\tmov.b32 %v, 1;\n{often}{near}\tadd.s32 %r3, ¦")
    assert found.index("%v") < 12


def test_a_name_that_is_written_often_may_be_written_again() -> None:
    declared = ".reg .b32 %v, %s<99>;\n"
    often = "".join(f"\tadd.s32 %v, %v, {n};\n" for n in range(3))
    others = "".join(f"\tmov.b32 %s{n}, {n};\n\tst.shared.b32 [tile], %s{n};\n" for n in range(40))
    found = labels(f"{declared}{often}{others}\tmul.lo.s32 ¦, %s3, 7;")
    assert found.index("%v") < 8


def test_what_a_statement_below_continues_is_offered() -> None:
    """The statements of an unrolled loop, of which the first one is typed last."""
    declared = ".reg .f32 %f<999>;\n"
    written = "".join(f"\tld.shared.f32 %f{n}, [tile];\n" for n in range(0, 400, 5))
    below = "".join(f"\tst.shared.f32 [tile], %f{n};\n" for n in range(205, 400, 5))
    assert "%f200" in labels(f"{declared}{written}\tst.shared.f32 [tile], ¦;\n{below}")[:3]
