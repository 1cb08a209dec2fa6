"""Linked editing: the places of a label in its function, and nothing for other names."""

import pytest

from ptx_lsp.features.linked_editing_range import linked_editing_ranges, still_linked
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range
from tests.features.modules import in_body, marked

TWO = "{0}:\n\tbra {1};\n\t@%p1 bra top;\n\t// top\n\tadd.s32 %r1, %r2, 5;\n"


def linked(text: str) -> list[tuple[int, str]]:
    """The line and text of each place that is linked with the cursor."""
    module, position = marked(text)
    found = [each for some in linked_editing_ranges(module, position) for each in some]
    return [(each.line, module.document.text(each)) for each in found]


@pytest.mark.parametrize("names", [("t¦op", "top"), ("top", "¦top"), ("top", "top¦")])
def test_a_label_and_its_uses_are_linked(names: tuple[str, str]) -> None:
    text = in_body(TWO.format(*names))
    first = text[: text.index("top") if "t¦op" not in text else text.index("t¦op")].count("\n")
    assert linked(text) == [(first, "top"), (first + 1, "top"), (first + 2, "top")]


@pytest.mark.parametrize("statement", ["add.s32 %r¦1, %r2, 5;", "a¦dd.s32 %r1, %r2, 5;", "// to¦p", "bra nowhe¦re;"])
def test_other_names_are_not_linked(statement: str) -> None:
    assert linked(in_body("top:\n\t" + statement)) == []


def test_a_label_of_the_same_name_in_another_scope_is_another_label() -> None:
    found = linked(in_body("{\nto¦p: bra top;\n}\n{\ntop: bra top;\n}\n"))
    assert len(found) == 2
    assert len({line for line, _ in found}) == 1


@pytest.mark.parametrize(
    ("names", "found", "linked"),
    [
        (("tops", "top", "top"), (), ["tops", "top", "top"]),
        (("to", "top", "top"), (0,), ["to", "top", "top"]),
        (("tops", "top"), (), ["tops", "top"]),
        (("top", "top", "top"), (), []),  # no edit, or the client has changed all places
        (("tops", "top", "to"), (), []),
        (("", "top", "top"), (), []),
        (("tops", "top", "top"), (0, 3), []),  # it is another label with a place of its own
    ],
)
def test_places_stay_linked_while_one_of_them_has_a_new_name(
    names: tuple[str, ...], found: tuple[int, ...], linked: list[str]
) -> None:
    document = Document("".join(f"\tbra {name};\n" for name in names))
    places = [Position(line, 5) for line in range(len(names))]
    now = still_linked(document, Position(0, 5), places, [Range(line, 5, line, 5 + len(names[0])) for line in found])
    assert [document.text(range_) for range_ in now] == linked
