"""Calls that are joined from parts of known ones: findings and names are those of the parser, also with mistakes."""

import random
from typing import Any

import pytest

from ptx_lsp.memo import forget_all
from ptx_lsp.quick import statements, text_shapes
from tests.calls import noted_calls
from tests.quick.comparison import Analysis, findings, names

# What a function may have as a parameter, and for each the stores that may set the variable of its argument.
PARAMETERS: dict[str, tuple[str, ...]] = {
    ".b32 NAME": ("st.param.b32 [V], %r1;", "st.param.b32 [V+0], 7;", "st.param.f32 [V], %f2;"),
    ".f32 NAME": ("st.param.f32 [V], %f3;", "st.param.f32 [V], 0f3F800000;"),
    ".b64 NAME": ("st.param.b64 [V+0], %rd3;", "st.param.f64 [V], %fd1;", "st.param.b64 [V], 123456;"),
    ".align 8 .b8 NAME[16]": (
        "st.param.b64 [V+0], %rd1;\n\tst.param.b64 [V+8], %rd2;",
        "st.param.v2.b64 [V], {%rd1, %rd1};",
    ),
    ".align 1 .b8 NAME[1]": ("st.param.b8 [V+0], %rs1;", "st.param.b8 [V], 5;"),
}  # fmt: skip
RESULTS = {
    "": ("",),
    ".b32": ("\tld.param.b32 \t%r2, [retval0+0];\n", "\tld.param.f32 \t%f1, [retval0];\n", ""),
    ".b64": ("\tld.param.b64 \t%rd4, [retval0+0];\n$L__tmp0:\n",),
}
DECLARED = (
    "\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .f32 %f<9>;\n\t.reg .f64 %fd<9>;\n\t.reg .b16 %rs<9>;\n",
    "\t.reg .b64 %r<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .b32 %f<9>;\n\t.reg .f64 %fd<9>;\n\t.reg .b16 %rs<2>;\n",
    "\t.reg .b32 %r<2>;\n\t.reg .b64 %rd<4>;\n\t.reg .f32 %f<9>;\n\t.reg .b64 %fd<9>;\n\t.reg .b16 %rs<9>, param1;\n",
)
# A text, and what replaces it in a call with a mistake, or in one that is written in another way.
CHANGES = (
    ("param0, \n\tparam1", "param1, \n\tparam0"), ("param0, \n\tparam1", "param0, \n\tparam0"), ("[param1", "[param0"),
    ("[param0", "[param1"), ("param1", "param10"), ("param0", "a"), ("(retval0)", "(param0)"), ("%rd1", "%r1"),
    ("%r1", "%rd1"), (" 7;", " %tid.x;"), ("123456", "99999999999999999999"), (".param.b32", ".param.b64"),
    ("+8]", "+800]"), ("[16]", "[8]"), (".align 8", ".align 4"), ("temp_param_reg", "%r<2>"), (", %r1;", ", param1;"),
    ("\t.param .b32 retval0;\n", ""), ("\n\tld", "\n\tmov.b32 %r1, 1;\n\tld"), ("call.uni", "@%p1 call"),
    (" 5;", " 555;"), ("\t.reg", "\t.reg .b32 param1;\n\t.reg"), ("f64 [", "f32 ["), (" 7;", " outside;"),
    ("param0, param1", "param1, param0"), ("param0, param1", "param0, param0"), ("%SP", "%SQ"), ("%SP", "param0"),
    ("add.u64", "add.u32"), (", %rd5;", ", %SP;"), ("\tcall", "\tmov.b64 %rd5, %SP;\n\tcall"),
    ("%rd5, %SP", "%SP, %rd5"), ("%rd5, other", "%rd5, param0"), ("%rd5, other", "%rd5, nowhere"),
    ("%rd5, outside", "%rd5, f1"), ("%rd5, other", "%rd5, other+4"), ("%rd5, other", "%r5, other"),
    ("%rd5, other", "%rd5, text"),
)  # fmt: skip


ADDRESSES = ("mov.b64 \t%rd5, outside", "mov.b64 \t%rd5, other")
SORTED = "all variables are declared before one is set"


