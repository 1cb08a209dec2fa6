"""Phrases that comments, docstrings, messages and documents must not contain, and the search for them."""

import io
import re
import tokenize
from pathlib import Path

# Phrases that are hard to read for people whose first language is not English, each with the words to use instead.
UNCLEAR = {
    "mended": "fixed",
    "whoever": "the caller, the client, ...",
    "is told": "is reported",
    "are told": "are reported",
    "stand in": "be in, be part of",
    "stands in": "is in, is part of",
    "so many": "the number, or `at most N`",
    "is none": "is not one, does not exist",
    "that are none": "that are not",
    "of its own accord": "without a request",
    "behind it": "after it",
    "behind them": "after them",
    "goes the full way": "is parsed and analysed",
}
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
# The folders and files whose text still has such phrases; one that has none any more must leave the list.
UNCLEAR_SO_FAR = (
    "tests/analysis",
    "tests/quick",
    "tests/reading",
)


def unclear_phrases(path: Path) -> list[str]:
    """The unclear phrases in the comments and strings of a module, or in the prose of a Markdown file."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        kinds = (tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        text = "\n".join(token.string.removeprefix("#") for token in tokens if token.type in kinds)
    else:
        text = FENCED.sub("", text)
    words = " ".join(text.replace('"', " ").split())  # a phrase may be on two lines, or in two literals
    return [phrase for phrase in UNCLEAR if re.search(rf"(?i:\b{phrase[0]}){phrase[1:]}\b", words)]
