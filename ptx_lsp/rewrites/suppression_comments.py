"""Comments that suppress a finding: on its line, on the line above it, or for the whole file."""

import re
from collections.abc import Iterator
from functools import partial

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.codes import rules
from ptx_lsp.findings.finding import Finding
from ptx_lsp.findings.suppression import KEYWORD, MARKER, UNUSED, SuppressionReach, codes_of, comment, reach_of
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.rewrites.rewrite import Rewrite, Steps
from ptx_lsp.text.lines import count_line_ends, indentation
from ptx_lsp.text.ranges import Range

_COMMENT = re.compile("//" + KEYWORD)
_CHUNKS_PER_STEP = 200
_TITLES = {
    SuppressionReach.LINE: "ignore `{}` on this line",
    SuppressionReach.NEXT_LINE: "ignore `{}` by a comment above this line",
    SuppressionReach.FILE: "ignore `{}` in this file",
}


def suppress(finding: Finding, module: Module) -> Iterator[Rewrite]:
    """The three ways to suppress a finding by a comment. A comment that has other codes gets one more."""
    if finding.code not in rules() or module.foreign is not None:
        return
    if finding.range.line >= module.document.line_count:
        return  # it is outdated: an edit that is not analysed yet has shortened the text
    for reach, title in _TITLES.items():
        if finding.code != UNUSED or reach is SuppressionReach.FILE:
            yield Rewrite(title.format(finding.code), partial(_edits, finding, reach, module))


def _edits(finding: Finding, reach: SuppressionReach, module: Module) -> Steps:
    if reach is SuppressionReach.FILE:
        yield from _in_file(module, finding.code)
        return
    line = finding.range.line
    known = _extended(line - (reach is SuppressionReach.NEXT_LINE), reach, module, finding.code)
    if known is not None:
        yield [known]
        return
    text = module.document.line(line)
    written = comment((finding.code,), reach)
    if reach is SuppressionReach.LINE:
        yield [Edit(Range(line, len(text), line, len(text)), f" {written}")]
    else:
        yield [Edit(Range(line, 0, line, 0), f"{indentation(text)}{written}\n")]


def _in_file(module: Module, code: str) -> Steps:
    """The edit that adds a code to the first comment that suppresses codes in the file, or such a comment."""
    document = module.document
    for index in range(document.chunk_count):
        text = document.chunk(index)
        if MARKER + " ignore-file" in text:
            first = document.chunk_line(index)
            for line in range(first, first + count_line_ends(text) + 1):
                edit = _extended(line, SuppressionReach.FILE, module, code)
                if edit is not None:
                    yield [edit]
                    return
        if not index % _CHUNKS_PER_STEP:
            yield []
    yield [Edit(Range(0, 0, 0, 0), f"{comment((code,), SuppressionReach.FILE)}\n")]


def _extended(line: int, reach: SuppressionReach, module: Module, code: str) -> Edit | None:
    """The edit that adds a code to the comment of a line; None if the line has no comment with codes of that reach."""
    if not 0 <= line < module.document.line_count:
        return None
    for match in _COMMENT.finditer(module.document.line(line)):
        codes = codes_of(match[2])
        if codes and reach_of(match[1]) is reach:
            return Edit(Range(line, match.start(), line, match.end()), comment((*codes, code), reach))
    return None
