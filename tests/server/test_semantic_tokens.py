"""`textDocument/semanticTokens/*` in a conversation: relative numbers, and deltas that turn the old ones into new."""

from typing import Any

import pytest

from ptx_lsp.analysis.incremental import IncrementalAnalysis
from ptx_lsp.features import semantic_tokens as feature
from ptx_lsp.features.token_types import MODIFIER_NAMES, TYPE_NAMES
from tests.server.conversation import MODULE, Conversation, in_this_process, replaced

URI = "file:///m.ptx"
REFRESH = {"workspace": {"semanticTokens": {"refreshSupport": True}}}
LONG = MODULE.replace("\tret;\n", "\tadd.s32 %r1, %r2, 3;\n" * feature.MOST_LINES + "\tret;\n")


def ask(conversation: Conversation, method: str, **params: Any) -> Any:
    """The answer to a request for tokens."""
    return conversation.ask(f"textDocument/semanticTokens/{method}", {"textDocument": {"uri": URI}, **params})


def lines(first: int, last: int) -> dict[str, Any]:
    """A range of whole lines."""
    return {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}


def words(text: str, data: list[int]) -> list[str]:
    """The tokens as `word type.modifiers`, from the numbers of the protocol; columns are in UTF-16."""
    found = []
    line = column = 0
    for at in range(0, len(data), 5):
        lines_down, start, length, type_, bits = data[at : at + 5]
        column = start if lines_down else column + start
        line += lines_down
        wide = text.split("\n")[line].encode("utf-16-le")
        word = wide[2 * column : 2 * (column + length)].decode("utf-16-le")
        modifiers = [name for bit, name in enumerate(MODIFIER_NAMES) if bits >> bit & 1]
        found.append(" ".join([word, ".".join([TYPE_NAMES[type_], *modifiers])]))
    return found


def test_tokens_have_the_columns_of_the_client() -> None:
    conversation = in_this_process()
    text = MODULE.replace("\tmov.u32 %r1, 1;", "\t/* 𝄞𝄞 */ mov.u32 %r1, 1; // 𝄞")
    conversation.open(text)
    found = words(text, ask(conversation, "full")["data"])
    at = found.index("mov keyword")
    assert found[at - 1 : at + 5] == [
        *("/* 𝄞𝄞 */ comment", "mov keyword", ".u32 type", "%r1 variable.write", "1 number", "// 𝄞 comment")
    ]
    assert found[-1] == "ret keyword"


def test_a_delta_makes_the_new_tokens_of_the_old_ones() -> None:
    conversation = in_this_process()
    conversation.open(MODULE)
    first = ask(conversation, "full")
    same = ask(conversation, "full/delta", previousResultId=first["resultId"])
    assert same["edits"] == []
    conversation.change(2, replaced(8, 0, 0, "\tmov.u32 %r3, %tid.x;\n"))
    changed = ask(conversation, "full/delta", previousResultId=same["resultId"])
    (edit,) = changed["edits"]
    data = first["data"]
    data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
    assert len(edit["data"]) < 40
    assert data == ask(conversation, "full")["data"]
    unknown = ask(conversation, "full/delta", previousResultId=first["resultId"])
    assert unknown["data"] == data


def test_a_range_has_its_lines_only() -> None:
    conversation = in_this_process()
    conversation.open(MODULE)
    data = ask(conversation, "range", range=lines(8, 9))["data"]
    assert " ".join(word.split()[0] for word in words(MODULE, data)) == "mov .u32 %r1 1 add .s32 %r2 %r1 0x10 2"


def test_a_very_long_document_gets_ranges_and_one_note() -> None:
    conversation = in_this_process(REFRESH)
    conversation.open(LONG)
    assert ask(conversation, "full") is None
    (note,) = [message["params"] for message in conversation.said if message.get("method") == "window/showMessage"]
    where = "names are coloured by their meaning only in the part that is shown"
    assert note["message"] == f"m.ptx has 50,014 lines: {where}"
    assert note["type"] == 3
    data = ask(conversation, "range", range=lines(40_000, 40_000))["data"]
    assert words(LONG, data)[0] == "add keyword"
    assert ask(conversation, "full/delta", previousResultId="1") is None


def test_a_very_long_range_has_the_tokens_of_its_first_lines() -> None:
    conversation = in_this_process()
    conversation.open(LONG)
    data = ask(conversation, "range", range=lines(5, LONG.count("\n")))["data"]
    assert sum(data[::5]) == 5 + feature.MOST_LINES - 1  # the line of the last token
    assert any(message.get("method") == "window/showMessage" for message in conversation.said)


def test_a_document_that_is_not_open_has_no_tokens() -> None:
    conversation = in_this_process()
    assert ask(conversation, "full") is None
    assert ask(conversation, "range", range=lines(0, 1)) is None
    assert ask(conversation, "full/delta", previousResultId="1") is None


def test_tokens_are_requested_again_if_slow_checks_were_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    finish, may_finish = IncrementalAnalysis.finish, [True]
    is_settled = False

    def finish_late(analysis: IncrementalAnalysis, end: float | None) -> bool:
        nonlocal is_settled
        is_settled = True
        return may_finish[0] and finish(analysis, end)

    monkeypatch.setattr(IncrementalAnalysis, "finish", finish_late)
    conversation = in_this_process(REFRESH)
    body = "\tbra lonely;\n" + "\tadd.s32 %r1, %r2, 3;\n" * 4000 + "lonely:\n\tbra missing;\n"
    text = MODULE.replace("\tret;\n", body)
    conversation.open(text)
    may_finish[0] = is_settled = False
    conversation.change(2, replaced(11, 0, 12, "\tbra missed;"))
    while not is_settled:
        conversation.ask("workspace/executeCommand", {"command": "ptx.evaluate", "arguments": [{"text": "1"}]})
    text = text.replace("\tbra lonely;", "\tbra missed;")
    early = words(text, ask(conversation, "full")["data"])
    may_finish[0] = True
    conversation.wait(lambda message: message.get("method") == "workspace/semanticTokens/refresh")
    late = words(text, ask(conversation, "full")["data"])
    assert set(late) - set(early) == {"lonely label.declaration.unused"}
