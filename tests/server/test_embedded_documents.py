"""Documents in other languages, as an editor gets them: findings, hovers, hints, fixes and completion inside of asm."""

from typing import Any

import pytest

from ptx_lsp.server.request_table import REQUESTS
from tests.server.conversation import Conversation, Message, in_this_process, replaced

URI = "file:///kernel.cu"
LINE = '  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(x) : "r"(a), "r"(b), "r"(c));\n'
TEXT = "/* 𝄞 */ void f() {\n" + LINE + '  asm volatile("ld.gloabl.b32 %0, [%1];" : "=r"(y) : "l"(p));\n}\n'
IN_TEMPLATES = ("definition", "declaration", "references", "documentHighlight", "prepareRename", "rename")
SILENT = (
    *("codeLens", "linkedEditingRange", "documentLink", "formatting", "rangeFormatting", "semanticTokens/full"),
    "documentSymbol",
)


@pytest.fixture(scope="module")
def shared() -> Conversation:
    return in_this_process({"general": {"positionEncodings": ["utf-16"]}})


@pytest.fixture
def conversation(shared: Conversation) -> Conversation:
    shared.begin_again()  # not after the test: then nothing waits for what the last one begins
    return shared


def opened(conversation: Conversation, text: str, language: str = "cuda-cpp", uri: str = URI) -> list[Message]:
    item = {"uri": uri, "languageId": language, "version": 1, "text": text}
    conversation.notify("textDocument/didOpen", {"textDocument": item})
    return conversation.published(uri)


