"""The difference of two texts, as `diff -u` and `git apply` write it."""

from collections.abc import Iterator
from difflib import unified_diff
from itertools import pairwise

from ptx_lsp.text.lines import line_starts


def differences(before: str, after: str, path: str) -> str:
    """The unified diff that makes `after` of `before`; empty if they are equal."""
    return "".join(_complete(line) for line in unified_diff(_lines(before), _lines(after), path, path))


def _complete(line: str) -> str:
    return line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    return list(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    """The lines of a text with their line ends."""
    for start, end in pairwise([*line_starts(text), len(text)]):
        if start < end:
            yield text[start:end]
