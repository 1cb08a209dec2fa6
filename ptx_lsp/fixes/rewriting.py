"""Fixes that rewrite statements of other languages in PTX: by the patterns of habits, and C assignments."""

import re
from collections.abc import Iterator
from functools import lru_cache

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, safe_if
from ptx_lsp.fixes.verification import Site, errors_in
from ptx_lsp.isa.c_operators import C_INSTRUCTIONS
from ptx_lsp.isa.intended_words import C_TYPE, Remedy, c_type, habit_spellings, head_habit_in_any_case
from ptx_lsp.isa.opcode_sets import MOVE
from ptx_lsp.memo import forgettable
from ptx_lsp.syntax.tree import DECLARES
from ptx_lsp.text.ranges import Range

_PLACEHOLDERS = {
    "<rest>": r"(?P<rest>.+)",
    "<n>": r"(?P<n>[%$\w]+)",
    "<i>": r"(?P<i>\w+)",
}
_OPERAND = r"(?P<{}>!?[%$\w]+(?:[.+][%$\w]+)?|-[\w.]+|\[[^][]*\]|\{{[^{{}}]*\}})"
_TOKEN = re.compile(r"<(?:rest|[a-z])>|\s+|[^<\s]+|<")
_ASSIGNMENT = re.compile(
    r"\s*(?P<d>[%$\w]+)\s*(?:(?P<step>\+\+|--)|(?P<own>[-+*/%&|^]|<<|>>)?=\s*(?P<a>-?[%$.\w]+)"
    r"(?:\s*(?P<op>[-+*/%&|^]|<<|>>)\s*(?P<b>-?[%$.\w]+))?)\s*;?\s*",
)
_DECLARED = re.compile(r"\s*(?P<name>[%$\w]+)(?P<size>\s*\[[^][]*\])?\s*(?:=\s*(?P<value>[^,;{}]+?))?\s*;?\s*")
_MOVED = (".b32", ".b64", ".b16")
_BARE = re.compile(r"[A-Za-z_][\w$]*")
_TYPES = (".f32", ".f64", ".s32", ".u32", ".s64", ".u64", ".s16", ".u16", ".pred")
MOST_OFFERED = 2


def rewrite(finding: Finding, site: Site) -> Iterator[Fix]:
    """The statement in PTX, if the habit of its first word has a pattern for it and the result has fewer errors."""
    word = site.marked.split()[0] if site.marked.split() else ""
    habit = head_habit_in_any_case(word)
    offered = 0
    for remedy in habit.remedies if habit is not None else ():
        text = _applied(remedy, word, site)
        if text and offered < MOST_OFFERED and (text.endswith("{") or not errors_in(text, site.located)):
            safety = safe_if(remedy.safe)
            yield Fix(f"write `{text}`", (Edit(_whole(site), text),), safety)
            offered += 1


def declare_as_in_ptx(finding: Finding, site: Site) -> Iterator[Fix]:
    """`.reg .s32 i;` and `mov.s32 i, 0;` for `int i = 0;`."""
    declares = finding.data.get(DECLARES)
    found = _DECLARED.fullmatch(site.text, site.end) if declares else None
    if declares is None or found is None:
        return
    text = f"{declares} {found['name']}{(found['size'] or '').strip()};"
    if found["value"] and declares.startswith(".reg"):
        text += f" {MOVE}{declares.split()[-1]} {found['name']}, {found['value']};"
    if not found["value"] or declares.startswith(".reg"):
        yield Fix(f"write `{text}`", (Edit(_whole(site), text),))


def rewrite_assignment(finding: Finding, site: Site) -> Iterator[Fix]:
    """`add.s32 %r1, %r2, 1;` for `%r1 = %r2 + 1;`, with the types that make it correct."""
    found = _ASSIGNMENT.fullmatch(site.text)
    if found is None:
        return
    operator = found["op"] or found["own"] or (found["step"] or "")[:1]
    sources = [found["a"], found["b"]]
    if found["own"] or found["step"]:
        sources = [found["d"], found["a"] or "1"]
    offered: dict[str, None] = {}
    # `r2` for `%r2` is the same habit
    for spelled in (str, _as_register):
        operands = ", ".join(spelled(text) for text in (found["d"], *sources) if text)
        for type_ in _types(operator, spelled(found["d"]), site):
            opcode = C_INSTRUCTIONS[operator].of_type(type_) if operator else MOVE + type_
            text = f"{opcode} {operands};"
            if len(offered) < MOST_OFFERED and not errors_in(text, site.located):
                offered[text] = None
    for text in offered:
        yield Fix(f"write `{text}`", (Edit(_whole(site), text),))


def _types(operator: str, result: str, site: Site) -> list[str]:
    """The types to try, those of the class of the register that is written first; `mov` only moves bits.

    `operator` is empty if nothing is computed.
    """
    symbol = site.located.surroundings.scope.lookup(result)
    declared = symbol.type if symbol is not None else ""
    floats = declared.startswith(".f")
    types = sorted(_TYPES, key=lambda type_: type_.startswith(".f") is not floats)
    return [*_MOVED, *types] if not operator and not floats else types


def _as_register(name: str) -> str:
    return "%" + name if _BARE.fullmatch(name) else name


def _whole(site: Site) -> Range:
    first = site.located.statement.start
    return site.located.range(first, first + len(site.text))


def _applied(remedy: Remedy, word: str, site: Site) -> str:
    """The statement with a remedy applied; empty where its pattern does not match."""
    before = site.text[: site.start]
    rest = site.text[site.start + len(word) :]
    if remedy.pattern is None:
        return before + remedy.text + rest
    found = _compiled(remedy.pattern).fullmatch(rest.rstrip().removesuffix(";"))
    if found is None:
        return ""
    text = re.sub(r"<(\w+)>", lambda name: _filled(found, name[1]), remedy.text)
    return before + text + ("" if text.endswith("{") else ";")


def _filled(found: re.Match[str], name: str) -> str:
    text = found[name].strip()
    return c_type(text) if name == "t" else text


@forgettable
@lru_cache(256)
def _compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression for the rest of a statement; blanks between tokens do not matter."""
    parts = []
    seen: set[str] = set()
    for token in _TOKEN.findall(pattern):
        if token in _PLACEHOLDERS:
            parts.append(_PLACEHOLDERS[token])
        elif token.startswith("<") and token.endswith(">"):
            name = token[1:-1]
            kinds = "|".join(map(re.escape, habit_spellings(C_TYPE))) if name == "t" else ""
            parts.append(f"(?P={name})" if name in seen else f"(?P<t>{kinds})" if kinds else _OPERAND.format(name))
            seen.add(name)
        elif not token.isspace():
            parts.append(r"\s*".join(map(re.escape, token)))
    return re.compile(r"\s*" + r"\s*".join(parts) + r"\s*")
