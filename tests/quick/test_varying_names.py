"""A remembered body is known with other names and numbers, and only where the parser finds the same."""

import re

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.memo import forget_all
from ptx_lsp.occurrences.target import function_labels
from ptx_lsp.quick.body_text import may_be_word
from ptx_lsp.reading import reader
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.quick.comparison import findings
from tests.quick.functions import HEAD, errors, function, hits
from tests.quick.line_parts import DECLARATIONS

# a function, a variable of the module and one of the body, and labels, which all have other names in every copy
VARYING = (
    "{{\n\t.param .b32 param0;\n\tst.param.b32 [param0], %r1;\n\tcall.uni f_{n}, (param0);\n\t}}\n"
    "\t.shared .align 4 .b8 s_{n}[{size}];\n\tmov.b64 %rd1, s_{n};\n\tld.global.b32 %r2, [a_{n}+4];\n"
    "$L__BB{n}_1:\n\tsetp.eq.s32 %p1, %r1, 2;\n\t@%p1 bra $L__BB{n}_1;"
)


def varying(number: int, f: str = ".param .b32 p", a: str = ".b32 {0}[4]", size: int = 64) -> str:
    """A kernel whose body uses names of its own number, with the declarations of these names."""
    around = f".func f_{number}({f})\n{{\n\tret;\n}}\n.global {a.format(f'a_{number}')};\n"
    return around + function(f"k{number}", "", DECLARATIONS[0], VARYING.format(n=number, size=size))


def test_a_body_is_known_with_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    text = HEAD + "".join(varying(n) for n in range(8, 13))
    module, count = hits(text, monkeypatch)
    assert count == 2 * 4  # those of `f` and `k`
    assert errors(module) == []
    labels = [
        label.mark.resolved() for number in range(8, 13) for _, label in function_labels(module, f"$L__BB{number}_1")
    ]
    lines = [(n, len(line) - 1) for n, line in enumerate(text.split("\n")) if line.startswith("$L__BB")]
    assert labels == [Range(line, 0, line, length) for line, length in lines]
    shared = [body.scope.members[f"s_{n}"][0] for n, body in zip(range(8, 13), module.bodies()[1::2], strict=True)]
    assert [symbol.name for symbol in shared] == ["s_8", "s_9", "s_10", "s_11", "s_12"]
    assert [symbol.mark.resolved().end_column for symbol in shared] == [25, 25, 26, 26, 26]


