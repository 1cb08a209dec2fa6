"""What is written into a literal is, decoded again, the text of PTX that was to be written."""

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ptx_lsp.embedded.decoding import decoded
from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inside import Inside, inside_of
from ptx_lsp.fixes.fix import Edit, apply_edits
from ptx_lsp.hosts.scan import scan
from ptx_lsp.hosts.statement import Host
from ptx_lsp.text.ranges import Range

PTX = "add.s32 %0, %1, 2;"
IN_LLVM = "add.s32 $0, $1, 2;"
OPERANDS = ': "=r"(a) : "r"(b)'
WRITINGS = (
    (Host.CUDA, f'asm("{PTX}" {OPERANDS});', ()),
    (Host.CUDA, f'asm("add.s32 %0" ", %1, " u8"2;" {OPERANDS});', ()),
    (Host.CUDA, f'asm(R"({PTX})" {OPERANDS});', ()),
    (Host.CUDA, f'asm(R"x({PTX})x" {OPERANDS});', ()),
    (Host.CUDA, 'asm volatile("bar.sync 0;");', ()),
    (Host.CUDA, f'#define A(a, b) \\\n  asm("add.s32 \\\n%0, %1, 2;" {OPERANDS})\n', ()),
    (Host.OPENCL, f'__asm__("{PTX}" {OPERANDS});', ()),
    (Host.PYTHON, f'inline_asm_elementwise("{IN_LLVM}", "=r,r", [x], tl.int32, True, 1)', ()),
    (Host.PYTHON, f"inline_asm_elementwise('{IN_LLVM}', '=r,r', [x], tl.int32, True, 1)", ()),
    (Host.PYTHON, f'inline_asm_elementwise(r"{IN_LLVM}", "=r,r", [x], tl.int32, True, 1)', ("\n", "\t")),
    (Host.PYTHON, f'inline_asm_elementwise(r"""{IN_LLVM}""", "=r,r", [x], tl.int32, True, 1)', ()),
    (Host.PYTHON, f'inline_asm_elementwise("""\n{IN_LLVM}\n""", "=r,r", [x], tl.int32, True, 1)', ()),
    (Host.PYTHON, f'inline_asm_elementwise(f"{IN_LLVM}", "=r,r", [x], tl.int32, True, 1)', ()),
    (Host.PYTHON, "c = '''__device__ void f() { asm(\"" + PTX + '" ' + OPERANDS + "); }'''", ("\n", "\t")),
    (Host.PYTHON, 'c = r"""__device__ void f() { asm("' + PTX + '" ' + OPERANDS + '); }"""', ("\n", "\t")),
    (Host.RUST, 'asm!("add.s32 {}, {}, 2;", out(reg32) a, in(reg32) b);', ()),
    (Host.RUST, 'asm!("add.s32 {a},", "{b}, 2;", a = out(reg32) a, b = in(reg32) b);', ()),
    (Host.RUST, 'asm!(r#"add.s32 {}, {}, 2;"#, out(reg32) a, in(reg32) b);', ()),
    (Host.LLVM, f'%1 = call i32 asm "{IN_LLVM}", "=r,r"(i32 %x)', ()),
    (Host.MLIR, f'%1 = llvm.inline_asm asm_dialect = att "{IN_LLVM}", "=r,r" %x : (i32) -> i32', ()),
    (Host.JULIA, '@asmcall("add.s32 \\$0, \\$1, 2;", "=r,r", Int32, Tuple{Int32}, x)', ()),
    (Host.JULIA, f'@asmcall(raw"{IN_LLVM}", "=r,r", Int32, Tuple{{Int32}}, x)', ()),
)
"""A file with one statement, and the characters that become blanks in its literals."""
PLACEHOLDER = re.compile(r"[\w.]\{\w*\}|\{\w*\}[\w.]|\{\{|\$\{|\.\$[a-z]")
"""What a string of Python has only if it is a template of a program: its statements are not read."""
OTHER_OPERAND = re.compile(r"[%$](?:0\d|[2-9]|1\d)")
NEW = st.text(st.sampled_from("ab1.,; \n\t%${}[]|\"'\\@#"), max_size=6)


