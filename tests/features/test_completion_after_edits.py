"""Completion depends on the text alone: not on how edits have divided it, nor on what was read when."""

from collections.abc import Iterable, Iterator

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.declared_order import in_order
from ptx_lsp.candidates.half_typed import half_typed
from ptx_lsp.candidates.nearby_names import Mentions, mention_steps
from ptx_lsp.candidates.nearby_text import pieces_above, pieces_below
from ptx_lsp.features.completion import completion
from ptx_lsp.reading.blanked_text import in_bodies
from ptx_lsp.semantics.symbols import Symbol
from ptx_lsp.steps import result_of
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed

HEAD = ".version 8.8\n.target sm_90\n.address_size 64\n"
# the braces are outside of any function, so that what they declare is visible below them
OUTSIDE = """
\tadd.s32 \t%r29, %r28, 1;
\tshl.b64 \t%rd39, %rd76, 2;
\tmov.u64 \t%rd40, 0;
\t{
\t.reg .u32 %r0, %r1;
\tmov.b64 \t{%r0, %r1}, %rd40;
\t}
\txor.b32 \t%r30, %r28, 8;
\tselp.b32 \t%r31, %r1, %r0, %p7;
"""
FUNCTION = "".join(
    f"\tadd.s32 \t%r{number % 50}, %r{number % 47}, %r{number % 43};\n$L_{number % 30}:\n\tbra \t$L_{number % 17};\n"
    for number in range(400)
)
INSIDE = f"""
.visible .entry k()
{{
\t.reg .pred %p<4>;
\t.reg .b32 %r<60>;
\t.reg .b32 one;
\t.reg .b64 %rd<4>;
\t.local .b32 first;
\t.local .b32 second;
{FUNCTION}\tadd.s32 \t%r1, %r2, %r3;
{FUNCTION}}}
.global .b32 other;
.visible .entry l()
{{
\t.reg .b32 %r<7>;
\tadd.s32 \t%r5, %r6, %r6;
}}
"""
CALL = "add.s32 \t%r1, %r2, "


def place_of(text: str, word: str) -> Position:
    """The end of the last occurrence of a word."""
    end = text.rindex(word) + len(word)
    return Position(text.count("\n", 0, end), end - text.rfind("\n", 0, end) - 1)


def divided(text: str, line: int) -> Module:
    """A module that was edited at a line and then has the text again."""
    module = analysed(text)
    for range_, new in ((Range(line, 0, line, 0), "z"), (Range(line, 0, line, 1), "")):
        module.edit(range_, new)
        module.work()
    return module


