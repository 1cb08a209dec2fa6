"""Rewrites at a place: what is offered, and that the program stays the same, as ptxas compiles it."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.code_action import missing_header, rewrite_steps, unused_names
from ptx_lsp.fixes.fix import Edit, apply_edits
from ptx_lsp.rewrites.rewrite import Rewrite
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed
from tests.features.modules import CURSOR, in_body, marked
from tests.oracle.assembler import Assembler, assemble, needs_assembler

ROOT = Path(__file__).parents[2]
FILES = sorted((*ROOT.joinpath("examples").glob("*.ptx"), *ROOT.joinpath("tests", "data").glob("*.ptx")))

CONSTANTS = """
	add.s32 %r2, %r1, 0x10+2;
	add.s32 %r2, %r1, (1 << 4) - 1;
	add.s32 %r2, %r1, 1-9;
	add.u64 %rd2, %rd1, 0xffffffffffffffff;
	add.u64 %rd2, %rd1, 18446744073709551615U;
	and.b32 %r2, %r1, 255;
	and.b32 %r2, %r1, ~0xff;
	and.b32 %r2, %r1, 0xfffffff0;
	add.s64 %rd2, %rd1, 0xfffffffffffffffb;
	and.b32 %r2, %r1, 0b1010;
	and.b32 %r2, %r1, 017;
	add.s32 %r2, %r1, -0x80000000;
	add.s32 %r2, %r1, -4096;
	mul.f32 %f2, %f1, 1.5;
	mul.f32 %f2, %f1, -0.1;
	mul.f32 %f2, %f1, 0f3FB8AA3B;
	mul.f32 %f2, %f1, 0fBF800000;
	mul.f32 %f2, %f1, 0f00000001;
	mul.f32 %f2, %f1, 0f7F800000;
	mul.f32 %f2, %f1, 0f7FFFFFFF;
	mul.f32 %f2, %f1, 1.5 * 2.0;
	mul.f32 %f2, %f1, 0d3FF8000000000000;
	mul.f32 %f2, %f1, 1e30 * 1e30;
	mul.f32 %f2, %f1, 1e-20;
	fma.rn.f64 %fd2, %fd1, 0.1, 0d3FB999999999999A;
	fma.rn.f64 %fd2, %fd1, -1e300, 5e22;
	mov.b32 %r2, 0f3F800000;
	mov.b64 %rd2, 0d3FF0000000000000;
	mov.b64 %rd2, 1.0;
	ld.global.b32 %r2, [%rd1+4*2];
	ld.global.b32 %r2, [%rd1+-(4*2)];
	ld.global.b32 %r2, [%rd1+4096];
	ld.global.v2.f32 {%f1, %f2}, [%rd1+0x20];
	st.global.v2.b32 [%rd1], {1 << 5, 31};
	shl.b32 %r2, %r1, 2 + 3;
	shf.l.wrap.b32 %r2, %r1, %r2, 16;
	lop3.b32 %r2, %r1, %r2, %r2, 0xE8;
	prmt.b32 %r2, %r1, %r2, 0x5410;
	bfe.u32 %r2, %r1, 4, 32;
	setp.ne.s32 %p1, %r1, 1 ? 64 : 3;
	selp.b32 %r2, 0x7fffffff, -1, %p1;
	mov.u32 %r2, WARP_SZ * 2;
	@%p1 add.s32 %r2, %r1, 128;
