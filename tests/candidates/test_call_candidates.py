"""The functions that completion offers in a call, in the way in which compilers write calls: in a scope of its own."""

import pytest

from tests.features.completed import labels_in

_TYPES = {"none": "", "one": ".param .b64 a", "two": ".param .b64 a, .param .b64 b", "block": ".param .b8 a[16]"}
_RESULTS = {"": "", "_result": "(.param .b32 r) "}
FUNCTIONS = [
    f".extern .func {result}{name}{suffix}{copy} ({parameters});\n"
    for copy in range(30)
    for name, parameters in _TYPES.items()
    for suffix, result in _RESULTS.items()
]


@pytest.mark.parametrize(
    ("declared", "call", "fitting"),
    [
        ("", "call.uni ¦", "none"),
        (".param .b64 p;", "call.uni \n\t¦", "one"),
        (".param .b64 p; .param .b32 q;", "call.uni (q), \n\t¦", "one_result"),
        (".param .b64 p; st.param.b64 [p], %rd1; .param .b64 q;", "call ¦", "two"),
        (".param .b64 p; .param .b64 q; .param .b32 r; .reg .b32 t;", "call (r), ¦", "two_result"),
        (".param .align 8 .b8 p[16];", "call.uni ¦", "block"),
    ],
)
def test_the_functions_that_take_what_the_scope_of_the_call_declares_come_first(
    declared: str, call: str, fitting: str
) -> None:
    text = f"{{ // callseq 1, 0\n\t{declared}\n\t{call}\n\t}}"
    header = ".version 8.0\n.target sm_90a\n.address_size 64\n"
    found = labels_in(f"{header}{''.join(FUNCTIONS)}.entry k() {{\n.reg .b64 %rd<3>;\n\t{text}\n\tret;\n}}\n")
    assert [label.rstrip("0123456789") for label in found[:30]] == [fitting] * 30


def test_a_call_in_the_body_of_a_function_may_pass_registers() -> None:
    """No function is more probable than another, except those that are declared last."""
    header = ".version 8.0\n.target sm_90a\n.address_size 64\n"
    found = labels_in(f"{header}{''.join(FUNCTIONS)}.entry k() {{\n\tcall ¦\n\tret;\n}}\n")
    assert [label.rstrip("0123456789") for label in found[:2]] == ["block_result", "block"]