@pytest.mark.parametrize(
    ("last", "code"),
    [
        (varying(9, f=".param .b64 p"), "call-argument"),
        (varying(9, f=""), "call-argument"),
        (varying(9).replace(".global .b32 a_9", ".shared .b32 a_9"), "state-space"),
        (varying(9, size=49_153), "memory-limit"),
        (varying(9).replace("a_9+4", "a_10+4"), "undeclared"),
        (varying(9).replace("call.uni f_9", "call.uni a_9"), "call-target"),
        (varying(9).replace("bra $L__BB9_1", "bra $L__BB8_1"), "undefined-label"),
        (varying(9).replace("\tmov.b64 %rd1, s_9;\n", "\tmov.b64 %rd1, s_10;\n"), "undeclared"),
        (varying(9).replace("%rd1, s_9", "%r1, s_9"), "operand-type"),
    ],
)
def test_a_known_body_with_other_names_may_be_wrong(last: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + "".join(varying(n) for n in range(4)) + last
    forget_all()
    found = findings(text)
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert found == findings(text)
    assert code in str(found)


# a list of targets and a prototype, which are numbered through the module, and labels between inner braces
NUMBERED = (
    "$L_brx_{n}: .branchtargets $L__BB{n}_1,\n\t\t$L__BB{n}_2, $L__BB{n}_1;\n\tbrx.idx %r1, $L_brx_{n};\n"
    "$L__BB{n}_1:\n\t{{ // callseq {n}\n\t.param .b32 param0;\n\tst.param.b32 [param0], %r1;\n"
    "\tprototype_{n} : .callprototype _ (.param .b32 _);\n\tcall %rd1, (param0), prototype_{n};\n$L__tmp1:\n\t}}\n"
    "$L__BB{n}_2: bra $L__BB{n}_2; $L__BB{n}_3: bra $L__BB{n}_3;"
)


def numbered(number: int, lines: str = NUMBERED) -> str:
    """A kernel whose body has names with its number."""
    return function(f"k{number}", "", DECLARATIONS[0], lines.format(n=number))


def marks(module: Module) -> list[object]:
    """The places of all labels, branches and declared names in the functions of a module."""
    found: list[object] = []
    for part in (part for block in module.block_map.blocks for part in block.parts):
        found += sorted((label.name, label.mark.resolved()) for label in part.labels)
        found += [(use.name, use.mark.resolved()) for use in part.label_uses]
        members = [symbol for symbols in part.body.scope.members.values() for symbol in symbols]
        found += sorted((symbol.name, symbol.mark.resolved(), symbol.names) for symbol in members)
        found.append((set(part.read.split()), set(part.written.split()), set(part.inner)))
    return found


def test_a_body_with_lists_and_prototypes_is_known_with_other_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    text = re.sub(r" // callseq \d+", "", HEAD + "".join(numbered(n) for n in range(97, 103)))
    module, count = hits(text, monkeypatch)
    assert count == 5
    assert errors(module) == []
    quick = marks(module)
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    parsed = analysed(text)
    assert quick == marks(parsed)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("$L__BB{n}_2, $L__BB{n}_1;", "$L__BB{n}_4, $L__BB{n}_1;", "undefined-label"),
        ("brx.idx %r1, $L_brx_{n}", "brx.idx %r1, $L_brx_1", "target-list"),
        (", prototype_{n};", ", prototype_1;", "call-prototype"),
        ("_ (.param .b32 _)", "_ (.param .b64 _)", "call-argument"),
        ("$L__BB{n}_2: bra", "$L__BB{n}_1: bra", "duplicate-label"),
        ("bra $L__BB{n}_3", "bra $L__tmp1", "undefined-label"),
    ],
)
def test_a_known_body_with_other_numbers_may_be_wrong(
    old: str, new: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = NUMBERED.replace(" // callseq {n}", "")
    assert old in lines
    text = HEAD + "".join(numbered(n, lines) for n in range(7, 12)) + numbered(12, lines.replace(old, new, 1))
    forget_all()
    found = findings(text)
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert found == findings(text)
    assert code in str(found)


NAMED = "{0}\n\t.shared .b32 s_{n};\n\tmov.b64 %rd1, s_{n};\n\tst.shared.b32 [s_{n}], %r1;"


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ('.pragma "used_bytes_mask 0xff";', 5),
        ('// in "s" s_{n}', 0),
        ('// s_{n} "', 5),
        ('mov.b32 %r1, 2; // "s"', 5),
        ('.pragma "s_{n}";', 0),
    ],
)
def test_a_name_in_a_string_does_not_vary(line: str, known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    body = NAMED.replace("{0}", line)
    text = HEAD + "".join(function(f"k{n}", "", DECLARATIONS[0], body.replace("{n}", str(n))) for n in range(10, 16))
    forget_all()
    module, count = hits(text, monkeypatch)
    assert count == known
    quick = marks(module), findings(text)
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    parsed = analysed(text)
    assert quick == (marks(parsed), findings(text))


USES = (
    "mov.b64 %rd1, {0};\n\tadd.s32 %r1, %r1, WARP_SZ;\n$L__BB4_1:\n\ttrap;\n\tbar.sync 0;"
    "\n\tld.global.L1::evict_last.b32 %r3, [{0}+4];"
)
FAMILIES = "\t.reg .b32 %r<9>, %t, x<9>, Y1<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .pred %p<3>;\n"


def using(name: str, number: int, body: str) -> str:
    """A variable of this name, and a kernel with this body."""
    return f".global .b32 {name}[4];\n" + function(f"k{number}", "", FAMILIES, body)


@pytest.mark.parametrize("name", ["ret", "trap", "mov", "r7", "x7", "Y17", "WARP_SZ", "%r1", "%tid", "$L__BB4_1"])
def test_names_that_are_words_of_ptx_or_members_of_families(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("a_1", "a_2", "a_3", name, "a_5", name + "_")
    text = HEAD + "".join(using(each, number, USES.format(each)) for number, each in enumerate(names))
    forget_all()
    found = findings(text)
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert found == findings(text)


@pytest.mark.parametrize("word", ["trap", "evict_last"])
def test_only_names_in_operands_vary(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = f".global .b32 {word}[4], any_name[4];\n"
    fine = "".join(function(f"k{number}", "", FAMILIES, USES.format(word)) for number in range(3))
    wrong = function("k3", "", FAMILIES, USES.format(word).replace(word, "any_name"))
    forget_all()
    found = findings(HEAD + declared + fine + wrong)
    assert "any_name" in str(found)
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert found == findings(HEAD + declared + fine + wrong)


def test_no_opcode_has_the_form_of_a_name_that_varies() -> None:
    assert all(may_be_word(opcode) for opcode in opcodes())
