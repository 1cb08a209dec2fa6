"""Properties of all expressions."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.cli.evaluate import answer_to, as_json, as_text, explained
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.literals import read_literal
from tests.constants.expressions import value

NUMBERS = st.integers(0, 2**64 - 1)
MODULAR = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__, "&": int.__and__, "|": int.__or__, "^": int.__xor__}


@given(NUMBERS, NUMBERS, st.sampled_from(sorted(MODULAR)))
def test_arithmetic_is_modulo_two_to_the_64(left: int, right: int, symbol: str) -> None:
    assert value(f"{left} {symbol} {right}").bits == MODULAR[symbol](left, right) % 2**64


@given(NUMBERS, st.integers(0, 63))
def test_shifts_are_those_of_python(number: int, count: int) -> None:
    assert value(f"{number}U << {count}").bits == (number << count) % 2**64
    assert value(f"{number}U >> {count}").bits == number >> count
    signed = number - 2**64 if number >= 2**63 else number
    assert value(f"(.s64){number} >> {count}").integer == signed >> count


@given(NUMBERS, st.integers(1, 2**64 - 1))
def test_division_and_remainder_fit_together(number: int, divisor: int) -> None:
    assert value(f"{number}U / {divisor} * {divisor} + {number} % {divisor}").bits == number


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_are_those_of_ieee(left: float, right: float) -> None:
    def literal(number: float) -> str:
        return f"({'-' if number < 0 else ''}0d{value_bits(abs(number)):016x})"

    assert value(f"{literal(left)} + {literal(right)}").real == left + right
    assert value(f"{literal(left)} < {literal(right)}").integer == int(left < right)


def value_bits(number: float) -> int:
    bits: int = struct.unpack("<Q", struct.pack("<d", number))[0]
    return bits


PIECES = [
    "0f3f800000",
    "0d7ff8000000000000",
    "(",
    ")",
    "(.s64)",
    "(.u32)",
    "WARP_SZ",
    "1e309",
    "2.5",
    "99999999999999999999",
]
PIECES += [*"+-*/%<>=!~&|^?: \t\n", "<<", ">>", "&&", "||", "==", "7", "0x", "foo", "%r1", "generic(", "'", "\x00", "é"]


@given(
    st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)),
    st.sampled_from([Authority.PTXAS, Authority.ISA]),
)
def test_no_text_raises(text: str, authority: Authority) -> None:
    answer = answer_to(text, authority)
    assert as_json(answer)["ok"] is (answer.constant is not None)
    assert as_text(answer)
    assert explained(answer, authority)
    if answer.problem:
        assert 0 <= answer.problem.start <= answer.problem.end <= len(text)


@given(st.text(alphabet="0123456789abcdefxXbBdDeE.+-U"))
def test_any_text_is_a_literal_or_has_a_mistake(text: str) -> None:
    literal = read_literal(text)
    assert (literal.constant is None) is (literal.mistake is not None)