"""
DECLARED = """
.global .b32 table[8] = {1 << 2, 0x10, -(2 + 3), 255};
.global .f32 reals[4] = {1.5, 0f3F800000, -2.0, 1.0 / 4.0};
.global .f64 doubles[2] = {0.1, 0d3FF0000000000000};
.global .b8 bytes[16];
"""
TEXT = in_body(CONSTANTS, DECLARED)


def rewrites_at(module: Module, position: Position) -> list[Rewrite]:
    """The rewrites of what is at a position."""
    return [rewrite for rewrite in rewrite_steps(module, position) if rewrite is not None]


def offered(text: str) -> list[str]:
    """The titles of the rewrites at the cursor in a text."""
    return [rewrite.title for rewrite in rewrites_at(*marked(text))]


def made(rewrite: Rewrite, text: str) -> str:
    """The text after a rewrite."""
    return apply_edits(text, [edit for some in rewrite.steps() for edit in some])


def chosen(text: str, title: str) -> str:
    """The text after the rewrite with this title at its cursor, without the cursor."""
    (rewrite,) = (each for each in rewrites_at(*marked(text)) if each.title == title)
    return made(rewrite, text.replace(CURSOR, ""))


@pytest.mark.parametrize(
    ("statement", "titles"),
    [
        ("add.s32 %r2, %r1, 0x10¦+2;", ["write `0x12`, the value"]),
        (
            "add.s32 %r2, %r1, 1¦6+2;",
            ["write `18`, the value", "write `0x10`, in hexadecimal", "write `(1 << 4)`, as an expression"],
        ),
        ("mul.f32 %f2, %f1, ¦1.5;", ["write `0f3FC00000`, as an exact float"]),
        ("mul.f32 %f2, %f1, -1¦.5;", ["write `0fBFC00000`, as an exact float"]),
        ("mul.f32 %f2, %f1, 0f3FB8AA3B¦;", ["write `1.442695`, as a decimal float"]),
        ("mul.f64 %fd2, %fd1, 0¦.1;", ["write `0d3FB999999999999A`, as an exact float"]),
        ("mul.f32 %f2, %f1, 0f7FFFFFFF¦;", []),
        ("mov.b32 %r2, 0f3F8¦00000;", []),
        ("ld.global.b32 %r2, [%rd1+40¦96];", ["write `0x1000`, in hexadecimal", "write `(1 << 12)`, as an expression"]),
        ("and.b32 %r2, %r1, 25¦5;", ["write `0xff`, in hexadecimal", "write `(1 << 8) - 1`, as an expression"]),
        ("add.s32 %r2, %r1, ¦7;", []),
        ("add.s32 %r2, %r1, -¦5;", ["write `0xfffffffb`, in hexadecimal"]),
        ("add.s64 %rd2, %rd1, ¦-5;", ["write `0xfffffffffffffffb`, in hexadecimal"]),
        ("and.b32 %r2, %r1, 0xffff¦fff0;", ["write `4294967280`, in decimal", "write `-16`, as a negative number"]),
        ("add.s32 %r2, %r1, 0x7fff¦fff0;", ["write `2147483632`, in decimal"]),
        ("ret¦;", []),
        ("frob %r1, 4¦096;", ["write `0x1000`, in hexadecimal", "write `1 << 12`, as an expression"]),
        ("ld.b32.global ¦_, [%rd1];", []),
        ("ld.b32.global¦ %r1, [%rd1];", ["write `ld.global.b32`, the order of the manual"]),
        ("ld.global.b32¦ %r1, [%rd1];", []),
        ("cvt.f32.s32.rn¦ %f1, %r1;", ["write `cvt.rn.f32.s32`, the order of the manual"]),
    ],
)
def test_what_is_offered_at_a_place(statement: str, titles: list[str]) -> None:
    found = offered(in_body(f"\t{statement}"))
    assert [title for title in found if not title.startswith("declare")] == titles


def test_a_member_of_a_family_gets_a_declaration_of_its_own() -> None:
    text = chosen(
        in_body("\tadd.s32 %r2, ¦%r3, %r_3;\n\tmov.b32 %r3, %r4;", ".reg .b32 %r_3;"), "declare `%r3` by itself"
    )
    assert "\t.reg .b32 %r<9>;\n\t.reg .b32 %r_3_;\n" in text
    assert "\tadd.s32 %r2, %r_3_, %r_3;\n\tmov.b32 %r_3_, %r4;\n" in text


def test_the_members_of_a_family_can_be_declared_one_by_one() -> None:
    text = in_body("\t.reg .b32 ¦%q<3>, other;\n\tadd.s32 %q1, %q2, %q0;")
    after = chosen(text, "declare the members of `%q<3>` one by one")
    assert "\t.reg .b32 %q0, %q1, %q2, other;\n" in after
    assert offered(in_body("\t.reg .b32 ¦%q<65>;")) == []


def positions(module: Module) -> Iterator[Position]:
    """A place in every token of a module."""
    for line in range(module.document.line_count):
        text = module.document.line(line)
        for column, character in enumerate(text):
            if (character.isalnum() or character == "%") and not (column and text[column - 1].isalnum()):
                yield Position(line, column)


@cache
def every_rewrite(text: str, every: int = 1) -> list[tuple[str, tuple[Edit, ...]]]:
    """The titles and edits of the rewrites at each place whose number is a multiple of `every`.

    The declarations of members are left out, as each of them needs a name that no other one has.
    """
    module = analysed(text)
    found: dict[tuple[Edit, ...], str] = {}
    for position in islice(positions(module), 0, None, every):
        for rewrite in rewrites_at(module, position):
            if rewrite.title.startswith("write"):
                found[tuple(edit for some in rewrite.steps() for edit in some)] = rewrite.title
    return [(title, edits) for edits, title in found.items()]


def all_at_once(text: str, ending: str = "", every: int = 1) -> tuple[int, str]:
    """The number of rewrites whose titles end so, and the text after all of them that fit together."""
    edits = [edit for title, edits in every_rewrite(text, every) if title.endswith(ending) for edit in edits]
    return len(edits), apply_edits(text, sorted(edits))


@needs_assembler
@pytest.mark.parametrize(
    ("ending", "least"),
    [
        ("the value", 12),
        ("in hexadecimal", 10),
        ("in decimal", 10),
        ("as a negative number", 3),
        ("as an expression", 10),
        ("as an exact float", 8),
        ("as a decimal float", 6),
    ],
)
def test_a_constant_in_another_spelling_gives_the_same_machine_code(ending: str, least: int) -> None:
    number, after = all_at_once(TEXT, ending)
    assert number >= least
    before, rewritten = assembled(TEXT, after)
    assert before == rewritten


def assembled(*texts: str) -> list[bytes]:
    """The machine code of each text, all of which ptxas must accept."""
    outcomes = Assembler().modules(texts, "sm_90a", keep=True)
    assert all(outcome.accepted for outcome in outcomes), [outcome.said[:2] for outcome in outcomes]
    return [outcome.image for outcome in outcomes]


@needs_assembler
def test_the_manuals_order_of_modifiers_gives_the_same_machine_code() -> None:
    unordered = [
        "ld.b32.global %r1, [%rd1];",
        "ld.volatile.b32.global %r1, [%rd1];",
        "st.b32.global [%rd1], %r1;",
        "cvt.f32.s32.rn %f1, %r1;",
        "cvt.s32.f32.rzi.ftz %r1, %f1;",
        "add.f32.ftz.rn %f1, %f1, %f2;",
        "fma.f32.rn %f1, %f1, %f2, %f3;",
        "setp.s32.lt %p1, %r1, %r2;",
        "mul.s32.lo %r1, %r1, %r2;",
        "atom.add.global.u32 %r1, [%rd1], 1;",
        "shfl.bfly.sync.b32 %r1, %r1, 1, 31, -1;",
    ]
    accepted = [each for each in unordered if assemble([in_body(f"\t{each}")], "compute_90a")[0].accepted]
    assert len(accepted) >= 4
    text = in_body("".join(f"\t{each}\n" for each in accepted))
    number, after = all_at_once(text, "the order of the manual")
    assert number == len(accepted)
    before, rewritten = assembled(text, after)
    assert before == rewritten


@needs_assembler
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_rewrites_of_real_files_are_accepted(path: Path) -> None:
    text = path.read_text()
    module = analysed(text)
    texts = [all_at_once(text, every=7)[1]]
    texts += [made(rewrite, text) for rewrite in unused_names(module)]
    arch = f"compute_{module.profile.target.number}{module.profile.target.suffix}"
    assert [outcome.said for outcome in assemble(texts, arch) if not outcome.accepted] == []


UNUSED = """.version 9.4
.target sm_90
.address_size 64
.visible .entry k()
{
	.reg .b32 %a, %b, %c<3>;
	.reg .b32 %d;// not needed
	.reg .b32 %e<4>;
	.reg .b32 used, %f;
	.reg .b64
		%g;
	.reg .pred %p<2>;.reg .f32 %h;
begin:
	mov.b32 used, %b;
	mov.b32 %b, %c1;
again: mov.b32 %b, 1;other:
	@%p1 bra end;
	{ .reg .b32 inner; inside: .reg .b32 %i; mov.b32 inner, 2; }
$L__BB0_1:
end:
	ret;
	// begin: is in a comment
}
"""
NEEDED = """.version 9.4
.target sm_90
.address_size 64
.visible .entry k()
{
	.reg .b32 %b, %c<3>;
	// not needed
	.reg .b32 used;
	.reg .pred %p<2>;
begin:
	mov.b32 used, %b;
	mov.b32 %b, %c1;
 mov.b32 %b, 1;
	@%p1 bra end;
	{ .reg .b32 inner;   mov.b32 inner, 2; }
$L__BB0_1:
end:
	ret;
	// begin: is in a comment
}
"""


@needs_assembler
def test_unused_registers_and_labels_are_removed() -> None:
    (rewrite,) = unused_names(analysed(UNUSED))
    after = made(rewrite, UNUSED)
    assert after == NEEDED
    before, rewritten = assembled(UNUSED, after)
    assert before == rewritten
    assert [edit for some in next(unused_names(analysed(after))).steps() for edit in some] == []


@pytest.mark.parametrize(
    ("family", "used", "stays"),
    [
        ("%r<9>", "%r8", True),
        ("%r<9>", "%r1x", False),
        ("%r1<9>", "%r12", True),
        ("%r1<9>", "%r2", False),
        ("%r12<900>", "%r1234", True),
        ("%r12<900>", "%r12", False),
        ("%r", "%r1", False),
        ("%r", "%r", True),
    ],
)
def test_a_family_stays_if_a_member_is_named(family: str, used: str, stays: bool) -> None:
    text = f".version 9.4\n.target sm_90\n.entry k()\n{{\n\t.reg .b32 {family};\n\tmov.b32 {used}, 1;\n\tret;\n}}\n"
    (rewrite,) = unused_names(analysed(text))
    assert bool([edit for some in rewrite.steps() for edit in some]) is not stays


@needs_assembler
@pytest.mark.parametrize("string", ['"/*"', '"//"', '"*/ /* //"'])
def test_a_string_that_looks_like_a_comment_hides_no_unused_name(string: str) -> None:
    text, needed = (each.replace("begin:\n", f"\t.pragma {string};\nbegin:\n", 1) for each in (UNUSED, NEEDED))
    (rewrite,) = unused_names(analysed(text))
    assert made(rewrite, text) == needed
    assembled(text, needed)


@pytest.mark.parametrize(
    ("text", "title", "after"),
    [
        (
            ".visible .entry k() { ret; }",
            "`.version` and `.target` and `.address_size`",
            ".version 9.5\n.target sm_75\n.address_size 64\n",
        ),
        ("// mine\n\n.visible .entry k() { ret; }", "`.version` and `.target` and `.address_size`", ""),
        (
            "\t.visible .entry k() { ret; }",
            "`.version` and `.target` and `.address_size`",
            ".version 9.5\n.target sm_75\n.address_size 64\n\t.visible",
        ),
        (
            ".version 8.0\n.visible .entry k() { ret; }",
            "`.target` and `.address_size`",
            ".version 8.0\n.target sm_75\n.address_size 64\n",
        ),
        (
            ".version 5.0 // old\n.visible .entry k() { ret; }",
            "`.target` and `.address_size`",
            ".version 5.0\n.target sm_62\n.address_size 64 // old\n",
        ),
        (
            ".version 8.0\n.target sm_90\n.visible .entry k() { ret; }",
            "`.address_size`",
            ".version 8.0\n.target sm_90\n.address_size 64\n",
        ),
        (
            ".version 8.0 .target sm_90 .visible .entry k() { ret; }",
            "`.address_size`",
            ".version 8.0 .target sm_90\n.address_size 64 ",
        ),
        (
            ".target sm_90\n.address_size 64\n.visible .entry k() { ret; }",
            "`.version`",
            ".version 9.5\n.target sm_90\n",
        ),
        (
            ".version 9.0\n.func f() { wgmma.fence.sync.aligned; ret; }",
            "`.target` and `.address_size`",
            ".version 9.0\n.target sm_90a\n.address_size 64\n",
        ),
    ],
)
def test_the_missing_directives_of_the_header_are_added(text: str, title: str, after: str) -> None:
    (rewrite,) = missing_header(analysed(text))
    assert rewrite.title == f"add {title}"
    result = made(rewrite, text)
    assert after in result
    assert not any(finding.severity.value == 1 for finding in analysed(result).findings())


def test_a_complete_header_and_other_texts_get_no_directives() -> None:
    assert list(missing_header(analysed(TEXT))) == []
    assert list(missing_header(analysed("int main(void) { return 0; }\n" * 9))) == []
    assert list(missing_header(analysed(".version 1.4\n.target sm_10\n"))) == []