def place(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def test_findings_are_published_at_their_places_and_after_each_edit(conversation: Conversation) -> None:
    first, second = opened(conversation, TEXT)
    assert (first["code"], first["range"]["start"], first["severity"]) == ("asm-constraint", place(1, 32), 1)
    assert 'use `"l"`' in first["message"]
    assert (second["code"], second["range"]["start"]) == ("unknown-modifier", place(2, 18))
    conversation.change(2, replaced(2, 18, 25, ".global"), uri=URI)
    assert [each["code"] for each in conversation.published(URI)] == ["asm-constraint"]
    conversation.change(3, replaced(0, 0, 0, "int x;\n"), uri=URI)
    (moved,) = conversation.published(URI)
    assert moved["range"]["start"] == place(2, 32)


def test_hover_is_inside_of_asm_only(conversation: Conversation) -> None:
    opened(conversation, TEXT)
    assert '%3 is "r"(c): an input, in a .b32 register' in conversation.hover(1, 33, URI)
    assert "product" in conversation.hover(1, 10, URI)
    assert conversation.hover(0, 10, URI) == ""
    assert conversation.hover(1, 4, URI) == ""


def test_hints(conversation: Conversation) -> None:
    opened(conversation, 'asm("add.f32 %0, %1, 0f3FB8AA3B;" : "=f"(y) : "f"(x));\n')
    span = {"start": place(0, 0), "end": place(9, 0)}
    (hint,) = conversation.ask_about(URI, "inlayHint", range=span)
    assert (hint["label"], hint["position"]) == ("1.442695", place(0, 31))
    settings = {"ptx": {"embedded": {"expressions": True}}}
    conversation.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert [each["label"] for each in conversation.ask_about(URI, "inlayHint", range=span)] == ["y", "x", "1.442695"]


def test_signature_help_is_inside_of_asm_only(conversation: Conversation) -> None:
    opened(conversation, TEXT)
    found = conversation.ask_about(URI, "signatureHelp", position=place(1, 29))
    assert [form["label"] for form in found["signatures"]] == ["mad.wide.u32 d, a, b, c;"]
    assert found["activeParameter"] == 2
    assert conversation.ask_about(URI, "signatureHelp", position=place(0, 10)) is None
    assert conversation.ask_about(URI, "signatureHelp", position=place(1, 60)) is None
    conversation.change(2, replaced(1, 33, 35, ""), uri=URI)
    assert conversation.ask_about(URI, "signatureHelp", position=place(1, 33))["activeParameter"] == 3


def test_fixes_are_written_as_the_literal_needs_it(conversation: Conversation) -> None:
    opened(conversation, TEXT + 'void g() { asm volatile("{ .reg .pred %p1; }" :: "r"(a)); }\n')
    (action, *_) = conversation.ask_about(URI, "codeAction", range=at(2, 20), context={"diagnostics": []})
    (edit,) = action["edit"]["changes"][URI]
    assert (edit["newText"], edit["range"]) == (".global", {"start": place(2, 18), "end": place(2, 25)})
    (constraint,) = conversation.ask_about(URI, "codeAction", range=at(1, 33), context={"diagnostics": []})
    assert constraint["edit"]["changes"][URI][0]["newText"] == '"l"'
    (escape,) = conversation.ask_about(URI, "codeAction", range=at(4, 39), context={"diagnostics": []})
    assert escape["edit"]["changes"][URI][0]["newText"] == "%%p1"


def at(line: int, character: int) -> Message:
    return {"start": place(line, character), "end": place(line, character)}


def test_completion(conversation: Conversation) -> None:
    opened(conversation, 'void f() { asm("mov.u32 %0, " : "=r"(y) : "r"(x)); }\n')
    found = conversation.ask_about(URI, "completion", position=place(0, 28))
    texts = {each["label"]: each["textEdit"]["newText"] for each in found["items"]}
    assert texts["%1"] == "%1"
    assert texts["%laneid"] == "%%laneid"
    details = {each["label"]: each.get("detail") for each in found["items"]}
    assert details["%1"] == '"r"(x)'
    assert conversation.ask_about(URI, "completion", position=place(0, 8)) is None
    resolved = conversation.ask(
        "completionItem/resolve", next(each for each in found["items"] if each["label"] == "%laneid")
    )
    assert "lane" in str(resolved["documentation"])


@pytest.mark.parametrize(("typed", "filtered"), [("%", None), ("%%", "%%laneid"), ("%%la", "%%laneid"), ("%la", None)])
def test_completion_is_filtered_by_what_is_typed(conversation: Conversation, typed: str, filtered: str | None) -> None:
    opened(conversation, f'void f() {{ asm("mov.u32 %0, {typed};" : "=r"(y) : "r"(x)); }}\n')
    found = conversation.ask_about(URI, "completion", position=place(0, 28 + len(typed)))
    (item,) = [each for each in found["items"] if each["label"] == "%laneid"]
    assert item["textEdit"] == {
        "range": {"start": place(0, 28), "end": place(0, 28 + len(typed))},
        "newText": "%%laneid",
    }
    assert item.get("filterText") == filtered


def test_other_requests_have_no_answer(conversation: Conversation) -> None:
    methods = {request.method for request in REQUESTS}
    opened(conversation, TEXT)
    more = {
        "options": {"tabSize": 4, "insertSpaces": True},
        "context": {"includeDeclaration": True},
        "range": at(1, 9),
        "newName": "other",
    }
    for name in SILENT:
        assert f"textDocument/{name}" in methods
        assert not conversation.ask_about(URI, name, position=place(1, 9), **more), name
    for name in IN_TEMPLATES:
        assert f"textDocument/{name}" in methods
        for outside in (place(0, 15), place(1, 3), place(1, 60), place(9, 0)):
            assert conversation.ask_about(URI, name, position=outside, **more) is None, name


def test_the_language_decides_and_then_the_name_of_the_file(conversation: Conversation) -> None:
    python = 'inline_asm_elementwise("add.u32 $0;", "=r", [])\n'
    assert [each["code"] for each in opened(conversation, python, "python", "file:///a.txt")] == ["operand-count"]
    assert [each["code"] for each in opened(conversation, TEXT, "unknown", "file:///b.cu")] != []
    assert [each["code"] for each in opened(conversation, ".version 1.0\n", "ptx", "file:///c.cu")] == [
        "missing-target"
    ]


def test_languages_that_are_off_are_not_checked(conversation: Conversation) -> None:
    rust = 'fn f() { asm!("add.u32 {};", in(reg32) x); }\n'
    assert opened(conversation, rust, "rust", "file:///a.rs") == []
    assert conversation.hover(0, 20, "file:///a.rs") == ""
    settings = {"ptx": {"target": "sm_80", "embedded": {"languages": ["rust"]}}}
    conversation.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert [each["code"] for each in conversation.published("file:///a.rs")] == [
        "operand-count",
        "asm-input-written",
    ]


def test_the_targets_of_the_settings(conversation: Conversation) -> None:
    assert opened(conversation, 'asm volatile("wgmma.fence.sync.aligned;");\n') == []
    conversation.notify("workspace/didChangeConfiguration", {"settings": {"ptx": {"target": "sm_80"}}})
    assert [each["code"] for each in conversation.published(URI)] == ["requires-target"]
    conversation.notify("workspace/didChangeConfiguration", {"settings": {"ptx": {"target": "sm_80, sm_90a"}}})
    assert conversation.published(URI) == []


NAMES = 'void f() { /* 𝄞 */ asm("{ .reg .b32 t;\\n" "mov.b32 t, %[x]; st.b32 [%1], t; }" :: [x] "r"(a), "l"(p)); }\n'


def columns(found: Any) -> list[tuple[int, int]]:
    """The first and last column of each range of an answer, which has one line."""
    ranges = [each["range"] for each in found]
    assert {each["start"]["line"] for each in ranges} == {0}
    return [(each["start"]["character"], each["end"]["character"]) for each in ranges]


def units(part: str, after: str = "") -> int:
    """Where a part of `NAMES` begins, in units of UTF-16."""
    return NAMES.index(part, NAMES.index(after)) + 1


def test_definition_references_and_highlights(conversation: Conversation) -> None:
    opened(conversation, NAMES)
    declared, written, read = units("t;"), units("t, "), units("t; }")
    here = {"position": place(0, read)}
    for method in ("definition", "declaration"):
        assert columns(conversation.ask_about(URI, method, **here)) == [(declared, declared + 1)]
    uses = conversation.ask_about(URI, "references", **here, context={"includeDeclaration": False})
    assert columns(uses) == [(written, written + 1), (read, read + 1)]
    assert uses[0]["uri"] == URI
    found = conversation.ask_about(URI, "documentHighlight", **here)
    assert [each["kind"] for each in found] == [1, 3, 2]
    assert columns(found) == [(start, start + 1) for start in (declared, written, read)]
    operand = {"position": place(0, units("%[x]"))}
    assert columns(conversation.ask_about(URI, "definition", **operand)) == [(units("a)"), units("a)") + 1)]


def test_rename(conversation: Conversation) -> None:
    opened(conversation, NAMES)
    here = {"position": place(0, units("t, "))}
    assert conversation.ask_about(URI, "prepareRename", **here)["placeholder"] == "t"
    edits = conversation.ask_about(URI, "rename", **here, newName="%u")["changes"][URI]
    assert [each["newText"] for each in edits] == ["%%u"] * 3
    assert columns(edits) == [(units(part), units(part) + 1) for part in ("t;", "t, ", "t; }")]
    numbered = {"textDocument": {"uri": URI}, "position": place(0, units("%1"))}
    for method in ("prepareRename", "rename"):
        error = conversation.error(f"textDocument/{method}", {**numbered, "newName": "q"})
        assert (error["code"], "names an operand by its number" in error["message"]) == (-32803, True)


def test_requests_wait_for_the_analysis_of_the_last_edit(conversation: Conversation) -> None:
    opened(conversation, NAMES)
    conversation.change(2, replaced(0, 0, 0, "int x; "), uri=URI)
    found = conversation.ask_about(
        URI, "references", position=place(0, units("t, ") + 7), context={"includeDeclaration": True}
    )
    assert columns(found)[0] == (units("t;") + 7, units("t;") + 8)


def test_templates_are_folded(conversation: Conversation) -> None:
    opened(conversation, 'asm("bar.sync 0;"\n  "bar.sync 1;");\nint x =\n  1;\n')
    assert conversation.ask_about(URI, "foldingRange") == [
        {"startLine": 0, "endLine": 1, "endCharacter": 15, "kind": "region"}
    ]
