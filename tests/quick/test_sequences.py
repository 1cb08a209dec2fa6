"""A call with the scope of its variables, recognised as a whole: findings and names are those of the parser."""

import random
import re
from collections.abc import Iterator

import pytest

from ptx_lsp.memo import forget_all
from ptx_lsp.quick import line_runs, statements, text_shapes
from ptx_lsp.quick.effect import Effect
from ptx_lsp.quick.line_runs import Lines
from ptx_lsp.quick.statements import call_sequence
from ptx_lsp.reading.block_reader import apply_effect
from tests.calls import noted_calls
from tests.quick.comparison import Analysis, findings, names
from tests.quick.effects import effect_of, of_parser, opened, reports_of

HEAD = """.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 func_retval0) f (.param .b64 f_param_0, .param .b32 f_param_1);
.extern .func g (.param .align 8 .b8 g_param_0[16]);
.extern .func h;
"""
BODY = """.entry k()
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	.reg .f32 %f<9>;
	.reg .pred %p<3>;
	.param .b32 outer;
"""
SEQUENCES = (
    """	{ // callseq 5, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd2;
	.param .b32 param1;
	st.param.b32 	[param1+0], 7;
	.param .b32 retval0;
	call.uni (retval0), 
	f, 
	(
	param0, 
	param1
	);
	ld.param.b32 	%r1, [retval0+0];
$L__tmp26:
	} // callseq 5
""",
    """	{ // callseq 6, 0
	.param .align 8 .b8 param0[16];
	st.param.v2.b64 	[param0], {%rd1, %rd2};
	call.uni g, (param0);
	} // callseq 6
""",
    """	{ // callseq 7, 0
	@!%p2 st.global.b32 	[%rd1+4], %r3;
	call h;
	}
""",
    """	{ // callseq 65, 0
	.param .b32 param0;
	st.param.b32 	[param0], %r3;
	.param .b32 retval0;
	prototype_65 : .callprototype (.param .b32 _) _ (.param .b32 _);
	call (retval0), 
	%rd1, 
	(
	param0
	)
	, prototype_65;
	ld.param.b32 	%r1, [retval0];
	} // callseq 65
""",
)
BRACE = re.compile(r"\t\{ // callseq (\d+), 0\n")


def older(text: str) -> str:
    """Calls as LLVM 3 and the compilers of CUDA up to 10 write them."""
    begins = BRACE.sub(r"\t// Callseq Start \1\n\t{\n\t// <end>}\n", text)
    return begins.replace("\t} // callseq", "\t\n\t//{\n\t}// Callseq End")


OLDER = tuple(map(older, SEQUENCES))
OTHERS = {
    "param0": ("param1", "retval0", "outer", "%rd1", "f", "%tid"),
    ".b64": (".b32", ".pred", ".v2.b64", ".b65"),
    ".b32": (".b64", ".f32", ""),
    "%rd2": ("%r1", "%rd9", "%rq", "param0", "0x1F"),
    "retval0": ("param0", "outer", "%r1", "_", "$L__tmp26"),
    "+0": ("+4", "+1", "+8", "-4", ""),
    "\tf": ("\tg", "\th", "\tmissing", "\t%rd1", "\tk"),
    "call.uni": ("call", "bra", "call.wide", "ret;call"),
    ".param ": (".local ", ".shared ", ".reg ", ".global "),
    "[16]": ("[8]", "[]", "[4294967296]", ""),
    ";": ("", ";;", "; //", "; ret;"),
    "$L__tmp26": ("param0", "WARP_SZ", "%r1", "$L__tmp26:\n$L__tmp26"),
    " _)": (" x)", " _[4])", ")"),
    ", prototype_65": ("", ", prototype_6"),
    "}": ("", "}}", "} ret;", "};"),
    "{ ": ("{{ ", "{ ret; ", "{ .reg .b32 x; "),
}


def changed(text: str) -> Iterator[str]:
    """The text with one line less, twice, or moved down, or with another word in one place."""
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        yield "".join((*lines[:at], *lines[at + 1 :]))
        yield "".join((*lines[: at + 1], line, *lines[at + 1 :]))
        yield "".join((*lines[:at], *lines[at + 1 : at + 2], line, *lines[at + 2 :]))
    for word, others in OTHERS.items():
        for place in re.finditer(re.escape(word), text):
            yield from (text[: place.start()] + other + text[place.end() :] for other in others)


@pytest.mark.parametrize("sequence", SEQUENCES + OLDER)
def test_the_findings_are_those_of_the_parser(sequence: str, parser_alone: Analysis) -> None:
    for written in (sequence, *changed(sequence)):
        text = f"{HEAD}{BODY}{written}{sequence}\tret;\n}}\n"
        assert findings(text) == parser_alone(text), text


