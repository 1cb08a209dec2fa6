"""Phrases that comments, docstrings, messages and documents must not contain, and the search for them."""

import io
import re
import tokenize
from pathlib import Path

# Phrases that are hard to read for people whose first language is not English, each with the words to use instead.
UNCLEAR = {
    "mend": "fix",
    "mends": "fixes",
    "mended": "fixed",
    "mending": "fix",
    "whoever": "the caller, the client, ...",
    "somebody": "the user, the author",
    "nobody": "no user, no author",
    "is told": "is reported",
    "are told": "are reported",
    "be told": "be reported",
    "has told": "has reported",
    "told of": "reported",
    "told once": "reported once",
    "told apart": "distinguished",
    "is said": "is reported, is written",
    "are said": "are reported, are written",
    "said of": "reported about",
    "who sees": "the blocks that can see",
    "stand": "be, mean (stand for)",
    "stands": "is, means (stands for)",
    "so many": "the number, or `at most N`",
    "is none": "is not one, does not exist",
    "that are none": "that are not",
    "of its own accord": "without a request",
    "behind": "after",
    "in front of": "before",
    "full way": "the parser",
    "goes on": "continues",
    "go on": "continue",
    "anew": "again",
    "but for": "except",
    "in vain": "without success",
    "otherwise than": "in another way than",
    "takes it for": "reads it as",
    "is taken for": "is read as",
    "likeliest": "most likely",
    "is gone": "was removed",
    "are gone": "were removed",
    "for free": "at no cost",
    "held against": "compared with",
    "speaks of": "is about",
    "swallows": "covers, contains",
    "lies": "is",
    "lie": "are",
    "been told": "been informed",
    "tells": "says, names",
    "speak": "use, be about",
    "at hand": "(leave it out), present",
    "beforehand": "before, in advance",
    "nothing but": "only",
}
# A sentence that begins with a part of its predicate, "Of two names, the first one is kept": the subject comes first.
INVERTED = re.compile(
    r"(?:\A|[.:;] |\n\n)((?:Of|Of all|Of these|Of those) (?:a|an|the|several|two|three|each|those|these)\b[^.,;]{0,60},"
    r"|(?:Nor|Neither|Only then|So) (?:is|are|was|were|does|do|did|has|have|can)\b)"
)
FIELD = re.compile(r"\{[^{}]*\}")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
_FUNCTION = re.compile(r"^[ ]*(?:async )?def (\w+)", re.M)


def unclear_phrases(path: Path) -> list[str]:
    """The unclear phrases in the comments, strings and function names of a module, the prose of a page, or any text.

    The beginnings of inverted sentences are among them.
    """
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        kinds = (tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        names = [name.replace("_", " ") for name in _FUNCTION.findall(text)]
        text = "\n".join([*(_words(token.string) for token in tokens if token.type in kinds), *names])
    else:
        text = FENCED.sub("", text)
    words = " ".join(text.replace('"', " ").split())  # a phrase may be on two lines, or in two literals
    words = words.replace("there is none", " ")  # that is clear
    inverted = [match[1] for match in INVERTED.finditer(words)]
    small = words.lower()
    present = [phrase for phrase in UNCLEAR if phrase.lower() in small]  # a search for a text is fast
    return inverted + [phrase for phrase in present if re.search(rf"(?i:\b{phrase[0]}){phrase[1:]}\b", words)]


def _words(token: str) -> str:
    """The text of a comment or string, without the expressions in an f-string."""
    return FIELD.sub(" ", token) if token[:2].lower() in ('f"', "f'", "rf", "fr") else token.removeprefix("#")
