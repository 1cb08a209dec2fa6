"""Fixes for an instruction's modifiers: the one that is missing, and the type that the operation does have."""

import re
from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, insertion
from ptx_lsp.fixes.trial import Site, mends
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text.ranges import Range

MOST_OFFERED = 6
_TYPE = re.compile(r"\.([busf])(8|16|32|64|128)")
# the reinterpretations that keep every bit, the likeliest first
_SAME_BITS = {"s": "ub", "u": "sb", "b": "us", "f": "b"}
_MEANINGS = {
    ".rzi": "toward zero, as a C cast does",
    ".rni": "to the nearest integer, ties to even",
    ".rmi": "down, as floor does",
    ".rpi": "up, as ceil does",
    ".rn": "to nearest, ties to even",
    ".rz": "toward zero",
    ".rm": "down",
    ".rp": "up",
}


def add_modifier(finding: Finding, site: Site) -> Iterator[Fix]:
    """Each modifier that `data["wanted"]` names, put where the manual puts it, if the statement is right with it."""
    statement = site.located.statement
    if not isinstance(statement, Instruction):
        return
    offered = 0
    for word in sorted(finding.data.get("wanted", "").split(), key=_likeliest_first):
        place = _place_for(statement, word) - statement.start
        if mends(site, place, place, word):
            meaning = f" ({_MEANINGS[word]})" if word in _MEANINGS else ""
            yield Fix(f"add `{word}`{meaning}", (insertion(_range(site, place, place), word),), preferred=not offered)
            offered += 1
        if offered == MOST_OFFERED:
            return


def change_type(finding: Finding, site: Site) -> Iterator[Fix]:
    """A type of as many bits in place of the one that the finding marks, if the statement is right with it."""
    found = _TYPE.fullmatch(site.marked)
    for letter in _SAME_BITS[found[1]] if found else "":
        assert found is not None
        word = f".{letter}{found[2]}"
        if mends(site, site.start, site.end, word):
            yield Fix(f"write `{word}` (the same bits)", (Edit(finding.range, word),), preferred=True)
            return


def _likeliest_first(word: str) -> int:
    return list(_MEANINGS).index(word) if word in _MEANINGS else len(_MEANINGS)


def _place_for(statement: Instruction, word: str) -> int:
    """Offset of the place: a type goes behind the other modifiers, anything else before the first type."""
    before = [m for m in statement.modifiers if _TYPE.fullmatch(word) or not _TYPE.fullmatch(m.text)]
    if _TYPE.fullmatch(word):
        return statement.modifiers[-1].end if statement.modifiers else statement.opcode.end
    leading = [m.end for m, expected in zip(statement.modifiers, before, strict=False) if m is expected]
    return leading[-1] if leading else statement.opcode.end


def _range(site: Site, start: int, end: int) -> Range:
    first = site.located.statement.start
    return site.located.range(first + start, first + end)
