"""The targets that a statement may be written for."""

from functools import lru_cache

from ptx_lsp.isa.forms import Needs
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.targets import allows
from ptx_lsp.isa.versions import Target
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern

CANDIDATES = (
    *(Target(100, "a"), Target(90, "a"), Target(120, "a"), Target(103, "a"), Target(107, "a"), Target(110, "a")),
    *(Target(number) for number in (100, 90, 80, 75, 70, 60, 50, 30)),
)
"""The targets that a statement may be written for, if none is set: those with the most instructions first."""

_OPCODE = lazy_pattern(r"\b([a-z][a-z0-9]+)\.[a-z]")


def worth_trying(text: str, targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """The targets, in their order, that have every opcode of a text; all of them if no target has.

    Another target cannot accept the text, so that it need not be tried.
    """
    left = targets
    for opcode in set(_OPCODE.findall(text)):
        found = _with_opcode(opcode, targets)
        left = tuple(target for target in left if target in found)
    return left or targets


@forgettable
@lru_cache(maxsize=1024)
def _with_opcode(opcode: str, targets: tuple[Target, ...]) -> frozenset[Target]:
    """The targets that have a form of an opcode; all of them if it is unknown."""
    known = instruction(opcode)
    if known is None:
        return frozenset(targets)
    needs = {(form.section.needs, form.needs) for form in known.forms}
    return frozenset(each for each in targets if any(_has(one, each) and _has(two, each) for one, two in needs))


def _has(needs: Needs, target: Target) -> bool:
    alternatives = needs.alternatives
    return not alternatives or any(allows(target, each.targets) for each in alternatives)
