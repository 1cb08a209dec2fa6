"""The expectations about the lines of a fence, written as comments on them.

    add.s32 %r1, %r2, %f3;  // error: [operand-type] "takes a 32-bit integer" at "%f3" ;; hint: "..."
    ld.global.b32 %r1, [%rd1]
    // ^ error: [missing-semicolon]

The kind is `error`, `warning`, `info` (or `information`), `hint`, `hover` or `inlay`; then, each of them optional, the
code in brackets, a part of the message, and `at` with the exact text of the range. Several are separated by `;;`. A
comment that begins with `^` is about the nearest line above that is not such a comment. An `inlay` is the whole label,
and a line with an expected inlay hint must have no other hints. A `hover` needs `at`: the text under the cursor.

    add.f32 %f1, %f2, 1;    // error: [immediate-type] ;; fix: [safe] "write `1.0`" gives "add.f32 %f1, %f2, 1.0;"

A `fix` of a finding on the line has `safe` or `unsafe` in brackets, a part of its title, and after `gives` the line
that it makes, without its comment. ptxas must accept that line in the place of the wrong one.
"""

import re
from dataclasses import dataclass

from ptx_lsp.analysis.module import Module
from tests.mdtest.fences import Fence

KINDS = ("error", "warning", "information", "info", "hint", "hover", "inlay", "fix")
_COMMENT = re.compile(r"(?://|#|;)\s*(\^)?\s*((?:" + "|".join(KINDS) + r"):.*)")
_STRING = r'"((?:[^"\\]|\\.)*)"'
_EXPECTATION = re.compile(
    rf"\s*({'|'.join(KINDS)}):(?:\s*\[([a-z0-9-]+)\])?(?:\s*{_STRING})?(?:\s*(?:at|gives)\s+{_STRING})?\s*(?:-->|\*/)?\s*"
)


@dataclass(frozen=True, slots=True)
class Expectation:
    """One expectation about a line (from 0, of the fence's own text). A field that is None matches everything."""

    line: int
    kind: str
    code: str | None
    part: str | None
    at: str | None

    def __str__(self) -> str:
        code = f" [{self.code}]" if self.code else ""
        part = f' "{self.part}"' if self.part is not None else ""
        at = f' at "{self.at}"' if self.at is not None else ""
        return f"{self.kind}:{code}{part}{at}"


def expected_of(fence: Fence, *kinds: str) -> tuple[Module, list[Expectation]]:
    """The module of a fence, analysed if the fence has expectations of these kinds, and these expectations."""
    module = Module(fence.text)
    expected = [each for each in expectations(fence) if each.kind in kinds]
    if expected:
        module.work()
    return module, expected


def expectations(fence: Fence) -> list[Expectation]:
    """The expectations of a fence, with those in the `expect` of its opening line."""
    return read_expectations(fence.body, fence.options.get("expect", ""))


def read_expectations(text: str, first: str = "") -> list[Expectation]:
    """Every expectation in the text of a fence, and those in `first`, which are about its first line.

    Raises ValueError for one that cannot be read, so that a typing error does not count as a success.
    """
    found = _several(first, 0) if first else []
    spoken_of = 0
    for number, line in enumerate(text.split("\n")):
        comment = _COMMENT.search(line)
        alone = comment is not None and comment[1] is not None
        if not alone:
            spoken_of = number
        if comment is not None:
            found += _several(comment[2], spoken_of)
    return found


def _several(text: str, line: int) -> list[Expectation]:
    return [_one(piece, line) for piece in text.split(";;")]


def _one(text: str, line: int) -> Expectation:
    match = _EXPECTATION.fullmatch(text)
    if match is None:
        raise ValueError(f"this expectation cannot be read: {text.strip()}")
    kind, code, part, at = match.groups()
    return Expectation(line, "info" if kind == "information" else kind, code, _plain(part), _plain(at))


def _plain(quoted: str | None) -> str | None:
    return None if quoted is None else quoted.replace('\\"', '"')
