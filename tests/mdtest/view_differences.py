"""The hovers and inlay hints of a fence, compared with its expectations."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.features.hover import hover
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.text.ranges import Position, Range
from tests.mdtest.expectations import Expectation, expected_of
from tests.mdtest.fences import Fence


def view_differences(fence: Fence) -> list[str]:
    """The differences from the `hover` and `inlay` expectations of a fence, a readable line for each."""
    module, expected = expected_of(fence, "hover", "inlay")
    differences = []
    for each in expected:
        if each.kind == "hover":
            differences += _hover(each, fence, module)
    for line in sorted({e.line for e in expected if e.kind == "inlay"}):
        differences += _inlay(line, [e for e in expected if e.kind == "inlay" and e.line == line], fence, module)
    return differences


def _hover(expected: Expectation, fence: Fence, module: Module) -> list[str]:
    place = _place(expected, fence, module)
    found = hover(module, Position(place.line, place.column))
    text = "" if found is None else render_parts(found.parts, markdown=True)
    if expected.part is not None and expected.part in text:
        return []
    return [f"{fence.file}:{fence.line + expected.line}: not shown: {expected}\n    but: {text or 'nothing'}"]


def _inlay(line: int, expected: list[Expectation], fence: Fence, module: Module) -> list[str]:
    number = line + fence.first
    whole = Range(number, 0, number, len(module.document.line(number)))
    hints = inlay_hints(module, whole)
    wanted = [e.part for e in expected]
    differences = []
    if [hint.label for hint in hints] != wanted:
        labels = ", ".join(hint.label for hint in hints)
        differences.append(f"{fence.file}:{fence.line + line}: hints: {labels or 'none'}; expected: {wanted}")
    for each, hint in zip(expected, hints, strict=False):
        if each.at is not None:
            place = _place(each, fence, module)
            if hint.position != (place.start if hint.before else place.end):
                differences.append(f"{fence.file}:{fence.line + line}: `{hint.label}` is at another place")
    return differences


def _place(expected: Expectation, fence: Fence, module: Module) -> Range:
    """The range of the first occurrence, on the line of the expectation, of the text that it names."""
    number = expected.line + fence.first
    assert expected.at, f"{fence}: {expected} needs `at`"
    column = module.document.line(number).index(expected.at)
    return Range(number, column, number, column + len(expected.at))
