"""The fixes that a message itself advises: for each "write `X`" in a message there is a fix that writes X."""

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix
from ptx_lsp.syntax.plain_text import places_of_name
from ptx_lsp.text.ranges import Range

_ADVICE = re.compile(r"\b(?:write|keep it in|expected) ((?:`[^`]+`(?:, | or | before )?)+)")
_QUOTED = re.compile(r"`([^`]+)`")
_PLACEHOLDER = re.compile(r"\.\.\.|<[a-z]+>")
_WORD = re.compile(r"[\w$%]+\Z")


def advice(message: str) -> list[str]:
    """The spellings that a message advises, each once: `.u32` and `.s32` for "write `.u32` or `.s32`"."""
    found = [spelling for part in _ADVICE.findall(message) for spelling in _QUOTED.findall(part)]
    return [spelling for spelling in dict.fromkeys(found) if not _PLACEHOLDER.search(spelling)]


def advised_fixes(finding: Finding, module: Module) -> Iterator[Fix]:
    """A replacement of the finding's text by each spelling that its message advises.

    If the spelling ends with a word that also occurs later in the line, the text up to that word is replaced too.
    """
    for spelling in advice(finding.message):
        place = _extended(finding.range, spelling, module)
        if module.document.text(place) != spelling:
            yield Fix(f"write `{spelling}`", (Edit(place, spelling),))


def _extended(place: Range, spelling: str, module: Module) -> Range:
    last = _WORD.search(spelling)
    written = module.document.text(place)
    if last is None or " " not in spelling or last[0] in written:
        return place
    line = module.document.line(place.end_line)
    found = next(places_of_name(line, last[0], place.end_column, len(line)), -1)
    return place._replace(end_column=found + len(last[0])) if found >= 0 else place
