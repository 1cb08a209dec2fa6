"""Fixes for an opcode: a modifier that is missing, a type that the operation does have, a word that was misspelt."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import takewhile

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, Safety, insertion
from ptx_lsp.fixes.trial import Site, helps
from ptx_lsp.isa.instructions import instruction, opcodes
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text.ranges import Range

MOST_OFFERED = 6
MOST_RESPELLINGS = 8
LONGEST_RESPELT = 40
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
    """Each modifier of the instruction with which the statement is right, put where the manual puts it."""
    statement = site.located.statement
    if not isinstance(statement, Instruction):
        return
    offered = 0
    wanted = finding.data.get("wanted", "").split()
    for word in sorted(dict.fromkeys([*wanted, *_modifiers_of(statement)]), key=_likeliest_first):
        place = _place_for(statement, word) - statement.start
        if helps(site, place, place, word):
            meaning = f" ({_MEANINGS[word]})" if word in _MEANINGS else ""
            edit = insertion(_range(site, place, place), word)
            yield Fix(f"add `{word}`{meaning}", (edit,), Safety.UNSAFE)
            offered += 1
        if offered == MOST_OFFERED:
            return


def respell(finding: Finding, site: Site) -> Iterator[Fix]:
    """The opcode or modifier that is spelt most like the one that the finding marks, if the statement is right then."""
    statement = site.located.statement
    if not isinstance(statement, Instruction) or len(site.marked) > LONGEST_RESPELT:
        return
    words = _modifiers_of(statement) if site.marked.startswith(".") else opcodes()
    for word in get_close_matches(site.marked.lower(), words, MOST_RESPELLINGS, 0.5):
        if helps(site, site.start, site.end, word):
            yield Fix(f"write `{word}`", (Edit(finding.range, word),), Safety.SAFE)
            return


def change_type(finding: Finding, site: Site) -> Iterator[Fix]:
    """A type of as many bits in place of the one that the finding marks, if the statement is right with it."""
    found = _TYPE.fullmatch(site.marked)
    for letter in _SAME_BITS[found[1]] if found else "":
        assert found is not None
        word = f".{letter}{found[2]}"
        if helps(site, site.start, site.end, word):
            yield Fix(f"write `{word}` (the same bits)", (Edit(finding.range, word),), Safety.SAFE)
            return


def _modifiers_of(statement: Instruction) -> list[str]:
    """Every modifier of every form of the instruction, each once."""
    known = instruction(statement.opcode.text)
    forms = known.forms if known is not None else ()
    return list(dict.fromkeys(word for form in forms for element in form.elements for word in element.words))


def _likeliest_first(word: str) -> int:
    return list(_MEANINGS).index(word) if word in _MEANINGS else len(_MEANINGS)


def _place_for(statement: Instruction, word: str) -> int:
    """Offset of the place: a type goes behind the other modifiers, anything else before the first type."""
    if _TYPE.fullmatch(word):
        before = list(statement.modifiers)
    else:
        before = list(takewhile(lambda modifier: not _TYPE.fullmatch(modifier.text), statement.modifiers))
    return before[-1].end if before else statement.opcode.end


def _range(site: Site, start: int, end: int) -> Range:
    first = site.located.statement.start
    return site.located.range(first + start, first + end)