@pytest.mark.parametrize(
    ("text", "word"), [(HEAD + OUTSIDE, "selp.b32 \t%r31, "), (HEAD + INSIDE, CALL), (HEAD + INSIDE, "bra \t$L_1")]
)
def test_the_items_are_those_of_a_fresh_module(text: str, word: str) -> None:
    position = place_of(text, word)
    fresh = analysed(text)
    expected = completion(fresh, position)
    assert expected is not None
    assert expected.items
    for line in range(1, text.count("\n"), 1 + text.count("\n") // 30):
        assert completion(divided(text, line), position) == expected, line


BETWEEN = "".join(f"\tadd.s32 \t%r1, %r2, {number};\n" for number in range(40))
BEGUN = f"""{HEAD}.visible .entry k()
{{
\t.reg .b32 %r<9>;
\t.reg .b64 %rd<9>;
\t.param .b32 one;
\tfirst: .callprototype _ ();
{BETWEEN}"""
LATER = {
    "a family of parameters": ("st.param.b32 \t[", "\t.param .b32 %P<9>;\n"),
    "a prototype": ("call \t%rd1, (), ", "\tlater: .callprototype _ ();\n"),
}


@pytest.mark.parametrize(("typed", "declared"), LATER.values(), ids=LATER)
def test_declarations_below_the_position_are_not_offered(typed: str, declared: str) -> None:
    """The function continues below the block of the position, so that its scope has all declarations."""
    text = f"{BEGUN}\t{typed}\n{BETWEEN}{declared}{BETWEEN}}}\n"
    position = place_of(text, typed)
    fresh, edited = Module(text), Module(text)
    for module in (fresh, edited):
        module.work()
    for line in (position.line - 20, position.line + 20):
        for range_, new in ((Range(line, 0, line, 0), "z"), (Range(line, 0, line, 1), "")):
            edited.edit(range_, new)
            edited.work()
    expected, found = completion(fresh, position), completion(edited, position)
    assert expected is not None
    assert expected.items
    assert found == expected


def test_of_many_names_those_declared_last_above_the_position_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost does not grow with the names that are declared far away."""
    looked_at: list[Symbol] = []

    def noted(symbols: Iterable[Symbol]) -> list[Symbol]:
        found = in_order(symbols)
        looked_at.extend(found)
        return found

    monkeypatch.setattr("ptx_lsp.candidates.declared_order.in_order", noted)
    names = "".join(f".func f{number}();\n" for number in range(4_000))
    text = f"{HEAD}{names}.entry k()\n{{\n\tcall f;\n}}\n{names.replace(' f', ' g')}"
    module = Module(text)
    while not module.work(0):
        pass
    found = completion(module, place_of(text, "call "))
    assert found is not None
    assert [item.label for item in found.items[:3]] == ["f3999", "f3998", "f3997"]
    assert 0 < len(looked_at) < 1_000


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("lines", [1, 7, 100])
def test_what_is_near_does_not_depend_on_the_chunks(end: str, lines: int) -> None:
    text = (HEAD + INSIDE).replace("\n", end)
    whole = Document(text)
    document = Document()
    rows = text.split(end)
    for first in range(0, len(rows), lines):
        place = document.end()
        document.edit(Range(*place, *place), (end if first else "") + end.join(rows[first : first + lines]))
    assert document.whole() == text
    assert document.chunk_count != whole.chunk_count
    position = place_of(text.replace(end, "\n"), CALL)
    assert _mentions(document, position, CALL) == _mentions(whole, position, CALL)
    for pieces in (pieces_above, pieces_below):
        texts = ["".join(sorted(piece.text for piece in pieces(each, position))) for each in (document, whole)]
        assert len(texts[0]) == len(texts[1])


def test_a_statement_of_several_lines_is_not_near_to_itself() -> None:
    text = HEAD + ".entry k()\n{\n" + "\n" * 500 + "call\n" + "(%r1),\n" * 40 + "f, (%r2"
    document = Document()
    for row in text.splitlines(keepends=True):
        place = document.end()
        document.edit(Range(*place, *place), row)
    prefix = text[text.index("call") :]
    assert _mentions(document, document.end(), prefix).statements == ()


@pytest.mark.parametrize("word", [".a" + ":" * 5_000 + " ", ".a" + "::b" * 9_000 + ",", "%" * 20_000 + "!"])
def test_half_typed_words_are_found_in_linear_time(word: str) -> None:
    found = half_typed(f"add.s32 {word}%r1")  # a pattern that tries all divisions of the colons would not end
    assert found is None or found.word == "%r1"


def test_a_row_of_slashes_below_a_brace_is_read_in_linear_time() -> None:
    text = HEAD + ".entry k()\n{\n}\n" + "//" * 20_000 + "\nL:\n"
    assert "".join(piece.text for piece in pieces_below(Document(text), Position(4, 0))).endswith("L:\n")


@pytest.mark.parametrize(
    "line_below",
    ["\tadd.s32 \t%r{}, %r{}, 2;\n", "\t// begin inline asm\n\t{{add.s32 %r{}, %r{}, 2;\n\t}}\n\t// end inline asm\n"],
)
def test_plain_lines_above_a_position_are_not_parsed_after_an_edit(
    line_below: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The function begins in the edited block, as in most files: its head is not far above."""
    parsed: list[object] = []

    def counted(text: str, begin: int = 0) -> Iterator[object]:
        for each in parse_statements(text, begin):
            parsed.append(each)
            yield each

    monkeypatch.setattr("ptx_lsp.reading.statement_context.parse_statements", counted)
    line_above = "\tadd.s32 \t%r{}, %r{}, 1;\n"
    lines = (line_above.format(n % 50, n % 47) + line_below.format(n % 50, n % 46) for n in range(150))
    body = "".join(lines)
    text = f"{HEAD}.visible .entry k()\n{{\n\t.reg .b32 %r<50>;\n{body}\tret;\n}}\n"
    module = analysed(text)
    line = next(n for n in range(200, 300) if ", 1;" in module.document.line(n))
    module.edit(Range(line, 0, line, 0), "\tadd.s32 \t%r1, %r")
    assert completion(module, Position(line, 17)) is not None
    assert len(parsed) < 30


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        (".func f()\n{\n¦x;\n", True),
        (".func f()\n{\n\t{\n\tx;\n\t}\n¦x;\n", True),
        (".func f()\n{\n\tret;\n}\n¦x;\n", False),
        (".func f()\n{\n\tret;\n}\n{\n¦x;\n", False),
        (".extern .func f();\n{\n¦x;\n", False),
        (".entry k(\n\t.param .u64 p)\n.maxntid 1\n{\n¦x;\n", True),
        (".func f() { ret; }\n{\n¦x;\n", False),
        ("¦x;\n", False),
    ],
)
def test_lines_are_in_a_function_by_its_braces(text: str, inside: bool) -> None:
    """For a block that was edited and has not been read again."""
    at = text.index("¦")
    assert in_bodies(text.replace("¦", ""))(at, at + 1) is inside


def _mentions(document: Document, position: Position, prefix: str) -> Mentions:
    return result_of(mention_steps(document, position, prefix))


@pytest.mark.parametrize("settled", [True, False])
def test_a_label_whose_name_was_removed_is_offered_in_its_place(settled: bool) -> None:
    module = analysed(HEAD + ".entry k()\n{\n\tbra $done;\n\tret;\n$done:\n\tret;\n}\n")
    module.edit(Range(7, 0, 7, len("$done")), "")
    if settled:
        module.work()
    found = completion(module, Position(7, 0))
    assert found is not None
    assert found.items[0].label == "$done"
