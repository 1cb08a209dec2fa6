"""The labels that a branch can go to, and those that a function still lacks."""

import re
from itertools import islice

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.nearby_names import text_above, text_below
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.symbols import DIGITS, Scope
from ptx_lsp.text.ranges import Position

MOST_LABELS = 3_000
_DEFINED = lazy_pattern(r"^[ \t]*([%$A-Za-z_][\w$]*)[ \t]*:(?![ \t]*\.(?:callproto|branchtar|calltar))", re.M)
_USED = lazy_pattern(r"\bbra(?:\.uni)?[ \t]+([%$A-Za-z_][\w$]*)|\.branchtargets[ \t]+([^;]*);")
_NAME = lazy_pattern(r"[%$A-Za-z_][\w$]*")
_BACKWARD = 2
"""A label above the cursor counts as that many times as far away: most branches go forward."""

MOST_NEXT = 3
"""Series of labels whose next number is offered."""


def branch_labels(module: Module, position: Position, scope: Scope) -> list[str]:
    """The labels that a branch at a position can go to: those without a branch first, then the nearest."""
    above, below = text_above(module.document, position), text_below(module.document, position)
    used = _used(above) | _used(below)
    distances: dict[str, int] = {}
    for name, line in _known_labels(scope):
        away = line - position.line
        distances[name] = away if away > 0 else -away * _BACKWARD
    lines = above.count("\n")
    for found in _DEFINED.finditer(above):
        distances.setdefault(found[1], (lines - above.count("\n", 0, found.start())) * _BACKWARD)
    for found in _DEFINED.finditer(below):
        distances.setdefault(found[1], below.count("\n", 0, found.start()) + 1)
    nearest = sorted(distances, key=distances.__getitem__)
    unused = [name for name in nearest if name not in used]
    lacking = sorted(used - distances.keys())
    names = dict.fromkeys((*_woven(unused, nearest), *lacking))
    return [name for name in names if name not in opcodes()]  # a half-typed `bra` is read as a label without its colon


def _woven(unused: list[str], nearest: list[str]) -> list[str]:
    """The two lists, taken from in turns: one without a branch, then two of the nearest."""
    found: list[str] = []
    for turn in range(max(len(unused), len(nearest))):
        found += [*unused[turn : turn + 1], *nearest[2 * turn : 2 * turn + 2]]
    return found


def _known_labels(scope: Scope) -> list[tuple[str, int]]:
    """The labels that a scope sees, each with its line."""
    found: list[tuple[str, int]] = []
    around: Scope | None = scope
    while around is not None:
        labels = islice(around.labels.items(), MOST_LABELS)
        found += [(name, symbols[0].mark.resolved().line) for name, symbols in labels if symbols]
        around = around.parent
    return found


def lacking_labels(module: Module, position: Position, scope: Scope) -> list[str]:
    """The labels that can be defined at a position: those that branches nearby name, then the next of each series."""
    above, below = text_above(module.document, position), text_below(module.document, position)
    defined = [found[1] for found in _DEFINED.finditer(above)]
    others = {*defined, *(found[1] for found in _DEFINED.finditer(below))}
    # the label that is being typed has perhaps been read when it was complete
    others.update(name for name, line in _known_labels(scope) if line != position.line)
    nearest = [*reversed(_uses(above)), *_uses(below)]
    lacking = [name for name in dict.fromkeys(nearest) if name not in others]
    return list(dict.fromkeys((*lacking, *_next(defined, others))))


def _uses(text: str) -> list[str]:
    return [name for found in _USED.finditer(text) for name in _NAME.findall(found[1] or found[2])]


def _used(text: str) -> set[str]:
    return set(_uses(text))


def _next(defined: list[str], taken: set[str]) -> list[str]:
    """The next free name of each series of labels, `$L__tmp7` after `$L__tmp6`; the nearest series first."""
    found: dict[str, str] = {}
    for name in reversed(defined):
        stem = name.rstrip(DIGITS)
        digits = name[len(stem) :]
        if not digits or stem in found or len(digits) > 9:
            continue
        number = int(digits) + 1
        while stem + str(number) in taken:
            number += 1
        found[stem] = stem + str(number)
        if len(found) == MOST_NEXT:
            break
    return list(found.values())
