"""Completion of registers and variables: which of the values of a function are among the first."""

import pytest

from ptx_lsp.semantics.symbols import Symbol, symbol_kind
from tests.features.completed import found_in, labels


def test_a_float_operand_is_a_float_register_before_untyped_bits() -> None:
    found = labels("mov.b32 %r5, 1;\n\tmov.b32 %r7, 1;\n\tmul.f32 %f9, ¦")
    assert found.index("%f1") < found.index("%r5") < found.index("%rd1")
    assert labels("mov.b32 %r5, 1;\n\tmov.b32 %r7, ¦")[0] == "%r5"
    assert labels("mov.b32 %r5, 1;\n\tmul.rn.f16x2 %r7, ¦")[0] == "%r5"  # without a register of this type


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


def test_the_variables_of_a_function_come_before_special_registers() -> None:
    found = labels("\t.local .b8 __local_depot0[8];\n\tmov.u64 %rd1, ¦")
    assert found.index("__local_depot0") < found.index("%clock64")


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