def the_statement(text: str, host: Host) -> Inside:
    """The only statement of a text."""
    analysis = HostText(text, host, None, ())
    analysis.work()
    (located,) = analysis.statements()
    here = inside_of(located, analysis)
    assert here is not None
    return here


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(WRITINGS), NEW, st.data())
def test_an_edit_of_the_ptx_is_that_edit_after_decoding(
    writing: tuple[Host, str, tuple[str, ...]], new: str, data: st.DataObject
) -> None:
    host, text, blanks = writing
    here = the_statement(text, host)
    ptx = here.embedded.body.text
    places = [at for at in range(len(ptx) + 1) if not ptx[at : at + 1].isdigit()]
    start = data.draw(st.sampled_from(places))
    end = data.draw(st.sampled_from([at for at in places if at >= start]))
    assume(not re.search(r"[%$]\d*$", ptx[:start] + new) and not OTHER_OPERAND.search(ptx[:start] + new + ptx[end:]))
    edit = Edit(Range(*here.body.position(start), *here.body.position(end)), new)
    edits = here.edits(edit)
    wanted = ptx[:start] + "".join(" " if each in blanks else each for each in new) + ptx[end:]
    # a statement without operands is copied: what is a percent sign for its author stays two
    assume(here.embedded.statement.operands or not re.search("%[%=]", wanted))
    assume(host is not Host.PYTHON or not PLACEHOLDER.search(wanted))
    if edits:
        written = apply_edits(text, edits)
        (statement,) = scan(written, host)
        assert decoded(statement, {}).text == wanted, written


def test_a_part_of_a_reference_is_not_kept() -> None:
    here = the_statement('asm!("add.s32 {}, {}, 2;", out(reg32) a, in(reg32) b);', Host.RUST)
    start, end = here.embedded.body.text.index("add"), here.embedded.body.text.index(", 2")
    edits = here.edits(Edit(Range(*here.body.position(start), *here.body.position(end)), "1"))
    assert [edit.text for edit in edits] == ["1"]


PLAIN = [
    (text, host, new)
    for host, text, _ in WRITINGS
    for new in (".sat", " ", ", %laneid" if host in (Host.CUDA, Host.OPENCL) else ", x")
]


def test_plain_words_can_be_written_everywhere() -> None:
    for text, host, new in PLAIN:
        here = the_statement(text, host)
        for at, character in enumerate(here.embedded.body.text):
            if character.isalpha():
                place = here.body.position(at)
                assert here.edits(Edit(Range(*place, *place), new)), (text, at, new)


@pytest.mark.parametrize(("old", "new"), [("%p", "%p1"), ("@%p", "@%p1"), ("%p", "@%p1")])
def test_a_part_of_a_name_is_not_kept(old: str, new: str) -> None:
    """The compiler takes `%p` beside operands, and refuses `%p1`."""
    text = 'asm("@%p mov.u32 %0, 1;" : "=r"(a));'
    here = the_statement(text, Host.CUDA)
    start = here.embedded.body.text.index(old)
    edits = here.edits(Edit(Range(*here.body.position(start), *here.body.position(start + len(old))), new))
    assert apply_edits(text, edits) == text.replace(old, new.replace("%", "%%"))


@pytest.mark.parametrize(
    ("host", "text"),
    [
        (Host.CUDA, r'asm("add.s32\x20%0, %1, 2;" : "=r"(a) : "r"(b));'),
        (Host.PYTHON, r"""c = '''void f() { asm("add.s32\\x20%0, %1, 2;" : "=r"(a) : "r"(b)); }'''"""),
        (Host.JULIA, r'@asmcall("add.s32\u20\$0, \$1, 2;", "=r,r", Int32, Tuple{Int32}, x)'),
    ],
)
def test_no_digit_is_added_to_an_escape(host: Host, text: str) -> None:
    here = the_statement(text, host)
    place = here.body.position(here.embedded.body.text.index(" ") + 1)
    assert here.edits(Edit(Range(*place, *place), "a")) == ()
    assert here.edits(Edit(Range(*place, *place), "x"))


def test_a_line_end_is_one_in_a_long_literal_of_python() -> None:
    text = 'inline_asm_elementwise("""\n  add.s32 $0, $1, 2;\n""", "=r,r", [x], tl.int32, True, 1)'
    here = the_statement(text, Host.PYTHON)
    end = here.body.position(here.embedded.body.text.index(";") + 1)
    edits = here.edits(Edit(Range(*end, *end), '\n\t"'))
    assert [each.text for each in edits] == ['\n\\t\\"']
