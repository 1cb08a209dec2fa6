"""The fix for modifiers in the wrong order."""

from collections.abc import Collection, Iterator
from itertools import permutations

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, Safety, safe_if
from ptx_lsp.fixes.verification import Site, fits
from ptx_lsp.isa.spaces import NARROW, SPACE_WORDS, SPACES
from ptx_lsp.isa.types import TYPE_WORDS, TYPES
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.syntax.tree import Address, Instruction, Operand, Statement, TermKind, Value

Sort = tuple[str, Collection[str]]

_DIRECTED: tuple[Sort, ...] = (
    ("types", TYPE_WORDS),
    ("state spaces", SPACE_WORDS),
    ("layouts", frozenset((".row", ".col"))),
)
"""Modifiers whose order says which operand they belong to, each with its name in titles."""

MOST_TYPES = 5
"""The orders of at most this many types are tried."""


def reorder(finding: Finding, site: Site) -> Iterator[Fix]:
    """The modifiers in the manual's order.

    The fix is safe if no two types or state spaces change their order, or if the operands show that they should: with
    another order of the types, the statement is wrong. Layouts change their order only if the instruction exists with
    one order of them.
    """
    statement = site.located.statement
    right = finding.data.get("replacement", "") or _exchanged(statement)
    if not right or not isinstance(statement, Instruction):
        return
    opcode, *rest = right.split(".")
    words = tuple(word.text for word in statement.modifiers)
    wanted = tuple("." + word for word in rest)
    kept = opcode + "".join(_kept_apart(words, wanted))
    if kept != right and kept != statement.text and fits(site, site.start, site.end, kept):
        yield Fix(f"write `{kept}`", (Edit(finding.range, kept),), Safety.SAFE)
        return
    changed = [sort for sort in _DIRECTED if _only(words, sort) != _only(wanted, sort)]
    shown = all(_is_shown(sort, wanted, statement, site) for sort in changed)
    safe = shown and fits(site, site.start, site.end, right)
    effect = "" if shown or not changed else f", which exchanges the {changed[0][0]} of the operands"
    yield Fix(f"write `{right}`{effect}", (Edit(finding.range, right),), safe_if(safe))


def _is_shown(sort: Sort, wanted: tuple[str, ...], statement: Instruction, site: Site) -> bool:
    """Whether the order of these modifiers in `wanted` is the only one that can be meant."""
    if sort[0] == "layouts":
        return True
    if sort[0] == "state spaces":
        return _operands_agree(statement, wanted, site)
    types = _only(wanted, sort)
    if len(types) > MOST_TYPES:
        return False
    for other in set(permutations(types)) - {tuple(types)}:
        own = iter(other)
        words = (next(own) if word in sort[1] else word for word in wanted)
        if fits(site, site.start, site.end, statement.opcode.text + "".join(words)):
            return False
    return True


def _exchanged(statement: Statement) -> str:
    """Opcode and modifiers with the two state spaces exchanged; empty unless there are two."""
    if not isinstance(statement, Instruction):
        return ""
    words = [word.text for word in statement.modifiers]
    spaces = [place for place, word in enumerate(words) if word in SPACE_WORDS]
    if len(spaces) != 2:
        return ""
    one, other = spaces
    words[one], words[other] = words[other], words[one]
    return statement.opcode.text + "".join(words)


def _kept_apart(words: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[str, ...]:
    """`wanted`, but with the types, spaces and layouts in the order that they have in `words`."""
    result = list(wanted)
    for sort in _DIRECTED:
        own = iter(_only(words, sort))
        result = [next(own, word) if word in sort[1] else word for word in result]
    return tuple(result)


def _only(words: tuple[str, ...], sort: Sort) -> list[str]:
    return [word for word in words if word in sort[1]]


def _operands_agree(statement: Instruction, wanted: tuple[str, ...], site: Site) -> bool:
    """Whether each address fits its state space in the new order, and would not fit in the written one.

    `cp.async.ca.global.shared [%r1], [%rd1], 4` copies to shared memory: only shared addresses have 32 bits.
    """
    spaces = [SPACES[word].base for word in wanted if word in SPACE_WORDS]
    addresses = [operand for operand in statement.operands if isinstance(operand, Address)]
    if len(spaces) != len(addresses):
        return False
    around = site.located.surroundings
    given = [_space_of(address.parts[0], around) for address in addresses if address.parts]
    agree = all(
        found in ("", space, "narrow" if space in NARROW else space)
        for found, space in zip(given, spaces, strict=False)
    )
    return agree and any(given)


def _space_of(part: Operand, around: Surroundings) -> str:
    """The state space of a variable, "narrow" for a register of 32 bits; empty if the address can be in any space."""
    if not isinstance(part, Value):
        return ""
    names = [term for term in part.expression.terms if term.kind is TermKind.NAME]
    symbol = around.scope.lookup(names[0].text) if names else None
    if symbol is None:
        return ""
    if symbol.kind is not SymbolKind.REGISTER:
        return symbol.space
    type_ = TYPES.get(symbol.type)
    return "narrow" if type_ is not None and type_.bits < around.profile.address_size else ""
