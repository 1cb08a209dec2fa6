"""A fence's hovers and inlay hints compared with what it expects of them."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.hover import hover
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.features.rendering import render
from ptx_lsp.text.ranges import Position, Range
from tests.mdtest.expectations import Expectation, expectations
from tests.mdtest.fences import Fence


def shown_otherwise(fence: Fence) -> list[str]:
    """In what hovers and hints differ from the fence's `hover` and `inlay` expectations: a readable line for each."""
    expected = [e for e in expectations(fence) if e.kind in ("hover", "inlay")]
    if not expected:
        return []
    module = Module(fence.text)
    module.work()
    told = []
    for each in expected:
        if each.kind == "hover":
            told += _hover(each, fence, module)
    for line in sorted({e.line for e in expected if e.kind == "inlay"}):
        told += _inlay(line, [e for e in expected if e.kind == "inlay" and e.line == line], fence, module)
    return told


def _hover(expected: Expectation, fence: Fence, module: Module) -> list[str]:
    place = _place(expected, fence, module)
    found = hover(module, Position(place.line, place.column))
    text = "" if found is None else render(found, markdown=True)
    if expected.part is not None and expected.part in text:
        return []
    return [f"{fence.file}:{fence.line + expected.line}: not shown: {expected}\n    but: {text or 'nothing'}"]


def _inlay(line: int, expected: list[Expectation], fence: Fence, module: Module) -> list[str]:
    number = line + fence.first
    whole = Range(number, 0, number, len(module.document.line(number)))
    hints = inlay_hints(module, whole)
    wanted = [e.part for e in expected]
    told = []
    if [hint.label for hint in hints] != wanted:
        labels = ", ".join(hint.label for hint in hints)
        told.append(f"{fence.file}:{fence.line + line}: hints: {labels or 'none'}; expected: {wanted}")
    for each, hint in zip(expected, hints, strict=False):
        if each.at is not None:
            place = _place(each, fence, module)
            if hint.position != (place.start if hint.before else place.end):
                told.append(f"{fence.file}:{fence.line + line}: `{hint.label}` is drawn at another place")
    return told


def _place(expected: Expectation, fence: Fence, module: Module) -> Range:
    """Where the text that the expectation names stands first on its line."""
    number = expected.line + fence.first
    assert expected.at, f"{fence}: {expected} needs `at`"
    column = module.document.line(number).index(expected.at)
    return Range(number, column, number, column + len(expected.at))
