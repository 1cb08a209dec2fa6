"""The table of the messages of ptxas names rules that exist, or says why no rule does."""

import re
from pathlib import Path

from ptx_lsp.findings.codes import rules

TABLE = Path(__file__).parent / "messages.md"
ROW = re.compile(r"\| (.+) \| ([^|]+) \|")
MESSAGES = 400  # there are more kinds of messages than this


def test_every_message_has_rules_or_a_reason() -> None:
    rows = [found.groups() for line in TABLE.read_text("utf-8").splitlines()[2:] if (found := ROW.fullmatch(line))]
    assert len(rows) > MESSAGES
    known = rules()
    for message, said in rows[1:]:
        if said.startswith("no rule: "):
            continue
        codes = re.findall(r"`([a-z-]+)`", said)
        assert codes, message
        assert [code for code in codes if code not in known] == [], message
