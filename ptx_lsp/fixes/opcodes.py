"""Fixes for an opcode or a modifier that does not exist: the word that the author meant."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, Safety, safe_if
from ptx_lsp.fixes.meanings import effect_of
from ptx_lsp.fixes.only_opcode import one_if_same, only_opcode
from ptx_lsp.fixes.typos import CUT, CUT_OPCODE, evident_word, near_words, typo_cost
from ptx_lsp.fixes.verification import Site, fits, helps
from ptx_lsp.isa.instructions import instruction, opcodes
from ptx_lsp.isa.intended_words import with_dots
from ptx_lsp.isa.opcode_sets import INDEXED_BRANCH, OTHER_NAMES
from ptx_lsp.syntax.tree import Instruction

NEAREST = ".rn"
OFTEN = 2
"""A rounding is implied if the module writes it at least this often, and no other one, in the same instruction."""

MOST_OFFERED = 4
MOST_NEAR = 8
LONGEST = 40  # characters


def respell(finding: Finding, site: Site) -> Iterator[Fix]:
    """The opcode or modifier of which the marked word is evidently a typo, if the statement is correct with it.

    If no word is evident, similar words are offered, and their titles say what they do.
    """
    statement = site.located.statement
    word = site.marked
    if not isinstance(statement, Instruction) or len(word) > LONGEST:
        return
    if word == INDEXED_BRANCH:
        yield from _indexed_branch(site, statement)
        return
    if with_dots(word):
        yield from _dotted(finding, site)
        return
    modifier = word.startswith(".")
    words = modifiers_of(statement.opcode.text) if modifier else opcodes()

    def right(candidate: str) -> bool:
        return fits(site, site.start, site.end, candidate)

    other = OTHER_NAMES.get(word.lower(), "")
    cut = CUT if modifier else CUT_OPCODE
    evident = other if other and right(other) else evident_word(word, words, right, cut)
    evident = evident or ("" if modifier else _fused(word, site, statement) or only_opcode(site, statement))
    evident = evident or (_implied_rounding(site, statement, words, right) if modifier else "")
    if evident:
        yield Fix(f"write `{evident}`", (Edit(finding.range, evident),), Safety.SAFE)
        return
    near = get_close_matches(word.lower(), words, MOST_NEAR, 0.5)
    offered = [each for each in near if helps(site, site.start, site.end, each)]
    for each in offered[:MOST_OFFERED]:
        effect = effect_of(each, statement.opcode.text) if modifier else _meaning(each)
        yield Fix(f"write `{each}`{effect}", (Edit(finding.range, each),))


def _fused(word: str, site: Site, statement: Instruction) -> str:
    """`fma` for `ma`, where `mad` computes the same; empty if words that compute something else are as near."""
    near = {each for _, each in near_words(word, opcodes(), CUT_OPCODE) if fits(site, site.start, site.end, each)}
    fused = one_if_same(near, statement)
    return next(iter(fused)) if fused != near else ""


def _implied_rounding(site: Site, statement: Instruction, words: list[str], right: Callable[[str], bool]) -> str:
    """`.rn` for `.r`, if the module writes `.rn` in this instruction elsewhere and no other rounding; else nothing."""
    near = [word for _, word in near_words(site.marked, words) if right(word)]
    if NEAREST not in near:
        return ""
    texts = {word: statement.text.replace(site.marked, word, 1) for word in near}
    others = [site.count(text) for word, text in texts.items() if word != NEAREST]
    return NEAREST if site.count(texts[NEAREST]) >= OFTEN and not any(others) else ""


def _indexed_branch(site: Site, statement: Instruction) -> Iterator[Fix]:
    """`brx.idx`, the only form of `brx`, in place of `brx` and its other modifiers."""
    first = site.located.statement.start
    last = statement.modifiers[0].end if statement.modifiers else statement.opcode.end
    edit = site.edit(statement.opcode.start - first, last - first, "brx.idx")
    typo = not statement.modifiers or typo_cost(statement.modifiers[0].text, ".idx") is not None
    yield Fix("write `brx.idx`", (edit,), safe_if(typo))


_ADDRESSES = ("", ".shared.b64", ".shared::cta.b64", ".b64", ".sync.aligned", ".b32")


def _dotted(finding: Finding, site: Site) -> Iterator[Fix]:
    """`mbarrier.init.shared.b64` for `mbarrier_init`: dots for underscores, and what the instruction lacks then."""
    spelt = with_dots(site.marked)
    right = (spelt + more for more in _ADDRESSES if helps(site, site.start, site.end, spelt + more))
    text = next(right, spelt)
    effect = f", which adds `{text[len(spelt) :]}`" if text != spelt else ""
    yield Fix(f"write `{text}`{effect}", (Edit(finding.range, text),))


def modifiers_of(opcode: str) -> list[str]:
    """Every modifier of every documented form of the opcode, each once."""
    known = instruction(opcode)
    forms = known.forms if known is not None else ()
    words = (word for form in forms if not form.lenient for element in form.elements for word in element.words)
    return list(dict.fromkeys(words))


def _meaning(opcode: str) -> str:
    known = instruction(opcode)
    if known is None or not known.forms:
        return ""
    return ": " + known.forms[0].section.meaning.split(";")[0]
