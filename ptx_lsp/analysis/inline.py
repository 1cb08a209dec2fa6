"""Inline assembly between braces, of one line or a few: what it leaves behind, and when it is known already."""

from __future__ import annotations

from typing import NamedTuple

from ptx_lsp.analysis.blocks import Part
from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.known import DECLARED, INNER_BRACES, NAMES, WRITTEN, learn_inner
from ptx_lsp.analysis.scan import BLANKS, Groups
from ptx_lsp.semantics.symbols import Scope

LONGEST = 12  # lines
DEEPEST_AROUND = 16  # scopes: no compiler nests what it inlines deeper, and braces alone may be many
_BEGINNINGS = ("{", ".pragma")


class Inline(NamedTuple):
    """Lines that are being read, up to `end` (from 0, exclusive), and how things stood before them."""

    text: str
    end: int
    scope: Scope
    trace: tuple[int, ...]
    mentions: int
    writes: int
    inner: int
    known: int


def may_be_inline(fold: Fold, groups: Groups) -> bool:
    """Whether a line that is not plain, as `LINE` has parted it, may be known when it comes again."""
    if len(fold.scopes) > DEEPEST_AROUND:
        return False
    return bool(groups[2]) or groups[-1].lstrip(BLANKS).startswith(_BEGINNINGS)


def inline_text(lines: list[str], at: int) -> tuple[str, int]:
    """The text from the line at `at` to the one that closes the brace which it opens, and how many lines that are.

    Without lines where it opens none, or it is not closed soon. Whether braces are in comments is not looked at: it
    is a guess, and holds if nothing is left behind.
    """
    depth = 0
    for number in range(at, min(at + LONGEST, len(lines))):
        line = lines[number]
        depth += line.count("{") - line.count("}")
        if depth <= 0:
            count = number - at + 1
            return (line if count == 1 else "\n".join(lines[at : number + 1])), count
    return "", 0


def begin_inline(fold: Fold, part: Part, text: str, end: int) -> Inline:
    """These lines are about to be read."""
    counts = len(part.mentions), len(part.writes), len(part.inner), len(part.known)
    return Inline(text, end, fold.scopes[-1], _trace(fold, part), *counts)


def end_inline(fold: Fold, inline: Inline) -> None:
    """They have been read: if they were fine and leave nothing behind, they are known from now on."""
    part = fold.part
    if part is None or fold.scopes[-1] is not inline.scope or _trace(fold, part) != inline.trace:
        return
    if inline.text.count("{") > INNER_BRACES:
        return
    names, written, inner = part.mentions[inline.mentions :], part.writes[inline.writes :], part.inner[inline.inner :]
    for fact in part.known[inline.known :]:
        names += NAMES(fact)
        written += WRITTEN(fact)
        inner += DECLARED(fact)
    learn_inner(fold.known, inline.text, fold.table, names, written, inner)


def _trace(fold: Fold, part: Part) -> tuple[int, ...]:
    # all that a line can leave behind, but for the names that it mentions
    return (
        fold.apart,
        fold.buried,
        len(fold.parts),
        len(fold.reports),
        len(fold.declared),
        len(part.labels),
        len(part.label_uses),
        len(part.loads),
        len(part.results),
        len(part.noted),
        len(fold.demands or ()),
    )
