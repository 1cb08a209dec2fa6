"""What a fragment of PTX sees around it: the names, the version and the target that other text gives it.

A module states these itself. A fragment, such as the template of inline assembly, is analysed with an environment.
"""

from __future__ import annotations

from dataclasses import dataclass

from ptx_lsp.findings.finding import Finding, Related
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import Enum
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import Mark, Scope, Signature, Symbol, SymbolKind
from ptx_lsp.text.position_map import PositionMap
from ptx_lsp.text.ranges import Range

FUNCTION = "the fragment"
"""The name of the function around a fragment: no function of a module can have it."""


class OperandRole(Enum):
    """What the text around a fragment does with one of its names."""

    INPUT = "it gives the name a value before the fragment"
    OUTPUT = "it reads the value of the name after the fragment"
    BOTH = "it does both"


@dataclass(frozen=True, slots=True)
class OuterSymbol:
    """A name that is declared around a fragment, such as the operand `%0`.

    `name` is as the fragment writes it. `type` has its dot, `.b32`, and `space` is `.reg` for a register. `declared` is
    its place in the host text, shown where a finding says "is declared here"; None if it has none.
    """

    name: str
    type: str
    role: OperandRole = OperandRole.INPUT
    space: str = ".reg"
    declared: Range | None = None


@dataclass(frozen=True, slots=True)
class Environment:
    """The surroundings of a fragment.

    `symbols` are the names that are declared around it. `version` and `target` are what it is written for, `options`
    those of `.target`. `in_function` is True if the fragment is inside of a function: then it holds instructions and
    no `.version`, and labels that it branches to are its own. Otherwise it holds what follows a header. `positions`
    gives the place in the host text for each place in the fragment; if it is None, both are the same.
    """

    version: Version
    target: Target
    symbols: tuple[OuterSymbol, ...] = ()
    options: frozenset[str] = frozenset()
    address_size: int = 64
    in_function: bool = True
    positions: PositionMap | None = None

    def profile(self, maximum: Version | None) -> Profile:
        """What the fragment is written for; `maximum` is the highest version that the user's tools take."""
        return Profile(self.version, self.target, self.options, self.address_size, maximum=maximum)

    def declare(self, scope: Scope) -> Symbol:
        """Declare the symbols in a scope. Returns a function that contains the fragment.

        Its parameters are the names that have a value before the fragment, its results those that are only read after
        it.
        """
        given: list[Symbol] = []
        taken: list[Symbol] = []
        for number, outer in enumerate(self.symbols):
            kind = SymbolKind.REGISTER if outer.space == ".reg" else SymbolKind.VARIABLE
            symbol = Symbol(outer.name, kind, _mark(number), outer.space, outer.type)
            scope.declare(symbol)
            (taken if outer.role is OperandRole.OUTPUT else given).append(symbol)
        signature = Signature(tuple(taken), tuple(given))
        return Symbol(FUNCTION, SymbolKind.FUNCTION, _mark(-1), signature=signature)

    def in_host(self, range_: Range) -> Range | None:
        """The place in the host text of a range of the fragment, or of a symbol; None if it has none."""
        if range_.line < 0:
            return self.symbols[range_.column].declared if range_.column >= 0 else None
        return range_ if self.positions is None else self.positions.origin(range_)

    def finding_in_host(self, finding: Finding) -> Finding | None:
        """A finding of the fragment at its place in the host text; None if it has none there."""
        range_ = self.in_host(finding.range)
        if range_ is None:
            return None
        places = ((self.in_host(related.range), related.message) for related in finding.related)
        related = tuple(Related(place, message) for place, message in places if place is not None)
        return finding._replace(range=range_, related=related)


class _Outside:
    """The holder of the marks of outer symbols: above every block, and never moved."""

    line = 0
    index = -1


_OUTSIDE = _Outside()


def _mark(number: int) -> Mark:
    """A mark for the outer symbol with this number: no place in the fragment, and unlike all others."""
    return Mark(_OUTSIDE, Range(-1, number, -1, number))
