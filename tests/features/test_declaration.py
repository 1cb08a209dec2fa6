"""The declarations of the symbol under the cursor."""

import pytest

from ptx_lsp.features.declaration import declaration
from tests.features.modules import in_body, marked, shown

FUNCTIONS = """.func twice(.param .b32 x);
.extern .func far();
.func twice(.param .b32 x)
{
\tret;
}"""


@pytest.mark.parametrize(
    ("statements", "lines"),
    [
        ("\tcall tw¦ice, (1);", [".func «twice»(.param .b32 x);"]),
        ("\tcall fa¦r;", [".extern .func «far»();"]),
        ("\tadd.s32 %r1, ¦%r2, 1;", [".reg .b32 «%r»<9>;"]),
        ("L:\tbra ¦L;", ["«L»:\tbra L;"]),
        ("\tbra ¦M;", []),
    ],
)
def test_a_use_has_its_declaration(statements: str, lines: list[str]) -> None:
    module, position = marked(in_body(statements, FUNCTIONS))
    assert shown(module, declaration(module, position)) == lines


def test_a_definition_has_its_declaration() -> None:
    module, position = marked(in_body("").replace("entry k", "entry ¦k"))
    assert shown(module, declaration(module, position)) == [".visible .entry «k»(.param .u64 input)"]
    defined = FUNCTIONS.replace(".func twice(.param .b32 x)\n", ".func tw¦ice(.param .b32 x)\n")
    module, position = marked(in_body("", defined))
    assert shown(module, declaration(module, position)) == [".func «twice»(.param .b32 x);"]
