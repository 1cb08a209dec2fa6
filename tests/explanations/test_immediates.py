"""The meaning of constants: the tests compute the table of `lop3` and the selector of `prmt` again, bit by bit."""

import re
import struct

import pytest

from ptx_lsp.explanations.lookup_table import formula, table_text
from tests.features.modules import hover_text, in_body


@pytest.mark.parametrize("table", range(256))
def test_the_formula_of_a_lookup_table_computes_it(table: int) -> None:
    # ISA, lop3: immLut = F(0xF0, 0xCC, 0xAA)
    for text in (formula(table), table_text(table).split("`")[1]):
        assert re.fullmatch(r"[abc~&|^() 0]+", text)
        assert eval(text, {"a": 0xF0, "b": 0xCC, "c": 0xAA}) & 0xFF == table


@pytest.mark.parametrize(
    ("table", "text"),
    [
        # ISA, lop3: its three examples of tables
        (0x80, "`a & b & c`"),
        (0xFE, "`a | b | c`"),
        (0x40, "`a & b & ~c`"),
    ],
)
def test_the_tables_in_the_examples_of_the_manual(table: int, text: str) -> None:
    operands = {"a": 0xF0, "b": 0xCC, "c": 0xAA}
    assert eval(text.strip("`"), dict(operands)) & 0xFF == table
    assert formula(table) == text.strip("`")


def test_well_known_tables_have_a_name() -> None:
    assert "majority" in table_text(0xE8)
    assert "exclusive or" in table_text(0x96)
    assert table_text(256) == ""


def test_the_table_is_decoded_on_the_constant_and_on_the_opcode() -> None:
    for statement in ("lop3.b32 %r1, %r2, %r3, %r4, ¦0xC0;", "¦lop3.b32 %r1, %r2, %r3, %r4, 0xC0;"):
        assert "a & b" in hover_text(in_body(statement))  # 0xF0 & 0xCC


def selected_bytes_of(mode: str, selector: int) -> list[str]:
    """The four bytes of the result of `prmt`, the highest first, as the manual's text and table define them."""
    both = ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"]
    low = selector & 3
    match mode:
        case ".f4e":
            return [both[low + k] for k in (3, 2, 1, 0)]
        case ".b4e":
            return [both[(low - k) % 8] for k in (3, 2, 1, 0)]
        case ".rc8":
            return [both[low]] * 4
        case ".ecl":
            return [both[max(k, low)] for k in (3, 2, 1, 0)]
        case ".ecr":
            return [both[min(k, low)] for k in (3, 2, 1, 0)]
        case ".rc16":
            return [both[2 * (low & 1) + 1], both[2 * (low & 1)]] * 2
    nibbles = [selector >> 4 * k & 15 for k in (3, 2, 1, 0)]
    return [both[n & 7] if n < 8 else f"sign({both[n & 7]})" for n in nibbles]


@pytest.mark.parametrize("mode", ["", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"])
@pytest.mark.parametrize("selector", [0, 1, 2, 3, 0x5410, 0x7632, 0x0123, 0x4440, 0x8888, 0xBA98])
def test_the_selector_of_prmt(mode: str, selector: int) -> None:
    text = hover_text(in_body(f"prmt.b32{mode} %r1, %r2, %r3, ¦{selector:#x};"))
    assert f"highest first: {' '.join(selected_bytes_of(mode, selector))}" in text


@pytest.mark.parametrize("value", [1.0, -1.0, 0.5, 0.1, 3.14159274, 1024.0, -2.5])
def test_moved_bits_are_shown_as_a_float(value: float) -> None:
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    (single,) = struct.unpack("<f", struct.pack("<I", bits))
    for statement in (f"mov.b32 %r1, ¦{bits:#x};", f"mov.u32 %r1, ¦{bits};", f"st.global.b32 [%rd1], ¦{bits:#x};"):
        shown = re.search(r"as \.f32 (\S+)", hover_text(in_body(statement)))
        assert shown is not None, statement
        (again,) = struct.unpack("<f", struct.pack("<f", float(shown[1].rstrip(","))))
        assert again == single


def test_moved_bits_of_64_and_infinity() -> None:
    assert "as .f64 1.0" in hover_text(in_body("mov.b64 %rd1, ¦0x3FF0000000000000;"))
    assert "as .f32 inf" in hover_text(in_body("mov.b32 %r1, ¦0x7f800000;")).lower()


@pytest.mark.parametrize("statement", ["mov.b32 %r1, ¦4096;", "mov.b32 %r1, ¦-1;", "add.s32 %r1, %r2, ¦0x3f800000;"])
def test_integers_without_the_bits_of_a_common_float_stay_integers(statement: str) -> None:
    assert ".f32" not in hover_text(in_body(statement))


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        # ISA: imm-reg-count is in the range 24 to 256 and a multiple of 8
        ("setmaxnreg.inc.sync.aligned.u32 ¦232;", ".u32: integer constant from 24 to 256, a multiple of 8"),
        ("lop3.b32 %r1, %r2, %r3, %r4, ¦0xE8;", "here 0xe8"),
        ("and.b32 %r1, %r2, ~¦0xff;", "in ~0xff: 0xffffff00 .b32"),
    ],
)
def test_the_role_and_limit_of_a_constant(statement: str, wanted: str) -> None:
    assert wanted in hover_text(in_body(statement))
