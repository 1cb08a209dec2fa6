"""Fixes that need only the finding and the text of its range, and nothing else of the module."""

from collections.abc import Callable, Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, Safety, insertion, safe_if
from ptx_lsp.fixes.punctuation import missing_parenthesis
from ptx_lsp.fixes.typos import MOST_EVIDENT, typo_cost

# the characters that word processors and web pages write in place of ASCII
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


def spelled_fixes(finding: Finding, text: str, after: str) -> Iterator[Fix]:
    """The fix of this code, if it is one of `BY_CODE`, and the proposals in the data of the finding.

    `text` is the text of the finding's range, `after` is the rest of its line. `data["replacement"]` and
    `data["nearest"]` replace the text, `data["insert"]` is inserted after it.
    """
    maker = BY_CODE.get(finding.code)
    fix = maker(finding, text) if maker is not None else None
    if fix is not None:
        yield fix
    spelling = finding.data.get("replacement") or finding.data.get("nearest")
    if spelling:
        # a directive with modifiers is an instruction without its opcode
        broken = finding.code == "unknown-directive" and after.startswith(".")
        safe = finding.code not in WITH_FIXES_OF_THEIR_OWN and not broken and _is_typo(text, spelling, finding.code)
        safety = safe_if(safe)
        yield Fix(f"write `{spelling}`", (Edit(finding.range, spelling),), safety)
    more = finding.data.get("insert")
    if more:
        safety = Safety.UNSAFE if finding.code in WITH_FIXES_OF_THEIR_OWN else Safety.SAFE
        yield Fix(f"insert `{more}`", (insertion(finding.range, more),), safety)


def _semicolon(finding: Finding, text: str) -> Fix:
    return Fix("insert `;`", (insertion(finding.range, ";"),), Safety.SAFE)


def _without(title: str, safety: Safety) -> Spelled:
    def remove(finding: Finding, text: str) -> Fix:
        return Fix(title.format(text), (Edit(finding.range, ""),), safety)

    return remove


def _second_modifier(finding: Finding, text: str) -> Fix:
    """The fix is safe if it is the same modifier as another one, and it does not matter which of them is removed."""
    is_same = finding.data.get("removed") == text
    title = f"remove the second `{text}`" if is_same else f"remove `{text}`"
    return Fix(title, (Edit(finding.range, ""),), safe_if(is_same))


def _ascii(finding: Finding, text: str) -> Fix | None:
    if text == "\ufeff":
        return Fix("remove the byte order mark", (Edit(finding.range, ""),), Safety.SAFE)
    plain = "".join(_LOOKALIKES.get(character, character) for character in text)
    if not plain.isascii():
        return None
    return Fix(f"write `{plain}` in ASCII", (Edit(finding.range, plain),), Safety.SAFE)


def _stray(finding: Finding, text: str) -> Fix | None:
    """The removal of semicolons that end nothing."""
    if text.strip("; \t\r\n"):
        return None
    title = "remove this `;`" if text == ";" else "remove these `;`"
    return Fix(title, (Edit(finding.range, ""),), Safety.SAFE)


def _remainder(finding: Finding, text: str) -> Fix | None:
    if not text.startswith("%"):
        return None
    return Fix(f"write `% {text[1:]}`, a remainder", (Edit(finding.range, "% " + text[1:]),), Safety.SAFE)


WITH_FIXES_OF_THEIR_OWN = frozenset(
    ("unknown-opcode", "unknown-modifier", "instruction-type", "modifier-order", "unclosed-bracket")
)
"""Codes for which other fixes check the statement: here, a proposal by spelling alone is never safe."""

SAME_MEANING = frozenset(("literal-required", "initialiser-type", "expected-name"))
"""Codes whose proposal is another way to write the same thing."""

NO_TYPO = frozenset(("unsupported-target", "call-prototype", "declaration-type"))
"""Codes whose proposal is one of several possible names or types: the choice is the author's."""


def _is_typo(text: str, spelling: str, code: str) -> bool:
    if code in SAME_MEANING:
        return True
    if code in NO_TYPO:
        return False
    cost = typo_cost(text.strip('"'), spelling.strip('"'))
    return cost is not None and cost <= MOST_EVIDENT


BY_CODE: dict[str, Spelled] = {
    "missing-comma": missing_parenthesis,
    "missing-semicolon": _semicolon,
    "extra-comma": _without("remove this comma", Safety.SAFE),
    "percent-name": _remainder,
    "duplicate-modifier": _second_modifier,
    "noise-modifier": _without("remove `{}`, which has no effect here", Safety.SAFE),
    "non-ascii": _ascii,
    "stray-token": _stray,
    "unused-suppression": _without("remove this comment", Safety.SAFE),
}
"""The fix for findings of each of these codes."""
