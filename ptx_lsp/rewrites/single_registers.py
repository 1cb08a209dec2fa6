"""Declarations of registers written in another way: a member of a family by itself, a family as single registers."""

import re
from collections.abc import Generator, Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.occurrences.capture import other_uses
from ptx_lsp.occurrences.search import occurrences
from ptx_lsp.occurrences.target import Target, target_steps
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.rewrites.rewrite import Rewrite, Steps, at_once
from ptx_lsp.semantics.execution import Role
from ptx_lsp.semantics.symbols import DIGITS, SymbolKind
from ptx_lsp.steps import with_pauses
from ptx_lsp.syntax.tree import Declaration, Declarator
from ptx_lsp.text.lines import indentation
from ptx_lsp.text.ranges import Position, Range

MOST_SINGLE = 64
"""A family with more members is not written as single registers."""

MOST_NAMES = 100  # names that are tried for a member


def register_rewrites(module: Module, located: StatementContext, position: Position) -> Iterator[Rewrite | None]:
    """What can be done with the declaration of the register at a position, and None where the caller may pause."""
    found = yield from with_pauses(target_steps(module, position))
    if found is None or found.target.symbol.kind is not SymbolKind.REGISTER or found.target.symbol.count is None:
        return
    target = found.target
    if target.is_outside:
        return
    if not target.family:
        yield Rewrite(f"declare `{target.name}` by itself", lambda: split_off(module, target))
    elif isinstance(located.statement, Declaration):
        yield from _single_registers(located, found.range, located.statement)


def split_off(module: Module, target: Target) -> Steps:
    """Give a member of a family a name and a declaration of its own, after that of the family."""
    name = yield from _free_name(module, target)
    if not name:
        return
    for some in occurrences(module, target, roles=False):
        yield [Edit(each.range, name) for each in some if each.role is not Role.DECLARATION]
    yield [own_declaration(module, target, name)]


def own_declaration(module: Module, target: Target, name: str) -> Edit:
    """The edit that declares one register with the type of a family, after the statement that declares the family."""
    context = module.statement_at(target.declared.start)
    assert context is not None, "the declaration of a target is a statement"
    end = context.range(context.statement.start, context.statement.end).end
    line = module.document.line(target.declared.line)
    symbol = target.symbol
    vector = f".v{symbol.vector} " if symbol.vector > 1 else ""
    return Edit(Range(*end, *end), f"\n{indentation(line)}.reg {vector}{symbol.type} {name};")


def _free_name(module: Module, target: Target) -> Generator[list[Edit], None, str]:
    """A name that nothing has where the member is visible: `%r_5` for `%r5`; empty if all of them are taken.

    The lists before it are empty.
    """
    stem = target.symbol.name
    number = target.name[len(stem) :]
    names = (f"{stem}_{number}{'_' * again}" for again in range(MOST_NAMES))
    for name in names:
        for used in other_uses(module, target, name):
            if used:
                break
            yield []
        else:
            return name
    return ""


def _single_registers(located: StatementContext, place: Range, statement: Declaration) -> Iterator[Rewrite]:
    """The family whose name is at a place as single registers."""
    for declarator in statement.declarators:
        if located.range(declarator.name.start, declarator.name.end) != place:
            continue
        count = _count(located, declarator)
        if 0 < count <= MOST_SINGLE:
            names = ", ".join(f"{declarator.name.text}{number}" for number in range(count))
            title = f"declare the members of `{declarator.name.text}<{count}>` one by one"
            yield at_once(title, Edit(located.range(declarator.start, declarator.end), names))


def _count(located: StatementContext, declarator: Declarator) -> int:
    """The number of members, if it is a plain decimal number and the name does not end in a digit; 0 otherwise."""
    text = located.text[declarator.name.end : declarator.end]
    found = re.fullmatch(r"\s*<\s*([1-9][0-9]{0,5})\s*>\s*", text)
    return int(found[1]) if found and declarator.name.text[-1] not in DIGITS else 0
