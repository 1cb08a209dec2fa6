"""`textDocument/codeAction` beyond fixes: rewrites of the place under the cursor, and of the whole document."""

from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.directive_names import SECTION_DATA
from ptx_lsp.rewrites.added_header import add_header
from ptx_lsp.rewrites.constant_spellings import constant_rewrites
from ptx_lsp.rewrites.modifier_order import sort_modifiers
from ptx_lsp.rewrites.rewrite import Rewrite
from ptx_lsp.rewrites.single_registers import register_rewrites
from ptx_lsp.rewrites.unused_names import remove_unused
from ptx_lsp.text.ranges import Position


def rewrite_steps(module: Module, position: Position) -> Iterator[Rewrite | None]:
    """The rewrites of what is at a position, in the order of a menu, and None where the caller may pause.

    None of them changes what the program does. There are none in sections of debug data, which may be very long. The
    module must not be edited meanwhile.
    """
    line = module.document.line(min(position.line, module.document.line_count - 1))
    if not line.strip() or line.lstrip().startswith(SECTION_DATA):
        return
    located = yield from module.statement_steps(position)
    if located is not None:
        yield from constant_rewrites(located, position)
        yield from sort_modifiers(located)
        yield None
        yield from register_rewrites(module, located, position)


def unused_names(module: Module) -> Iterator[Rewrite]:
    """The rewrite that removes what nothing uses, if the module has functions."""
    if next(module.each_body(), None) is not None:
        yield remove_unused(module)


def missing_header(module: Module) -> Iterator[Rewrite]:
    """The rewrite that adds the missing directives of the header, if any is missing."""
    yield from add_header(module)
