"""Constants as text; the shortest digits of singles are checked by converting them back."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.constants.spelling import bits_of_single, decimal, decimal_single, exact, hexadecimal, typed
from tests.constants.expressions import value


def test_integers_and_singles() -> None:
    assert typed(value("-2")) == "-2 (.s64)"
    assert hexadecimal(value("-2")) == "0xfffffffffffffffe"
    assert hexadecimal(value("0f3f800000")) == "0x3f800000"
    assert decimal(value("0f3FB8AA3B")) == "1.442695"
    assert decimal(value("0f7fc00000")) == "NaN"
    assert decimal(value("0fff800000")) == "-inf"
    assert decimal(value("0f7f7fffff")) == "3.4028235e+38"


EXACT = {
    "0f3FB8AA3B": "1.44269502162933349609375",
    "1.0": "1.0",
    "-(0.0)": "-0.0",
    "0.1": "0.1000000000000000055511151231257827021181583404541015625",
    "0d0010000000000000": "2.225073858507201",
    "1e300": "1.00000000000000005250476025520442",
}


@pytest.mark.parametrize("text", EXACT)
def test_exact_digits(text: str) -> None:
    assert exact(value(text).real).startswith(EXACT[text])
    assert float(exact(value(text).real)) == value(text).real


@given(st.integers(0, 2**32 - 1))
def test_the_shortest_digits_of_a_single_read_back(bits: int) -> None:
    text = decimal_single(bits)
    if text == "NaN":
        assert bits & 0x7FFFFFFF > 0x7F800000
    else:
        assert bits_of_single(float(text)) == bits


@given(st.floats(width=32, allow_nan=False))
def test_a_single_keeps_its_value(number: float) -> None:
    assert bits_of_single(number) == struct.unpack("<I", struct.pack("<f", number))[0]
