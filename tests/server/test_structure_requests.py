"""The requests about the structure of a document, as the client gets them."""

from pathlib import Path
from typing import Any

import pytest

from ptx_lsp.server import scheduler, sliced_requests
from tests.server.conversation import MODULE, initialized, replaced, stepped

URI = "file:///m.ptx"
END_OF_TEXT = {"line": 99, "character": 0}
NESTED = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
CONTENT_MODIFIED = -32801
LONG = MODULE.replace("\tret;\n", "".join(f"l{n}:\n\tadd.s32 %r1, %r2, {n};\n" for n in range(10_000)) + "\tret;\n")


def span(range_: Any) -> tuple[int, int, int, int]:
    """A range of the protocol as four numbers."""
    start, end = range_["start"], range_["end"]
    return start["line"], start["character"], end["line"], end["character"]


def test_symbols_are_nested_if_the_client_supports_that() -> None:
    text = "/* 𝄞 */ " + MODULE.replace("k()", "k(.param .u64 p)").replace("\tret;", "end: ret;")
    with stepped(NESTED) as conversation:
        conversation.open(text)
        (kernel,) = conversation.ask_about(URI, "documentSymbol")
        assert (kernel["name"], kernel["detail"], kernel["kind"]) == ("k", ".visible .entry(.u64)", 12)
        assert span(kernel["range"]) == (4, 0, 12, 1)
        assert span(kernel["selectionRange"]) == (4, 16, 4, 17)
        assert [child["name"] for child in kernel["children"]] == ["p", "end"]


def test_columns_are_those_of_the_client() -> None:
    with stepped(NESTED) as conversation:
        conversation.open("/* 𝄞 */ .func f;\n")
        (function,) = conversation.ask_about(URI, "documentSymbol")
        assert span(function["selectionRange"]) == (0, 15, 0, 16)  # the clef takes two units of UTF-16


def test_other_clients_get_a_flat_list() -> None:
    with stepped() as conversation:
        conversation.open(MODULE.replace("\tret;", "end: ret;"))
        kernel, label = conversation.ask_about(URI, "documentSymbol")
        assert (kernel["name"], kernel["location"]["uri"]) == ("k", URI)
        assert (label["name"], label["containerName"]) == ("end", "k")


@pytest.mark.parametrize("before", ["", "/* 𝄞 */ ", f"/* {600 * ' '} */ "])
def test_a_flat_list_has_the_places_of_the_nested_one(before: str) -> None:
    text = MODULE.replace("k()", "k(.param .u64 p)").replace("\tret;", f"\t{before}end: ret;\n{before}other:")
    answers = []
    for abilities in (NESTED, {}):
        with stepped(abilities) as conversation:
            conversation.open(f"{before}{text}\n{before}.global .b32 last;\n")
            answers.append(conversation.ask_about(URI, "documentSymbol"))
    nested, flat = answers
    everything = [each for outer in nested for each in (outer, *outer.get("children", ()))]
    both = [(each["name"], each["kind"], span(each["range"])) for each in everything]
    assert [(each["name"], each["kind"], span(each["location"]["range"])) for each in flat] == both
    assert [name for name, _, _ in both] == ["k", "p", "end", "other", "last"]


def test_an_edit_ends_the_search_for_the_symbols_of_a_long_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliced_requests, "SLICE", 0.0)  # each step is a slice
    monkeypatch.setattr(scheduler, "OUTLINING", 0.0)  # nothing is searched while the document is analysed
    with stepped(NESTED) as conversation:
        conversation.open(LONG)
        first = conversation.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        assert conversation.hover(9, 2)  # answered between two slices
        conversation.change(2, replaced(0, 0, 0, "// "))
        assert conversation.answer(first)["error"]["code"] == CONTENT_MODIFIED
        (kernel,) = conversation.ask_about(URI, "documentSymbol")
        assert len(kernel["children"]) == 10_000


def test_folding_ranges_have_columns_unless_the_client_folds_whole_lines() -> None:
    with stepped() as conversation:
        conversation.open(MODULE)
        assert conversation.ask_about(URI, "foldingRange") == [
            {"startLine": 5, "startCharacter": 1, "endLine": 12, "endCharacter": 0}
        ]
    with stepped({"textDocument": {"foldingRange": {"lineFoldingOnly": True, "rangeLimit": 1}}}) as conversation:
        conversation.open("// a\n// b\n" + MODULE)
        assert conversation.ask_about(URI, "foldingRange") == [{"startLine": 7, "endLine": 13}]


OPTIONS = {"tabSize": 4, "insertSpaces": True}
UNTIDY = MODULE.replace("\tadd.s32 %r2", "  add.s32 %r2")


def new_texts(edits: Any) -> list[tuple[tuple[int, int, int, int], str]]:
    """The ranges of edits with their texts."""
    return [(span(edit["range"]), edit["newText"]) for edit in edits]


def test_a_range_is_formatted() -> None:
    place = {"start": {"line": 9, "character": 1}, "end": {"line": 10, "character": 0}}
    with stepped() as conversation:
        conversation.open(UNTIDY)
        edits = conversation.ask_about(URI, "rangeFormatting", range=place, options=OPTIONS)
        assert new_texts(edits) == [((9, 0, 9, 2), "\t"), ((9, 9, 9, 10), " \t")]
        every = conversation.ask_about(URI, "formatting", options=OPTIONS)
        assert [edit for edit in every if edit["range"]["start"]["line"] == 9] == edits


