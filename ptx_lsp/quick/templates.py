"""The table of the templates of functions, which a short `check` does not need: see `function_memory.py`."""

from __future__ import annotations

from ptx_lsp.light_classes import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_lsp.quick.function_memory import FunctionTemplate

MOST_TEMPLATES = 64  # of one shape
MOST_CHARACTERS = 8_000_000  # of all templates of one version and target

Shape = tuple[str, int]  # the text before the name of a function, and the number of its lines


class Templates(dict[Shape, list["FunctionTemplate | None"]]):
    """The templates of one version and target by shape, the last one first; None for a function that has no template.

    The table is emptied when it has too much text.
    """

    __slots__ = ("size",)

    def __init__(self) -> None:
        super().__init__()
        self.size = 0

    def add(self, shape: Shape, template: FunctionTemplate | None) -> None:
        """Add a template."""
        self.size += template.size if template is not None else 0
        if self.size > MOST_CHARACTERS:
            self.clear()
            self.size = template.size if template is not None else 0
        others = self.setdefault(shape, [])
        others.insert(0 if template is not None else len(others), template)
        del others[MOST_TEMPLATES:]
