"""Fixes for missing commas, brackets and parentheses, and for the sign of an offset."""

import re
from collections.abc import Iterator
from itertools import islice

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, Safety, insertion, safe_if
from ptx_lsp.fixes.verification import Site, fits, helps, lacks_nothing
from ptx_lsp.isa.directive_names import OF_PARAMETERS
from ptx_lsp.isa.directives import directive
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.syntax.plain_text import places_of_name
from ptx_lsp.syntax.recovery import CLOSING
from ptx_lsp.text.ranges import Range

Place = tuple[int, str, str]
"""One insertion: the offset in the statement's text, the text to insert, and the title."""

_OPENING = {closing: opening for opening, closing in CLOSING.items()}
_LAST_NAME = re.compile(r"(?<=[\s,{])%[A-Za-z_][\w$]*\Z")
_TOKEN = re.compile(r"[-+]?[\w$%.]+|\S")
_BEFORE_OPERAND = re.compile(r"(?:,[ \t]*|[ \t]+)(?=[^\s,;])")
_BEFORE_BRACKET = re.compile(r"[\w$%.]\s*(?=\[)")


def missing_comma(finding: Finding, site: Site) -> Iterator[Fix]:
    """A comma before the marked token, if the statement is correct with it."""
    yield from _insertions(site, [_comma_before(site, site.start)])


def semicolon(finding: Finding, site: Site) -> Iterator[Fix]:
    """A `;` at the end; the fix is safe if nothing else is missing there, nor the end of a name, nor a dotted word."""
    edit = site.edit(site.end, site.end, ";")
    whole = lacks_nothing(site.changed(site.end, site.end, ";"), site.located)
    is_dotted = site.module.document.line(edit.range.line).startswith(".", edit.range.column)
    yield Fix("insert `;`", (edit,), safe_if(whole and not is_dotted and not _ends_unknown_name(site, site.end)))


def colon(finding: Finding, module: Module) -> Iterator[Fix]:
    """A `:` after a name that may be a label; the fix is safe if the module names it elsewhere too."""
    if "insert" in finding.data:
        text = module.document.whole()
        named = islice(places_of_name(text, module.document.text(finding.range), 0, len(text)), 2)
        yield Fix("insert `:`", (insertion(finding.range, ":"),), safe_if(len(list(named)) > 1))


def without_comma(finding: Finding, site: Site) -> Iterator[Fix]:
    """The statement without the marked comma; the fix is safe if no operand or name is missing beside it."""
    yield Fix(
        "remove this comma",
        (Edit(finding.range, ""),),
        safe_if(lacks_nothing(site.changed(site.start, site.end, ""), site.located)),
    )


def _ends_unknown_name(site: Site, end: int) -> bool:
    """Whether an undeclared register is before an offset: its last letter may be in the place of punctuation."""
    last = _LAST_NAME.search(site.text[:end].rstrip())
    if last is None or special_register(last[0]) is not None:
        return False
    return site.located.surroundings.scope.lookup(last[0]) is None


def negative_offset(finding: Finding, site: Site) -> Iterator[Fix]:
    """`+-8` for `-8`, or a comma before it, if the statement is correct with it."""
    if not site.marked.startswith("-"):
        return
    number = "+" + "".join(site.marked.split())
    right = fits(site, site.start, site.end, number)
    if right or helps(site, site.start, site.end, number):
        safety = safe_if(right)
        yield Fix(f"write `{number}`", (site.edit(site.start, site.end, number),), safety)
    if not right:
        yield from _insertions(site, [_comma_before(site, site.start)])


def close_bracket(finding: Finding, site: Site) -> Iterator[Fix]:
    """The missing bracket, before the next comma or at the end; or a comma before the open bracket."""
    opening = _opening(finding, site)
    if opening is None:
        return
    closing = CLOSING[site.text[opening]]
    places: list[Place] = []
    if site.text[opening] == "[":
        before = list(_BEFORE_BRACKET.finditer(site.text[: opening + 1]))
        places += [_comma_before(site, found.end()) for found in before[-1:]]
    ends = [found.start() for found in re.finditer(r",", site.text) if found.start() > opening]
    places += [(_before_blanks(site.text, end), closing, f"insert `{closing}`") for end in ends]
    end = site.end if "insert" in finding.data else _before_blanks(site.text, site.start)
    places.append((end, closing, f"insert `{closing}`"))
    yield from _insertions(site, places)


def open_bracket(finding: Finding, site: Site) -> Iterator[Fix]:
    """The bracket that the marked one closes, before the operand that it begins; or the text without the marked one.

    The fix is safe if it is the only one with which the statement is correct.
    """
    opening = _OPENING.get(site.marked)
    if opening is None:
        return
    begins = [found.end() for found in _BEFORE_OPERAND.finditer(site.text, 0, site.start)]
    places = [(begin, opening, f"insert `{opening}` before `{_token(site, begin)}`") for begin in begins]
    if any(fits(site, begin, begin, opening) for begin in begins):
        yield from _insertions(site, places)
    elif fits(site, site.start, site.end, ""):
        yield Fix(f"remove this `{site.marked}`", (site.edit(site.start, site.end, ""),), Safety.SAFE)


def _opening(finding: Finding, site: Site) -> int | None:
    """The offset of the bracket that is still open."""
    for related in finding.related:
        offset = site.located.offset(related.range.start) - site.located.statement.start
        if 0 <= offset < len(site.text) and site.text[offset] in CLOSING:
            return offset
    return None


def _before_blanks(text: str, end: int) -> int:
    return len(text[:end].rstrip())


def _comma_before(site: Site, offset: int) -> Place:
    return _before_blanks(site.text, offset), ",", f"insert `,` before `{_token(site, offset)}`"


def _token(site: Site, offset: int) -> str:
    token = _TOKEN.match(site.text, offset)
    return token[0] if token else ""


def _insertions(site: Site, places: list[Place]) -> Iterator[Fix]:
    """The insertions with which the statement is correct; the fix is safe if there is only one."""
    right = [each for each in dict.fromkeys(places) if fits(site, each[0], each[0], each[1])]
    if not right:
        right = [each for each in dict.fromkeys(places) if helps(site, each[0], each[0], each[1])]
    for offset, text, title in right:
        safe = len(right) == 1 and fits(site, offset, offset, text) and not _ends_unknown_name(site, offset)
        spaced = text + " " if text == "," and not site.text[offset : offset + 1].isspace() else text
        yield Fix(title, (site.edit(offset, offset, spaced),), safe_if(safe))


def missing_parenthesis(finding: Finding, text: str) -> Fix | None:
    """`)` before a directive that follows the parameters, `,` between two parameters."""
    start = Range(finding.range.line, finding.range.column, finding.range.line, finding.range.column)
    if text not in OF_PARAMETERS and directive(text) is not None:
        return Fix(f"insert `)` before `{text}`", (Edit(start, ") "),), Safety.SAFE)
    if text in OF_PARAMETERS:
        return Fix(f"insert `,` before `{text}`", (Edit(start, ", "),), Safety.SAFE)
    return None
