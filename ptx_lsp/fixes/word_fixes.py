"""Fixes for words that are not PTX: what the author meant, by the habits in `isa/` and by the finding itself."""

from collections.abc import Callable, Iterator
from itertools import islice

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, Safety, safe_if
from ptx_lsp.fixes.missing_operands import complete
from ptx_lsp.fixes.numbers import fill_bits, spell_number
from ptx_lsp.fixes.rewriting import declare_as_in_ptx, rewrite, rewrite_assignment
from ptx_lsp.fixes.verification import Site, fits, helps
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.intended_words import modifier_habit, name_habit, respelt_modifier
from ptx_lsp.isa.types import TYPES
from ptx_lsp.syntax.plain_text import places_of_name, without_comments
from ptx_lsp.syntax.tree import Instruction

UNDECLARED = frozenset(("undeclared", "undefined-label"))
"""Codes whose related places are further uses of the same wrong name."""


def meant_fixes(finding: Finding, module: Module, site: Site | None) -> Iterator[Fix]:
    """Every way to write in PTX what the author of a wrong word meant, the most likely one first.

    `site` is the statement around the finding.
    """
    yield from _proposed(finding, module, site)
    if site is None:
        return
    for maker in _MAKERS.get(finding.code, (_swap,)):
        yield from maker(finding, site)


def _proposed(finding: Finding, module: Module, site: Site | None) -> Iterator[Fix]:
    """The proposals of the finding itself: `meant` replaces its range, and the other uses of the same name."""
    meant = finding.data.get("meant")
    safety = safe_if("safe" in finding.data)
    if meant:
        yield Fix(f"write `{meant.strip()}`", _everywhere(finding, module, meant), safety)
    replacement = finding.data.get("replacement")
    if replacement and (finding.data.get("safe") or _is_unused_prototype(replacement, finding, module)):
        yield Fix(f"write `{replacement}`", (Edit(finding.range, replacement),), Safety.SAFE)
    if "remove" in finding.data:
        text = module.document.text(finding.range)
        safety = safety if _is_correct_without(site) else Safety.UNSAFE
        yield Fix(f"remove `{text}`", (Edit(finding.range, ""),), safety)


def _is_correct_without(site: Site | None) -> bool:
    """Whether an instruction is correct without the marked modifier; true if the marked text is not a modifier."""
    if site is None or not isinstance(site.located.statement, Instruction) or not site.marked.startswith("."):
        return True
    return fits(site, site.start, site.end, "")


def _is_unused_prototype(name: str, finding: Finding, module: Module) -> bool:
    """Whether a call lacks its prototype, and nothing else names the prototype `name`."""
    if finding.code != "call-prototype" or not name.strip("_"):
        return False
    text = without_comments(module.document.whole())
    return len(list(islice(places_of_name(text, name, 0, len(text)), 2))) == 1


def _everywhere(finding: Finding, module: Module, text: str) -> tuple[Edit, ...]:
    """Edits that write `text` in the range of the finding, and for every other use of a name that nothing declares."""
    if finding.code not in UNDECLARED:
        return (Edit(finding.range, text),)
    name = module.document.text(finding.range)
    places = (finding.range, *(related.range for related in finding.related))
    return tuple(Edit(place, text) for place in dict.fromkeys(places) if module.document.text(place) == name)


def _modifier(finding: Finding, site: Site) -> Iterator[Fix]:
    statement = site.located.statement
    if not isinstance(statement, Instruction):
        return
    habit = modifier_habit(statement.opcode.text, site.marked)
    for remedy in habit.remedies if habit is not None else ():
        if helps(site, site.start, site.end, remedy.text):
            safety = safe_if(remedy.safe)
            yield Fix(f"write `{remedy.text}`", (Edit(finding.range, remedy.text),), safety)
    known = instruction(statement.opcode.text)
    words = frozenset().union(*(form.vocabulary for form in known.forms)) if known is not None else frozenset[str]()
    spelt = respelt_modifier(site.marked, words)
    if spelt and helps(site, site.start, site.end, spelt):
        yield Fix(f"write `{spelt}`", (Edit(finding.range, spelt),), Safety.SAFE)


def _name(finding: Finding, site: Site) -> Iterator[Fix]:
    habit = name_habit(site.marked)
    double = ".f64" in site.text
    for remedy in habit.remedies if habit is not None else ():
        # the bits of a single and those of a double have different texts
        if remedy.text[:2] == ("0f" if double else "0d") or not helps(site, site.start, site.end, remedy.text):
            continue
        bits = remedy.text[:2] in ("0f", "0d")
        edits = (Edit(finding.range, remedy.text),) if bits else _everywhere(finding, site.module, remedy.text)
        yield Fix(f"write `{remedy.text}`", edits, safe_if(remedy.safe))


def _result(finding: Finding, site: Site) -> Iterator[Fix]:
    """A function's result as PTX declares it, for the type that C has in its place."""
    if "a function's result" in finding.message and site.marked in TYPES:
        text = f"(.param {site.marked} result)"
        yield Fix(f"write `{text}`, a name for the result", (Edit(finding.range, text),))


def _swap(finding: Finding, site: Site) -> Iterator[Fix]:
    """Operands in the wrong order: one of the two moved to the other's place, or the two exchanged.

    The finding has the indices of the two as `swap`; for one without them, there is no such fix.

    `selp %r1, %p1, %r2, %r3` has the order of C: the predicate moves to the end. To exchange it with `%r3` would
    select the wrong value.
    """
    statement, first = site.located.statement, site.located.statement.start
    if not isinstance(statement, Instruction) or "swap" not in finding.data:
        return
    one, other = (int(index) for index in finding.data["swap"].split())
    nodes = statement.operands[one : other + 1]
    texts = [site.text[node.start - first : node.end - first] for node in nodes]
    title = f"swap the operands `{texts[0]}` and `{texts[-1]}`"
    orders = [(title, [texts[-1], *texts[1:-1], texts[0]])]
    if len(texts) > 2:
        forward = (f"move `{texts[0]}` after `{texts[-1]}`", [*texts[1:], texts[0]])
        backward = (f"move `{texts[-1]}` before `{texts[0]}`", [texts[-1], *texts[:-1]])
        orders = [forward, backward, *orders]
    start, end = nodes[0].start - first, nodes[-1].end - first
    for title, order in orders:
        if len(texts) == 2 or fits(site, start, end, ", ".join(order)):
            changed = [(node, text) for node, text, old in zip(nodes, order, texts, strict=True) if text != old]
            yield Fix(title, tuple(Edit(site.located.range(node.start, node.end), text) for node, text in changed))


_MAKERS: dict[str, tuple[Callable[[Finding, Site], Iterator[Fix]], ...]] = {
    "declaration-order": (_result,),
    "malformed-number": (spell_number, fill_bits),
    "operand-count": (complete,),
    "removed-instruction": (complete,),
    "stray-token": (rewrite_assignment,),
    "undeclared": (_name,),
    "unknown-modifier": (_modifier,),
    "unknown-opcode": (declare_as_in_ptx, rewrite),
}
"""The fixes of the statement of a finding, by its code; for every other code, those of operands in the wrong order."""
