"""Findings that are equal in code points are published again if the client counts their columns differently."""

import pytest

from tests.server.conversation import in_this_process

BEFORE, WIDE, NARROW = ".noreturn", "\U0001f600.norETU>", "x.noRETU>"


@pytest.mark.parametrize(
    ("texts", "ends"),
    [((BEFORE, WIDE), (9, 10)), ((WIDE, NARROW), (10, 9)), ((WIDE, "abcdefg\U0001f600\U0001f600"), (10, 11))],
)
def test_equal_code_points_and_other_utf16_columns(texts: tuple[str, ...], ends: tuple[int, ...]) -> None:
    """The text is not PTX, which is reported for its first line; each text has nine code points."""
    conversation = in_this_process()
    found = [conversation.open(texts[0])]
    for version, text in enumerate(texts[1:], 2):
        conversation.change(version, {"text": text})
        found.append(conversation.published())
    assert [[each["range"]["end"]["character"] for each in findings] for findings in found] == [[end] for end in ends]