def test_a_completed_line_is_formatted_if_the_setting_is_on() -> None:
    place = {"position": {"line": 9, "character": 28}, "ch": ";", "options": OPTIONS}
    with stepped() as conversation:
        conversation.open(UNTIDY)
        assert conversation.ask_about(URI, "onTypeFormatting", **place) is None
    with stepped(initializationOptions={"format": {"onType": True}}) as conversation:
        conversation.open(UNTIDY)
        assert len(conversation.ask_about(URI, "onTypeFormatting", **place)) == 2
        after = place | {"position": {"line": 10, "character": 0}, "ch": "\n"}
        assert len(conversation.ask_about(URI, "onTypeFormatting", **after)) == 2


def test_selections_are_nested() -> None:
    with stepped() as conversation:
        conversation.open(MODULE)
        first, second = conversation.ask_about(
            URI, "selectionRange", positions=[{"line": 9, "character": 10}, END_OF_TEXT]
        )
        spans = []
        while first:
            spans.append(span(first["range"]))
            first = first.get("parent")
        assert spans[0] == (9, 9, 9, 12)
        assert (9, 1, 9, 26) in spans
        assert spans[-1] == span(second["range"]) == (0, 0, 13, 0)


def test_the_uses_of_a_label_are_linked() -> None:
    with stepped() as conversation:
        conversation.open(MODULE.replace("\tret;", "end:\n\tbra end;"))
        place = {"line": 12, "character": 6}
        found = conversation.ask_about(URI, "linkedEditingRange", position=place)
        assert [span(range_) for range_ in found["ranges"]] == [(11, 0, 11, 3), (12, 5, 12, 8)]
        assert conversation.ask_about(URI, "linkedEditingRange", position={"line": 9, "character": 10}) is None


def test_the_uses_of_a_label_stay_linked_until_the_client_has_changed_them_too() -> None:
    with stepped() as conversation:
        conversation.open(MODULE.replace("\tret;", "end:\n\tbra end;"))
        typed = []
        for version, column in ((2, 3), (3, 4)):
            conversation.ask_about(URI, "linkedEditingRange", position={"line": 11, "character": column})
            conversation.change(version, replaced(11, column, column, "s"))
            found = conversation.ask_about(URI, "linkedEditingRange", position={"line": 11, "character": column + 1})
            typed.append([span(range_) for range_ in found["ranges"]])
        assert typed == [[(11, 0, 11, 4), (12, 5, 12, 8)], [(11, 0, 11, 5), (12, 5, 12, 8)]]
        conversation.change(4, replaced(12, 5, 8, "endss"))
        found = conversation.ask_about(URI, "linkedEditingRange", position={"line": 11, "character": 5})
        assert [span(range_) for range_ in found["ranges"]] == [(11, 0, 11, 5), (12, 5, 12, 10)]


def test_a_label_that_gets_the_name_of_another_one_is_not_linked_with_its_old_uses() -> None:
    with stepped() as conversation:
        conversation.open(MODULE.replace("\tret;", "end:\n\tbra end;\nlast:\n\tbra last;"))
        conversation.ask_about(URI, "linkedEditingRange", position={"line": 12, "character": 6})
        conversation.change(2, replaced(12, 5, 8, "last"))
        found = conversation.ask_about(URI, "linkedEditingRange", position={"line": 12, "character": 6})
        assert [span(range_) for range_ in found["ranges"]] == [(12, 5, 12, 9), (13, 0, 13, 4), (14, 5, 14, 9)]


def test_an_edit_of_several_lines_does_not_type_the_name_of_a_label() -> None:
    with stepped() as conversation:
        conversation.open(MODULE.replace("\tret;", "end:\n\tbra end;\n\tret;"))
        conversation.ask_about(URI, "linkedEditingRange", position={"line": 12, "character": 6})
        end = {"line": 13, "character": 4}
        change = {"range": {"start": {"line": 12, "character": 7}, "end": end}, "text": "x"}
        conversation.change(2, change)
        assert conversation.ask_about(URI, "linkedEditingRange", position={"line": 12, "character": 6}) is None


def test_a_link_gets_its_target_if_there_is_a_regular_file(tmp_path: Path) -> None:
    source = tmp_path / "a b.cu"
    source.write_text("")
    paths = [str(source), "a b.cu", str(tmp_path), str(tmp_path / "none.cu"), f"/{source}"]
    files = "".join(f'.file {number + 1} "{path}"\n' for number, path in enumerate(paths))
    uri = (tmp_path / "m.ptx").as_uri()
    with initialized() as conversation:
        conversation.open(MODULE + files, uri)
        links = conversation.ask("textDocument/documentLink", {"textDocument": {"uri": uri}})
        assert span(links[1]["range"]) == (14, 9, 14, 15)
        assert [link.get("target") for link in links] == [None] * 5
        resolved = [conversation.ask("documentLink/resolve", link).get("target") for link in links]
        assert resolved == [source.as_uri(), source.as_uri(), None, None, None]


def test_symbols_are_the_same_with_and_without_a_conversion_of_columns() -> None:
    """A character of two units in a comment makes the server convert each column; no symbol is on its line."""
    text = MODULE.replace("\tret;", f"end: ret;\n{' ' * 511}far: ret;\n{' ' * 600}{'n' * 600}: ret;")
    text += '.visible .func\n  below(.param .b32 "wrong", .param .align 4 .b8 p[8])\n{\n\tret;\n}\n'
    answers = []
    for comment in ("// o\n", "// 𝄞\n"):
        with initialized(NESTED) as conversation:
            conversation.open(comment + text)
            answers.append(conversation.ask_about(URI, "documentSymbol"))
    assert answers[0] == answers[1]
    end, far, long = answers[0][0]["children"]
    assert span(end["selectionRange"])[1::2] == (0, 3)
    assert span(far["selectionRange"])[1::2] == (511, 514)
    assert span(long["selectionRange"])[1::2] == (600, 1200)
    below = answers[0][1]
    assert below["selectionRange"]["start"]["line"] == below["range"]["start"]["line"] + 1
