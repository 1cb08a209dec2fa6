"""Whether a symbol can have another name: nothing else may have that name where the symbol is visible."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.special_registers import WARP_SIZE, special_register
from ptx_lsp.occurrences.search import reach
from ptx_lsp.occurrences.target import Target
from ptx_lsp.reading.statement_context import StatementContext, statements_holding
from ptx_lsp.semantics.symbols import DIGITS
from ptx_lsp.syntax.names import names_in
from ptx_lsp.syntax.plain_text import NAME_TEXT
from ptx_lsp.text.kept_lines import KeptText

_IDENTIFIER = re.compile(NAME_TEXT, re.A)
LONGEST = 1024  # characters


def unfit_name(target: Target, new_name: str) -> str:
    """Why a text cannot be the new name of a symbol, in one sentence; empty if it can."""
    if len(new_name) > LONGEST or _IDENTIFIER.fullmatch(new_name) is None:
        return f"`{new_name[:LONGEST]}` is not a name: names have letters, digits, `_` and `$`, and may begin with `%`"
    if new_name == WARP_SIZE or special_register(new_name) is not None:
        return f"`{new_name}` is the name of a special register or constant"
    if target.family and new_name[-1] in DIGITS:
        return f"`{new_name}` ends in a digit: its members would be written like those of another family"
    return ""


def other_uses(module: Module, target: Target, new_name: str) -> Iterator[str]:
    """For each block where the target is visible: the name in it that prevents the new name; empty without one.

    That is the same name, or a family of which the new name would look like a member. The text of a block is searched
    for such names first. Between two blocks the caller may pause.
    """
    stem = new_name.rstrip(DIGITS)
    digits = "[0-9]*" if target.family else ""
    family = rf"|{re.escape(stem)}[0-9]*(?=\s*<)" if stem != new_name else ""
    pattern = re.compile(rf"(?<![\w$%.])(?:{re.escape(new_name)}{digits}(?![\w$]){family})", re.A)
    for block in reach(module, target):
        text = module.block_map.text(block)
        offsets = [match.start() for match in pattern.finditer(text)] if stem in text else []
        sought = frozenset(offsets)
        found = {
            name.text
            for context in (statements_holding(block, KeptText(text), offsets) if offsets else ())
            for name in names_in(context.statement)
            if name.start in sought and _sees(context, target)
        }
        yield new_name if new_name in found else min(found, default="")


def _sees(context: StatementContext, target: Target) -> bool:
    """Whether the scope of the target is around a statement."""
    if target.opening is None:
        return True
    openings = (scope.opening for scope in context.surroundings.scope.outward())
    return any(opening is not None and opening.resolved().start == target.opening for opening in openings)
