"""The context of a position, also between statements and in broken ones, and the closing brace of a body."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.half_typed import half_typed
from ptx_lsp.reading.blanked_text import KNOWN_LINES
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.parsed_statements import apply_found
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.syntax.tree import Declaration, FunctionHeader, Instruction, Problem, Statement
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed
from tests.features.modules import marked
from tests.reading.texts import FINE, SECTIONS

TEXT = """.version 8.0
.target sm_80
.address_size 64
.global .b32 g;
.entry k(.param .b64 p)
{
\t.reg .b32 %r<4>;
\tadd.s32 %r1, %r2, 7;
\t{
\t\t.reg .b32 inner;
\t\tmov.b32 inner, %r1
\t}
\tst.
\tret;
}
"""


def module() -> Module:
    """The text, analysed."""
    return analysed(TEXT)


@pytest.mark.parametrize(
    ("line", "column", "prefix"),
    [
        (7, 0, ""),
        (7, 5, "add."),
        (7, 18, "add.s32 %r1, %r2,"),
        (7, 21, ""),
        (10, 10, "mov.b32 "),
        (12, 4, "st."),
        (13, 0, "st.\n"),
        (13, 4, "st.\n\tret"),
        (13, 5, ""),
        (3, 9, ".global .b3"[:9]),
        (14, 1, ""),
        (99, 0, ""),
    ],
)
def test_the_prefix_is_the_statement_up_to_the_position(line: int, column: int, prefix: str) -> None:
    context = module().context_at(Position(line, column))
    assert context is not None
    assert context.prefix == prefix


def test_a_section_with_a_mistake_ends_at_a_word_of_a_plain_line() -> None:
    below = "\tadd.s32 %r1, %r2, 7;\n\tld.global.b32 %r1, [%rd1];\n\tadd.s32 %r1, "
    text = TEXT.replace("\tst.\n", f"\tmov.b32 %r1.section .debug_x {{, %r2;\n\tmov.b32 %r1, %r2;\n{below}")
    context = analysed(text).context_at(Position(16, 14))
    assert context is not None
    assert context.prefix == "add.s32 %r1, "


@pytest.mark.parametrize(
    ("line", "column", "visible", "hidden"),
    [
        (3, 0, (), ("g", "%r1", "p")),
        (4, 0, ("g",), ("p", "%r1")),
        (7, 0, ("g", "p", "%r1"), ("inner",)),
        (10, 12, ("inner", "%r1"), ()),
        (12, 0, ("%r1",), ("inner",)),
    ],
)
def test_the_scope_holds_the_names_above(
    line: int, column: int, visible: tuple[str, ...], hidden: tuple[str, ...]
) -> None:
    context = module().context_at(Position(line, column))
    assert context is not None
    assert [name for name in visible if context.scope.lookup(name) is None] == []
    assert [name for name in hidden if context.scope.lookup(name) is not None] == []


def test_the_profile_is_that_of_the_header_above() -> None:
    found = module()
    above, below = found.context_at(Position(1, 0)), found.context_at(Position(2, 0))
    assert above is not None
    assert below is not None
    assert (str(above.profile.version), str(below.profile.target)) == ("8.0", "sm_80")


def test_a_text_that_is_not_ptx_has_no_context() -> None:
    assert Module("<xml/>").context_at(Position(0, 0)) is None


PRAGMAS = """.version 8.0
.target sm_80
.address_size 64
.entry k(.param .b64 p)
.pragma "used_bytes_mask 0xf";
.pragma "nounroll";
{
\t.reg .b32 %r<9>;
\tadd.s32 %r1, %r2, 7;
\t.pragma "used_bytes_mask 0xfff";
\tld.param.b32 %r3, [p];
\t.pragma "nounroll";
\tmov.b32 %r4, %r5;
}
"""


def test_a_pragma_before_an_instruction_is_left_out_and_one_in_a_header_is_not() -> None:
    found = analysed(PRAGMAS)
    text = PRAGMAS[PRAGMAS.index("{") :]
    assert [match[0].count(".pragma") for match in KNOWN_LINES.finditer(text)] == [2]
    assert KNOWN_LINES.search(PRAGMAS[PRAGMAS.index(".entry") : PRAGMAS.index("{") + 2]) is None
    for line in range(7, 13):
        context = found.context_at(Position(line, 1))
        assert context is not None
        assert context.scope.lookup("p") is not None, line
        assert (context.scope.lookup("%r1") is not None) == (line > 7), line


def test_a_body_knows_where_it_closes() -> None:
    found = module()
    (body,) = found.bodies()
    assert body.closing is not None
    assert (body.opening.resolved(), body.closing.resolved()) == (Range(5, 0, 5, 1), Range(14, 0, 14, 1))
    found.edit(Range(0, 0, 0, 0), "\n")
    found.work()
    (body,) = found.bodies()
    assert body.closing is not None
    assert body.closing.resolved() == Range(15, 0, 15, 1)
    found.edit(Range(15, 0, 15, 1), "")
    found.work()
    (body,) = found.bodies()
    assert body.closing is None


HALF_TYPED = [
    "add.s32 %r1, %r2, 7;",
    "@!%p1 bra LOOP;",
    "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];",
    "call (result), callee, (%r1, 4), proto;",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0, %f1}, {%r0}, {%r1}, {%f0, %f1};",
    ".reg .b32 %new<4>, other;",
    ".shared .align 16 .b8 tile[16][4];",
    "mov.b32 %r1, (1 + 2) * 3;",
    "list: .branchtargets A, B;",
    ".pragma \"nounroll\";",
    "setp.eq.s32 %p1|%p2, %r1, 0;",
    "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex, {%r1, %r2}];",
]  # fmt: skip
FRAMES = [
    ("", ""),
    ("\tmov.b32 %r1, 0;\n\t", "\n\tret;"),
    ("LOOP:\n\t", "\n\tadd.s32 %r1, %r1, 1;"),
    ("\tmov.b32 %r1, 0; ", " mov.b32 %r2, 1;"),
    ("\t{\n\t.reg .b32 inner;\n\t", "\n\t}"),
    ("\t/* a comment */ ", " // another one"),
    ("\tfrob (\n\t;", "\n\tst."),
]
BEFORE = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n\t.reg .b32 %r<4>;\n\t.reg .pred %p<3>;\n"


@pytest.mark.slow
@pytest.mark.parametrize("statement", HALF_TYPED)
@pytest.mark.parametrize(("left", "right"), FRAMES)
def test_a_statement_that_is_typed_character_by_character(statement: str, left: str, right: str) -> None:
    before = BEFORE + left
    line, column = before.count("\n"), len(before) - before.rfind("\n") - 1
    found = analysed(f"{before}{right}\n\tret;\n}}\n")
    for typed in range(len(statement)):
        at = Position(line, column + typed)
        found.edit(Range(*at, *at), statement[typed])
        found.work()
        context = found.context_at(Position(line, column + typed + 1))
        assert context is not None
        last = typed + 1 == len(statement)
        assert context.prefix in ([""] if last else _possible_prefixes(statement[: typed + 1]))
        assert context.scope.lookup("%r1") is not None
        assert (context.scope.lookup("inner") is not None) == ("inner" in left)
        assert context.surroundings.function is not None
        assert str(context.profile.target) == "sm_80"


def _possible_prefixes(typed: str) -> list[str]:
    """The beginning of the statement; a label is a statement of its own until the list after it is known as a list."""
    _, colon, rest = typed.partition("list:")
    if not colon:
        return [typed]
    return [typed, rest.lstrip()] if rest.strip() else [""]


def declared_in(scope: Scope | None) -> list[object]:
    """What is visible of a scope and of those around it, without labels."""
    found: list[object] = []
    while scope is not None:
        tables = (scope.members, scope.families)
        found.append([sorted(name for name, each in table.items() if any(map(scope.sees, each))) for table in tables])
        scope = scope.parent
    return found


@pytest.mark.parametrize("text", [FINE, SECTIONS])
def test_an_edit_that_is_not_read_yet_leaves_the_names_above_it(text: str) -> None:
    whole = analysed(text)
    compared = 0
    for statement in list(whole.statements(Range(0, 0, whole.document.line_count, 0))):
        place = statement.position(statement.statement.start)
        if not isinstance(statement.statement, Instruction) or statement.surroundings.function is None:
            continue
        expected = declared_in(whole.context_at(place).scope)  # type: ignore[union-attr]
        edited = analysed(text)
        edited.edit(Range(*place, *place), "x")
        context = edited.context_at(place)
        assert context is not None
        assert declared_in(context.scope) == expected
        assert expected != [[[], []]]
        compared += 1
    assert compared > 4


def test_the_first_edit_in_a_long_function_has_its_context() -> None:
    lines = "".join(f"\tadd.s32 %r{number % 4}, %r1, {number};\n" for number in range(8_000))
    body = f"{BEFORE}{lines}\t.shared .b32 tile;\n\t{{ .reg .b32 inner; }}\n{lines}\tret;\n}}\n"
    found = analysed(body)
    last = found.document.line_count - 4
    found.edit(Range(last, 1, last, 1), "st")
    context = found.context_at(Position(last, 3))
    assert context is not None
    assert context.prefix == "st"
    assert context.scope.lookup("%r3") is not None
    assert context.scope.lookup("tile") is not None
    assert context.scope.lookup("inner") is None


PLAIN = "\tadd.s32 %r1, %r2, 1;\n"
NESTED = PLAIN + "\t// begin inline asm\n\t{add.s32 %r1, %r2, 1;\n}\n" + PLAIN
MISTAKES = [
    BEFORE + "LINES\tmov.b32 %r1, [.func f];\nLINES\tst¦",
    ".version 8.0\n.target sm_80\n.visible .entry k(\nLINES\tfma.loc 1 2 3\n).rn.f32 %r1;\nLINES\tst¦",
    BEFORE + "LINES\t{\nLINES\tmov.b32\nLINES\tst¦",
    BEFORE + "LINES}\nLINES\tst¦",
    BEFORE.replace("{", "") + "LINES\tst¦",
    ".version 8.0\n.target sm_80\n.entry k() // ;\nLINES\t.reg .b32 %r<9>;\nLINES\tst¦",
]


@pytest.mark.parametrize("plain", [PLAIN, NESTED], ids=("lines", "nested"))
@pytest.mark.parametrize("text", MISTAKES, ids=("operand", "header", "opened", "closed", "unopened", "comment"))
def test_plain_lines_stay_where_a_mistake_may_reach_them(text: str, plain: str) -> None:
    """The lines with a comment of the old kind are not left out."""
    found = []
    for lines in (plain * 4, plain.replace("\n", " /**/\n") * 4):
        module_, position = marked(text.replace("LINES", lines))
        context = module_.context_at(position)
        assert context is not None
        found.append((context.prefix, declared_in(context.scope)))
    assert found[0] == found[1]
    assert found[0][0] == "st"


@pytest.mark.parametrize("lines", [2, 300])
def test_an_open_comment_is_the_prefix_also_in_the_blocks_below(lines: int) -> None:
    """Its first lines are in another block after an edit far below them."""
    text = f"{BEFORE}\tadd.s32 %r1, %r2, /* 1;\n{PLAIN * lines}"
    found = analysed(text)
    last = text.count("\n")
    found.edit(Range(last, 0, last, 0), "st")
    found.work()
    context = found.context_at(Position(last, 2))
    assert context is not None
    assert half_typed(context.prefix) is None


def test_no_statement_is_read_in_the_bodies_of_functions_above(monkeypatch: pytest.MonkeyPatch) -> None:
    function = ".func f()\n{\n\t.reg .b32 %r<4>;\n\t.local .b32 l;\n\tmov.b32 %r1, 0;\n\t{\n\t.reg .pred p;\n\t}\n}\n"
    functions = "".join(function.replace("f()", f"f{number}()") for number in range(9))
    found, place = marked(f".version 8.0\n.target sm_80\n.address_size 64\n{functions}.global .b32 g;\n¦")
    read: list[Statement] = []

    def noted(reader: BlockReader, each: Statement, problems: tuple[Problem, ...], fine: bool, broken: bool) -> None:
        read.append(each)
        apply_found(reader, each, problems, fine, broken=broken)

    monkeypatch.setattr("ptx_lsp.reading.statement_context.apply_found", noted)
    monkeypatch.setattr("ptx_lsp.reading.statement_context.apply_recognised", lambda reader, text, start, *_: start)
    for asked in (found.context_at, found.statement_at):
        read.clear()
        asked(place)
        assert [type(each) for each in read].count(FunctionHeader) == 9
        assert [type(each) for each in read].count(Declaration) == 1


def test_a_recogniser_reads_a_long_declaration_in_a_block_with_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"r{number}" for number in range(200)]
    parsed: list[Statement] = []
    module = analysed(TEXT.replace("%r<4>;", f"%r<4>; .reg .b32 {', '.join(names)};"))
    module.edit(Range(7, 1, 7, 1), "st")

    def noted(reader: BlockReader, each: Statement, problems: tuple[Problem, ...], fine: bool, broken: bool) -> None:
        parsed.append(each)
        apply_found(reader, each, problems, fine, broken=broken)

    monkeypatch.setattr("ptx_lsp.reading.statement_context.apply_found", noted)
    context = module.context_at(Position(12, 4))
    assert context is not None
    assert [name for name in ("%r1", *names) if context.scope.lookup(name) is None] == []
    assert not [each for each in parsed if isinstance(each, Declaration) and len(each.declarators) > 1]


@pytest.mark.parametrize(
    "line", ["\t.local .align 8 .b8 x_.section .debug_info {y[32];", "\t.local .b8 x.section .debug_str {y[2];"]
)
def test_a_request_sees_the_scopes_that_the_analysis_sees_below_a_word_in_a_statement(line: str) -> None:
    begin, end = f"{TEXT[: TEXT.index('.global')]}.func f()\n{{\n\t{{\n", "\t.reg .b32 %r<4>;\n\tadd.s32 %r1, %r2, 7;\n"
    text = f"{begin}{line}\n{end}\tret;\n"
    found = analysed(text)
    context = found.context_at(Position(8, 20))
    exit_ = found.block_map.blocks[-1].exit
    assert context is not None
    assert exit_ is not None
    opening = context.surroundings.scope.opening
    assert opening is not None
    assert opening.resolved().start == Position(5, 1)
    assert exit_.scopes[-1].opening is not None
    assert exit_.scopes[-1].opening.resolved() == opening.resolved()


@pytest.mark.parametrize("typed", [".", "x", "0,", "%", "\n"])
@pytest.mark.parametrize("mistake", ["", "\tadd.s32 %r1 %r1\n"])
def test_the_prefix_in_an_edited_section_has_few_of_its_rows(typed: str, mistake: str) -> None:
    rows = "".join(f".b8 {number % 256}\n" for number in range(4_000))
    found = analysed(f"{FINE}{mistake}.section .debug_info {{\nbegin:\n{rows}}}\n")
    last = found.document.line_count - 3
    found.edit(Range(last, 4, last, 4), typed)
    end = Position(last + 1, 0) if typed == "\n" else Position(last, 4 + len(typed))
    before_reading = found.context_at(end)
    found.work()
    for context in (before_reading, found.context_at(end)):
        assert context is not None
        assert context.prefix.endswith(found.document.line(last)[:4] + typed)
        assert len(context.prefix.split()) < 60


def test_a_position_below_all_rows_of_a_section_is_in_the_section() -> None:
    rows = ".b8 1\n" * 400
    found = analysed(f"{FINE}.section .debug_info {{\n{rows}}}\n")
    last = found.document.line_count - 3
    for typed in ("", "b", "."):
        found.edit(Range(last, 0, last, len(found.document.line(last).rstrip("\n"))), typed)
        context = found.context_at(Position(last, len(typed)))
        assert context is not None
        assert context.prefix.startswith(".section .debug_info")


def test_a_family_of_variables_does_not_count_as_limited_memory() -> None:
    found = analysed(".version 8.0\n.target sm_80\n.address_size 64\n.shared .b32 d<4>;\n")
    assert [each.statement.start for each in found.statements(Range(3, 0, 3, 9))] == [44]


def test_a_register_that_is_declared_after_an_opcode_is_seen_below() -> None:
    opcode = TEXT.replace("\tst.\n", 2 * "\tadd.s32 %r1, %r2, 7;\n" + "\tmov.reg .f64 %r3;\n\tmov.b32 %r1, %r2;\n")
    context = analysed(opcode).context_at(Position(15, 0))
    assert context is not None
    symbol = context.scope.lookup("%r3")
    assert symbol is not None
    assert symbol.type == ".f64"
