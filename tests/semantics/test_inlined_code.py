"""The search for inlined code takes time in proportion to the text, whatever the text is."""

from itertools import combinations_with_replacement, pairwise

import pytest

from ptx_lsp.semantics import inlined_code as module
from ptx_lsp.semantics.inlined_code import are_positions, continued_labels, inlined_code, locations
from tests.growth import LINEAR, growth

HOSTILE = [
    (".section .debug_str\n{\n.b64 0x", "f", "\n}\n"),
    (".section .debug_str\n{\n", "a", "\n}\n"),
    (".section .debug_str { a", " ", "}"),
    ("", ".section .debug_str ", ""),
    ("", ".section .debug_str {", ""),
    ("", ".section .debug_str { a: ", ""),
    (".section", " a", ""),
    ("", ".loc 1 2 3 ", ""),
]


@pytest.mark.parametrize(("before", "word", "after"), HOSTILE)
def test_time_is_linear_in_the_text(before: str, word: str, after: str) -> None:
    short, long_ = (before + word * (size // len(word)) + after for size in (4_000, 16_000))
    assert growth(lambda text: inlined_code(text, in_comment=False), short, long_) < LINEAR


LOCS = """\t.loc\t1 2 3{0}
\t.loc\t2 5 7, function_name $L__info_string1, inlined_at 1 2 3{0}
\tadd.s32 %r1, %r2, %r3;
\t.loc\t1 8 3{0}
\t.loc\t2 5 7, function_name $L__info_string1, inlined_at 1 8 4{0}
\t.loc\t2 5 7, function_name $L__info_string1, inlined_at 1 8 4{0}
"""


def sets(comment: str) -> list[set[str]]:
    """What is found in the text with this comment, each of the first four fields as a set."""
    return list(map(set, inlined_code(LOCS.format(comment), in_comment=False)[:4]))


def test_a_comment_after_a_position_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [{"1 2 3", "2 5 7", "1 8 3"}, {"1 8 4"}, set(), {"$L__info_string1"}]
    for comment in ("", " // src/a.py:2:3", " //, function_name x, inlined_at 1 2 9", " // .loc 1 8 4", "\r"):
        assert sets(comment) == found
    # the text of a compiler is not searched for comments
    monkeypatch.setattr(module, "without_comments", None)
    assert sets(" // src/a.py:2:3") == found


SECTIONS = """x.section .s { no: } .section .a {
l1: // no: }
/* no: }
no: */ l2: .b8 1 }
.section .b
.section .c {
l3: .section .d
}
.section .e x {
l4: }
.section .f {
l5: ; }
"""


def pieces_of(lines: list[str], ends: tuple[int, ...]) -> list[tuple[str, bool]]:
    """The text of these lines in pieces, and for each whether it begins in a comment."""
    texts = ["".join(lines[first:end]) for first, end in pairwise((0, *ends, len(lines)))]
    return [
        (text, "".join(texts[:number]).count("/*") > "".join(texts[:number]).count("*/"))
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("old", "new", "labels"),
    [
        ("", "", {"l1", "l2", "l3", "l4", "l5"}),
        (".d\n", ".d\n{\nl6: ", {"l1", "l2", "l6", "l4", "l5"}),
        (".e x {\n", ".e .x {\n", {"l1", "l2", "l3", "l5"}),
        (".e x {\n", ".e x;\n{\n", {"l1", "l2", "l3", "l5"}),
        ("x.section", " .section", {"no", "l1", "l2", "l3", "l4", "l5"}),
    ],
)
def test_the_labels_of_sections_are_the_same_wherever_a_text_is_divided(old: str, new: str, labels: set[str]) -> None:
    lines = SECTIONS.replace(old, new).splitlines(keepends=True)
    assert inlined_code("".join(lines), in_comment=False).labels == labels
    for ends in combinations_with_replacement(range(len(lines) + 1), 3):
        pieces = pieces_of(lines, ends)
        found: set[str] = set()
        for number, piece in enumerate(pieces, 1):
            code = inlined_code(*piece)
            found |= code.labels
            if code.rest:
                found |= continued_labels(code.rest, pieces[number:])
        assert found == labels, ends


def test_a_word_in_a_comment_that_began_above_is_not_a_label() -> None:
    assert inlined_code(".section .debug_str { f: }\n*/\n", in_comment=True).labels == frozenset()
    assert inlined_code("*/\n.section .debug_str { f: }\n", in_comment=True).labels == {"f"}


@pytest.mark.parametrize(
    "rest",
    [
        *("1 2 3", " 1 2 3 // a", "1 2 3\r", "1 02 3", "1  2 3", "1 2", "1 2 1234567890", "1 2 3,", "1 2 3 4"),
        *("1 2 3, function_name F, inlined_at 1 2 3", "1 2 3\x0c"),
    ],
)
@pytest.mark.parametrize("begin", ["\t.loc\t", "\t.loc ", " .loc ", "\t.loc"])
def test_lines_are_positions_if_each_is_a_location_without_a_name(begin: str, rest: str) -> None:
    plain, line = "\t.loc\t1 2 3", begin + rest
    ((position, name, _),) = locations([line])
    assert are_positions([plain, line]) == (bool(position) and not name)
