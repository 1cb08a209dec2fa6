"""Renaming in inline PTX: what a template declares, in all literals of its statement, and the names of operands.

Edits are tried before they are given: the statement is read again with them, and its PTX must be the one before with
the new name.
"""

from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inline_statement import Embedded
from ptx_lsp.embedded.inside import Inside, inside
from ptx_lsp.embedded.operand_names import operand_name, operand_name_edits
from ptx_lsp.embedded.operand_uses import operand_at
from ptx_lsp.embedded.template_names import Renaming, template_name, template_renaming
from ptx_lsp.features.rename import RenameRefused
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.hosts.statement import HOLE
from ptx_lsp.text.ranges import Position, Range

_LONGEST_SHOWN = 40  # characters


def prepare_rename(analysis: HostText, position: Position) -> tuple[Range, str] | None:
    """The range of the name at a position of the host, and the name; None outside of inline PTX.

    Raises RenameRefused.
    """
    here = inside(analysis, position)
    return _name_at(here, position) if here is not None else None


def rename(analysis: HostText, position: Position, new_name: str) -> list[Edit] | None:
    """The edits of the host that give what is at a position a new name; None outside of inline PTX.

    Raises RenameRefused.
    """
    here = inside(analysis, position)
    found = _name_at(here, position) if here is not None else None
    if here is None or found is None:
        return None
    if new_name == found[1]:
        return []
    renaming = _renaming(analysis, here, position, new_name)
    after = analysis.embedded_after(renaming.edits, here.located)
    if after is None or after.body.text != renaming.text or not _same_operands(after, here.embedded):
        raise RenameRefused(f"the literals of the template cannot hold `{new_name}`")
    return renaming.edits


def _name_at(here: Inside, position: Position) -> tuple[Range, str] | None:
    operand = operand_at(here, position)
    if operand is not None:
        range_, name = operand_name(here, operand)
    elif (at := here.position(position)) is not None:
        range_, name = template_name(here, at)
    else:
        return None
    _refuse_unknown_text(here, name)
    return range_, name


def _renaming(analysis: HostText, here: Inside, position: Position, new_name: str) -> Renaming:
    operand, at = operand_at(here, position), here.position(position)
    if operand is None and at is not None:
        return template_renaming(analysis, here, at, new_name)
    edits = operand_name_edits(here, operand, new_name) if operand is not None else []
    return Renaming(edits, here.embedded.body.text)


def _same_operands(one: Embedded, other: Embedded) -> bool:
    """Whether two statements have the same operands, except their names."""
    constraints = ([each.constraint for each in embedded.statement.operands] for embedded in (one, other))
    return next(constraints) == next(constraints)


def _refuse_unknown_text(here: Inside, name: str) -> None:
    """Raises RenameRefused if a part of the template is not known: it may have the name too."""
    template = here.embedded.statement.template
    if template.has_branches:
        raise RenameRefused(f"the template depends on an `#if`: another branch may have `{name}` too")
    for piece in template.pieces:
        if piece.text is None:
            shown = here.source(piece.start, piece.end)[:_LONGEST_SHOWN]
            raise RenameRefused(f"what `{shown}` gives the template is not known here: it may have `{name}` too")
    if HOLE in here.embedded.body.text:
        raise RenameRefused(f"what an operand gives the template is not known here: it may have `{name}` too")