class Function:
    """A declared function with parameters by chance."""

    def __init__(self, chance: random.Random, number: int) -> None:
        self.name = f"f{number}"
        self.parameters = chance.choices(list(PARAMETERS), k=chance.randrange(1, 5))
        self.result = chance.choice(list(RESULTS))

    def declaration(self) -> str:
        listed = ", ".join(
            f".param {one.replace('NAME', f'{self.name}_param_{at}')}" for at, one in enumerate(self.parameters)
        )
        return f".extern .func {f'(.param {self.result} r) ' if self.result else ''}{self.name} ({listed});\n"

    def call(self, chance: random.Random, head: str) -> str:
        """A call as newer compilers write it if `head` is `SORTED`, otherwise as older ones do with this head."""
        return self._sorted(chance) if head == SORTED else self._by_argument(chance, head)

    def _sorted(self, chance: random.Random) -> str:
        numbered = [(one, f"param{at}") for at, one in enumerate(self.parameters)]
        lines = [f"\t.param {one.replace('NAME', variable)};\n" for one, variable in numbered]
        lines += [f"\t.param {self.result} \tretval0;\n"] if self.result else []
        for one, variable in reversed(numbered):
            stores = chance.choice(PARAMETERS[one]).replace("[V", f"[{variable}").replace(" [", " \t[")
            if "%rd3" in stores:
                address = chance.choice((f"add.u64 \t%rd5, %SP, {chance.randrange(99)}", *ADDRESSES))
                lines.append(f"\t{address};\n")
            lines.append(f"\t{stores.replace('%rd3', '%rd5')}\n")
        given, result = ", ".join(variable for _, variable in numbered), "(retval0), " if self.result else ""
        lines.append(f"\tcall.uni {result}{self.name}, ({given});\n{chance.choice(RESULTS[self.result])}")
        return f"\t{{ // callseq {chance.randrange(99)}, 0\n{''.join(lines)}\t}} // callseq 0\n"

    def _by_argument(self, chance: random.Random, head: str) -> str:
        lines = [f"\t{{ // callseq {chance.randrange(99)}, 0\n{head}"]
        for at, one in enumerate(self.parameters):
            variable = f"param{at}"
            stores = chance.choice(PARAMETERS[one]).replace("[V", f"[{variable}").replace(" [", " \t[")
            lines.append(f"\t.param {one.replace('NAME', variable)};\n\t{stores}\n")
        if self.result:
            lines.append(f"\t.param {self.result} retval0;\n")
        given = ", \n\t".join(f"param{at}" for at in range(len(self.parameters)))
        lines.append(f"\tcall.uni {'(retval0), ' if self.result else ''}\n\t{self.name}, \n\t(\n\t{given}\n\t);\n")
        return "".join((*lines, chance.choice(RESULTS[self.result]), "\t} // callseq 0\n"))


def module(chance: random.Random, mistakes: float) -> str:
    functions = [Function(chance, number) for number in range(12)]
    head = chance.choice(("\t.reg .b32 temp_param_reg;\n", "", SORTED, SORTED))
    texts = [".version 9.0\n.target sm_90\n.address_size 64\n.global .b32 outside, other;\n.const .b8 text[3];\n"]
    texts += [function.declaration() for function in functions]
    for number in range(3):
        body: list[str] = []
        for _ in range(30):
            call = chance.choice(functions).call(chance, head)
            if chance.random() < mistakes:
                call = call.replace(*chance.choice(CHANGES))
            body.append(call.replace("L__tmp0", f"L__tmp{len(body)}"))
        declared = (DECLARED[0] if not mistakes else chance.choice(DECLARED)) + "\t.reg .b64 %SP;\n"
        texts.append(f".entry k{number}()\n{{\n{declared}\t.reg .pred %p<2>;\n{''.join(body)}\tret;\n}}\n")
    return "".join(texts)


@pytest.mark.parametrize("mistakes", [0.0, 0.4])
@pytest.mark.parametrize("seed", range(16))
def test_joined_calls_are_those_of_the_parser(
    seed: int, mistakes: float, parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = module(random.Random(seed), mistakes)
    forget_all()
    joined = noted_calls(monkeypatch, text_shapes, "_joined")
    by_parts, named = findings(text), names(text)
    assert sum(call.result is not None for call in joined) > 10
    assert by_parts == parser_alone(text)
    reported = {str(finding[0]) for finding in by_parts if isinstance(finding, tuple)}
    assert bool(reported & {"call-argument", "undeclared", "operand-type"}) == bool(mistakes)
    monkeypatch.setattr(text_shapes, "known_call", lambda call, view: None)
    forget_all()
    assert named == names(text)


def test_calls_of_known_parts_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most calls differ as a whole; the few parts that make them up are learnt from the first ones."""
    forget_all()
    read: list[str] = []
    new_sequence = statements.new_sequence

    def counted(text: str, start: int, *others: Any) -> object:
        read.append(text[start : text.index("}", start)])
        return new_sequence(text, start, *others)

    monkeypatch.setattr(statements, "new_sequence", counted)
    text = module(random.Random(1), 0.0)
    findings(text)
    assert len(read) < 30
    assert text.count("call.uni") == 90
