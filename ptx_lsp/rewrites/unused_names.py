"""Removing the registers and labels that no text of their function names.

A name counts as used wherever its function's text has it, in a comment and in another scope too. So nothing is removed
that a statement needs.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.occurrences.target import EVERY_NAME, has_sections
from ptx_lsp.reading.state import Body
from ptx_lsp.rewrites.rewrite import Rewrite, Steps
from ptx_lsp.semantics.compiler_labels import is_generated
from ptx_lsp.semantics.symbols import DIGITS, Symbol, SymbolKind
from ptx_lsp.syntax.plain_text import without_comments
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Declaration
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import Range

# it begins with a word, which is searched for much faster than a place after certain characters
_REGISTERS = re.compile(r"\.reg\b(?<![\w$%.]\.reg)[^;{}]*;", re.A)
# one register or family, as compilers write it; the groups are its name and that it is a family
_SIMPLE = re.compile(r"\.reg\s+\.\w+\s+([%$_a-zA-Z][\w$]*)\s*(<\s*[0-9]+\s*>)?\s*;", re.A)
_COLON = re.compile(r"\s*:(?!:)")
_CHUNKS_PER_STEP = 10
_BLOCKS_PER_STEP = 5
_LINES_PER_STEP = 500
_NAMES_PER_STEP = 1000
_DECLARATIONS_PER_STEP = 100


def remove_unused(module: Module) -> Rewrite:
    """The rewrite that removes the unused registers and labels of all functions."""
    return Rewrite("remove unused registers and labels", lambda: unused_steps(module))


def unused_steps(module: Module) -> Steps:
    """The edits that remove the unused registers and labels of all functions."""
    outside: Counter[str] = Counter()
    if has_sections(module):
        for index in range(module.document.chunk_count):
            outside.update(EVERY_NAME.findall(module.document.chunk(index)))
            if not index % _CHUNKS_PER_STEP:
                yield []
    labels: dict[Body, list[Symbol]] = {}
    for number, block in enumerate(module.block_map.blocks):
        for part in block.parts:  # the labels of a known function are made now
            labels.setdefault(part.body, []).extend(label for label in part.labels if label.kind is SymbolKind.LABEL)
            yield []
        if not number % _BLOCKS_PER_STEP:
            yield []
    for body in module.each_body():
        if body.closing is not None and not body.is_given:
            unneeded = (label for label in labels.get(body, ()) if outside[label.name] < 2)
            yield from _in_body(module, body, unneeded)


def _in_body(module: Module, body: Body, labels: Iterable[Symbol]) -> Steps:
    """The edits in one function; `labels` are those of its labels that nothing outside of it names."""
    assert body.closing is not None, "only a function that is closed is looked at"
    opening, closing = body.opening.resolved(), body.closing.resolved()
    part = LineIndex(module.document.text(Range(*opening.end, *closing.start)), opening.end)
    names: Counter[str] = Counter()
    for first in range(0, len(part.starts), _LINES_PER_STEP):
        following = first + _LINES_PER_STEP
        end = part.starts[following] if following < len(part.starts) else len(part.text)
        names.update(EVERY_NAME.findall(part.text, part.starts[first], end))
        yield []
    used = _Used(names)
    yield []
    plain = without_comments(part.text)
    yield []
    for number, match in enumerate(_REGISTERS.finditer(plain)):
        simple = _SIMPLE.fullmatch(plain, match.start(), match.end())
        if simple is None or not used.has(simple[1], simple.end(2) >= 0):
            yield list(_of_declaration(part, match.start(), match.end(), used))
        elif not number % _DECLARATIONS_PER_STEP:
            yield []
    for number, label in enumerate(labels):
        if names[label.name] == 1 and not is_generated(label.name):
            start = part.offset(label.mark.resolved().start)
            colon = _COLON.match(part.text, start + len(label.name))
            yield [_removal(part, start, colon.end())] if colon is not None else []
        elif not number % _NAMES_PER_STEP:
            yield []


class _Used:
    """The names in a function, with the number of places of each."""

    def __init__(self, names: Counter[str]) -> None:
        self._names = names
        self._stems = {name.rstrip(DIGITS) for name in names if name[-1] in DIGITS}
        self._members: set[str] | None = None

    def has(self, name: str, is_family: bool) -> bool:
        """Whether a declared register is used; for a family (`is_family`), whether the name of a member is."""
        if not is_family:
            return self._names[name] > 1
        return name in self._stems if name[-1] not in DIGITS else name in self._of_families()

    def _of_families(self) -> set[str]:
        """The names that a family may have of which a member is used: `%r1` and `%r` for `%r12`. Few end in a digit."""
        if self._members is None:
            self._members = set()
            for name in self._names:
                while name[-1:] and name[-1] in DIGITS:
                    name = name[:-1]
                    self._members.add(name)
        return self._members


def _removal(part: LineIndex, start: int, end: int) -> Edit:
    """The edit that removes a statement, with its lines if nothing else is on them."""
    first, last = part.line(start), part.line(end - 1)
    if first and last + 1 < len(part.starts):
        begin, following = part.starts[first], part.starts[last + 1]
        if not part.text[begin:start].strip() and not part.text[end:following].strip():
            return Edit(part.range(begin, following), "")
    return Edit(part.range(start, end), "")


def _of_declaration(part: LineIndex, start: int, end: int, names: _Used) -> Iterator[Edit]:
    """The edits that remove the unused registers of one declaration."""
    source = part.text[start:end]
    (parsed, problems), *more = parse_statements(source)
    if more or problems or not isinstance(parsed, Declaration):
        return
    used = [names.has(each.name.text, each.members is not None) for each in parsed.declarators]
    if not any(used):
        yield _removal(part, start, end)
        return
    if "//" in source or "/*" in source:
        return
    kept = [each for each, is_used in zip(parsed.declarators, used, strict=True) if is_used]
    if len(kept) < len(used):
        first, last = parsed.declarators[0].start, parsed.declarators[-1].end
        text = ", ".join(source[each.start : each.end] for each in kept)
        yield Edit(part.range(start + first, start + last), text)
