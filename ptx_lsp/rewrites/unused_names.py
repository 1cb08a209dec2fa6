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
from ptx_lsp.syntax.tree import Declaration, Declarator
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import Range

# it begins with a word, which is searched for much faster than a place after certain characters
_REGISTERS = re.compile(r"\.reg\b(?<![\w$%.]\.reg)[^;{}]*;", re.A)
_COLON = re.compile(r"\s*:(?!:)")
_CHUNKS_PER_STEP = 10
_BLOCKS_PER_STEP = 5
_LINES_PER_STEP = 500
_NAMES_PER_STEP = 1000


def remove_unused(module: Module) -> Rewrite:
    """The rewrite that removes the unused registers and labels of all functions."""
    return Rewrite("remove unused registers and labels", lambda: _in_module(module))


def _in_module(module: Module) -> Steps:
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
    stems: set[str] = set()
    for number, name in enumerate(names):
        _add_stems(name, stems)
        if not number % _NAMES_PER_STEP:
            yield []
    yield []
    plain = without_comments(part.text)
    yield []
    for match in _REGISTERS.finditer(plain):
        yield list(_of_declaration(part, match.start(), match.end(), names, stems))
    for number, label in enumerate(labels):
        if names[label.name] == 1 and not is_generated(label.name):
            start = part.offset(label.mark.resolved().start)
            colon = _COLON.match(part.text, start + len(label.name))
            yield [_removal(part, start, colon.end())] if colon is not None else []
        elif not number % _NAMES_PER_STEP:
            yield []


def _add_stems(name: str, stems: set[str]) -> None:
    """Add a name that ends in digits without its last digit, its last two and so on: `%r1` and `%r` for `%r12`."""
    while name[-1:] and name[-1] in DIGITS:
        name = name[:-1]
        stems.add(name)


def _removal(part: LineIndex, start: int, end: int) -> Edit:
    """The edit that removes a statement, with its lines if nothing else is on them."""
    first, last = part.line(start), part.line(end - 1)
    if first and last + 1 < len(part.starts):
        begin, following = part.starts[first], part.starts[last + 1]
        if not part.text[begin:start].strip() and not part.text[end:following].strip():
            return Edit(part.range(begin, following), "")
    return Edit(part.range(start, end), "")


def _of_declaration(part: LineIndex, start: int, end: int, names: Counter[str], stems: set[str]) -> Iterator[Edit]:
    """The edits that remove the unused registers of one declaration."""
    source = part.text[start:end]
    (parsed, problems), *more = parse_statements(source)
    if more or problems or not isinstance(parsed, Declaration):
        return
    used = [_is_used(each, names, stems) for each in parsed.declarators]
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


def _is_used(declarator: Declarator, names: Counter[str], stems: set[str]) -> bool:
    name = declarator.name.text
    if declarator.members is not None:
        return name in stems
    return names[name] > 1