@pytest.mark.parametrize("sequence", [*SEQUENCES, *(one[one.index("\t{") :] for one in OLDER)])
def test_the_effect_is_that_of_the_parser(sequence: str) -> None:
    given = 0
    for written in (sequence, *changed(sequence)):
        reader = opened(HEAD + BODY, written)
        effect = call_sequence(written, 0, reader.view)
        if effect is None:
            continue
        given += 1
        apply_effect(reader, effect)
        reports, wanted = of_parser(HEAD + BODY, written[: effect.end])
        found = effect_of(reader)
        # nothing outside of the scope can load the results
        assert (reports_of(reader), {**found, "results 0": ()}) == (reports, {**wanted, "results 0": ()}), written
    assert given > 3


@pytest.mark.parametrize("sequences", [SEQUENCES, OLDER])
def test_a_sequence_is_recognised_as_a_whole(sequences: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[bool] = []

    recognise = Lines._scope

    def counted(lines: Lines, at: int, stop: int, effect: Effect) -> int:
        after = recognise(lines, at, stop, effect)
        known.append(after > at)
        return after

    forget_all()
    monkeypatch.setattr(Lines, "_scope", counted)
    findings(f"{HEAD}{BODY}{''.join(sequences)}\tret;\n}}\n")
    assert known == [True] * len(sequences)
    # a function of more lines than are looked up at once: the last one of these would be any line of a call
    for count in range(20):
        known.clear()
        lines = "\tmov.u32 %r1, %r2;\n" * count
        findings(f"{HEAD}{BODY}{lines}{''.join(sequences) * 40}\tret;\n}}\n")
        # one call is where the text of the first block ends
        assert known.count(True) >= len(sequences) * 40 - 1
        assert known.count(False) <= 2


@pytest.mark.parametrize("label", ["f:", "$f:", "L:", "%r1:", "param0:", "retval0:", "$L__tmp26:"])
@pytest.mark.parametrize("place", range(4))
def test_a_label_in_the_run_of_a_call_may_hide_its_names(label: str, place: int, parser_alone: Analysis) -> None:
    head = HEAD.replace("h;", "h;\n.extern .func (.param .b32 r) $f (.param .b64 x, .param .b32 y);")
    first = SEQUENCES[0].replace("%rd2", "%rd3")
    second = first.replace("\tf,", "\t$f,").replace("%r1", "%r3").replace("tmp26", "tmp27")
    lines = [*(f"\tmov.b64 %rd{n}, %rd2;\n" for n in range(3, 7)), first, "\tmov.b32 %r4, 7;\n", second]
    lines.insert((0, 4, 5, 7)[place], f"{label}\n")
    text = f"{head}{BODY}{''.join(lines)}\tadd.s32 %r5, %r3, %r4;\n\tret;\n}}\n"
    forget_all()
    assert findings(text) == parser_alone(text)
    assert findings(text) == parser_alone(text)  # with what was learnt


# --- calls that differ from a known one -------------------------------------------------------------------------------

FUNCTIONS = """.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 func_retval0) f1 (.param .b64 f1_param_0, .param .b32 f1_param_1);
.extern .func (.param .b32 func_retval0) f2 (.param .b64 f2_param_0, .param .b32 f2_param_1);
.extern .func (.param .f32 func_retval0) f3 (.param .b64 f3_param_0, .param .f32 f3_param_1);
.extern .func (.param .b32 func_retval0) f4 (.param .align 8 .b8 f4_param_0[8], .param .b32 f4_param_1);
.extern .func (.reg .b32 result) f5 (.reg .b64 x, .reg .b32 y);
.extern .func (.param .b32 func_retval0) retval0 (.param .b64 a, .param .b32 b);
.extern .func g1 (.param .align 8 .b8 g1_param_0[16]);
.extern .func g2 (.param .align 16 .b8 g2_param_0[16]);
.extern .func g3 (.param .align 8 .b8 g3_param_0[8]);
.extern .func h1;
.extern .func h2;
.global .b32 f9;
"""
DECLARED = (
    "\t.reg .b32 %r<9>, %x5;\n\t.reg .b64 %rd<9>, %SP;\n\t.reg .f32 %f<9>;\n\t.reg .pred %p<3>;\n",
    "\t.reg .b32 %r<9>, %x5, %SP;\n\t.reg .b64 %rd<9>;\n\t.reg .f32 %f<9>;\n\t.reg .pred %p<3>;\n",
    "\t.reg .f32 %r<9>;\n\t.reg .b64 %rd<9>, %SP, %x5;\n\t.reg .b32 %f<9>;\n\t.reg .pred %p<3>;\n",
    "\t.reg .b32 %r<9>, f1, %x5, param0;\n\t.reg .b64 %rd<9>, %SP;\n\t.reg .f32 %f<9>, %tid;\n\t.reg .pred %p<3>;\n",
)
VARIED = (
    SEQUENCES[0].replace("%rd2", "W").replace("%r1", "R").replace("\tf,", "\tF,").replace("$L__tmp26:\n", "LABEL"),
    SEQUENCES[0].replace("%rd2", "%SP").replace("7;", "0f3F800000;").replace("\tf,", "\tF,").replace("%r1", "R"),
    SEQUENCES[0].replace("%rd2", "W").replace("7;", "R; // %r1").replace("\tf,", "\tF,"),
    SEQUENCES[0].replace("%rd2", "W").replace("[param0+0], W", "[param0+0], %SP").replace("7;", "R;"),
    SEQUENCES[0].replace("temp_param_reg;", "%x<6>;").replace("%rd2", "W").replace("\tf,", "\tF,"),
    SEQUENCES[0].replace("temp_param_reg;", "q;\n\tmov.b32 q, %tid.x;").replace("%rd2", "W").replace("\tf,", "\tF,"),
    SEQUENCES[1].replace("%rd1", "W").replace("%rd2", "V").replace("call.uni g", "call.uni G"),
    SEQUENCES[1].replace("%rd1", "W").replace("%rd2", "W").replace("call.uni g", "@%p1 call G"),
    SEQUENCES[2].replace("%rd1", "W").replace("%r3", "R").replace("\tcall h", "\tcall H"),
    SEQUENCES[3].replace("%rd1", "W").replace("%r3", "R"),
    "\t{ // callseq 3, 0\n\tcall (R), F, (W, R);\n\t} // callseq 3\n",
)
OFTEN: dict[str, tuple[str, ...]] = {
    "R": ("%r1", "%r2", "%r8"),
    "W": ("%rd1", "%rd2", "%rd8"),
    "V": ("%rd1", "%rd3", "%rd8"),
}
OFTEN |= {"F": ("f1", "f2"), "G": ("g1", "g1"), "H": ("h1", "h2"), "LABEL": ("", "$L__tmp1:\n", "$L__tmp2:\n")}
SOMETIMES = {"R": ("%r9", "%f1", "%x5", "%rd1", "%p1", "param0"), "W": ("%rd9", "%r1", "%SP", "%rq", "$L__tmp1")}
SOMETIMES |= {"F": ("f3", "f4", "f5", "retval0", "f9", "f", "%rd1"), "G": ("g2", "g3", "h1"), "H": ("g1", "h", "%rd1")}
_WORD = re.compile(rf"(?<![\w.])(?:{'|'.join(OFTEN)})(?![a-z_])")
SOMETIMES |= {"LABEL": ("$L__tmp1:\n$L__tmp1:\n", "param0:\n", "$L__tmp3: // a\n", "L3:\n"), "V": ("%rd9", "%r1")}


def varied(chance: random.Random) -> str:
    """A call with registers, functions and labels by chance, most of which fit."""
    text = chance.choice(VARIED).replace("callseq 5", f"callseq {chance.randrange(100)}")
    text = older(text) if chance.random() < 0.3 else text
    return _WORD.sub(lambda found: chosen(chance, found[0]), text)


def chosen(chance: random.Random, word: str) -> str:
    """What replaces a word of a varied call."""
    return chance.choice((SOMETIMES if chance.random() < 0.08 else OFTEN)[word])


def module_of(functions: str, bodies: list[str], chance: random.Random) -> str:
    """A module with functions to call, and a kernel for each body with some of the declarations."""
    kernels = (f".entry k{n}()\n{{\n{chance.choice(DECLARED)}{body}\tret;\n}}\n" for n, body in enumerate(bodies))
    return functions + "".join(kernels)


@pytest.mark.parametrize("seed", range(16))
def test_calls_with_other_names_are_those_of_the_parser(
    seed: int, parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    texts = []
    for _ in range(2):
        bodies = ["".join(varied(chance) for _ in range(20)) for _ in range(4)]
        texts.append(module_of(FUNCTIONS, bodies, chance))
    forget_all()
    known = noted_calls(monkeypatch, text_shapes, "known_call")
    by_shape, shaped_names = [findings(text) for text in texts], [names(text) for text in texts]
    assert sum(call.result is not None for call in known) > 20
    assert by_shape == [parser_alone(text) for text in texts]
    monkeypatch.setattr(text_shapes, "known_call", lambda call, view: None)
    forget_all()
    assert shaped_names == [names(text) for text in texts]


@pytest.mark.parametrize("seed", range(1, 5))
def test_calls_with_the_same_text_are_those_of_the_parser(
    seed: int, parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same calls, in functions with other registers and in a module with other functions."""
    chance = random.Random(seed)
    calls = [call for _ in range(40) if ":\n" not in (call := varied(chance))][:8]
    others = FUNCTIONS.replace(".b32 f1_param_1", ".b64 f1_param_1").replace("g1_param_0[16]", "g1_param_0[24]")
    texts = []
    for functions in (FUNCTIONS, others.replace(".extern .func h1;\n", ""), FUNCTIONS):
        bodies = ["".join(chance.choices(calls, k=12)) for _ in range(4)]
        texts.append(module_of(functions, bodies, chance))
    forget_all()
    repeated = [noted_calls(monkeypatch, module, "repeated_call") for module in (line_runs, statements)]
    found, found_names = [findings(text) for text in texts], [names(text) for text in texts]
    assert sum(call.result is not None for calls in repeated for call in calls) > 4
    assert found == [parser_alone(text) for text in texts]
    for module in (line_runs, statements):
        monkeypatch.setattr(module, "repeated_call", lambda *_: None)
    forget_all()
    assert found_names == [names(text) for text in texts]
