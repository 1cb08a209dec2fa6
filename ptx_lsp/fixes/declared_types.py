"""The fix for a type that a declaration cannot have: the type that the uses of the name need."""

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.accesses import NameUse, distinct_uses
from ptx_lsp.fixes.fix import Edit, Fix, Safety, insertion, safe_if
from ptx_lsp.fixes.registers import with_symbols
from ptx_lsp.fixes.typos import evident_word
from ptx_lsp.fixes.verification import Site, declared_as, faults_in, site_steps
from ptx_lsp.isa.intended_words import type_habit
from ptx_lsp.isa.register_families import FAMILY_TYPES
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPES
from ptx_lsp.syntax.tree import Declaration, Declarator

_NAME_BEFORE = re.compile(r"(?<![.\w$%])([%$A-Za-z_][\w$]*(?:<[^<>]*>)?)\s*\Z")
_CANDIDATES = (".pred", ".b32", ".b64", ".b16", ".b128", ".b8", ".f32", ".f64", ".f16")


def retype(finding: Finding, module: Module) -> Iterator[Fix | None]:
    """The type of which the marked word is a typo; for registers, the types with which all uses are correct.

    A type from the uses is safe if all types that fit have one width: the type of a register does not change the code.
    """
    site = yield from site_steps(finding, module)
    statement = site.located.statement if site is not None else None
    declaration = statement if isinstance(statement, Declaration) else None
    if "replacement" in finding.data:
        return  # the type that the word means is known
    if site is not None and declaration is not None and (moved := _in_place(site, declaration)) is not None:
        yield moved
        return
    written = module.document.text(finding.range)
    fitting = (
        _fitting(declaration, finding, module) if declaration is not None and _is_of_registers(declaration) else []
    )
    habitual = list(_habitual(written, finding))
    if fitting and not any(edit.text in fitting for fix in habitual for edit in fix.edits):
        yield from _by_uses(written, fitting, _usual(declaration), finding)
        yield from habitual
    else:
        yield from habitual
        yield from _by_uses(written, fitting, _usual(declaration), finding)


def _by_uses(written: str, fitting: list[str], usual: str, finding: Finding) -> Iterator[Fix]:
    """The type that a word evidently is, if no use is against it, or the types that fit all uses."""
    evident = _evident(written)
    if evident and (not fitting or evident in fitting or TYPES[evident].bits == TYPES[fitting[0]].bits):
        yield Fix(f"write `{evident}`", (Edit(finding.range, evident),), Safety.SAFE)
        return
    yield from _as_used(finding, fitting, usual, lacks_type=written in SPACE_WORDS)


def _habitual(written: str, finding: Finding) -> Iterator[Fix]:
    """The types that people mean who write a type of another language, or one of instructions only."""
    habit = type_habit(written)
    for remedy in habit.remedies if habit is not None else ():
        yield Fix(f"write `{remedy.text}`", (Edit(finding.range, remedy.text),), safe_if(remedy.safe))


def _evident(written: str) -> str:
    """The type that a word was evidently meant to be; empty if it is not clear."""
    known = TYPES.get(written)
    if known is None:
        return evident_word(written, [name for name, type_ in TYPES.items() if type_.declarable])
    # `.b1` is a type of instructions and not a typo of `.b16`
    storage = f".b{known.storage}" if not known.declarable else ""
    return storage if storage in TYPES else ""


def _is_of_registers(declaration: Declaration) -> bool:
    return any(specifier.word.text == ".reg" for specifier in declaration.specifiers)


def _as_used(finding: Finding, fitting: list[str], usual: str, *, lacks_type: bool) -> Iterator[Fix]:
    """The first three of the types that fit all uses, the `usual` one first.

    `lacks_type` is true if the finding marks the space of a declaration without a type.
    """
    widths = {TYPES[type_].bits for type_ in fitting}
    verb = "insert" if lacks_type else "write"
    for number, type_ in enumerate(sorted(fitting, key=lambda type_: type_ != usual)[:3]):
        safe = not number and (len(widths) == 1 or type_ == usual)
        title = f"{verb} `{type_}`, which fits all uses" if safe else f"{verb} `{type_}`, {TYPES[type_].meaning}"
        edit = insertion(finding.range, f" {type_}") if lacks_type else Edit(finding.range, type_)
        yield Fix(title, (edit,), safe_if(safe))


def _in_place(site: Site, statement: Declaration) -> Fix | None:
    """The fix for a type after the name, or for a word that is no type beside one that is. None for other mistakes."""
    name = _NAME_BEFORE.search(site.text[: site.start])
    type_ = TYPES.get(site.marked)
    if name is not None and type_ is not None:
        moved = f"{site.marked} {name[1]}"
        return Fix(f"write `{moved}`", (site.edit(name.start(1), site.end, moved),), Safety.SAFE)
    others = [each for each in statement.specifiers if each.word.text in TYPES and each.word.text != site.marked]
    if (
        others
        and statement.declarators
        and TYPES[others[0].word.text].declarable
        and type_ is None
        and site.marked not in SPACE_WORDS
    ):
        return Fix(f"remove `{site.marked}`", (site.edit(site.start, site.end, ""),), Safety.SAFE)
    return None


def _usual(declaration: Declaration | None) -> str:
    """The type that compilers give to a family of this name; empty if there is no usual one."""
    names = declaration.declarators if declaration is not None else ()
    return FAMILY_TYPES.get(names[0].name.text, "") if names else ""


def _fitting(statement: Declaration, finding: Finding, module: Module) -> list[str]:
    """The types with which no use of the declared names has an error; empty if the names are not used."""
    found = [use for declarator in statement.declarators for use in _uses(declarator, finding, module)]
    if not found:
        return []
    return [type_ for type_ in _CANDIDATES if all(_fits(use, type_, finding) for use in found)]


def _fits(use: NameUse, type_: str, finding: Finding) -> bool:
    changed = with_symbols(use.located, [declared_as(use.name, type_, finding)])
    return faults_in(use.text, changed).own == 0


def _uses(declarator: Declarator, finding: Finding, module: Module) -> list[NameUse]:
    """Uses of a declared name, or of members of a declared family."""
    pattern = re.escape(declarator.name.text) + (r"\d+" if declarator.members is not None else "")
    return distinct_uses(pattern, finding, module, is_pattern=True)
