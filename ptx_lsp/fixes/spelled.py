"""Fixes that can be read off the finding and the text of its range: nothing else need be known of the module."""

from collections.abc import Callable, Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, Safety, insertion
from ptx_lsp.text.ranges import Range

# what word processors and web pages make of ASCII
_LOOKALIKES = {
    "\u00a0": " ",
    "\u2009": " ",
    "\u200b": "",
    "\u2010": "-",
    "\u2011": "-",
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\uff0c": ",",
    "\uff1b": ";",
}

Spelled = Callable[[Finding, str], Fix | None]


def spelled_fixes(finding: Finding, text: str) -> Iterator[Fix]:
    """The fix of this code, if it is one of `BY_CODE`, and what the finding itself proposes in its data.

    `text` is the text of the finding's range. `data["replacement"]` and `data["nearest"]` are to stand in its place,
    `data["insert"]` after it.
    """
    maker = BY_CODE.get(finding.code)
    fix = maker(finding, text) if maker is not None else None
    if fix is not None:
        yield fix
    spelling = finding.data.get("replacement") or finding.data.get("nearest")
    if spelling:
        yield Fix(f"write `{spelling}`", (Edit(finding.range, spelling),), Safety.SAFE)
    more = finding.data.get("insert")
    if more:
        yield Fix(f"insert `{more}`", (insertion(finding.range, more),), Safety.SAFE)


def _semicolon(finding: Finding, text: str) -> Fix:
    return Fix("insert `;`", (insertion(finding.range, ";"),), Safety.SAFE)


def _comma(finding: Finding, text: str) -> Fix:
    start = Range(finding.range.line, finding.range.column, finding.range.line, finding.range.column)
    return Fix(f"insert `,` before `{text}`", (Edit(start, ", "),), Safety.SAFE)


def _without(title: str, safety: Safety) -> Spelled:
    def remove(finding: Finding, text: str) -> Fix:
        return Fix(title.format(text), (Edit(finding.range, ""),), safety)

    return remove


def _negative_offset(finding: Finding, text: str) -> Fix | None:
    if not text.startswith("-"):
        return None
    number = "".join(text.split())
    return Fix(f"write `+{number}`", (Edit(finding.range, "+" + number),), Safety.SAFE)


def _ascii(finding: Finding, text: str) -> Fix | None:
    if text == "\ufeff":
        return Fix("remove the byte order mark", (Edit(finding.range, ""),), Safety.SAFE)
    plain = "".join(_LOOKALIKES.get(character, character) for character in text)
    if not plain.isascii():
        return None
    return Fix(f"write `{plain}` in ASCII", (Edit(finding.range, plain),), Safety.SAFE)


def _remainder(finding: Finding, text: str) -> Fix | None:
    if not text.startswith("%"):
        return None
    return Fix(f"write `% {text[1:]}`, a remainder", (Edit(finding.range, "% " + text[1:]),), Safety.SAFE)


BY_CODE: dict[str, Spelled] = {
    "missing-semicolon": _semicolon,
    "missing-comma": _comma,
    "extra-comma": _without("remove this comma", Safety.SAFE),
    "negative-offset": _negative_offset,
    "percent-name": _remainder,
    "duplicate-modifier": _without("remove the second `{}`", Safety.SAFE),
    "noise-modifier": _without("remove `{}`, which means nothing here", Safety.SAFE),
    "non-ascii": _ascii,
    "unused-suppression": _without("remove this comment", Safety.SAFE),
}
"""How findings of each of these codes are fixed."""
