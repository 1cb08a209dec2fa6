"""Fixes for modifiers: a missing modifier, and a type that the instruction does not have."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, Safety, safe_if
from ptx_lsp.fixes.meanings import effect_of
from ptx_lsp.fixes.missing_modifiers import Completion, completions, insert, places_for, single_words
from ptx_lsp.fixes.missing_operands import rewritten
from ptx_lsp.fixes.opcodes import NEAREST, OFTEN
from ptx_lsp.fixes.verification import Site, fits, helps
from ptx_lsp.isa.opcode_sets import COMPARISONS, CONVERSION
from ptx_lsp.isa.same_bits import ONLY_BITS, same_destination, same_result
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPES, same_bits
from ptx_lsp.syntax.tree import Instruction, Value

MOST_OFFERED = 6
MOST_TRIED = 120
_TYPE = re.compile(r"\.([busf])(8|16|32|64|128)")
# the other types of the same width, the most likely first
_OTHER_LETTERS = {"s": "ub", "u": "sb", "b": "us", "f": "b"}
_FLOATS = (".f", ".bf", ".tf")
_INTEGERS_AND_BITS = frozenset("bsu")
_FIRST_OFFERED = (".rn", ".rzi", ".lo", ".eq", ".sync", ".aligned", ".global", ".b32", ".s32", ".u32", ".f32")


COMPARED_BITS = frozenset((".eq", ".ne"))
"""Comparisons with the same result for signed and unsigned operands, although ptxas makes different code for them."""


class CompletedOpcode(NamedTuple):
    """One way to complete the modifiers: the insertions, and the opcode text after them."""

    completion: Completion
    text: str


def add_modifier(finding: Finding, site: Site) -> Iterator[Fix]:
    """Each modifier with which the statement is correct, at its place in the manual.

    The fix is safe if there is only one, or if all of them compute the same bits. The choice of a rounding, a
    comparison, a half of a product, a state space or a width is left to the author.
    """
    statement = site.located.statement
    if not isinstance(statement, Instruction):
        return
    words = tuple(word.text for word in statement.modifiers)
    wanted = finding.data.get("wanted", "").split()
    opcode = statement.opcode.text
    found = _that_help(site, statement, single_words(opcode, words, wanted))
    found = found or _that_help(site, statement, completions(opcode, words))
    if not found:
        yield from _with_operands(site, statement, words)
        return
    right = [each for each in found if _fits(site, statement, each)] or found
    declared = _declared_letter(statement, site)
    right.sort(key=lambda each: _rank(each, wanted, declared, site))
    safe = bool(right) and _fits(site, statement, right[0]) and _is_implied(opcode, right, site)
    for number, each in enumerate(right[:MOST_OFFERED]):
        added = [word for _, word in each.completion]
        effect = effect_of(added[0], opcode) if len(added) == 1 else ""
        safety = safe_if(safe and number == 0)
        shown = " and ".join(filter(None, (", ".join(f"`{word}`" for word in added[:-1]), f"`{added[-1]}`")))
        yield Fix(f"add {shown}{effect}", _edits(site, statement, each.completion), safety)


def _with_operands(site: Site, statement: Instruction, words: tuple[str, ...]) -> Iterator[Fix]:
    """The statement with its missing modifiers and the operands that people omit: `.sync` and the mask of threads."""
    for completion in islice(completions(statement.opcode.text, words), MOST_TRIED):
        text = statement.opcode.text + "".join(insert(words, completion))
        offered = list(rewritten(site, statement, text))
        if offered:
            yield from offered
            return


def _that_help(site: Site, statement: Instruction, offered: Iterable[Completion]) -> list[CompletedOpcode]:
    words = tuple(word.text for word in statement.modifiers)
    found: dict[str, CompletedOpcode] = {}
    for completion in islice(offered, MOST_TRIED):
        text = statement.opcode.text + "".join(insert(words, completion))
        if text not in found and helps(site, *_span(site, statement), text):
            found[text] = CompletedOpcode(completion, text)
    return list(found.values())


def _fits(site: Site, statement: Instruction, candidate: CompletedOpcode) -> bool:
    return fits(site, *_span(site, statement), candidate.text)


def _span(site: Site, statement: Instruction) -> tuple[int, int]:
    """The offsets of the opcode with its modifiers in the text of the statement."""
    first = site.located.statement.start
    last = statement.modifiers[-1].end if statement.modifiers else statement.opcode.end
    return statement.opcode.start - first, last - first


def _edits(site: Site, statement: Instruction, completion: Completion) -> tuple[Edit, ...]:
    first = site.located.statement.start
    ends = [statement.opcode.end, *(word.end for word in statement.modifiers)]
    return tuple(site.edit(ends[place] - first, ends[place] - first, word) for place, word in completion)


def _rank(candidate: CompletedOpcode, wanted: list[str], declared: str, site: Site) -> tuple[bool, bool, int, int]:
    """A sort key: candidates of the class of the destination register, then those that the module uses most."""
    word = candidate.completion[0][1]
    common = _FIRST_OFFERED.index(word) if word in _FIRST_OFFERED else len(_FIRST_OFFERED)
    float_ = word.startswith(_FLOATS)
    return word not in wanted, float_ != (declared == "f"), -site.count(candidate.text), common


def _declared_letter(statement: Instruction, site: Site) -> str:
    """The class (`isa.types`) of the declared type of the first operand; empty if it has no type."""
    first = statement.operands[0] if statement.operands else None
    if not isinstance(first, Value):
        return ""
    symbol = site.located.surroundings.scope.lookup(first.expression.root.text)
    type_ = TYPES.get(symbol.type) if symbol is not None else None
    return type_.letter if type_ is not None else ""


def _is_implied(opcode: str, candidates: list[CompletedOpcode], site: Site) -> bool:
    """Whether the first candidate is what the author evidently wrote.

    It is the only one, or all compute the same bits, or it is the rounding that the module always writes here.
    """
    first, *others = candidates
    words = tuple("." + word for word in first.text.split(".")[1:])
    if not others or _equal(opcode, words, candidates):
        return True
    used = [site.count(each.text) for each in candidates]
    if opcode in COMPARISONS and not COMPARED_BITS.isdisjoint(words):
        return used[0] > 0 and not any(used[1:]) and _equal(opcode, words, candidates, comparing=True)
    return first.completion[0][1] == NEAREST and used[0] >= OFTEN and not any(used[1:])


def _equal(opcode: str, words: tuple[str, ...], candidates: list[CompletedOpcode], *, comparing: bool = False) -> bool:
    """Whether all candidates compute the same bits: they differ in one type at most, and its sign does not matter.

    `comparing`: true if the result is the same whenever the bits of the operands are, as for `.eq` and `.ne`.
    """
    first = candidates[0]
    for other in candidates[1:]:
        (place, one), (other_place, word) = first.completion[0], other.completion[0]
        alike = len(first.completion) == len(other.completion) == 1 and place == other_place
        same = same_bits(one, word) if comparing else same_result(opcode, words, one, word)
        if not alike or not same:
            return False
    return True


def change_type(finding: Finding, site: Site) -> Iterator[Fix]:
    """A type of the same width in place of the one that the finding marks, if the statement is correct with it.

    It is safe only if the instruction computes the same bits with both types, or if the statement is correct with no
    other type of the width, where untyped bits are written.
    """
    statement = site.located.statement
    found = _TYPE.fullmatch(site.marked)
    if not isinstance(statement, Instruction):
        return
    if found is None:
        yield from _as_bits(finding, site)
        return
    words = tuple(word.text for word in statement.modifiers)
    opcode = statement.opcode.text
    for letter in _OTHER_LETTERS[found[1]]:
        word = f".{letter}{found[2]}"
        if not helps(site, site.start, site.end, word):
            continue
        bits = found[1] != "f" or opcode in ONLY_BITS
        same = bits and (same_result(opcode, words, site.marked, word) or _extends_alike(statement, site, word))
        safe = same and fits(site, site.start, site.end, word)
        title = f"write `{word}` (the same bits)" if same else f"write `{word}`{_reads_as(word)}"
        yield Fix(title, (Edit(finding.range, word),), safe_if(safe))
    if found[1] == "b":
        yield from _as_only_float(finding, site, int(found[2]))


def change_space(finding: Finding, site: Site) -> Iterator[Fix]:
    """The instruction with the state space of the variable that it names: it replaces another one, or is added."""
    statement, name = site.located.statement, finding.data.get("variable", site.marked)
    symbol = site.located.surroundings.scope.lookup(name)
    if not isinstance(statement, Instruction) or symbol is None or symbol.space not in SPACE_WORDS:
        return
    space, first = symbol.space, site.located.statement.start
    title = f"write `{space}`, where `{name}` is"
    present = [word for word in statement.modifiers if word.text in SPACE_WORDS]
    for word in present:
        if fits(site, word.start - first, word.end - first, space):
            yield Fix(title, (site.edit(word.start - first, word.end - first, space),))
    words = tuple(word.text for word in statement.modifiers)
    for place in () if present else places_for(statement.opcode.text, words, space):
        completion = ((place, space),)
        text = statement.opcode.text + "".join(insert(words, completion))
        if fits(site, *_span(site, statement), text):
            yield Fix(title, _edits(site, statement, completion))


def _as_only_float(finding: Finding, site: Site, width: int) -> Iterator[Fix]:
    """The one type of that width with which the statement is correct, if it is a float: `.f32` for `.b32`."""
    same = [word for word, type_ in TYPES.items() if type_.storage == width and word != site.marked]
    right = [word for word in same if fits(site, site.start, site.end, word)]
    if len(right) == 1 and TYPES[right[0]].letter not in _INTEGERS_AND_BITS:
        yield Fix(f"write `{right[0]}`", (Edit(finding.range, right[0]),), Safety.SAFE)


def _as_bits(finding: Finding, site: Site) -> Iterator[Fix]:
    """Untyped bits for a float type that only arithmetic has: `.b64` for `.f32x2`, where a statement moves bits."""
    type_ = TYPES.get(site.marked)
    if type_ is not None and type_.letter in "hx":
        word = f".b{type_.storage}"
        if helps(site, site.start, site.end, word):
            yield Fix(f"write `{word}`{_reads_as(word)}", (Edit(finding.range, word),))


def _extends_alike(statement: Instruction, site: Site, word: str) -> bool:
    """Whether the statement is a `cvt` whose destination's type is marked, and `word` gives the same bits there."""
    starts = [modifier.start - site.located.statement.start for modifier in statement.modifiers]
    if statement.opcode.text != CONVERSION or site.start not in starts:
        return False
    words = tuple(modifier.text for modifier in statement.modifiers)
    return same_destination(words, starts.index(site.start), word)


def _reads_as(word: str) -> str:
    reads = {"s": "signed integers", "u": "unsigned integers", "b": "untyped bits"}
    return f", which computes with {reads[TYPES[word].letter]}"
