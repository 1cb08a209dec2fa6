"""`textDocument/rename` and `textDocument/prepareRename`: another name for the symbol under the cursor.

On the declaration of a family of registers, `%r<9>`, the whole family is renamed. On one of its members it is that
member: it gets a declaration of its own, after that of the family.
"""

from collections.abc import Generator, Iterator
from typing import Any

from ptx_lsp.analysis.module import Module
from ptx_lsp.explanations.cursor import DirectiveHere, OpcodeHere, here
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.occurrences.capture import other_uses, unfit_name
from ptx_lsp.occurrences.search import occurrences
from ptx_lsp.occurrences.section_labels import section_label_steps
from ptx_lsp.occurrences.target import Found, Target, target_steps
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.rewrites.single_registers import own_declaration
from ptx_lsp.semantics.execution import Role
from ptx_lsp.steps import result_of, with_empty_lists
from ptx_lsp.text.ranges import Position, Range


class RenameRefused(ValueError):
    """The symbol cannot be renamed, or not to this name; the message says why, in one sentence."""


def prepare_rename(module: Module, position: Position) -> tuple[Range, str]:
    """The range of the name at a position, and the name, which the user may edit. Raises RenameRefused."""
    return result_of(prepare_steps(module, position))


def prepare_steps(module: Module, position: Position) -> Generator[list[Any], None, tuple[Range, str]]:
    """The result of `prepare_rename`, in steps between which the module must not be edited; their lists are empty."""
    found = yield from _found(module, position)
    return found.range, found.target.name


def rename(module: Module, position: Position, new_name: str) -> Iterator[list[Edit]]:
    """The edits that give the symbol at a position a new name, in steps between which the caller may pause.

    The steps are in the order of the text, and a declaration that is added is the last one. The module must not be
    edited between two steps. Raises RenameRefused, at the first step or later.
    """
    target = (yield from _found(module, position)).target
    if new_name == target.name:
        return
    if reason := unfit_name(target, new_name):
        raise RenameRefused(reason)
    for obstacle in other_uses(module, target, new_name):
        if obstacle:
            raise RenameRefused(_taken(target, new_name, obstacle))
        yield []
    is_member = target.symbol.count is not None and not target.family
    for some in occurrences(module, target, roles=False):
        uses = (each.range for each in some if not (is_member and each.role is Role.DECLARATION))
        yield [_edit(range_, target, new_name, module) for range_ in uses]
    if is_member:
        yield [own_declaration(module, target, new_name)]


def _taken(target: Target, new_name: str, obstacle: str) -> str:
    """Why a name where the symbol is visible prevents the new name: it is that name, or a family with such members."""
    where = f"where `{target.name}` is visible"
    if obstacle == new_name or target.family:
        return f"`{new_name}` is used already {where}"
    return f"`{new_name}` looks like a register of the family `{obstacle}`, which is used {where}"


def _found(module: Module, position: Position) -> Generator[list[Any], None, Found]:
    found = yield from target_steps(module, position)
    if found is not None and found.target.is_outside:
        raise RenameRefused(f"`{found.target.name}` is declared outside of this text")
    if found is not None:
        return found
    if label := (yield from section_label_steps(module, position)):
        raise RenameRefused(f"`{label.name}` is a label of a section: only names of the program can be changed")
    word = _word_at(module, position)
    if special_register(word) is not None:
        raise RenameRefused(f"`{word}` is a special register: its name is fixed")
    if word:
        raise RenameRefused(f"`{word}` is not declared in this file")
    located = yield from with_empty_lists(module.statement_steps(position))
    raise RenameRefused(_fixed(located, position) or "there is no name to change here")


def _fixed(located: StatementContext | None, position: Position) -> str:
    """Why a word of the language cannot be changed; empty at other places."""
    match here(located.statement, located.offset(position)) if located is not None else None:
        case OpcodeHere(_, -1, word):
            return f"`{word.text}` is an instruction: its name is fixed"
        case OpcodeHere(_, _, word):
            return f"`{word.text}` is a modifier: its name is fixed"
        case DirectiveHere(word):
            return f"`{word.text}` is a word of the language: its name is fixed"
    return ""


def _word_at(module: Module, position: Position) -> str:
    """The name at a position that begins with `%`; empty if no such name is there."""
    line = module.document.line(min(position.line, module.document.line_count - 1))
    start = line.rfind("%", 0, position.column + 1)
    end = start + 1
    while 0 <= start < end < len(line) and (line[end].isalnum() or line[end] in "_$"):
        end += 1
    return line[start:end] if start >= 0 and position.column <= end else ""


def _edit(range_: Range, target: Target, new_name: str, module: Module) -> Edit:
    if not target.family:
        return Edit(range_, new_name)
    return Edit(range_, new_name + module.document.text(range_)[len(target.name) :])
