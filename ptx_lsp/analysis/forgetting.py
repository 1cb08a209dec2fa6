"""What an analysis that is not needed any more holds is given up in steps.

The objects of a block and its functions refer to each other: without this, Python finds them only by a search of all
objects, which takes half a second after a text of a million lines.
"""

from __future__ import annotations

from time import perf_counter

from ptx_lsp.light_classes import TYPE_CHECKING, Iterator

if TYPE_CHECKING:
    from ptx_lsp.analysis.incremental import IncrementalAnalysis

_PARTS_PER_STEP = 100
_NAMES_PER_STEP = 500


def forget_outdated(outdated: list[IncrementalAnalysis], deadline: float | None) -> bool:
    """Give up these analyses, the last one first, and remove them from the list; False if time ran out."""
    while outdated:
        for _ in forget_analyses(outdated[-1]):
            if deadline is not None and perf_counter() >= deadline:
                return False
        outdated.pop()
    return True


def forget_analyses(*analyses: IncrementalAnalysis | None) -> Iterator[None]:
    """Give up the results of all blocks and the names of the modules, in steps of less than a millisecond.

    Nothing may use these analyses afterwards.
    """
    for analysis in filter(None, analyses):
        for block in analysis.block_map.blocks:
            block.forget_reading()
            parts, block.parts = block.parts, []
            while parts:
                for part in parts[-_PARTS_PER_STEP:]:
                    part.forget_function()
                del parts[-_PARTS_PER_STEP:]
                if parts:
                    yield
        root = analysis.root
        for table in (root.members, root.families, root.labels, root.limited):
            while len(table) > _NAMES_PER_STEP:
                for _ in range(_NAMES_PER_STEP):
                    table.popitem()
                yield
            table.clear()
